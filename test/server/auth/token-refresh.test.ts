import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import pino from 'pino'
import t from 'tap'
import type { Authority } from '#server/auth/authority/oidc-client.ts'
import { createEncryption } from '#server/auth/encryption.ts'
import type { SessionBackend } from '#server/auth/sessions/backend.ts'
import { createSessionStore } from '#server/auth/sessions/store.ts'
import { createTokenRefresher } from '#server/auth/token-refresh.ts'
import { createMetrics } from '#server/observability/metrics.ts'
import type { Problem } from '#shared/answers/portal.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { token } from '#test/sandbox/sign-in-flow.ts'
import { Browser, type Portal, signIn, startPortal } from '#test/support/portal.ts'
import { eventually, startRedis } from '../../support/redis-server.ts'
import { openSandbox } from '../../support/scenes/gateway.ts'
import { sessionOf } from '../../support/visits.ts'
import { commandsOf } from './redis-commands.ts'

// Access tokens are valid for 300 s, and the gateway renews them in their last 60 s.
const LIFE_MS = 300_000
const DUE_MS = 240_000
const MY_USER = '/api/v2/management/myUser'
const PROJECTS = `/api/portal/v1/customers/${NOTABLE.northwind}/projects`

const sandbox = await openSandbox(t)
const redis = await startRedis(t)
const time = { now: Date.now() }
const clock = () => time.now
const secrets = [randomBytes(32).toString('base64')]
const backend = redis.untimedBackend()
// No call reads the roles again, so that the tests count only refreshes.
const env = { ROLES_MAX_AGE_SECONDS: '900', CALLS_IN_FLIGHT: '50' }
const portal = await startPortal(t, { startedSandbox: sandbox, backend, clock, secrets, env })
const store = createSessionStore(
  backend,
  createEncryption(secrets),
  { idleSeconds: 1800, absoluteSeconds: 43_200 },
  clock
)

t.beforeEach(() => {
  time.now = Date.now()
  sandbox.faults.clear()
  sandbox.calls.length = 0
})

const person = ({ url }: Portal = portal) => signIn(url, sandbox, 'customer.admin')
const grants = () => sandbox.grants.refresh_token
const bearers = () => sandbox.calls.map(({ headers }) => headers.authorization)
function watchAuthority() {
  const before = sandbox.faults.met('oidc')
  return () => sandbox.faults.met('oidc') > before
}
const earlyFailures = () => portal.logged.filter((line) => line.includes('ahead of expiry failed')).length
const isLeased = async () => (await redis.client.keys('*:lease')).length > 0

const commands = async (name: string) => (await commandsOf(redis))[name] ?? 0

const sessionId = async (browser: Browser) =>
  (await sessionOf(browser)).slice('portal='.length).split('.')[0] ?? ''

const problemOf = async (answer: Response) => ({
  cookies: answer.headers.getSetCookie(),
  ...((await answer.json()) as Problem)
})

t.test('renews a token at its renewal time, and not before', async (t) => {
  const browser = await person()
  const { renewAt } = (await store.read(await sessionId(browser)))?.tokens ?? { renewAt: 0 }
  const before = grants()
  time.now = renewAt - 1
  t.equal((await browser.call(MY_USER)).status, 200)
  t.notOk(await isLeased())
  t.equal(grants(), before)
  time.now = renewAt
  t.equal((await browser.call(MY_USER)).status, 200)
  await eventually(() => grants() === before + 1)
})

t.test('renews a token of 100 s in its last 20 s', async (t) => {
  const otherSandbox = await openSandbox(t, { accessTokenSeconds: 100 })
  const { url } = await startPortal(t, { startedSandbox: otherSandbox, backend, clock, secrets, env })
  const session = await store.read(await sessionId(await signIn(url, otherSandbox, 'customer.admin')))
  if (session === null) return t.fail('there is no session')
  t.equal(session.tokens.expiresAt - session.tokens.renewAt, 20_000)
})

t.test('renews a token ahead of its expiry in the background', async (t) => {
  const browser = await person()
  await browser.call(MY_USER)
  const before = grants()
  const [oldToken] = bearers().slice(-1)
  time.now += DUE_MS + 1000
  const lease = store.nameOf(await sessionId(browser))
  await backend.takeLease(lease, 'another', 600_000)
  t.equal((await browser.call(MY_USER)).status, 200)
  t.equal(grants(), before)
  await backend.releaseLease(lease, 'another')
  t.equal(bearers().at(-1), oldToken, 'the first call uses the old token')
  await eventually(() => grants() === before + 1)
  await eventually(async () => !(await isLeased()))
  await browser.call(MY_USER)
  t.not(bearers().at(-1), oldToken, 'a later call uses the new token')
  t.equal(grants(), before + 1)
})

