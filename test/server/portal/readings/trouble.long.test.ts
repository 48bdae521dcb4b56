// The watch of alarms with many viewers, customers and alarms, with dead tokens and with slow upstreams.
import { randomBytes } from 'node:crypto'
import t, { type Test } from 'tap'
import type { OrganizationAlarms } from '#shared/answers/portal.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { Browser, signIn, startPortal } from '#test/support/portal.ts'
import { type Answer, startControlledUpstream } from '../../../support/controlled-upstream.ts'
import { eventually } from '../../../support/eventually.ts'
import { startRedis } from '../../../support/redis-server.ts'
import { openSandbox } from '../../../support/scenes/gateway.ts'
import { complete, organizationPath } from '../../../support/scenes/organization.ts'
import {
  follow,
  giveEqualRights,
  isAlarmSearch,
  NORTHWIND_STREAM,
  openStoppedSandbox,
  raiseAtNorthwind
} from '../../../support/scenes/stream.ts'

const CUSTOMERS = 200
// Most of the time these tests wait for reads, so they run side by side.
t.jobs = 3
const secrets = [randomBytes(32).toString('base64')]

async function scene(t: Test) {
  const sandbox = await openStoppedSandbox(t)
  const redis = await startRedis(t)
  const upstream = await startControlledUpstream(t, sandbox)
  const options = {
    startedSandbox: sandbox,
    secrets,
    env: { UPSTREAM_URL: upstream.url, LIVE_POLL_SECONDS: '1' },
    limits: { alarmTurnMs: 50, streamHeartbeatMs: 200 }
  }
  const portals = [
    await startPortal(t, { ...options, backend: redis.untimedBackend() }),
    await startPortal(t, { ...options, backend: redis.untimedBackend() })
  ] as const
  const searches = () => upstream.asked.filter(isAlarmSearch)
  const open = async (username: string, query = NORTHWIND_STREAM, replica: 0 | 1 = 0) => {
    const person = await signIn(portals[replica].url, sandbox, username)
    return { person, live: await follow(t, person, query) }
  }
  return { sandbox, upstream, searches, open }
}

const AT_INTEGRATOR = { roleName: 'partner_user', scope: `/organizations/${NOTABLE.partner}` }

t.test('when the token of a viewer has died, the token of the next one is used', async (t) => {
  const { sandbox, upstream, searches, open } = await scene(t)
  giveEqualRights(sandbox, AT_INTEGRATOR)
  const { live: first } = await open('partner.user')
  const { count } = await first.has('alarms', ({ tag }) => tag !== null)
  const { live: second } = await open('partner.admin')
  await second.has('alarms', (data) => data.count === count)
  upstream.rule = (asked) =>
    isAlarmSearch(asked) && asked.by === 'u-partner-user' ? { status: 401 } : undefined
  const before = searches().length
  raiseAtNorthwind(sandbox)
  await second.has('alarms', (data) => data.count === Number(count) + 1)
  t.ok(
    searches()
      .slice(before)
      .some(({ by }) => by === 'u-partner-admin')
  )
  const tried = searches()
    .slice(before)
    .filter(({ by }) => by === 'u-partner-user').length
  await eventually(
    () =>
      searches()
        .slice(before)
        .filter(({ by }) => by === 'u-partner-admin').length >= 8
  )
  const triedAgain = searches()
    .slice(before)
    .filter(({ by }) => by === 'u-partner-user').length
  t.equal(triedAgain, tried, 'the dead token is not tried each time')
})

t.test('two replicas with many viewers each read a customer once', async (t) => {
  const { sandbox, searches, open } = await scene(t)
  const streams = []
  for (const replica of [0, 1] as const)
    for (let viewer = 0; viewer < 10; viewer += 1)
      streams.push(await open('partner.user', NORTHWIND_STREAM, replica))
  const [{ live } = await open('partner.user')] = streams
  const { count } = await live.has('alarms', ({ tag }) => tag !== null)
  const startedAt = performance.now()
  const before = searches().length
  raiseAtNorthwind(sandbox)
  for (const { live } of streams) await live.has('alarms', (data) => data.count === Number(count) + 1)
  const reads = 2 * (Math.ceil((performance.now() - startedAt) / 1000) + 1)
  t.ok(searches().length - before <= 2 * reads, `${searches().length - before} searches for ${reads} reads`)
})

