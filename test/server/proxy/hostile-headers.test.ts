// Headers as bytes that no client library would send: none that is not on the list reaches an upstream, none that is on
// it can be used to say something about the caller, and none is answered with a failure. The same the other way round.
import { createServer, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { startSandbox } from '#test/sandbox/app.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { startPortal } from '#test/support/portal.ts'
import { sendAlone } from '../../support/raw-http.ts'
import { type Passed, startRecordingUpstream } from '../../support/recording-upstream.ts'
import { sentCookies } from '../../support/sent-cookies.ts'

const MARK = 'h0stile'
const ME = '/api/v2/management/myUser'
const POINTS = `/api/v1/entitymodel/customers/${NOTABLE.northwind}/pointNames`

const sandbox = await startSandbox()
t.teardown(() => sandbox.stop())
const upstream = await startRecordingUpstream(t, sandbox)
const portal = await startPortal(t, {
  startedSandbox: sandbox,
  env: { UPSTREAM_URL: upstream.url, CALLS_IN_FLIGHT: '1000' }
})
const port = Number(new URL(portal.url).port)
const [cookie = ''] = await sentCookies((await portal.as('customer.user')).jar)

/** What an upstream may get at all; the gateway's own three say what it knows itself. */
const PASS = [
  'accept',
  'accept-encoding',
  'accept-language',
  'content-type',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'traceparent',
  'tracestate'
]
const TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
const OURS = ['authorization', 'x-forwarded-for', 'x-request-id']
const OF_THE_CONNECTION = ['host', 'connection', 'content-length']

interface Sent {
  status: number
  passed: Passed[]
}

/** Sends the lines as they are, each with its line break. */
async function send(lines: string, method = 'GET', path = ME, body = ''): Promise<Sent> {
  upstream.passed.length = 0
  const length = method === 'GET' ? '' : `content-length: ${body.length}\r\n`
  const head = `${method} ${path} HTTP/1.1\r\nhost: localhost\r\ncookie: ${cookie}\r\norigin: ${portal.url}\r\nx-portal-csrf: 1\r\n`
  const { status } = await sendAlone(port, `${head}${length}${lines}connection: close\r\n\r\n${body}`)
  return { status, passed: [...upstream.passed] }
}

function pairsOf({ rawHeaders }: Passed): [string, string][] {
  const pairs: [string, string][] = []
  for (let index = 0; index < rawHeaders.length; index += 2)
    pairs.push([(rawHeaders[index] ?? '').toLowerCase(), rawHeaders[index + 1] ?? ''])
  return pairs
}

/** What is wrong with the answer and with what reached the upstream. */
function wrongWith({ status, passed }: Sent): string[] {
  const wrong: string[] = []
  if (status === 0 || status >= 500) wrong.push(`answered ${status}`)
  if (passed.length > 1) wrong.push('sent more than once')
  for (const call of passed) {
    const pairs = pairsOf(call)
    if (call.subject !== 'u-customer-user') wrong.push(`acts as ${call.subject}`)
    for (const [name, value] of pairs) {
      if (![...PASS, ...OURS, ...OF_THE_CONNECTION].includes(name)) wrong.push(`${name} got through`)
      if (value.includes(MARK) && !PASS.includes(name)) wrong.push(`${name}: ${value}`)
    }
    for (const name of OURS) {
      const values = pairs.filter(([one]) => one === name)
      // Of a connection that Node has closed already nobody knows the address.
      const atLeast = name === 'x-forwarded-for' && status === 400 ? 0 : 1
      if (values.length > 1 || values.length < atLeast) wrong.push(`${values.length} times ${name}`)
    }
    const forwarded = pairs.find(([name]) => name === 'x-forwarded-for')?.[1]
    if (!/^(?:127\.0\.0\.1|::1|::ffff:127\.0\.0\.1)$/.test(forwarded ?? '::1')) wrong.push(`for ${forwarded}`)
    if (call.method !== 'GET' && call.method !== 'POST') wrong.push(`method ${call.method}`)
    if (call.target !== ME && call.target !== POINTS) wrong.push(`target ${call.target}`)
  }
  return wrong
}

const NAMES = `
  x-forwarded-for x-forwarded-host x-forwarded-proto x-forwarded-port x-forwarded-prefix x-forwarded-server
  x-forwarded-scheme x-forwarded-ssl x-forwarded-uri x-forwarded-path x-forwarded-method x-forwarded-user
  x-forwarded-email x-forwarded-groups x-forwarded-preferred-username x-forwarded-access-token
  x-forwarded-client-cert x-forwarded forwarded forwarded-for via x-real-ip x-client-ip x-cluster-client-ip
  x-originating-ip x-remote-ip x-remote-addr true-client-ip cf-connecting-ip fastly-client-ip x-azure-clientip
  x-host x-original-host x-original-url x-rewrite-url x-original-uri x-override-url x-http-destinationurl
  x-http-method-override x-http-method x-method-override x-proxy-url base-url request-uri destination
  x-user x-user-id x-userid x-username x-remote-user remote-user remote-groups x-auth-user x-auth-token
  x-auth-request-user x-auth-request-email x-authenticated-user x-authenticated-userid x-authenticated-scope
  x-consumer-id x-consumer-username x-credential-identifier x-anonymous-consumer x-jwt-assertion x-id-token
  x-access-token x-api-key x-authorization x-amzn-oidc-data x-amzn-oidc-identity x-ms-client-principal
  x-ms-token-aad-id-token x-goog-authenticated-user-email x-goog-iap-jwt-assertion x-endpoint-api-userinfo
  x-envoy-original-path x-envoy-internal x-envoy-upstream-rq-timeout-ms x-istio-attributes x-ssl-client-cert
  x-ssl-client-verify ssl-client-cert x-client-cert x-client-dn x-organization-id x-customer-id x-tenant-id
  x-partner-id x-roles x-role x-scope x-scopes x-groups x-permissions x-admin x-internal x-debug x-impersonate
  impersonate-user x-act-as x-on-behalf-of x-sudo x-middleware-subrequest x-nextjs-data x-accel-redirect
  x-accel-buffering x-sendfile x-sendfile-type x-request-id x-correlation-id x-trace-id x-b3-traceid x-b3-flags
  b3 baggage uber-trace-id x-datadog-trace-id x-cloud-trace-context sentry-trace proxy-authorization
  proxy-authenticate proxy-connection proxy http-proxy cookie2 set-cookie set-cookie2 range if-range
  if-unmodified-since if-none-match2 te trailer keep-alive http2-settings alt-used early-data max-forwards from date warning
  pragma cache-control user-agent referer dnt save-data x-requested-with accept-charset accept-datetime
  content-encoding content-location content-language content-md5 content-range content-disposition digest
  content-digest want-digest link location server sec-fetch-site sec-fetch-mode sec-fetch-dest sec-ch-ua
  sec-websocket-key sec-websocket-version sec-websocket-protocol sec-gpc priority upgrade-insecure-requests
  x-wap-profile front-end-https x-url-scheme x-scheme x-arr-ssl x-wf-protocol translate depth overwrite
  x-att-deviceid x-uidh x-csrf-token x-xsrf-token x-portal-csrf2 authorization2 client-ip http-client-ip
`
  .trim()
  .split(/\s+/)

const said = { answer: '' }
const bytes = await startPortal(t, {
  startedSandbox: sandbox,
  env: {
    UPSTREAM_CHARTS_AND_REPORTS_URL: await bytesUpstream(t, (socket) => socket.end(said.answer, 'latin1'))
  }
})
const [bytesCookie = ''] = await sentCookies((await bytes.as('customer.user')).jar)

t.test('a header that is not on the list reaches no upstream, in whatever form it comes', async (t) => {
  t.ok(NAMES.length >= 150, `${NAMES.length} names`)
  const forms: Record<string, (name: string) => string> = {
    plain: (name) => `${name}: ${MARK}\r\n`,
    'with underscores, in capitals': (name) => `${name.replaceAll('-', '_').toUpperCase()}: ${MARK}\r\n`,
    'in Title-Case, twice': (name) =>
      `${name.replace(/(?:^|-)\w/g, (letter) => letter.toUpperCase())}: ${MARK}\r\n`.repeat(2)
  }
  for (const [form, lineOf] of Object.entries(forms)) {
    const wrong: string[] = []
    let passedOn = 0
    for (const name of NAMES) {
      const sent = await send(lineOf(name))
      passedOn += sent.passed.length
      wrong.push(...wrongWith(sent).map((what) => `${name}: ${what}`))
    }
    t.strictSame(wrong, [], form)
    t.ok(passedOn > NAMES.length * 0.9, `${passedOn} of the calls were passed on`)
  }
})

/** Lines with what they are about; none may be answered with a failure, nor get anything through. */
const TRICKS: Record<string, string> = {
  'our token named by Connection': 'connection: authorization\r\n',
  'all of ours named by Connection':
    'connection: close, authorization, x-request-id, x-forwarded-for, cookie\r\n',
  'our token named by Connection, in other letters': 'Connection: keep-alive, AUTHORIZATION\r\n',
  'nonsense named by Connection': `connection: ${MARK}, "x", ;, ,,,\r\n`,
  'the length named by Connection': 'connection: content-length, transfer-encoding, host\r\n',
  'an upgrade to h2c':
    'connection: upgrade, http2-settings\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABkAAQAAP__\r\n',
  'an upgrade to a web socket':
    'connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nsec-websocket-version: 13\r\n',
  'an upgrade to TLS': 'connection: upgrade\r\nupgrade: TLS/1.2\r\n',
  'an upgrade to nonsense': `connection: upgrade\r\nupgrade: ${MARK}\r\n`,
  'an upgrade without Connection': 'upgrade: h2c\r\n',
  'keeping alive for long': 'keep-alive: timeout=99999, max=5\r\n',
  'a number to keep alive': 'keep-alive: 5\r\n',
  'waiting for a go-ahead': 'expect: 100-continue\r\n',
  'trailers announced': `te: trailers, ${MARK}\r\ntrailer: authorization\r\n`,
  'an empty name of a proxy': 'proxy-connection: \r\n',
  'a second cookie': `cookie: portal=${MARK}; other=${MARK}\r\n`,
  'a cookie header without a name': `cookie: ${MARK}\r\n`,
  'a huge cookie': `cookie: a=${'x'.repeat(6000)}\r\n`,
  'a huge value': `x-huge: ${MARK}${'x'.repeat(8000)}\r\n`,
  'a huge value of one that passes': `accept: ${'x'.repeat(8000)}\r\n`,
  'many headers': Array.from({ length: 90 }, (_, index) => `x-many-${index}: ${MARK}\r\n`).join(''),
  'many times one that passes': 'accept: a/b\r\n'.repeat(50),
  'latin letters in one that passes': 'accept-language: \xe4\xf6\xfc\xff\r\n',
  'a tab in one that passes': 'accept-language: de\t, en\r\n',
  'an empty one that passes': 'accept:\r\naccept-encoding:\r\ntraceparent:\r\nif-none-match:\r\n',
  'a trace of nonsense': `traceparent: ${MARK}\r\ntracestate: ${MARK}=${'y'.repeat(3000)}\r\n`,
  'an encoding of nonsense': `accept-encoding: ${MARK}, *;q=0, identity;q=0\r\n`,
  'a condition of nonsense': `if-none-match: ${MARK}\r\nif-modified-since: ${MARK}\r\n`,
  'a name of one letter': `x: ${MARK}\r\n`,
  'a name of signs': `!#$%&'*+-.^_\`|~: ${MARK}\r\n`,
  'names of our objects': `__proto__: ${MARK}\r\nconstructor: ${MARK}\r\nprototype: ${MARK}\r\nhasownproperty: ${MARK}\r\n`,
  'a body of a GET announced': 'content-type: application/json\r\n',
  'a range': 'range: bytes=0-0\r\n',
  'a preflight': `access-control-request-method: DELETE\r\naccess-control-request-headers: ${MARK}\r\n`,
  'a value that ends in spaces': `x-forwarded-for: ${MARK}   \t \r\n`
}

/** Lines that are no header at all: refused, or not listened to. */
const BROKEN: Record<string, string> = {
  'a folded line': `x-fold: a\r\n authorization: ${MARK}\r\n`,
  'a folded line with a tab': `accept: a\r\n\t${MARK}\r\n`,
  'a space before the colon': `authorization : Bearer ${MARK}\r\n`,
  'a tab before the colon': `x-user\t: ${MARK}\r\n`,
  'a space in the name': `x user: ${MARK}\r\n`,
  'no name': `: ${MARK}\r\n`,
  'no colon': `${MARK}\r\n`,
  'a zero in the name': `x-\0user: ${MARK}\r\n`,
  'a zero in the value': `x-user: ${MARK}\0\r\n`,
  'a bare line feed in a value': `x-user: a\nauthorization: Bearer ${MARK}\r\n`,
  'a bare carriage return in a value': `x-user: a\rauthorization: Bearer ${MARK}\r\n`,
  'a control character in a value': `x-user: ${MARK}\x01\r\n`,
  'a letter beyond ASCII in a name': `x-\xfcser: ${MARK}\r\n`,
  'a name that ends in a letter of another script': `authorizatio\xef\xbd\x8e: Bearer ${MARK}\r\n`,
  'more than anybody sends': `x-huge: ${'x'.repeat(20_000)}\r\n`,
  'more headers than anybody sends': 'x-more: y\r\n'.repeat(3000),
  'an expectation of something else': `expect: ${MARK}\r\n`,
  'two expectations': 'expect: 100-continue, 200-ok\r\n',
  'a host more': `host: ${MARK}.example.com\r\n`,
  'a length of a GET': 'content-length: 5\r\n',
  'a length that is no number': 'content-length: 5x\r\n',
  'a negative length': 'content-length: -1\r\n',
  'two lengths': 'content-length: 0\r\ncontent-length: 5\r\n',
  'a length and chunks': 'content-length: 0\r\ntransfer-encoding: chunked\r\n',
  'chunks in other letters': 'transfer-encoding: xchunked\r\n',
  'chunks twice': 'transfer-encoding: chunked, chunked\r\n',
  'chunks and another encoding': 'transfer-encoding: gzip, chunked\r\n',
  'chunks behind a tab': 'transfer-encoding:\tchunked\r\ncontent-length: 3\r\n',
  'another token': `authorization: Bearer ${MARK}\r\n`,
  'another token, twice': `authorization: Bearer ${MARK}\r\nAuthorization: Basic ${MARK}\r\n`,
  'an empty token': 'authorization:\r\n',
  'another scheme': `AUTHORIZATION: Negotiate ${MARK}\r\n`
}

t.test('no trick with a header gets anything through', async (t) => {
  for (const [name, lines] of Object.entries(TRICKS)) {
    const sent = await send(lines)
    t.strictSame(wrongWith(sent), [], `${name}: ${sent.status}`)
    const posted = await send(`content-type: application/json\r\n${lines}`, 'POST', POINTS, '{}')
    t.strictSame(wrongWith(posted), [], `${name}, with a body: ${posted.status}`)
  }
})

t.test('what is no header is refused or not listened to', async (t) => {
  for (const [name, lines] of Object.entries(BROKEN)) {
    const sent = await send(lines)
    // A connection that is closed without an answer is a refusal too.
    const wrong = wrongWith({ ...sent, status: sent.status || 400 })
    t.strictSame(wrong, [], `${name}: ${sent.status}`)
  }
})

t.test('what passes is passed as it is, and nothing is lost of our own', async (t) => {
  // A trace passes as a trace alone.
  const sent = (name: string) => (name === 'traceparent' ? TRACE : `${MARK}-${name}`)
  const named = PASS.filter((name) => name !== 'content-type')
  const { status, passed } = await send(named.map((name) => `${name}: ${sent(name)}\r\n`).join(''))
  t.equal(status, 200)
  const got = Object.fromEntries(pairsOf(passed[0] as Passed))
  for (const name of named) t.equal(got[name], sent(name))
  t.match(got.authorization, /^Bearer eyJ/)
  t.match(got['x-request-id'], /^[\da-f-]{36}$/)
  t.equal(got.host, `127.0.0.1:${upstream.port}`)
})

/** An upstream of bytes, for the alarms. */
async function bytesUpstream(t: Test, answer: (socket: Socket) => void) {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => answer(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`
}

const reports = { path: `/api/v1/charts-and-reports/${NOTABLE.northwind}/reports` }

async function answered(headers: string, status = '200 OK', body = '{}') {
  said.answer = `HTTP/1.1 ${status}\r\n${headers}content-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`
  const { status: got, head } = await sendAlone(
    Number(new URL(bytes.url).port),
    `GET ${reports.path} HTTP/1.1\r\nhost: localhost\r\ncookie: ${bytesCookie}\r\nx-portal-csrf: 1\r\nconnection: close\r\n\r\n`
  )
  const lines = head.split('\r\n').slice(1)
  return { status: got, head, names: lines.map((line) => line.split(':')[0]?.toLowerCase() ?? '') }
}

const HOSTILE_ANSWERS = `
  set-cookie set-cookie2 clear-site-data access-control-allow-origin access-control-allow-credentials
  access-control-allow-headers access-control-expose-headers access-control-max-age timing-allow-origin keep-alive
  proxy-authenticate proxy-authentication-info proxy-connection www-authenticate authentication-info server via
  x-powered-by x-aspnet-version x-runtime refresh link location2 content-location alt-svc alt-used upgrade trailer
  x-accel-redirect x-accel-buffering x-sendfile x-sendfile-type x-reproxy-url x-lighttpd-send-file x-middleware-rewrite
  sourcemap x-sourcemap service-worker-allowed report-to nel reporting-endpoints expect-ct public-key-pins
  content-security-policy-report-only origin-agent-cluster2 accept-ch critical-ch document-policy
  permissions-policy feature-policy speculation-rules supports-loading-mode set-login x-dns-prefetch-control2
  authorization cookie x-internal-host x-upstream-address x-envoy-upstream-service-time x-request-id x-user-id age
  expires pragma warning p3p x-frame-options2 priority
`
  .trim()
  .split(/\s+/)

t.test('a header of an upstream that is not on the list reaches no caller', async (t) => {
  for (const name of HOSTILE_ANSWERS) {
    const { status, head } = await answered(
      `${name}: ${MARK}\r\n${name.toUpperCase()}: portal=${MARK}; Path=/\r\n`
    )
    t.equal(status, 200, name)
    t.notOk(head.includes(MARK), `${name} stays behind`)
  }
})

t.test('an upstream cannot loosen what protects the page', async (t) => {
  const { head } = await answered(
    [
      'content-security-policy: script-src *; report-uri http://elsewhere.example.com',
      'x-frame-options: ALLOWALL',
      'x-content-type-options: sniff',
      'strict-transport-security: max-age=0',
      'referrer-policy: unsafe-url',
      'cross-origin-resource-policy: cross-origin',
      'cross-origin-opener-policy: unsafe-none',
      'cache-control: public, max-age=31536000',
      'vary: *',
      ''
    ].join('\r\n')
  )
  t.match(head, /content-security-policy: default-src 'none'/i)
  t.match(head, /x-frame-options: deny/i)
  t.match(head, /x-content-type-options: nosniff/i)
  t.match(head, /cache-control: private, no-cache/i)
  t.match(head, /cross-origin-resource-policy: same-origin/i)
  t.notMatch(head, /ALLOWALL|unsafe-url|unsafe-none|: sniff|public|elsewhere/i)
  for (const name of ['content-security-policy', 'cache-control', 'x-frame-options'])
    t.equal(head.match(new RegExp(`^${name}:`, 'gim'))?.length, 1, `one ${name}`)
})

t.test('an upstream leads nobody to another host', async (t) => {
  const elsewhere = [
    'http://elsewhere.example.com/',
    'https://10.0.0.7:8443/internal',
    '//elsewhere.example.com/x',
    '/\\elsewhere.example.com',
    '\\\\elsewhere.example.com',
    '/\t/elsewhere.example.com',
    '/\t\\elsewhere.example.com',
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://elsewhere',
    'elsewhere',
    '?x',
    '',
    ' //elsewhere.example.com'
  ]
  for (const location of elsewhere) {
    const { status, names } = await answered(`location: ${location}\r\n`, '302 Found')
    t.ok(status < 500, `${status}`)
    t.notOk(names.includes('location'), location)
  }
  const { head } = await answered('location: /api/v1/charts-and-reports/x\r\n', '302 Found')
  t.match(head, /location: \/api\/v1\/charts-and-reports\/x/i, 'a path of our own may pass')
})

t.test('an answer that is no HTTP is a 502 or 503 of ours, in our own words', async (t) => {
  const nonsense: Record<string, string> = {
    'no HTTP': 'hello\r\n\r\n',
    'another protocol': 'SSH-2.0-OpenSSH_9.6\r\n',
    'a version that is none': 'HTTP/9.9 200 OK\r\ncontent-length: 0\r\n\r\n',
    'a status that is none': 'HTTP/1.1 abc OK\r\n\r\n',
    'a zero in a value': 'HTTP/1.1 200 OK\r\netag: a\0b\r\ncontent-length: 0\r\n\r\n',
    'a control character in one that passes':
      'HTTP/1.1 200 OK\r\netag: "a\x01b"\r\ncontent-length: 0\r\n\r\n',
    'a bare line feed': 'HTTP/1.1 200 OK\r\netag: a\nset-cookie: portal=x\r\ncontent-length: 0\r\n\r\n',
    'two lengths': 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n12',
    'a length and chunks':
      'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    'an upgrade that nobody asked for':
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
    'headers without end': `HTTP/1.1 200 OK\r\n${'x-more: y\r\n'.repeat(20_000)}`,
    nothing: ''
  }
  for (const [name, answer] of Object.entries(nonsense)) {
    said.answer = answer
    const { status, head } = await sendAlone(
      Number(new URL(bytes.url).port),
      `GET ${reports.path} HTTP/1.1\r\nhost: localhost\r\ncookie: ${bytesCookie}\r\nx-portal-csrf: 1\r\nconnection: close\r\n\r\n`
    )
    t.ok([0, 200, 502, 503, 504].includes(status), `${name}: ${status}`)
    t.notMatch(head, /set-cookie|HPE_|undici/i)
  }
})

t.test('an answer that breaks off before its first byte is an upstream’s failure, not ours', async (t) => {
  const broken: Record<string, string> = {
    'a chunk of no size': 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\n\r\n',
    'a body that never comes': 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n'
  }
  for (const [name, answer] of Object.entries(broken)) {
    said.answer = answer
    const { status, head } = await sendAlone(
      Number(new URL(bytes.url).port),
      `GET ${reports.path} HTTP/1.1\r\nhost: localhost\r\ncookie: ${bytesCookie}\r\nx-portal-csrf: 1\r\nconnection: close\r\n\r\n`
    )
    t.ok([502, 503, 504].includes(status), `${name}: ${status}`)
    t.match(head, /application\/problem\+json/)
  }
})

t.test('what is no request at all is told as a problem too', async (t) => {
  for (const line of [
    'GET /api/%zz HTTP/1.1',
    'GET /a b HTTP/1.1',
    'GET /api/\x01 HTTP/1.1',
    'NONSENSE / HTTP/1.1'
  ]) {
    const { status, head } = await sendAlone(port, `${line}\r\nhost: localhost\r\nconnection: close\r\n\r\n`)
    t.equal(status, 400, line)
    isBareProblem(t, head)
  }
  const huge = `GET / HTTP/1.1\r\nhost: localhost\r\nx-huge: ${'x'.repeat(40_000)}\r\nconnection: close\r\n\r\n`
  const { status, head } = await sendAlone(port, huge)
  t.equal(status, 431, 'headers without measure')
  isBareProblem(t, head)
})

/** No browser takes it for a page, nobody keeps it. */
function isBareProblem(t: Test, head: string): void {
  t.match(head, /^content-type: application\/problem\+json/im)
  t.match(head, /^content-security-policy: default-src 'none'/im)
  t.match(head, /^x-content-type-options: nosniff/im)
  t.match(head, /^x-frame-options: DENY/im)
  t.match(head, /^cache-control: no-store/im)
}

t.test('letters beyond ASCII in an answer do not break it', async (t) => {
  const { status } = await answered(
    'content-disposition: attachment; filename="\xe4\xf6\xfc.csv"\r\netag: "\xff"\r\n'
  )
  t.equal(status, 200)
})

t.test('nothing unexpected is in the log', async (t) => {
  const unexpected = [...portal.logged, ...bytes.logged].filter((line) =>
    /"level":"(?:error|fatal)"/.test(line)
  )
  t.strictSame(unexpected.slice(0, 3), [])
})
