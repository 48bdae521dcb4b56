// The maximum age of roles, for sessions and bearer callers, with a real Redis.
import { randomBytes } from 'node:crypto'
import t, { type Test } from 'tap'
import type { Me, Problem } from '#shared/answers/portal.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { Browser, signIn, startPortal } from '#test/support/portal.ts'
import { type Answer, askSandbox, startControlledUpstream } from '../../support/controlled-upstream.ts'
import { eventually, startRedis } from '../../support/redis-server.ts'
import { openSandbox } from '../../support/scenes/gateway.ts'
import { serviceToken } from '../../support/service-token.ts'
import { commandsOf } from './redis-commands.ts'

const MINUTE_MS = 60_000
const CACHED_MS = 15 * MINUTE_MS
const MY_USER = '/api/v2/management/myUser'
const PROJECTS = `/api/portal/v1/customers/${NOTABLE.northwind}/projects`
const ALL_ROLES = '/api/v2/management/roles'

const sandbox = await openSandbox(t, { accessTokenSeconds: 36_000 })
const redis = await startRedis(t)

async function scene(t: Test, env: Record<string, string> = {}) {
  const upstream = await startControlledUpstream(t, sandbox)
  const time = { now: Date.now(), steady: 0 }
  const secrets = [randomBytes(32).toString('base64')]
  const startReplica = () =>
    startPortal(t, {
      startedSandbox: sandbox,
      backend: redis.untimedBackend(),
      clock: () => time.now,
      steadyClock: () => time.now + time.steady,
      secrets,
      env: { UPSTREAM_URL: upstream.url, OIDC_AUDIENCE: sandbox.audience, ...env }
    })
  const portal = await startReplica()
  const answer = (reply: () => Answer | Promise<Answer>) => {
    upstream.rule = ({ target }) => (target === MY_USER ? reply() : undefined)
  }
  const reads = () => upstream.asked.filter(({ target }) => target === MY_USER).length
  const auditOf = (outcome: string) => portal.logged.filter((line) => line.includes(`"outcome":"${outcome}"`))
  const person = (username = 'customer.user') => signIn(portal.url, sandbox, username)
  return { upstream, portal, startReplica, time, answer, reads, auditOf, person }
}

const statusOf = async (browser: Browser, path = PROJECTS) => (await browser.call(path)).status
const problemOf = async (answer: Response) => (await answer.json()) as Problem

function removeRoles(t: Test, id = 'u-customer-user'): void {
  const user = sandbox.state.users.get(id)
  if (!user) throw new Error(`there is no user ${id}`)
  const { roleAssignments } = user
  t.teardown(() => Object.assign(user, { roleAssignments }))
  user.roleAssignments = []
}

t.test('applies the loss of roles after 60 s', async (t) => {
  const { time, person, reads } = await scene(t)
  const browser = await person()
  t.equal(await statusOf(browser), 200)
  removeRoles(t)
  const before = reads()
  time.now += MINUTE_MS
  t.equal(await statusOf(browser), 200, 'at the limit')
  t.equal(reads(), before)
  time.now += 1
  t.equal(await statusOf(browser), 403, 'just past the limit')
  t.equal(reads(), before + 1)
  t.equal(await statusOf(browser, ALL_ROLES), 200, 'the person is still signed in')
})

t.test('applies the loss of roles after 60 s although the shared clock stands still', async (t) => {
  const { time, person, reads, portal } = await scene(t)
  const browser = await person()
  const token = await serviceToken(sandbox, 'ncp:read')
  const serviceStatus = async () => {
    const answer = await fetch(portal.url + PROJECTS, { headers: { authorization: `Bearer ${token}` } })
    return answer.status
  }
  t.strictSame([await statusOf(browser), await serviceStatus()], [200, 200])
  const before = reads()
  time.steady += MINUTE_MS
  t.strictSame([await statusOf(browser), await serviceStatus()], [200, 200], 'at the limit')
  t.equal(reads(), before)
  removeRoles(t)
  time.steady += 1
  t.equal(await statusOf(browser), 403, 'just past the limit')
  t.equal(await serviceStatus(), 200)
  t.equal(reads(), before + 2)
  time.steady += MINUTE_MS
  await Promise.all([statusOf(browser), serviceStatus()])
  t.equal(reads(), before + 2, 'the new roles are used as long')
  time.steady += 1
  await Promise.all([statusOf(browser), serviceStatus()])
  t.equal(reads(), before + 4)
})

