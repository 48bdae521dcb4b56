// Nothing that a caller sends holds the gateway's event loop: the worst of each kind, as large as it may be, to a gateway
// in a process of its own. What the process itself measured decides; the bound is wide, for machines are shared.
import t from 'tap'
import { startSandbox } from '#test/sandbox/app.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { freePort, signIn } from '#test/support/portal.ts'
import { startGatewayProcess } from '../../support/gateway-process.ts'
import { sentCookies } from '../../support/sent-cookies.ts'

/** The aim is 20 ms; quadratic work on inputs of these sizes takes seconds. */
const HELD_MAX_MS = 100
/** Other work of the machine holds a process now and then; what an input itself costs, it costs every time. */
const TRIES = 3
/** Node takes 16 KiB of request line and headers. */
const HEADER_BYTES = 14_000
/** The largest body that is read is 512 KiB. */
const BODY_BYTES = 520_000
const OVERSIZED_BYTES = 1024 * 1024

const sandbox = await startSandbox()
t.teardown(() => sandbox.stop())
const metricsPort = await freePort()
const gateway = await startGatewayProcess(t, {
  METRICS_PORT: `${metricsPort}`,
  TRUST_PROXY: '127.0.0.1,::1,10.0.0.0/8',
  OIDC_ISSUER: sandbox.issuer,
  OIDC_CLIENT_ID: sandbox.client.id,
  OIDC_CLIENT_SECRET: sandbox.client.secret,
  OIDC_AUDIENCE: sandbox.audience,
  UPSTREAM_URL: sandbox.url
})
const cookieOf = async (username: string) =>
  (await sentCookies((await signIn(gateway.url, sandbox, username)).jar)).join('; ')
const cookie = await cookieOf('partner.admin')

const ORGANIZATION = `/organizations/${NOTABLE.partner}`
const CUSTOMER = `/customers/${NOTABLE.northwind}`
const ME = '/api/v2/management/myUser'
const PORTAL = `/api/portal/v1${CUSTOMER}`
const ROLES_OF_USER = '/api/v2/management/users/u-customer-user/roleAssignments'

/** Since the last reading: the longest time that the loop was held, and what the process used of a processor. */
async function figures(): Promise<{ heldMs: number; cpuMs: number }> {
  const metrics = await (await fetch(`http://localhost:${metricsPort}/metrics`)).text()
  const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1]) * 1_000
  const used = figure('process_cpu_seconds_total')
  const cpuMs = used - usedMs
  usedMs = used
  return { heldMs: figure('nodejs_eventloop_lag_max_seconds'), cpuMs }
}
let usedMs = 0

interface Hostile {
  path: string
  method?: string
  headers?: Record<string, string>
  body?: string
  pieces?: boolean
}

async function send({ path, method = 'GET', headers = {}, body, pieces }: Hostile): Promise<number> {
  const answer = await fetch(gateway.url + path, {
    method,
    redirect: 'manual',
    headers: {
      'x-portal-csrf': '1',
      origin: gateway.url,
      cookie,
      'x-customer-id': NOTABLE.northwind,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers
    },
    ...(body === undefined ? {} : pieces ? { body: new Blob([body]).stream(), duplex: 'half' } : { body })
  })
  await answer.arrayBuffer()
  return answer.status
}

const long = (part: string, length = HEADER_BYTES) =>
  part.repeat(Math.ceil(length / part.length)).slice(0, length)
const header = (name: string, value: string, path = ME): Hostile => ({ path, headers: { [name]: value } })
const query = (path: string, text: string): Hostile => ({ path: `${path}?${text}` })
const post = (path: string, body: string, method = 'POST'): Hostile => ({ path, method, body })

/** As many entries as fit into a body. */
function filled(before: string, entry: (index: number) => string, after: string, bytes = BODY_BYTES): string {
  const entries: string[] = []
  let length = before.length + after.length
  for (let index = 0; ; index += 1) {
    const one = entry(index)
    length += one.length + 1
    if (length > bytes) return before + entries.join() + after
    entries.push(one)
  }
}

const grant = (role: number, scope: string) => JSON.stringify({ role: `/roles/${role}`, scope })
const customerAt = (index: number) => `${ORGANIZATION}/customers/c-x${index}`
const nested = (open: string, close: string) => {
  const depth = Math.floor(BODY_BYTES / (open.length + close.length))
  return open.repeat(depth) + close.repeat(depth)
}

/** A body in pieces does not tell its length beforehand. */
const inPieces = (input: Hostile): Hostile => ({ ...input, pieces: true })

async function quiet(t: Test, inputs: Record<string, Hostile>): Promise<void> {
  for (const [name, input] of Object.entries(inputs)) {
    let [least, status] = [Number.POSITIVE_INFINITY, 0]
    for (let tried = 0; tried < TRIES && least > HELD_MAX_MS; tried += 1) {
      await figures()
      status = await send(input)
      // A loop that waits for a processor is not held by its input: that costs processor time.
      const { heldMs, cpuMs } = await figures()
      least = Math.min(least, heldMs, cpuMs)
    }
    t.ok(status > 0 && least < HELD_MAX_MS, `${name}: ${status}, held for ${Math.round(least)} ms`)
  }
}
type Test = Pick<typeof t, 'ok'>