t.test('answers that take 10 s are reported after 2 s, and read less often', async (t) => {
  const { upstream, searches, open } = await scene(t)
  const { live } = await open('customer.user')
  await live.has('alarms', ({ tag }) => tag !== null)
  const releases: (() => void)[] = []
  upstream.rule = (asked) =>
    isAlarmSearch(asked)
      ? new Promise((resolve) => {
          const timer = setTimeout(() => resolve(undefined), 10_000)
          releases.push(() => {
            clearTimeout(timer)
            resolve(undefined)
          })
        })
      : undefined
  const before = searches().length
  const startedAt = performance.now()
  await live.has('alarms', ({ delayedSince }) => delayedSince !== undefined)
  t.ok(performance.now() - startedAt < 9_000, 'before the answer')
  t.ok(searches().length - before <= 2, `${searches().length - before} searches`)
  upstream.rule = () => undefined
  for (const release of releases) release()
  await live.has('alarms', ({ delayedSince }) => delayedSince === undefined)
})

t.test('200 customers on a start page take turns, and none is left out', async (t) => {
  const own = await openSandbox(t, { customers: CUSTOMERS - 45, accessTokenSeconds: 36_000 })
  const upstream = await startControlledUpstream(t, own)
  let running = 0
  let mostAtOnce = 0
  upstream.rule = async (asked) => {
    if (!isAlarmSearch(asked)) return undefined
    running += 1
    mostAtOnce = Math.max(mostAtOnce, running)
    await new Promise((resolve) => setImmediate(resolve))
    running -= 1
    return { status: 200, body: { page: { number: 0, size: 100, totalPages: 1, totalElements: 2 } } }
  }
  const portal = await startPortal(t, {
    startedSandbox: own,
    env: { UPSTREAM_URL: upstream.url },
    limits: { alarmTurnMs: 20 }
  })
  const person = await portal.as('partner.admin')
  const live = await follow(t, person, `?organizationId=${NOTABLE.partner}`)
  const seen = () =>
    new Set(live.events.flatMap((one) => (one.event === 'alarms' ? one.data.customerId : [])))
  await eventually(() => seen().size >= CUSTOMERS - 1)
  t.ok(mostAtOnce <= 8, `${mostAtOnce} searches at once`)
  // On a busy machine some turns are late for a while.
  const list = await eventually(async () => {
    const answer = await person.json<OrganizationAlarms>(organizationPath('alarms', NOTABLE.partner))
    return answer.partial.length === 0 ? answer : undefined
  })
  t.equal(list.totals.length, seen().size)
})

t.test('a customer with 20,000 alarms costs no more than one with a hundred', async (t) => {
  const { upstream, open } = await scene(t)
  const alarm = (number: number) => ({
    uuid: `a-${number}`,
    timestamp: new Date(Date.UTC(2026, 0, 1) - number * 1000).toISOString(),
    sourceState: 'offnormal',
    ackState: 'unacked',
    priority: 1 + (number % 255),
    sourceName: `Source ${number}`,
    messageText: 'x'.repeat(200)
  })
  const all = Array.from({ length: 20_000 }, (_, number) => alarm(number))
  const asked: string[] = []
  upstream.rule = (call) => {
    if (!isAlarmSearch(call)) return undefined
    asked.push(call.target)
    const query = new URL(call.target, 'http://upstream').searchParams
    const [page, size] = [Number(query.get('page')), Number(query.get('size'))]
    const isFirst = !call.body.includes('"sourceStates":["normal"]')
    const alarms = isFirst ? all.slice(page * size, (page + 1) * size) : []
    const totalElements = isFirst ? all.length : 0
    const pages = { number: page, size, totalPages: Math.ceil(totalElements / size), totalElements }
    return { status: 200, body: { _embedded: { alarms }, page: pages } }
  }
  const { live, person } = await open('customer.multi', `?organizationId=${NOTABLE.multi[0]}`)
  const { count } = await live.has('alarms', ({ tag }) => tag !== null)
  t.equal(count, 20_000)
  t.ok(asked.every((target) => target.includes('page=0&size=100')))
  const list = await complete<OrganizationAlarms>(person, organizationPath('alarms?size=1000'))
  t.equal(list.page.totalElements, 300)
  t.strictSame([...new Set(list.totals.map((total) => total.count))], [20_000])
})