t.test('answers calls after a failed early renewal, and renews again after five seconds', async (t) => {
  const browser = await person()
  time.now += DUE_MS + 1000
  sandbox.faults.set('oidc', '503')
  const before = earlyFailures()
  await browser.call(MY_USER)
  await eventually(() => earlyFailures() > before)
  for (let call = 0; call < 10; call += 1) t.equal((await browser.call(MY_USER)).status, 200)
  t.equal(earlyFailures(), before + 1)
  sandbox.faults.clear()
  const grantCount = grants()
  time.now += 5001
  await browser.call(MY_USER)
  await eventually(() => grants() === grantCount + 1)
})

t.test('renews only once for fifty calls on two gateways', async (t) => {
  const options = { startedSandbox: sandbox, clock, secrets }
  const otherPortal = await startPortal(t, { ...options, backend: redis.untimedBackend() })
  const browser = await person()
  const otherBrowser = new Browser(otherPortal.url, browser.jar)
  t.equal((await otherBrowser.call(MY_USER)).status, 200)
  const before = grants()
  const leases = await commands('set')
  time.now += LIFE_MS
  sandbox.faults.set('oidc', 'slow:200', 1)
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) => (index % 2 ? browser : otherBrowser).call(MY_USER))
  )
  t.strictSame([...new Set(answers.map(({ status }) => status))], [200])
  t.equal(grants(), before + 1)
  t.equal(sandbox.grants.reused_refresh, 0)
  t.equal(new Set(bearers()).size, 2, 'the old and the new token')
  t.ok((await commands('set')) - leases < 20, 'not every call takes the lease')
})

t.test('ends the session when the authority refuses a refresh', async (t) => {
  const browser = await person()
  const id = await sessionId(browser)
  const refresh_token = (await store.read(id))?.tokens.refresh ?? ''
  // A refresh token can be used once.
  t.equal((await token(sandbox, { grant_type: 'refresh_token', refresh_token })).status, 200)
  time.now += LIFE_MS
  // Delays the refresh until every call has read the session.
  const lease = store.nameOf(id)
  await backend.takeLease(lease, 'another', 600_000)
  let requestCount = 0
  portal.app.server.on('request', () => {
    requestCount += 1
  })
  const calls = Array.from({ length: 5 }, () => browser.call(MY_USER))
  await eventually(() => requestCount === calls.length)
  await backend.releaseLease(lease, 'another')
  for (const answer of await Promise.all(calls)) {
    const problem = await problemOf(answer)
    t.match(problem, { status: 401, type: 'urn:portal:problem:not_signed_in', detail: /has ended/ })
  }
  t.equal(await store.read(id), null)
  t.equal((await browser.call(MY_USER)).status, 401)
})

t.test('keeps the session when a refresh fails at the authority', async (t) => {
  const browser = await person()
  const id = await sessionId(browser)
  for (const fault of ['500', '502', '503', '429', '401', 'reset', 'garbage']) {
    sandbox.faults.set('oidc', fault)
    time.now += LIFE_MS
    const answer = await browser.call(MY_USER)
    t.ok(answer.headers.get('retry-after'))
    const problem = await problemOf(answer)
    t.match(problem, { status: 503, type: 'urn:portal:problem:authority_unavailable', cookies: [] }, fault)
    t.notMatch(JSON.stringify(problem), /localhost|ECONN|oidc|fetch/i)
    t.ok(await store.read(id), fault)
    sandbox.faults.clear()
    t.equal((await browser.call(MY_USER)).status, 200, `after ${fault}`)
  }
})

t.test('after a 401 of an upstream, renews the token and repeats the call once', async (t) => {
  const browser = await person()
  await browser.call(PROJECTS)
  time.now += 30_000
  const before = grants()
  sandbox.refuseIssuedAccessTokens()
  sandbox.calls.length = 0
  t.equal((await browser.call(MY_USER)).status, 200)
  t.equal(grants(), before + 1)
  t.match(sandbox.calls, { 0: { url: MY_USER }, 1: { url: MY_USER }, length: 2 })
  t.equal(new Set(bearers()).size, 2)
})

t.test('replaces a refused token that was issued before the clock was set back', async (t) => {
  time.now += 5 * 60_000
  const browser = await person()
  time.now -= 5 * 60_000
  const before = grants()
  sandbox.refuseIssuedAccessTokens()
  t.equal((await browser.call(MY_USER)).status, 200)
  t.equal(grants(), before + 1)
})