t.test('another replica reads the roles itself while the shared clock stands still', async (t) => {
  const { time, person, startReplica, reads } = await scene(t)
  const browser = await person()
  const browserAtReplica = new Browser((await startReplica()).url, browser.jar)
  const visitors = [browser, browserAtReplica]
  for (const visitor of visitors) t.equal(await statusOf(visitor), 200)
  const before = reads()
  removeRoles(t)
  time.steady += MINUTE_MS + 1
  for (const visitor of visitors) t.equal(await statusOf(visitor), 403)
  t.equal(reads(), before + 2)
})

t.test('reads the roles once for fifty calls of a session', async (t) => {
  const { time, person, reads, answer } = await scene(t, { CALLS_IN_FLIGHT: '50' })
  const browser = await person()
  const before = reads()
  time.now += MINUTE_MS + 1
  await redis.client.config('RESETSTAT')
  answer(async () => void (await eventually(async () => ((await commandsOf(redis)).exists ?? 0) >= 50)))
  const answers = await Promise.all(Array.from({ length: 50 }, () => statusOf(browser, ALL_ROLES)))
  t.strictSame([...new Set(answers)], [200])
  t.equal(reads(), before + 1)
  t.equal(await statusOf(browser, ALL_ROLES), 200)
  t.equal(reads(), before + 1)
})

t.test('a slow answer does not replace a newer answer to another replica', async (t) => {
  const { time, person, startReplica, upstream } = await scene(t)
  const browser = await person()
  const browserAtReplica = new Browser((await startReplica()).url, browser.jar)
  time.now += MINUTE_MS + 1
  upstream.rule = async (call) => {
    if (call.target !== MY_USER) return undefined
    upstream.rule = () => undefined
    const { status, text } = await askSandbox(sandbox, call)
    removeRoles(t)
    time.now += 1
    t.equal(await statusOf(browserAtReplica), 403)
    return { status, body: JSON.parse(text) }
  }
  for (const visitor of [browser, browserAtReplica]) t.equal(await statusOf(visitor), 403)
})

t.test('ends the session when the upstream refuses the user', async (t) => {
  const refusals: [name: string, reply: Answer][] = [
    ['401', { status: 401 }],
    ['403', { status: 403 }],
    ['another person', { status: 200, body: { ...sandbox.state.users.get('u-partner-admin') } }],
    ['a disabled user', { status: 200, body: { id: 'u-customer-user', status: 'DISABLED' } }],
    ['an unknown status', { status: 200, body: { id: 'u-customer-user', status: 'LOCKED' } }]
  ]
  for (const [name, refusal] of refusals) {
    const { time, person, answer, auditOf } = await scene(t)
    const browser = await person()
    t.equal(await statusOf(browser), 200)
    time.now += MINUTE_MS + 1
    answer(() => refusal)
    const answers = await Promise.all(Array.from({ length: 5 }, () => browser.call(PROJECTS)))
    const problems = await Promise.all(answers.map(problemOf))
    for (const { status } of problems) t.equal(status, 401, name)
    const refusalProblem = problems.find(({ type }) => type === 'urn:portal:problem:account_refused')
    t.match(refusalProblem, { detail: /can no longer use this portal/ }, name)
    t.equal(auditOf('refused by the upstream').length, 1, name)
    answer(() => undefined)
    t.match(await problemOf(await browser.call(PROJECTS)), { type: /not_signed_in/ }, name)
  }
})

t.test('refuses a sign-in to an account that is not active', async (t) => {
  const { answer, portal, person } = await scene(t)
  answer(() => ({ status: 200, body: { id: 'u-customer-user', status: 'DISABLED' } }))
  await t.rejects(person(), { message: /led to \/signin-failed\?reason=refused/ })
  t.equal(portal.logged.filter((line) => line.includes('"event":"sign-in","userId":null')).length, 1)
})

