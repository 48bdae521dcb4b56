import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http'
import t from 'tap'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { startPortal } from '#test/support/portal.ts'
import { sentCookies } from '../../support/sent-cookies.ts'
import { startTinyUpstream } from '../../support/tiny-upstream.ts'

const BACKUPS = `/api/v1/recover/customers/${NOTABLE.northwind}/backups`

const upstream = await startTinyUpstream(t)
const portal = await startPortal(t, { env: { UPSTREAM_RECOVER_URL: upstream.url } })
const cookie = (await sentCookies((await portal.as('partner.admin')).jar)).join('; ')
t.beforeEach(() => {
  upstream.received.length = 0
})

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: string
}

/** A call with any headers at all: fetch would not send many of these. */
function call(
  headers: OutgoingHttpHeaders,
  path = BACKUPS,
  method = 'GET',
  at = portal.url
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const own = { cookie, 'x-portal-csrf': '1', origin: portal.url }
    const sent = request(at + path, { method, headers: { ...own, ...headers }, agent: false }, (answer) => {
      let body = ''
      answer.on('data', (chunk) => {
        body += chunk
      })
      answer.once('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }))
      answer.once('error', reject)
    })
    sent.once('error', reject)
    sent.end()
  })
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** What an upstream gets of a call that brings nothing else. */
const ALWAYS = ['authorization', 'connection', 'host', 'traceparent', 'x-forwarded-for', 'x-request-id']

const HOSTILE: OutgoingHttpHeaders = {
  'proxy-authorization': 'Basic cG9ydGFs',
  'x-authorization': 'Bearer forged',
  'x-forwarded-for': '203.0.113.9',
  'x-forwarded-host': 'evil.example',
  'x-forwarded-proto': 'gopher',
  'x-forwarded-port': '1',
  'x-forwarded-prefix': '/evil',
  'x-forwarded-user': 'u-global-admin',
  'x-forwarded-email': 'a@evil.example',
  x_forwarded_for: '203.0.113.9',
  forwarded: 'for=203.0.113.9;host=evil.example',
  via: '1.1 evil.example',
  'x-real-ip': '203.0.113.9',
  'x-client-ip': '203.0.113.9',
  'true-client-ip': '203.0.113.9',
  'cf-connecting-ip': '203.0.113.9',
  'x-original-url': '/api/v2/management/users',
  'x-rewrite-url': '/api/v2/management/users',
  'x-original-method': 'DELETE',
  'x-http-method-override': 'DELETE',
  'x-http-method': 'DELETE',
  'x-method-override': 'DELETE',
  'x-user': 'u-global-admin',
  x_user: 'u-global-admin',
  'x-user-id': 'u-global-admin',
  'x-remote-user': 'u-global-admin',
  'remote-user': 'u-global-admin',
  'x-auth-request-user': 'u-global-admin',
  'x-amzn-oidc-identity': 'u-global-admin',
  'x-ms-client-principal': 'u-global-admin',
  'x-ssl-client-cert': 'forged',
  'x-request-id': 'chosen-by-the-caller',
  'x-correlation-id': 'chosen-by-the-caller',
  'x-customer-id': 'c-2001',
  'x-middleware-subrequest': 'middleware',
  'x-envoy-original-path': '/evil',
  'user-agent': 'evil',
  referer: 'https://evil.example/?token=x',
  'keep-alive': 'timeout=5',
  'proxy-connection': 'keep-alive',
  te: 'trailers',
  upgrade: 'h2c',
  'http2-settings': 'AAMAAABkAAQAAP__',
  expect: '100-continue',
  range: 'bytes=0-1',
  'if-range': '"x"',
  'max-forwards': '0',
  'early-data': '1',
  priority: 'u=0',
  dnt: '1',
  baggage: 'user=evil',
  b3: '0',
  'content-encoding': 'gzip',
  'accept-charset': 'utf-7'
}

t.test('no header that a caller makes up reaches an upstream, and none makes us stumble', async (t) => {
  const entries = Object.entries(HOSTILE)
  t.ok(entries.length >= 40, `${entries.length} headers`)
  const calls: [name: string, headers: OutgoingHttpHeaders][] = [
    ...entries.map(([name, value]): [string, OutgoingHttpHeaders] => [name, { [name]: value }]),
    ...entries.map(([name, value]): [string, OutgoingHttpHeaders] => [
      `${name} in capitals`,
      { [name.toUpperCase()]: value }
    ]),
    ['connection naming our own', { connection: 'authorization, x-request-id, x-forwarded-for' }],
    ['connection: upgrade', { connection: 'upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' }],
    ['connection: keep-alive', { connection: 'keep-alive, te', te: 'trailers' }],
    ['a cookie of another kind', { cookie: `${cookie}; admin=1; JSESSIONID=x` }],
    ['all of them', HOSTILE]
  ]
  for (const [name, headers] of calls) {
    upstream.received.length = 0
    const { status } = await call(headers)
    t.equal(status, 200, name)
    const got = upstream.received[0]?.headers ?? []
    t.strictSame(got.map(([header]) => header).sort(), ALWAYS, name)
    const values = Object.fromEntries(got)
    t.match(values['x-request-id'], UUID)
    t.match(values['x-forwarded-for'], /^(?:::1|(?:::ffff:)?127\.0\.0\.1)$/)
    t.match(values.authorization, /^Bearer eyJ/)
    t.equal(values.host, new URL(upstream.url).host)
  }
})

