// Long answers and background reads end after a sign-out at another replica or a loss of roles. Two gateways share a Redis,
// and the upstream records the caller of each call.
import { randomBytes } from 'node:crypto'
import t, { type Test } from 'tap'
import { READ_AT_ONCE } from '#server/portal/search/customer-reads.ts'
import type { DeviceSearch } from '#shared/answers/customers.ts'
import type { Problem } from '#shared/answers/portal.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { customersOf } from '#test/sandbox/state.ts'
import { Browser, signIn, startPortal } from '#test/support/portal.ts'
import { type ControlledUpstream, startControlledUpstream } from '../../support/controlled-upstream.ts'
import { eventually } from '../../support/eventually.ts'
import { startRedis } from '../../support/redis-server.ts'
import { openSandbox } from '../../support/scenes/gateway.ts'
import { complete, organizationPath } from '../../support/scenes/organization.ts'
import { assignRoles } from '../../support/scenes/stream.ts'
import { serviceToken } from '../../support/service-token.ts'

const CHECK_MS = 1_000
const TOO_OLD_MS = 60_001
const LINES = { accept: 'application/x-ndjson' }
const customerPath = (rest: string, customer: string = NOTABLE.northwind) =>
  `/api/portal/v1/customers/${customer}/${rest}`
const ofIntegrator = (rest: string) => organizationPath(rest, NOTABLE.partner)
const SEARCH = ofIntegrator('search?q=ahu')

const sandbox = await openSandbox(t, { accessTokenSeconds: 36_000 })
const redis = await startRedis(t)
const time = { now: Date.now(), step: 0 }
const options = {
  startedSandbox: sandbox,
  clock: () => {
    time.now += time.step
    return time.now
  },
  secrets: [randomBytes(32).toString('base64')]
}
const otherPortal = await startPortal(t, { ...options, backend: redis.untimedBackend() })

/** The calls that `hold` delays: `count` calls whose target contains one of the parts. */
type DelayedCalls = [count: number, ...parts: string[]]

/** A gateway that counts its session reads, with an upstream whose answers the test delays. */
async function startWithCountedReads(t: Test, env: Record<string, string> = {}) {
  // The authority uses the real clock.
  Object.assign(time, { now: Date.now(), step: 0 })
  const upstream = await startControlledUpstream(t, sandbox)
  const store = redis.untimedBackend()
  const reads = { count: 0, before: async (_count: number) => {} }
  const backend = {
    ...store,
    async read(key: string) {
      reads.count += 1
      await reads.before(reads.count)
      return store.read(key)
    }
  }
  const settings = { UPSTREAM_URL: upstream.url, OIDC_AUDIENCE: sandbox.audience, ...env }
  const portal = await startPortal(t, { ...options, backend, env: settings })
  const signOut = async ({ jar }: Browser) => {
    const answer = await new Browser(otherPortal.url, jar).call('/auth/logout', { method: 'POST' })
    if (!answer.ok) throw new Error(`sign-out: ${answer.status}`)
  }
  const hold = ([count, ...parts]: DelayedCalls) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    let delayedCount = 0
    upstream.rule = async ({ target }) => {
      if (!parts.some((part) => target.includes(part))) return undefined
      delayedCount += 1
      await promise
      return undefined
    }
    return { full: () => eventually(() => delayedCount === count), release: resolve }
  }
  const signInAs = (username = 'partner.admin') => signIn(portal.url, sandbox, username)
  return { upstream, reads, portal, signInAs, signOut, hold }
}

const readsOf = ({ asked }: ControlledUpstream, start: number, username = 'partner.admin') => {
  const id = `u-${username.replace('.', '-')}`
  return asked.slice(start).filter(({ by, target }) => by === id && !target.endsWith('/myUser'))
}

async function linesOf(answer: Response) {
  const lines = (await answer.text()).trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line) as Partial<DeviceSearch & Problem>)
}

/** The calls for each customer: the customer itself, projects, devices and subscriptions. */
const READING: DelayedCalls = [READ_AT_ONCE * 4, '/c-']
/** The last call for the services of one customer, and both searches for alarms of another. */
const COUNTING: DelayedCalls = [3, '/devices?page=0', 'alarms:search']
const RELOADING: DelayedCalls = [3, '/devices?', '/projects?', '/subscription/']
const PROJECTS = customerPath('projects')
const POINTS = customerPath('points?q=temp')
const COUNTS = ofIntegrator('attention')
const ROWS = ofIntegrator('worklists/services')