t.test('headers', async (t) => {
  await quiet(t, {
    'no more than usual': { path: ME },
    'many cookies': header('cookie', `${cookie}; ${long('a=b; ')}`),
    'a cookie of escapes': header('cookie', `a=${long('%41')}; ${cookie}`),
    'a cookie of broken escapes': header('cookie', `portal=${long('%')}`),
    'a cookie of quotes': header('cookie', `portal="${long('\\"')}"`),
    'a cookie of equals signs': header('cookie', long('=')),
    'a cookie of blanks': header('cookie', `a${long(' ')}b=c`),
    'a long session cookie': header('cookie', `portal=${long('a.')}`),
    'a bearer of dots': header('authorization', `Bearer ${long('.')}`),
    'a bearer of blanks': header('authorization', `Bearer${long(' ')}x`),
    'a bearer that looks like a token': header('authorization', `Bearer ${long('eyJhbGciOiJSUzI1NiJ9.')}`),
    'encodings without end': header('accept-encoding', long('br;q=0,'), `${PORTAL}/tree`),
    'an encoding of zeros': header('accept-encoding', `br;q=0.${long('0')}1`, `${PORTAL}/tree`),
    'an encoding of blanks': header('accept-encoding', `a${long(' ')}b`, `${PORTAL}/tree`),
    'encodings of the page': header('accept-encoding', long('br;q=0.1,gzip , '), '/theme.js'),
    'tags without end': header('if-none-match', long('W/"x",'), `${PORTAL}/tree`),
    'tags of commas': header('if-none-match', long(','), `${PORTAL}/tree`),
    'tags for a file': header('if-none-match', long('W/"x" , '), '/theme.js'),
    'ranges of a file': header('range', `bytes=${long('0-1,')}`, '/theme.js'),
    'what is accepted': header('accept', long('application/x-ndjson;q=0.1,'), `${PORTAL}/tree`),
    'proxies that are all trusted': header('x-forwarded-for', long('10.0.0.1, ')),
    'proxies that are blanks': header('x-forwarded-for', long(' ,')),
    'hosts from a proxy': header('x-forwarded-host', long('a, ')),
    'a claim of dots': header('x-customer-id', long('.'), `${ME}/../x`.replace('/../', '/')),
    'a long claim': header('x-customer-id', long('x'), '/api/v1/control/devices/d-1/commands/readAll'),
    'a trace': header('traceparent', long('00-')),
    'trace states': header('tracestate', long('a=b,')),
    'a content type': {
      ...post(ROLES_OF_USER, '{}', 'PATCH'),
      headers: { 'content-type': long('a/b; c=d; ') }
    },
    'an origin': header('origin', `http://${long('a.')}`),
    'many headers': {
      path: ME,
      headers: Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`x-${i}`, 'y']))
    }
  })
})

t.test('paths and queries', async (t) => {
  await quiet(t, {
    'an encoded path': { path: long('/%61') },
    'a path of slashes': { path: `/a${long('/')}` },
    'a path of folders': { path: long('/a') },
    'a path of dots': { path: `/a${long('.a')}-` },
    'a path that is nearly a file': { path: `/a.${long('a')}-` },
    'a path of broken escapes': { path: `/${long('%e0%80')}` },
    'a long id': { path: `/api/v2/management/organizations/${long('x')}` },
    'many parameters': query(ME, long('a=b&')),
    'one parameter many times': query(`${PORTAL}/devices`, long('q=b&')),
    'parameters without values': query(ME, long('&')),
    'a query of escapes': query(`${PORTAL}/devices`, `q=${long('%41')}`),
    'a query of plus signs': query(`${PORTAL}/devices`, `q=${long('+')}`),
    'a search for much': query(`${PORTAL}/devices`, `q=${long('a')}`),
    'a search for blanks': query(`/api/portal/v1${ORGANIZATION}/customers`, `keyword=a${long('%20')}a`),
    'a large page': query(`${PORTAL}/devices`, 'size=1000&page=9007199254740991'),
    'where to return to': query('/auth/login', `returnTo=/${long('a/')}`),
    'where to return to, encoded': query('/auth/login', `returnTo=%2F${long('%5C')}`),
    'an attempt that is none': query('/callback', `state=${long('x', 7_000)}&code=${long('y', 7_000)}`),
    'many attempts': query('/callback', long('state=x&')),
    'alarms of many states': query(`${PORTAL}/alarms`, long('sourceState=NORMAL&'))
  })
})

t.test('bodies that are larger than any', async (t) => {
  const changes = post(
    ROLES_OF_USER,
    filled('{"create":[', (index) => grant(5, customerAt(index)), ']}', OVERSIZED_BYTES),
    'PATCH'
  )
  const nothing = post(ROLES_OF_USER, long(' ', OVERSIZED_BYTES), 'PATCH')
  const inputs = { changes, 'in pieces': inPieces(changes), nothing, 'nothing, in pieces': inPieces(nothing) }
  for (const [name, input] of Object.entries(inputs)) t.equal(await send(input), 413, name)
  await quiet(t, inputs)
})

