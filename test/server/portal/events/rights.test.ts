// A live stream begins only with the rights for it, and ends with them, at any replica. Two gateways share a Redis.
import { randomBytes } from 'node:crypto'
import t, { type Test } from 'tap'
import type { SessionBackend } from '#server/auth/sessions/backend.ts'
import { noReplicaMessages } from '#server/replica-messages.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { Browser, type PortalOptions, signIn, startPortal } from '#test/support/portal.ts'
import { type Asked, startControlledUpstream } from '../../../support/controlled-upstream.ts'
import { eventually } from '../../../support/eventually.ts'
import { listen } from '../../../support/live.ts'
import { startRedis } from '../../../support/redis-server.ts'
import { openSandbox } from '../../../support/scenes/gateway.ts'
import { assignRoles, follow, NORTHWIND_STREAM, streamOf } from '../../../support/scenes/stream.ts'
import { serviceToken } from '../../../support/service-token.ts'

// Most of the time these tests wait for a stream, so they run side by side. Those that rename projects do so at customers of
// their own, because others count events.
t.jobs = 5
const sandbox = await openSandbox(t, { accessTokenSeconds: 36_000 })
const redis = await startRedis(t)
const upstream = await startControlledUpstream(t, sandbox)
const secrets = [randomBytes(32).toString('base64')]
const HEARTBEAT_MS = 100

async function startReplica(t: Test, options: PortalOptions = {}) {
  return startPortal(t, {
    messages: redis.messages(t),
    startedSandbox: sandbox,
    secrets,
    backend: redis.untimedBackend(),
    ...options,
    env: {
      UPSTREAM_URL: upstream.url,
      OIDC_AUDIENCE: sandbox.audience,
      ROLES_MAX_AGE_SECONDS: '1',
      // Some tests count events, and on a busy machine a state of alarms that is not read again in time is an event.
      LIVE_POLL_SECONDS: '300',
      ...options.env
    },
    limits: { streamHeartbeatMs: HEARTBEAT_MS, ...options.limits }
  })
}
const replica = await startReplica(t)
const otherReplica = await startReplica(t)
const atOther = ({ jar }: Browser) => new Browser(otherReplica.url, jar)
const visit = (username: string) => signIn(replica.url, sandbox, username)

const REFUSED: [who: string, query: string, status: number][] = [
  ['customer.user', `?customerId=${NOTABLE.withoutProjects}`, 403],
  ['customer.user', `?organizationId=${NOTABLE.partner}`, 403],
  ['customer.user', `${NORTHWIND_STREAM}&organizationId=${NOTABLE.partner}`, 403],
  ['partner.user', `?customerId=${NOTABLE.otherPartnersCustomer}`, 403],
  ['partner.user', `?organizationId=${NOTABLE.partnerWithoutTechView}`, 403],
  ['no.access', NORTHWIND_STREAM, 403],
  ['global.admin', `?customerId=${NOTABLE.partner}`, 404],
  ['global.admin', '?customerId=none', 404],
  ['global.admin', '?customerId=a%2Fb', 400],
  ['global.admin', `${NORTHWIND_STREAM}&${NORTHWIND_STREAM.slice(1)}`, 400],
  ['global.admin', '?projectId=1', 400]
]

for (const [who, query, status] of REFUSED)
  t.test(`refuses ${who} with ${query}: ${status}`, async (t) => {
    const person = await replica.as(who)
    t.equal((await person.call(`/api/portal/v1/events${query}`)).status, status)
  })

t.test('refuses callers without a session, and pages of other sites', async (t) => {
  const { jar } = await replica.as('partner.user')
  t.equal((await new Browser(replica.url).call('/api/portal/v1/events')).status, 401)
  t.equal((await jar.fetch(`${replica.url}/api/portal/v1/events`)).status, 403)
})

t.test('admits members of an organization, and callers without any role to their own events', async (t) => {
  const queries = [
    ['customer.multi', `?organizationId=${NOTABLE.multi[0]}`],
    ['no.access', '']
  ] as const
  for (const [who, query] of queries) {
    const live = await follow(t, await replica.as(who), query)
    t.equal(live.status, 200, who)
    t.ok((await live.has('roles')).tag)
    live.close()
  }
})

t.test('a sign-out ends the streams of its session at once, and no others', async (t) => {
  const [person, other] = [await visit('partner.user'), await visit('partner.user')]
  const streams = [await follow(t, person), await follow(t, person), await follow(t, other)] as const
  for (const live of streams) await live.has('inventory')
  await person.call('/auth/logout', { method: 'POST' })
  t.equal(await streams[0].end(), 'session')
  t.equal(await streams[1].end(), 'session')
  t.notOk(streams[2].isClosed)
})

t.test('a session that another browser ends, ends its stream', async (t) => {
  const [desk, phone] = [await visit('customer.admin'), await visit('customer.admin')]
  const live = await follow(t, phone)
  await live.has('inventory')
  await desk.call('/auth/sessions', { method: 'DELETE' })
  t.equal(await live.end(), 'session')
})

t.test('a sign-out at another replica, or by the authority, ends the stream at once', async (t) => {
  const patient = await startReplica(t, { limits: { streamHeartbeatMs: 600_000 } })
  const person = await signIn(patient.url, sandbox, 'partner.user')
  const live = await follow(t, person)
  await live.has('inventory')
  await atOther(person).call('/auth/logout', { method: 'POST' })
  t.equal(await live.end(), 'session')
})