interface Start {
  headers?: Record<string, string>
  /** Reads the customer first, and then lets this time pass. */
  warmMs?: number
}
const WORKS: [name: string, by: string, path: string, held: DelayedCalls, status: number, start?: Start][] = [
  ['a search as lines', 'partner.admin', SEARCH, READING, 200, { headers: LINES }],
  ['a search as one answer', 'partner.admin', SEARCH, READING, 401],
  ['a search for points', 'customer.user', POINTS, [3, '/entitymodel/'], 401, { warmMs: 0 }],
  ['a reload in the background', 'customer.user', PROJECTS, RELOADING, 200, { warmMs: 31_000 }],
  ['the reading of counts in the background', 'partner.admin', COUNTS, COUNTING, 200],
  ['the reading of rows in the background', 'partner.admin', ROWS, [1, '/devices?page=0'], 200],
  ['the reading of devices in the background', 'partner.admin', ofIntegrator('devices'), READING, 200]
]
for (const [name, username, path, held, status, { headers = {}, warmMs } = {}] of WORKS)
  t.test(`${name} ends with the sign-out`, async (t) => {
    const { upstream, signInAs, signOut, hold } = await startWithCountedReads(t)
    const browser = await signInAs(username)
    if (warmMs !== undefined) await browser.json(PROJECTS)
    time.now += warmMs ?? 0
    const calls = hold(held)
    const answer = browser.call(path, { headers })
    await calls.full()
    await signOut(browser)
    const before = upstream.asked.length
    time.now += CHECK_MS
    calls.release()
    t.equal((await answer).status, status)
    const line = (await linesOf(await answer)).at(-1)
    const problem = { status: 401, title: 'Not signed in', type: 'urn:portal:problem:not_signed_in' }
    if (status === 401 || headers === LINES) t.match(line, problem)
    await (await signInAs('no.access')).json('/api/portal/v1/me')
    t.strictSame(readsOf(upstream, before, username), [])
  })

t.test('a long search reads the session store once a second', async (t) => {
  const { reads, signInAs, hold } = await startWithCountedReads(t)
  const browser = await signInAs()
  for (const [ms, readCount] of [
    [CHECK_MS - 1, 1],
    [CHECK_MS, 2]
  ] as const) {
    const calls = hold(READING)
    time.now += 16 * 60_000
    const before = reads.count
    const answer = browser.json<DeviceSearch>(SEARCH)
    await calls.full()
    time.now += ms
    calls.release()
    t.match(await answer, { customers: { read: 45, of: 45 } })
    t.equal(reads.count, before + readCount, `${ms} ms`)
  }
})

for (const [name, headers] of [
  ['as lines, with a problem at its end', LINES],
  ['as JSON, which is cut off', { 'accept-encoding': 'identity' }]
] as const)
  t.test(`a sign-out ends a tree ${name}`, async (t) => {
    const { reads, signInAs, signOut } = await startWithCountedReads(t)
    const browser = await signInAs('customer.user')
    await browser.json(customerPath('projects'))
    time.step = CHECK_MS
    const firstRead = reads.count + 1
    // Three reads are allowed: for the call, its access check and the first part.
    reads.before = async (count) => {
      if (count === firstRead + 3) await signOut(browser)
    }
    const answer = await browser.call(customerPath('tree'), { headers })
    t.equal(answer.status, 200)
    if (headers === LINES) {
      const lines = await linesOf(answer)
      t.equal(lines.length, 500 + 1)
      t.match(lines.at(-1), { status: 401, type: 'urn:portal:problem:not_signed_in' })
    } else await t.rejects(answer.text())
    time.step = 0
  })

/** A person who is signed out after the first part of the list of devices. */
async function signedOutHalfway(t: Test) {
  const { reads, portal, signInAs, signOut } = await startWithCountedReads(t)
  const browser = await signInAs('customer.user')
  const path = organizationPath('devices', NOTABLE.northwind)
  await complete(browser, path)
  time.step = CHECK_MS
  const firstRead = reads.count + 1
  reads.before = async (count) => {
    if (count === firstRead + 3) await signOut(browser)
  }
  return { browser, portal, path }
}

t.test('a sign-out ends a list of devices as lines, with a problem at its end', async (t) => {
  const { browser, path } = await signedOutHalfway(t)
  const lines = await linesOf(await browser.call(path, { headers: LINES }))
  time.step = 0
  t.match(lines.at(-1), { status: 401, type: 'urn:portal:problem:not_signed_in' })
  t.ok(lines.length < 1_240, `${lines.length} lines`)
})

