// Headers of requests and of answers, written as raw bytes.
import t from 'tap'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { type Portal, startPortal } from '#test/support/portal.ts'
import type { Asked } from '../../support/controlled-upstream.ts'
import { sendAlone } from '../../support/raw-http.ts'
import { startRecordingUpstream } from '../../support/recording-upstream.ts'
import { openSandbox } from '../../support/scenes/gateway.ts'
import { sentCookies } from '../../support/sent-cookies.ts'

const MARK = 'h0stile'
const ME = '/api/v2/management/myUser'
const POINTS = `/api/v1/entitymodel/customers/${NOTABLE.northwind}/pointNames`

const sandbox = await openSandbox(t)
const upstream = await startRecordingUpstream(t, sandbox)
const portal = await startPortal(t, { startedSandbox: sandbox, env: { UPSTREAM_URL: upstream.url } })
const cookieOf = async (at: Portal) => (await sentCookies((await at.as('customer.user')).jar)).join('; ')
const cookie = await cookieOf(portal)
t.beforeEach(() => {
  upstream.answer = undefined
})

const FORWARDED = [
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
const OWN = ['authorization', 'x-forwarded-for', 'x-request-id']
const CONNECTION = ['host', 'connection', 'content-length']
const TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

interface Sent {
  status: number
  head: string
  forwarded: Asked[]
}

async function send(lines = '', body?: string, { url } = portal, by = cookie): Promise<Sent> {
  upstream.forwarded.length = 0
  const [call, length] =
    body === undefined ? [`GET ${ME}`, ''] : [`POST ${POINTS}`, `content-length: ${body.length}\r\n`]
  const head = `${call} HTTP/1.1\r\nhost: localhost\r\ncookie: ${by}\r\norigin: ${url}\r\nx-portal-csrf: 1\r\n`
  const bytes = `${head}${length}${lines}connection: close\r\n\r\n${body ?? ''}`
  const answer = await sendAlone(Number(new URL(url).port), bytes)
  return { ...answer, forwarded: [...upstream.forwarded] }
}

function pairsOf({ request: { rawHeaders } }: Asked): [string, string][] {
  const pairs: [string, string][] = []
  for (let index = 0; index < rawHeaders.length; index += 2)
    pairs.push([(rawHeaders[index] ?? '').toLowerCase(), rawHeaders[index + 1] ?? ''])
  return pairs
}

function flawsIn({ status, forwarded }: Sent): string[] {
  const flaws: string[] = []
  if (status === 0 || status >= 500) flaws.push(`answered ${status}`)
  if (forwarded.length > 1) flaws.push('forwarded more than once')
  for (const call of forwarded) {
    const pairs = pairsOf(call)
    if (call.by !== 'u-customer-user') flaws.push(`acts as ${call.by}`)
    for (const [name, value] of pairs) {
      if (![...FORWARDED, ...OWN, ...CONNECTION].includes(name)) flaws.push(`forwards ${name}`)
      if (value.includes(MARK) && !FORWARDED.includes(name)) flaws.push(`${name}: ${value}`)
    }
    for (const name of OWN) {
      const values = pairs.filter(([header]) => header === name)
      // A connection that Node has already closed has no address.
      const minCount = name === 'x-forwarded-for' && status === 400 ? 0 : 1
      if (values.length > 1 || values.length < minCount) flaws.push(`${values.length} times ${name}`)
    }
    const address = pairs.find(([name]) => name === 'x-forwarded-for')?.[1]
    if (!/^(?:127\.0\.0\.1|::1|::ffff:127\.0\.0\.1)$/.test(address ?? '::1')) flaws.push(`address ${address}`)
    if (
      `${call.method} ${call.target}` !== `GET ${ME}` &&
      `${call.method} ${call.target}` !== `POST ${POINTS}`
    )
      flaws.push(`${call.method} ${call.target}`)
  }
  return flaws
}

const wordsOf = (text: string) => text.trim().split(/\s+/)
const NAMES = wordsOf(`
  x-forwarded-for x-forwarded-host x-forwarded-proto x-forwarded-user x-forwarded-access-token x-forwarded-client-cert
  forwarded via x-real-ip true-client-ip cf-connecting-ip x-original-url x-rewrite-url x-http-method-override
  x-proxy-url destination x-user-id remote-user x-auth-request-user x-authenticated-scope x-jwt-assertion x-access-token
  x-api-key x-authorization x-amzn-oidc-data x-ms-client-principal x-goog-iap-jwt-assertion x-ssl-client-cert
  x-organization-id x-customer-id x-roles x-scope x-internal impersonate-user x-on-behalf-of x-accel-redirect
  x-request-id x-correlation-id b3 baggage proxy-authorization cookie2 set-cookie range if-range te trailer keep-alive
  user-agent referer cache-control content-encoding content-location sec-fetch-site x-csrf-token authorization2
`)
t.test('drops every unlisted request header, in any spelling', async (t) => {
  const forms: Record<string, (name: string) => string> = {
    'in lower case': (name) => `${name}: ${MARK}\r\n`,
    'with underscores, in capitals': (name) => `${name.replaceAll('-', '_').toUpperCase()}: ${MARK}\r\n`,
    'in Title-Case, twice': (name) =>
      `${name.replace(/(?:^|-)\w/g, (letter) => letter.toUpperCase())}: ${MARK}\r\n`.repeat(2)
  }
  for (const [form, lineOf] of Object.entries(forms)) {
    const answer = await send(NAMES.map(lineOf).join(''))
    t.strictSame(flawsIn(answer), [], form)
    t.equal(answer.forwarded.length, 1, 'forwards the call itself')
  }
})

const ODD_HEADERS: Record<string, string> = {
  'headers of the gateway, named in Connection':
    'Connection: close, AUTHORIZATION, x-request-id, x-forwarded-for, cookie\r\n',
  'invalid names in Connection': `connection: ${MARK}, "x", ;, ,,,\r\n`,
  'Content-Length, named in Connection': 'connection: content-length, transfer-encoding, host\r\n',
  'an upgrade to h2c':
    'connection: upgrade, http2-settings\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABkAAQAAP__\r\n',
  'an Expect header': 'expect: 100-continue\r\n',
  'announced trailers': `te: trailers, ${MARK}\r\ntrailer: authorization\r\n`,
  'a second cookie': `cookie: portal=${MARK}; other=${MARK}\r\n`,
  'a long cookie': `cookie: a=${'x'.repeat(6000)}\r\n`,
  'a long value of a forwarded header': `accept: ${'x'.repeat(8000)}\r\n`,
  'Latin-1 letters in a forwarded header': 'accept-language: \xe4\xf6\xfc\xff\r\n',
  'empty forwarded headers': 'accept:\r\naccept-encoding:\r\ntraceparent:\r\nif-none-match:\r\n',
  'an invalid trace': `traceparent: ${MARK}\r\ntracestate: ${MARK}=${'y'.repeat(3000)}\r\n`,
  'an invalid condition': `if-none-match: ${MARK}\r\nif-modified-since: ${MARK}\r\n`,
  'names of object properties': `__proto__: ${MARK}\r\nconstructor: ${MARK}\r\nprototype: ${MARK}\r\nhasownproperty: ${MARK}\r\n`
}

const INVALID_HEADERS: Record<string, string> = {
  'a folded line': `x-fold: a\r\n authorization: ${MARK}\r\n`,
  'a space before the colon': `authorization : Bearer ${MARK}\r\n`,
  'no colon': `${MARK}\r\n`,
  'a null byte in a value': `x-user: ${MARK}\0\r\n`,
  'a bare line feed in a value': `x-user: a\nauthorization: Bearer ${MARK}\r\n`,
  '3000 headers': 'x-more: y\r\n'.repeat(3000),
  'a second host': `host: ${MARK}.example.com\r\n`,
  'a length that is not a number': 'content-length: 5x\r\n',
  'two lengths': 'content-length: 0\r\ncontent-length: 5\r\n',
  'a length and chunks': 'content-length: 0\r\ntransfer-encoding: chunked\r\n',
  'chunks and another encoding': 'transfer-encoding: gzip, chunked\r\n',
  'another token': `authorization: Bearer ${MARK}\r\n`
}

t.test('forwards no unlisted header, despite odd or invalid syntax', async (t) => {
  for (const [name, lines] of Object.entries(ODD_HEADERS)) {
    t.strictSame(flawsIn(await send(lines)), [], name)
    t.strictSame(
      flawsIn(await send(`content-type: application/json\r\n${lines}`, '{}')),
      [],
      `${name}, with a body`
    )
  }
  for (const [name, lines] of Object.entries(INVALID_HEADERS)) {
    const answer = await send(lines)
    t.strictSame(flawsIn({ ...answer, status: answer.status || 400 }), [], `${name}: ${answer.status}`)
  }
})

t.test('forwards listed request headers unchanged', async (t) => {
  // The gateway forwards a trace only if it is well-formed.
  const valueFor = (name: string) => (name === 'traceparent' ? TRACE : `${MARK}-${name}`)
  const names = FORWARDED.filter((name) => name !== 'content-type')
  const { status, forwarded } = await send(names.map((name) => `${name}: ${valueFor(name)}\r\n`).join(''))
  t.equal(status, 200)
  const headers = Object.fromEntries(pairsOf(forwarded[0] as Asked))
  for (const name of names) t.equal(headers[name], valueFor(name))
  t.match(headers, {
    authorization: /^Bearer eyJ/,
    'x-request-id': /^[\da-f-]{36}$/,
    host: new URL(upstream.url).host
  })
})

t.test('forwards the client address from a trusted proxy', async (t) => {
  const trustingPortal = await startPortal(t, {
    startedSandbox: sandbox,
    env: { UPSTREAM_URL: upstream.url, TRUST_PROXY: '127.0.0.1,::1' }
  })
  const line = 'x-forwarded-for: 198.51.100.7, 203.0.113.9\r\n'
  const { forwarded } = await send(line, undefined, trustingPortal, await cookieOf(trustingPortal))
  t.equal(Object.fromEntries(pairsOf(forwarded[0] as Asked))['x-forwarded-for'], '203.0.113.9')
})

/** Returns the answer to the caller if the upstream sends these headers and this status. */
function answerWith(headers: string, status = '200 OK'): Promise<Sent> {
  const bytes = `HTTP/1.1 ${status}\r\n${headers}content-length: 2\r\nconnection: close\r\n\r\n{}`
  upstream.answer = (request) => request.socket.end(bytes, 'latin1')
  return send()
}
const headersOf = ({ head }: Sent) =>
  Object.fromEntries(
    head
      .split('\r\n')
      .slice(1)
      .map((line) => [line.split(':')[0]?.toLowerCase(), line.replace(/^[^:]*: */, '')])
  )

const HOSTILE_ANSWERS = wordsOf(`
  set-cookie clear-site-data access-control-allow-origin access-control-allow-credentials timing-allow-origin keep-alive
  www-authenticate server via x-powered-by refresh link content-location alt-svc upgrade x-accel-redirect sourcemap
  service-worker-allowed report-to content-security-policy x-frame-options x-content-type-options
  strict-transport-security referrer-policy cross-origin-opener-policy cache-control vary permissions-policy
  speculation-rules authorization cookie x-internal-host x-request-id age expires
`)

t.test('drops every unlisted header of an answer, and keeps the gateway’s headers', async (t) => {
  const plainAnswer = await answerWith('')
  const answer = await answerWith(
    HOSTILE_ANSWERS.map((name) => `${name}: ${MARK}\r\n${name.toUpperCase()}: ${MARK}=1\r\n`).join('')
  )
  t.equal(answer.status, 200)
  t.notMatch(answer.head, MARK)
  t.strictSame(Object.keys(headersOf(answer)), Object.keys(headersOf(plainAnswer)))
  t.match(headersOf(answer), {
    'content-security-policy': "default-src 'none';frame-ancestors 'none'",
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'private, no-cache'
  })
})

t.test('forwards the headers that describe an answer', async (t) => {
  const headers = {
    'content-type': 'application/octet-stream',
    'content-disposition': 'attachment; filename="\xe4.dist"',
    'content-language': 'de',
    etag: '"\xff"',
    'last-modified': 'Sat, 01 Jan 2028 00:00:00 GMT',
    'retry-after': '7',
    'x-correlation-id': 'of-the-upstream'
  }
  const answer = await answerWith(
    Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')
  )
  t.match(headersOf(answer), headers)
})

t.test('forwards only redirects to a path of the portal', async (t) => {
  for (const location of [
    'https://evil.example/',
    'http://10.0.0.7:8080/internal',
    '//evil.example/',
    '/\\evil.example',
    '/\tevil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'relative/path'
  ]) {
    const answer = await answerWith(`location: ${location}\r\n`, '302 Found')
    t.equal(answer.status, 302)
    t.notMatch(answer.head, /^location/im, location)
  }
  t.equal(
    headersOf(await answerWith('location: /api/v1/recover/x\r\n', '302 Found')).location,
    '/api/v1/recover/x'
  )
})