t.test('bodies', async (t) => {
  const alarms = `/api/v1/alarms${CUSTOMER}/alarms:search`
  const form = { 'content-type': 'application/x-www-form-urlencoded', cookie: '' }
  await quiet(t, {
    'grants at many customers': post(
      ROLES_OF_USER,
      filled('{"create":[', (index) => grant(5, customerAt(index)), ']}'),
      'PATCH'
    ),
    'grants at one customer': post(
      ROLES_OF_USER,
      filled('{"create":[', () => grant(5, customerAt(0)), ']}'),
      'PATCH'
    ),
    'changes of many assignments': post(
      ROLES_OF_USER,
      filled(
        '{"update":[',
        (index) => `{"id":"ra-${index}","role":"/roles/5","scope":"${customerAt(index)}"}`,
        ']}'
      ),
      'PATCH'
    ),
    'removals of many assignments': post(
      ROLES_OF_USER,
      filled('{"delete":[', (index) => `"ra-${index}"`, ']}'),
      'PATCH'
    ),
    'a scope that fills a body': post(
      ROLES_OF_USER,
      `{"create":[${grant(5, long('/x', BODY_BYTES - 100))}]}`,
      'PATCH'
    ),
    'a role that fills a body': post(
      ROLES_OF_USER,
      `{"create":[{"role":"${long('/', BODY_BYTES - 100)}","scope":"/"}]}`,
      'PATCH'
    ),
    'an invitation with many roles': post(
      '/api/v2/management/userInvitations',
      filled(
        `{"email":"a@example.com","partner":"${ORGANIZATION}","roleAssignments":[`,
        (index) => grant(5, customerAt(index)),
        ']}'
      )
    ),
    'a service account with many roles': post(
      '/api/v2/management/serviceAccounts',
      filled(
        `{"serviceName":"a","partner":"${ORGANIZATION}","roleAssignments":[`,
        (index) => grant(5, customerAt(index)),
        ']}'
      )
    ),
    'a search for many systems': post(
      alarms,
      filled('{"systemGuids":[', (index) => `"g-${index}"`, ']}')
    ),
    'a search for one system, often': post(
      alarms,
      filled('{"systemGuids":[', () => '"g-1"', ']}')
    ),
    'points of many systems': post(
      `/api/v1/entitymodel${CUSTOMER}/pointNames`,
      filled('{"selectedPoints":[', (index) => `{"systemGuid":"g-${index}"}`, ']}')
    ),
    'a report on many points': post(
      `/api/v1/charts-and-reports/${NOTABLE.northwind}/report`,
      filled('{"reportDetails":{"selectedPoints":[', (index) => `{"device":{"id":"d-${index}"}}`, ']}}')
    ),
    'alarms of many devices': post(
      '/api/v1/control/devices/commands/acknowledgeAlarmBatch',
      filled('[', (index) => `{"deviceId":"d-${index}","alarms":[]}`, ']')
    ),
    'a command that fills a body': post(
      '/api/v1/control/devices/d-1/commands/write',
      filled('{"points":[', (index) => `{"pointId":"p-${index}","value":1}`, ']}')
    ),
    'lists within lists': post(alarms, nested('[', ']')),
    'objects within objects': post(alarms, nested('{"a":', '}').replace(':}', ':1}')),
    'lists that do not end': post(alarms, long('[', BODY_BYTES)),
    'many fields': post(
      alarms,
      filled('{', (index) => `"f${index}":1`, '}')
    ),
    'one field many times': post(
      alarms,
      filled('{', () => '"systemGuid":1', '}')
    ),
    'a long name': post(alarms, `{"${long('x', BODY_BYTES)}":1}`),
    'a long number': post(alarms, `{"systemGuid":${long('9', BODY_BYTES)}}`),
    'escapes alone': post(alarms, `{"systemGuid":"${long('\\u0041', BODY_BYTES)}"}`),
    'what is no text': post(alarms, `{"systemGuid":"${long('\u0000', BODY_BYTES)}"}`),
    'blanks alone': post(alarms, long(' ', BODY_BYTES)),
    'a name that is everybody’s': post(
      alarms,
      filled('{"__proto__":{', (index) => `"p${index}":1`, '}}')
    ),
    'a session that is not renewed by a body': post(
      '/auth/session/renew',
      filled('[', () => '1', ']')
    ),
    'a form of many fields': { ...post('/auth/backchannel-logout', long('a=b&', BODY_BYTES)), headers: form },
    'a form of escapes': {
      ...post('/auth/backchannel-logout', `logout_token=${long('%41', BODY_BYTES)}`),
      headers: form
    },
    'a logout token of dots': {
      ...post('/auth/backchannel-logout', `logout_token=${long('.', BODY_BYTES)}`),
      headers: form
    },
    'a logout token of nothing but claims': {
      ...post(
        '/auth/backchannel-logout',
        `logout_token=eyJhbGciOiJSUzI1NiIsImtpZCI6IngifQ.${Buffer.from(long('[', BODY_BYTES * 0.7)).toString('base64url')}.x`
      ),
      headers: form
    }
  })
})
