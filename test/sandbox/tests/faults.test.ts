// Faults break the API that they name, as they say, and no other.
import t from 'tap'
import { startSandbox } from '../app.ts'
import { apiOf } from '../faults.ts'
import { callAs } from './call-as.ts'

const sandbox = await startSandbox({ faults: 'subscription:503' })
t.teardown(sandbox.stop)
const { faults } = sandbox
t.afterEach(() => faults.clear())
const call = await callAs(sandbox, 'partner.admin')
const me = (init: RequestInit = {}) => fetch(`${sandbox.url}/api/v2/management/myUser`, init)

t.test('a status breaks that API and no other, until it is cleared', async (t) => {
  const broken = () => call('GET', '/api/v1/subscription/customers/c-1001')
  t.match(await broken(), { status: 503, body: { status: 503, errors: [{ code: 'fault' }] } })
  t.equal((await call('GET', '/myUser')).status, 200)
  t.equal(faults.met('subscription'), 1)
  faults.clear('subscription')
  t.equal((await broken()).status, 200)
  faults.set('management', '401', 1)
  t.equal((await call('GET', '/myUser')).status, 401)
  t.equal((await call('GET', '/myUser')).status, 200, 'it was for one call')
})

t.test('an API resets, never answers, answers garbage, or late', async (t) => {
  faults.set('management', 'reset')
  await t.rejects(me(), /fetch failed/)
  faults.set('management', 'timeout')
  await t.rejects(me({ signal: AbortSignal.timeout(150) }), { name: 'TimeoutError' })
  faults.set('management', 'garbage')
  t.match((await me()).headers.get('content-type'), /html/)
  faults.set('management', 'slow:150')
  const before = performance.now()
  t.equal((await call('GET', '/myUser')).status, 200)
  t.ok(performance.now() - before >= 140)
})

t.test('paths belong to the API of their name', async (t) => {
  for (const [path, api] of [
    ['/api/v2/management/myUser?x=1', 'management'],
    ['/api/v1/subscription-usage/metrics-detail', 'subscription-usage'],
    ['/api/v1/charts-and-reports/c-1/reports', 'charts-and-reports'],
    ['/noproxy/bearer-logout', 'remote'],
    ['/oidc/token', 'oidc'],
    ['/oidc/token/revocation', 'oidc-revocation'],
    ['/oidc/jwks', 'oidc-keys'],
    ['/oidc/.well-known/openid-configuration', 'oidc-discovery'],
    ['/oidc/auth', undefined],
    ['/elsewhere', undefined]
  ] as const)
    t.equal(apiOf(path), api, path)
})