t.test('who brings an authorization of their own is judged by it, cookie or not', async (t) => {
  for (const authorization of [
    'Bearer forged',
    'Basic cG9ydGFsOnBvcnRhbA==',
    'bearer',
    'Bearer eyJ.eyJ.x',
    ''
  ])
    t.equal((await call({ authorization })).status, 401, authorization)
  t.strictSame(upstream.received, [])
})

t.test('what a call is made of passes', async (t) => {
  const passing = {
    accept: 'application/json',
    'accept-encoding': 'gzip',
    'accept-language': 'de',
    'if-match': '"1"',
    'if-modified-since': 'Sat, 01 Jan 2028 00:00:00 GMT',
    'if-none-match': 'W/"2"',
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    tracestate: 'a=b'
  }
  await call(passing)
  const values = Object.fromEntries(upstream.received[0]?.headers ?? [])
  t.match(values, passing)
  t.strictSame(Object.keys(values).sort(), [...new Set([...ALWAYS, ...Object.keys(passing)])].sort())
})

t.test('behind a trusted proxy the upstream learns the caller’s address, and only from there', async (t) => {
  const trusting = await startPortal(t, {
    startedSandbox: portal.sandbox,
    backend: portal.backend,
    env: { UPSTREAM_RECOVER_URL: upstream.url, TRUST_PROXY: '127.0.0.1,::1' }
  })
  const own = (await sentCookies((await trusting.as('partner.admin')).jar)).join('; ')
  const headers = { cookie: own, origin: trusting.url, 'x-forwarded-for': '198.51.100.7, 203.0.113.9' }
  t.equal((await call(headers, BACKUPS, 'GET', trusting.url)).status, 200)
  t.equal(Object.fromEntries(upstream.received[0]?.headers ?? [])['x-forwarded-for'], '203.0.113.9')
})

const ANSWERED: Record<string, string | string[]> = {
  'set-cookie': ['portal=stolen; Path=/', '__Host-portal=stolen', 'portal-signin-x=1'],
  server: 'Apache/1.3',
  'x-powered-by': 'PHP/4',
  'clear-site-data': '"cookies"',
  'access-control-allow-origin': '*',
  'access-control-allow-credentials': 'true',
  'proxy-authenticate': 'Basic',
  'www-authenticate': 'Basic realm="phishing"',
  'keep-alive': 'timeout=1',
  'strict-transport-security': 'max-age=0',
  'content-security-policy': 'default-src *',
  'x-frame-options': 'ALLOWALL',
  'cross-origin-resource-policy': 'cross-origin',
  refresh: '0; url=https://evil.example',
  link: '<https://evil.example>; rel=preload',
  'alt-svc': 'h3="evil.example:443"',
  'service-worker-allowed': '/',
  'x-accel-redirect': '/internal',
  'report-to': '{}',
  nel: '{}',
  'timing-allow-origin': '*',
  via: '1.1 internal-host',
  age: '100',
  expires: 'Sat, 01 Jan 2050 00:00:00 GMT',
  vary: '*',
  pragma: 'public',
  'x-internal-host': 'db-7.internal',
  'x-request-id': 'theirs',
  'cache-control': 'public, max-age=31536000'
}

const FRAMING = ['content-length', 'transfer-encoding']

t.test('nothing of an answer’s headers that could harm reaches the browser', async (t) => {
  const plain = await call({})
  upstream.answer = (_request, response) => {
    for (const [name, value] of Object.entries(ANSWERED)) response.setHeader(name, value)
    response.setHeader('content-type', 'application/json')
    response.end('{"fine":true}')
  }
  const answer = await call({})
  t.equal(answer.status, 200)
  t.equal(answer.body, '{"fine":true}')
  const names = ({ headers }: Answer) =>
    Object.keys(headers)
      .filter((name) => !FRAMING.includes(name))
      .sort()
  t.strictSame(names(answer), names(plain))
  for (const name of [
    'content-security-policy',
    'x-frame-options',
    'cross-origin-resource-policy',
    'cache-control'
  ])
    t.equal(answer.headers[name], plain.headers[name], `${name} is ours`)
  t.equal(answer.headers['cache-control'], 'private, no-cache')
  t.equal(answer.headers['set-cookie'], undefined)
})

t.test('what describes an answer passes', async (t) => {
  const passing = {
    'content-type': 'application/octet-stream',
    'content-disposition': 'attachment; filename="a.dist"',
    'content-language': 'de',
    'content-length': '3',
    etag: '"1"',
    'last-modified': 'Sat, 01 Jan 2028 00:00:00 GMT',
    'retry-after': '7',
    'x-correlation-id': 'theirs'
  }
  upstream.answer = (_request, response) => response.writeHead(200, passing).end('abc')
  const answer = await call({})
  t.match(answer.headers, passing)
  t.equal(answer.body, 'abc')
})

t.test('a redirect leads to a path of ours, and nowhere else', async (t) => {
  const places: [location: string, passes: boolean][] = [
    ['https://evil.example/', false],
    ['http://10.0.0.7:8080/internal', false],
    ['//evil.example/', false],
    ['/\\evil.example', false],
    ['javascript:alert(1)', false],
    ['data:text/html,x', false],
    ['ftp://evil.example', false],
    ['relative/path', false],
    ['/api/v1/recover/x', true]
  ]
  for (const [location, passes] of places) {
    upstream.answer = (_request, response) => response.writeHead(302, { location }).end()
    const listed = await call({})
    t.equal(listed.status, 302)
    t.equal(listed.headers.location, passes ? location : undefined, location)
  }
})