t.test(
  'after a sign-out at another replica nothing more is sent, even if the message about it is lost',
  async (t) => {
    const deaf = await startReplica(t, { messages: noReplicaMessages() })
    const person = await signIn(deaf.url, sandbox, 'partner.user')
    const [customerId] = NOTABLE.multi
    const live = await follow(t, person, streamOf(customerId))
    await live.has('inventory')
    // The first reading of the alarms is sent a second later.
    await live.has('alarms', ({ tag }) => tag !== null)
    await atOther(person).call('/auth/logout', { method: 'POST' })
    const sent = live.events.length
    // A change right after the sign-out: its event must not be sent.
    await renameProject(customerId)
    t.equal(await live.end(), 'session')
    t.equal(live.events.length, sent + 1, 'only the end was sent')
  }
)

async function renameProject(customerId: string) {
  const writer = await replica.as('partner.admin')
  const [project] = sandbox.state.projects.of(customerId)
  const answer = await writer.call(`/api/v2/management/projects/${project?.id}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json', 'x-customer-id': customerId },
    body: JSON.stringify({ projectName: `Renamed ${performance.now()}` })
  })
  t.equal(answer.status, 200)
}

t.test('a change at another replica is told within a second', async (t) => {
  const patient = await startReplica(t, { limits: { streamHeartbeatMs: 600_000 } })
  const [, customerId] = NOTABLE.multi
  const person = await signIn(patient.url, sandbox, 'partner.user')
  const live = await follow(t, person, streamOf(customerId))
  const { tag } = await live.has('inventory')
  await renameProject(customerId)
  await live.has('inventory', (data) => data.tag !== tag)
})

t.test('a change of the roles ends the stream, and nothing else is sent', async (t) => {
  const person = await visit('customer.user')
  const live = await follow(t, person)
  await live.has('inventory')
  await live.has('alarms', ({ tag }) => tag !== null)
  const sent = live.events.length
  t.teardown(assignRoles(sandbox, 'u-customer-user', []))
  // The project changes while the stream reads the roles again: known ones are used for a second.
  const isRolesRead = ({ by, target }: Asked) =>
    by === 'u-customer-user' && target === '/api/v2/management/myUser'
  const answered = Promise.withResolvers<undefined>()
  const before = upstream.asked.length
  upstream.rule = (asked) => (isRolesRead(asked) ? answered.promise : undefined)
  await eventually(() => upstream.asked.slice(before).some(isRolesRead))
  await renameProject(NOTABLE.northwind)
  upstream.rule = () => undefined
  answered.resolve(undefined)
  t.equal(await live.end(), 'roles')
  t.strictSame(
    live.events.slice(sent).map(({ event }) => event),
    ['end']
  )
  t.equal((await person.call(`/api/portal/v1/events${NORTHWIND_STREAM}`)).status, 403)
})

t.test('a stream does not extend its session, which ends on time', async (t) => {
  const time = { now: Date.now() }
  const idle = await startReplica(t, { clock: () => time.now, env: { SESSION_IDLE_SECONDS: '600' } })
  const person = await signIn(idle.url, sandbox, 'partner.user')
  time.now += 5 * 60_000
  const live = await follow(t, person)
  await live.has('inventory')
  for (let minute = 6; minute < 10; minute += 1) {
    time.now += 60_000
    const beats = () => live.text.split('\n:\n').length
    const before = beats()
    await eventually(() => beats() > before)
  }
  t.notOk(live.isClosed)
  time.now += 60_001
  t.equal(await live.end(), 'session')
})

t.test("a service's stream ends with its token", async (t) => {
  const time = { now: Date.now() }
  const portal = await startReplica(t, { clock: () => time.now })
  const token = await serviceToken(sandbox, 'ncp:read')
  const send = (path: string, init: RequestInit) =>
    fetch(portal.url + path, { ...init, headers: { authorization: `Bearer ${token}` } })
  const live = await listen(t, send, NORTHWIND_STREAM)
  await live.has('inventory')
  time.now += 36_060_000
  t.equal(await live.end(), 'session')
})

t.test('nothing is sent while Redis is away, and the stream goes on afterwards', async (t) => {
  const { own, live, isAway } = await sceneWithOwnRedis(t)
  own.freeze()
  await eventually(isAway)
  const { text } = live
  own.thaw()
  await eventually(() => live.text.length > text.length)
  t.notOk(live.isClosed)
})

t.test('a stream ends if its rights cannot be checked for long', async (t) => {
  const { own, live } = await sceneWithOwnRedis(t)
  await own.kill()
  t.equal(await live.end(), 'unavailable')
})

async function sceneWithOwnRedis(t: Test) {
  const own = await startRedis(t)
  const store = await own.backend()
  let failures = 0
  const backend: SessionBackend = {
    ...store,
    read: (...parameters) =>
      store.read(...parameters).catch((error) => {
        failures += 1
        throw error
      })
  }
  const portal = await startReplica(t, {
    backend,
    limits: { streamHeartbeatMs: 1_000 }
  })
  const person = await signIn(portal.url, sandbox, 'partner.user')
  const live = await follow(t, person)
  await live.has('inventory')
  const isAway = () => failures > 0
  return { own, live, isAway }
}
