import t from 'tap'
import { startSandbox } from '../app.ts'
import { apiOf } from '../faults.ts'
import { token } from '../sign-in-flow.ts'
import { callAs } from './call-as.ts'

const sandbox = await startSandbox({ faults: 'subscription:503' })
t.teardown(sandbox.stop)
t.afterEach(() => sandbox.faults.clear())
const call = await callAs(sandbox, 'partner.admin')
const SUBSCRIPTION = '/api/v1/subscription/customers/c-1001'

t.test('a status breaks that API and no other, until it is cleared', async (t) => {
  t.match(await call('GET', SUBSCRIPTION), {
    status: 503,
    body: { status: 503, errors: [{ code: 'fault' }] }
  })
  t.equal((await call('GET', '/myUser')).status, 200)
  sandbox.faults.clear('subscription')
  t.equal((await call('GET', SUBSCRIPTION)).status, 200)
})

t.test('a fault may hold for some calls only', async (t) => {
  sandbox.faults.set('management', '401', 1)
  t.equal((await call('GET', '/myUser')).status, 401)
  t.equal((await call('GET', '/myUser')).status, 200)
})

t.test('reset cuts the connection', async (t) => {
  sandbox.faults.set('management', 'reset')
  await t.rejects(call('GET', '/myUser'), /fetch failed/)
})

t.test('timeout never answers', async (t) => {
  sandbox.faults.set('management', 'timeout')
  const url = `${sandbox.url}/api/v2/management/myUser`
  await t.rejects(fetch(url, { signal: AbortSignal.timeout(150) }), { name: 'TimeoutError' })
})

t.test('garbage is HTML with status 200', async (t) => {
  sandbox.faults.set('management', 'garbage')
  const answer = await fetch(`${sandbox.url}/api/v2/management/myUser`)
  t.equal(answer.status, 200)
  t.match(answer.headers.get('content-type'), /html/)
})

t.test('slow answers rightly, after a while', async (t) => {
  sandbox.faults.set('management', 'slow:150')
  const before = performance.now()
  t.equal((await call('PATCH', '/projects/p-1001-1', { projectName: 'Slow' })).status, 200)
  t.ok(performance.now() - before >= 140)
})

t.test('the token endpoint of the identity provider can be broken too', async (t) => {
  sandbox.faults.set('oidc', '503')
  t.equal((await token(sandbox, { grant_type: 'refresh_token', refresh_token: 'x' })).status, 503)
  t.equal((await fetch(`${sandbox.issuer}/.well-known/openid-configuration`)).status, 200)
})

t.test('so can its discovery, its keys and its revocation, each by itself', async (t) => {
  const paths = {
    'oidc-discovery': '/.well-known/openid-configuration',
    'oidc-keys': '/jwks',
    'oidc-revocation': '/token/revocation'
  } as const
  for (const api of Object.keys(paths) as (keyof typeof paths)[]) {
    sandbox.faults.set(api, '502')
    for (const [name, path] of Object.entries(paths)) {
      const { status } = await fetch(sandbox.issuer + path)
      t.equal(status === 502, name === api, `${name} while ${api} is broken`)
    }
    sandbox.faults.clear(api)
  }
})

t.test('broken calls are recorded as well', async (t) => {
  sandbox.calls.length = 0
  sandbox.faults.set('management', '500')
  await call('GET', '/myUser')
  t.match(sandbox.calls, [{ url: '/api/v2/management/myUser' }])
})

t.test('unknown APIs and kinds are refused with what would be right', async (t) => {
  t.throws(() => sandbox.faults.set('weather' as 'oidc', '503'), /known are management, /)
  for (const kind of ['', '99', '600', 'slow', 'slow:soon', 'sometimes'])
    t.throws(() => sandbox.faults.set('egress', kind), /use a status/, kind)
})

t.test('paths belong to the API of their name', async (t) => {
  const cases: Record<string, string | undefined> = {
    '/api/v2/management/myUser?x=1': 'management',
    '/api/v2/devicemanagement/registration': 'devicemanagement',
    '/api/v1/subscription-usage/metrics-detail': 'subscription-usage',
    '/api/v1/egress/telemetry': 'egress',
    '/api/v1/charts-and-reports/c-1/reports': 'charts-and-reports',
    '/oidc/token': 'oidc',
    '/oidc/token/revocation': 'oidc-revocation',
    '/oidc/jwks': 'oidc-keys',
    '/oidc/.well-known/openid-configuration': 'oidc-discovery',
    '/oidc/auth': undefined,
    '/api/v1/remote/customers/c-1/devices/d/session': 'remote',
    '/noproxy/bearer-logout': 'remote',
    '/remote/noproxy/bearer-logout': 'remote',
    '/elsewhere': undefined
  }
  for (const [path, api] of Object.entries(cases)) t.equal(apiOf(path), api, path)
})