/** A page of a search that finds this number of alarms. */
function foundAlarms(totalElements: number): Answer {
  return { status: 200, body: { page: { number: 0, size: 100, totalPages: 1, totalElements } } }
}

t.test('two replicas that share readings are right again after a storm', async (t) => {
  const own = await openSandbox(t, { customers: CUSTOMERS - 45, accessTokenSeconds: 36_000 })
  const upstream = await startControlledUpstream(t, own)
  const storm = { isOn: false, calls: 0, count: 20_000 }
  /** In a storm, three of four calls are limited, fail, or take 10 s. The token of one person has died. */
  upstream.rule = async (asked) => {
    if (!isAlarmSearch(asked)) return undefined
    if (storm.isOn && asked.by === 'u-partner-user') return { status: 401 }
    storm.calls += storm.isOn ? 1 : 0
    if (storm.isOn && storm.calls % 4 === 0) return { status: 429 }
    if (storm.isOn && storm.calls % 4 === 1) return { status: 503 }
    if (storm.isOn && storm.calls % 4 === 2)
      await new Promise((resolve) => setTimeout(resolve, 10_000).unref())
    return foundAlarms(asked.body.includes('"sourceStates":["normal"]') ? 0 : storm.count)
  }
  giveEqualRights(own, AT_INTEGRATOR)
  const redis = await startRedis(t)
  const startReplica = async () => {
    const messages = redis.messages(t)
    const backend = redis.untimedBackend()
    const env = { UPSTREAM_URL: upstream.url, ROLES_MAX_AGE_SECONDS: '1' }
    const limits = { alarmTurnMs: 20, streamHeartbeatMs: 200 }
    return startPortal(t, { startedSandbox: own, secrets, backend, messages, env, limits })
  }
  const [first, second] = [await startReplica(), await startReplica()]
  const admin = await signIn(first.url, own, 'partner.admin')
  const user = await signIn(first.url, own, 'partner.user')
  const leaver = await signIn(first.url, own, 'customer.multi')
  const list = `?organizationId=${NOTABLE.partner}`
  const streams = [
    await follow(t, user, list),
    await follow(t, admin, list),
    await follow(t, new Browser(second.url, admin.jar), list)
  ]
  const left = await follow(t, leaver, `?organizationId=${NOTABLE.multi[0]}`)
  const customersWith = (events: (typeof streams)[number]['events'], count: number) => {
    const newest = new Map(
      events.flatMap((event) => (event.event === 'alarms' ? [[event.data.customerId, event.data]] : []))
    )
    return [...newest.values()].filter((data) => data.count === count && data.delayedSince === undefined)
      .length
  }
  const haveAll = (count: number, lives: typeof streams) =>
    eventually(() => lives.every(({ events }) => customersWith(events, count) >= CUSTOMERS - 1), 180_000)
  await haveAll(20_000, streams)
  await left.has('alarms', ({ count }) => count === 20_000)

  storm.isOn = true
  await eventually(() => storm.calls >= 20, 180_000)
  Object.assign(own.state.users.get('u-customer-multi') ?? {}, { roleAssignments: [] })
  t.equal(await left.end(), 'roles', 'who loses the rights sees nothing more')
  Object.assign(storm, { isOn: false, count: 20_001 })
  await haveAll(20_001, streams.slice(1))
  t.equal(left.events.at(-1)?.event, 'end')
  for (const { isClosed } of streams.slice(1)) t.notOk(isClosed)
})