t.test('uses cached roles for 15 minutes of an outage, and retries every five seconds', async (t) => {
  const outages: [name: string, reply: () => Answer | Promise<Answer>][] = [
    ['500', () => ({ status: 500 })],
    ['429', () => ({ status: 429 })],
    ['garbage', () => ({ status: 200, body: [] })]
  ]
  for (const [name, reply] of outages) {
    const { time, person, answer, reads } = await scene(t)
    const start = time.now
    const browser = await person()
    answer(reply)
    time.now = start + MINUTE_MS + 1
    const before = reads()
    for (let call = 0; call < 5; call += 1) t.equal(await statusOf(browser, ALL_ROLES), 200, name)
    t.equal(reads(), before + 1, `${name}: does not retry with every call`)
    time.now += 5_001
    await statusOf(browser, ALL_ROLES)
    t.equal(reads(), before + 2, `${name}: retries after five seconds`)
    time.now = start + CACHED_MS
    t.equal(await statusOf(browser, ALL_ROLES), 200, `${name}: at the limit`)
    time.now += 1
    const answerPastLimit = await browser.call(ALL_ROLES)
    t.equal(answerPastLimit.status, 503, `${name}: just past the limit`)
    t.ok(Number(answerPastLimit.headers.get('retry-after')) > 0)
    t.match(await problemOf(answerPastLimit), { type: 'urn:portal:problem:roles_unknown' })
    answer(() => undefined)
    time.now += 5_001
    t.equal(await statusOf(browser, ALL_ROLES), 200, `${name}: after the outage`)
  }
})

t.test('reads the roles again after a refresh of the tokens', async (t) => {
  const { person, reads, upstream, time } = await scene(t)
  const browser = await person()
  t.equal(await statusOf(browser, ALL_ROLES), 200)
  time.now += 30_000
  const before = reads()
  let refusals = 0
  upstream.rule = ({ target }) => {
    if (target !== ALL_ROLES || refusals > 0) return undefined
    refusals += 1
    return { status: 401 }
  }
  t.equal(await statusOf(browser, ALL_ROLES), 200)
  t.equal(reads(), before)
  t.equal(await statusOf(browser, ALL_ROLES), 200)
  t.equal(reads(), before + 1)
})

t.test('reads the roles for every page load and every call of /me', async (t) => {
  const { person, time } = await scene(t)
  const browser = await person()
  t.ok((await browser.json<Me>('/api/portal/v1/me')).actions.includes('projects:view'))
  removeRoles(t)
  time.now += 1
  t.strictSame((await browser.json<Me>('/api/portal/v1/me')).actions, [])
  t.equal(await statusOf(browser), 403)
})

t.test('applies the limits of sessions to services', async (t) => {
  const { time, portal, answer, reads } = await scene(t)
  const token = await serviceToken(sandbox, 'ncp:read')
  const call = () => fetch(portal.url + PROJECTS, { headers: { authorization: `Bearer ${token}` } })
  const start = time.now
  await Promise.all(Array.from({ length: 10 }, call))
  t.equal(reads(), 1)
  time.now = start + MINUTE_MS
  t.equal((await call()).status, 200)
  t.equal(reads(), 1)
  time.now += 1
  answer(() => ({ status: 500 }))
  t.equal((await call()).status, 200, 'during an outage')
  t.equal(reads(), 2)
  time.now = start + CACHED_MS + 1
  t.equal((await call()).status, 503)
  time.now += 5_001
  for (const reply of [
    { status: 200, body: { ...sandbox.state.users.get('u-partner-admin'), status: 'ACTIVE' } },
    { status: 401 },
    { status: 403 },
    { status: 200, body: { id: 'x', status: 'DISABLED' } }
  ]) {
    answer(() => reply)
    const refusal = await call()
    t.equal(refusal.status, 401)
    t.match(refusal.headers.get('www-authenticate'), /invalid_token/)
  }
  answer(() => ({ status: 500 }))
  t.equal((await call()).status, 503, 'a refusal removes the cached roles')
})