t.test('a 401 neither replaces a token younger than 30 s nor ends the session', async (t) => {
  const browser = await person()
  const before = grants()
  time.now += 29_999
  sandbox.faults.set('management', '401')
  sandbox.calls.length = 0
  const answers = await Promise.all(Array.from({ length: 20 }, () => browser.call(MY_USER)))
  t.strictSame([...new Set(answers.map(({ status }) => status))], [502])
  t.match(await answers[0]?.json(), { type: 'urn:portal:problem:upstream_unauthorized' })
  t.equal(sandbox.calls.length, 20, 'does not retry')
  t.equal((await browser.call('/api/portal/v1/me')).status, 200, 'answers with the cached user')
  t.equal(grants(), before)
  sandbox.faults.clear()
  t.equal((await browser.call(MY_USER)).status, 200)
})

t.test('answers 502 when an upstream repeats its 401', async (t) => {
  const browser = await person()
  time.now += 30_000
  const before = grants()
  sandbox.faults.set('management', '401')
  sandbox.calls.length = 0
  const problem = await problemOf(await browser.call(MY_USER))
  t.match(problem, { status: 502, type: 'urn:portal:problem:upstream_unauthorized', cookies: [] })
  t.equal(sandbox.calls.length, 2)
  t.equal(grants(), before + 1)
  sandbox.faults.clear()
  t.equal((await browser.call(MY_USER)).status, 200)
})

t.test('uses tokens that another call has just renewed, without waiting', async (t) => {
  const session = await store.read(await sessionId(await person()))
  if (session === null) return t.fail('there is no session')
  time.now += LIFE_MS
  const newTokens = { access: 'renewed', renewAt: time.now + DUE_MS, expiresAt: time.now + LIFE_MS }
  await store.replaceTokens(session, { ...session.tokens, ...newTokens })
  const waits: number[] = []
  const { accessToken } = createTokenRefresher({
    sessions: store,
    authority: {} as Authority,
    clock,
    log: pino({ level: 'silent' }),
    audit: () => {},
    recorder: { ...createMetrics().recorder, leaseWait: (ms) => waits.push(ms) }
  })
  t.equal(await accessToken(session), 'renewed')
  t.strictSame(waits, [])
})

t.test('waits at most 15 s for another gateway, or until its lease expires', async (t) => {
  const browser = await person()
  const lease = store.nameOf(await sessionId(browser))
  const before = grants()
  time.now += LIFE_MS
  await backend.takeLease(lease, 'dead', 200)
  t.equal((await browser.call(MY_USER)).status, 200, 'after the lease has expired')
  t.equal(grants(), before + 1)
  t.equal((await browser.call(MY_USER)).status, 200, 'reads the roles after the refresh')

  time.now += LIFE_MS
  await backend.takeLease(lease, 'hanging', 60_000)
  await redis.client.config('RESETSTAT')
  const call = browser.call(MY_USER)
  await eventually(async () => (await commands('hmget')) > 3)
  time.now += 16_000
  t.match(await problemOf(await call), { status: 503, type: 'urn:portal:problem:authority_unavailable' })
  await backend.releaseLease(lease, 'hanging')
  t.equal((await browser.call(MY_USER)).status, 200)
})

t.test('stores new tokens even if the store hangs at first', async (t) => {
  const browser = await person()
  let timeouts = 0
  // The gateway stops waiting early, but the store saves the tokens later.
  const slowBackend: SessionBackend = {
    ...backend,
    async replaceTokens(...save) {
      const signal = AbortSignal.timeout(300)
      const timeout = once(signal, 'abort').then(() => {
        timeouts += 1
        throw new Error('the store took too long')
      })
      return Promise.race([backend.replaceTokens(...save), timeout])
    }
  }
  const otherPortal = await startPortal(t, { startedSandbox: sandbox, backend: slowBackend, clock, secrets })
  const otherBrowser = new Browser(otherPortal.url, browser.jar)
  t.equal((await otherBrowser.call(MY_USER)).status, 200)
  const before = grants()
  time.now += LIFE_MS
  sandbox.faults.set('oidc', 'slow:1000', 1)
  const authorityCalled = watchAuthority()
  const call = otherBrowser.call(MY_USER)
  await eventually(authorityCalled)
  redis.freeze()
  await eventually(() => grants() === before + 1 && timeouts > 0)
  redis.thaw()
  t.equal((await call).status, 200)
  t.equal((await otherBrowser.call(MY_USER)).status, 200)
  t.equal(grants(), before + 1)
})