t.test('a sign-out cuts off a list of devices as CSV, and the log says why', async (t) => {
  const { browser, portal, path } = await signedOutHalfway(t)
  const answer = await browser.call(path, { headers: { accept: 'text/csv', 'accept-encoding': 'identity' } })
  t.equal(answer.status, 200)
  await t.rejects(answer.text())
  time.step = 0
  await eventually(() => portal.logged.some((line) => line.includes('"problem":"not_signed_in"')))
})

t.test('does not send a queued call after the sign-out', async (t) => {
  const { upstream, portal, signInAs, signOut, hold } = await startWithCountedReads(t, {
    UPSTREAM_CONNECTIONS: '1'
  })
  const browser = await signInAs('customer.user')
  await browser.json(customerPath('projects'))
  const alarms = hold([1, 'alarms:search'])
  const portalCall = browser.call(customerPath('alarms'))
  await alarms.full()
  const forwardedCall = browser.call(
    `/api/v1/alarms/customers/${NOTABLE.northwind}/alarms:search?page=0&size=1`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}'
    }
  )
  const allowedCount = () => portal.logged.filter((line) => line.includes('"action":"alarms:query"')).length
  await eventually(() => allowedCount() === 2)
  await signOut(browser)
  const before = upstream.asked.length
  time.now += CHECK_MS
  alarms.release()
  for (const answer of [portalCall, forwardedCall]) t.equal((await answer).status, 401)
  t.strictSame(upstream.asked.slice(before), [])
})

t.test('a search ends when the caller loses access to one customer', async (t) => {
  const { upstream, signInAs, hold } = await startWithCountedReads(t)
  const browser = await signInAs()
  const roles = customersOf(sandbox.state, NOTABLE.partner).map(({ id }) => ({
    roleName: 'customer_user',
    scope: `/organizations/${NOTABLE.partner}/customers/${id}`
  }))
  for (const [newRoles, isEnded] of [
    [roles, false],
    [roles.slice(1), true]
  ] as const) {
    const calls = hold(READING)
    const answer = browser.call(SEARCH, { headers: LINES })
    await calls.full()
    t.teardown(assignRoles(sandbox, 'u-partner-admin', [...newRoles]))
    const before = upstream.asked.length
    time.now += TOO_OLD_MS
    calls.release()
    const line = (await linesOf(await answer)).at(-1)
    if (!isEnded) t.match(line, { customers: { read: 45 } }, 'continues with other roles at the customers')
    else {
      t.match(line, { status: 403, title: 'Not allowed', detail: /roles have changed/ })
      t.strictSame(readsOf(upstream, before), [])
    }
    time.now += 16 * 60_000
  }
})

t.test('a tree ends when the caller loses access to the customer', async (t) => {
  const { reads, signInAs } = await startWithCountedReads(t)
  const browser = await signInAs('customer.user')
  await browser.json(customerPath('projects'))
  const firstRead = reads.count + 1
  time.step = CHECK_MS
  reads.before = async (count) => {
    if (count !== firstRead + 3) return
    t.teardown(assignRoles(sandbox, 'u-customer-user', []))
    time.now += TOO_OLD_MS
  }
  const lines = await linesOf(await browser.call(customerPath('tree'), { headers: LINES }))
  t.equal(lines.length, 500 + 1)
  t.match(lines.at(-1), { status: 403 })
})

t.test('stops reading counts when the roles have changed', async (t) => {
  const { upstream, signInAs, hold } = await startWithCountedReads(t, { ROLES_MAX_AGE_SECONDS: '10' })
  const browser = await signInAs()
  const calls = hold(COUNTING)
  await browser.json(ofIntegrator('attention'))
  await calls.full()
  t.teardown(
    assignRoles(sandbox, 'u-partner-admin', [
      { roleName: 'partner_user', scope: `/organizations/${NOTABLE.partner}` }
    ])
  )
  const before = upstream.asked.length
  time.now += 10_001
  calls.release()
  await (await signInAs('no.access')).json('/api/portal/v1/me')
  t.strictSame(readsOf(upstream, before), [])
})

t.test('a search of a service ends when the token of the service expires', async (t) => {
  const { upstream, portal, hold } = await startWithCountedReads(t)
  const token = await serviceToken(sandbox, 'ncp:read')
  const calls = hold(READING)
  const answer = fetch(portal.url + SEARCH, { headers: { ...LINES, authorization: `Bearer ${token}` } })
  await calls.full()
  const before = upstream.asked.length
  const [, claims = ''] = token.split('.')
  time.now = JSON.parse(Buffer.from(claims, 'base64url').toString()).exp * 1000
  calls.release()
  t.match((await linesOf(await answer)).at(-1), { status: 401, type: 'urn:portal:problem:bad_token' })
  t.equal(upstream.asked.length, before)
})
