// The alarms of watched customers: read once for all viewers of equal visibility, with the token of one who is present. The
// upstream records the caller of each call.
import t, { type Test } from 'tap'
import { PRIORITY_BANDS } from '#shared/alarms.ts'
import type { LiveEvent } from '#shared/answers/events.ts'
import type { AlarmOfCustomer, AttentionList, OrganizationAlarms } from '#shared/answers/portal.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import type { Answer, Asked } from '../../../support/controlled-upstream.ts'
import { eventually } from '../../../support/eventually.ts'
import { openGateway } from '../../../support/scenes/gateway.ts'
import { checkRefusals, complete, MULTI, organizationPath } from '../../../support/scenes/organization.ts'
import {
  follow,
  giveEqualRights,
  isAlarmSearch,
  NORTHWIND_STREAM,
  openStoppedSandbox,
  raiseAtNorthwind
} from '../../../support/scenes/stream.ts'

// Most of the time these tests wait for intervals, so they run side by side.
t.jobs = 5

async function scene(t: Test, env: Record<string, string> = {}) {
  const gateway = await openGateway(t, {
    startedSandbox: await openStoppedSandbox(t),
    env: { LIVE_POLL_SECONDS: '1', ...env },
    limits: { alarmTurnMs: 20, streamHeartbeatMs: 200 }
  })
  const searches = () => gateway.upstream.asked.filter(isAlarmSearch)
  const open = async (username: string, query = NORTHWIND_STREAM) => {
    const person = await gateway.signInAs(username)
    return { person, live: await follow(t, person, query) }
  }
  return { ...gateway, searches, open }
}

const listPath = (query = '', organization?: string) => organizationPath(`alarms${query}`, organization)

const isActive = ({ sourceState }: AlarmOfCustomer) => sourceState !== 'normal'
const isUnacked = ({ ackState }: AlarmOfCustomer) => ackState !== 'acked'
const bandOf = (priority: number) => PRIORITY_BANDS.findIndex(({ to }) => priority <= to)

/** The list of all alarms of three customers, which no test changes. */
const { portal, person, searches, first, list, read, state } = await openList(t)

async function openList(t: Test) {
  const { sandbox, portal, signInAs, searches } = await scene(t)
  const person = await signInAs('customer.multi')
  const first = await person.json<OrganizationAlarms>(listPath())
  const list = await complete<OrganizationAlarms>(person, listPath('?size=500'))
  const read = (query: string) => person.json<OrganizationAlarms>(listPath(`?size=500&${query}`))
  return { portal, person, searches, first, list, read, state: sandbox.state }
}

t.test('refuses malformed queries, and callers without permission', (t) =>
  checkRefusals(t, portal, [
    [403, 'no.access', listPath('', NOTABLE.partner)],
    [403, 'customer.user', listPath('', NOTABLE.partner)],
    [400, 'partner.user', listPath('?states=acked', NOTABLE.partner)],
    [400, 'partner.user', listPath('?priorityFrom=0', NOTABLE.partner)],
    [400, 'partner.user', listPath('?customerId=a%2Fb', NOTABLE.partner)],
    [400, 'partner.user', listPath('?sort=uuid', NOTABLE.partner)]
  ])
)

t.test('a viewer whom the upstream refuses sees nothing of what others of equal rights see', async (t) => {
  const { sandbox, upstream, open } = await scene(t)
  upstream.rule = (asked) =>
    isAlarmSearch(asked) && asked.by === 'u-partner-user' ? { status: 403 } : undefined
  giveEqualRights(sandbox, { roleName: 'partner_user', scope: `/organizations/${NOTABLE.partner}` })
  const { live: refused } = await open('partner.user')
  const { live } = await open('partner.admin')
  const { count } = await live.has('alarms', ({ tag }) => tag !== null)
  t.ok(Number(count) > 0)
  raiseAtNorthwind(sandbox)
  await live.has('alarms', (data) => Number(data.count) === Number(count) + 1)
  const { count: refusedCount, delayedSince } = await refused.has('alarms')
  t.equal(refusedCount, null)
  t.ok(delayedSince)
  t.notOk(refused.text.includes('"newestAt":"'))
})

t.test('reads a customer once for all viewers of equal rights, and tells all of a new alarm', async (t) => {
  const { sandbox, searches, open } = await scene(t)
  const streams = []
  for (let number = 0; number < 5; number += 1) streams.push((await open('partner.user')).live)
  for (const live of streams) await live.has('alarms', ({ tag }) => tag !== null)
  const [first] = streams
  const { count = 0 } = (await first?.has('alarms')) ?? {}
  const callers = new Set(searches().map(({ by }) => by))
  t.strictSame([...callers], ['u-partner-user'])
  const startedAt = performance.now()
  const before = searches().length
  raiseAtNorthwind(sandbox)
  for (const live of streams) await live.has('alarms', (data) => data.count === Number(count) + 1)
  const reads = Math.ceil((performance.now() - startedAt) / 1000) + 1
  t.ok(searches().length <= before + 2 * reads, `${searches().length - before} searches for ${reads} reads`)
})

for (const status of [503, 429])
  t.test(`an answer of ${status} is reported with its beginning, and slows the reads down`, async (t) => {
    const { sandbox, upstream, searches, open } = await scene(t)
    const { live } = await open('customer.user')
    const { count } = await live.has('alarms', ({ tag }) => tag !== null)
    upstream.rule = (asked) => (isAlarmSearch(asked) ? { status } : undefined)
    const late = await live.has('alarms', ({ delayedSince }) => delayedSince !== undefined)
    t.equal(late.count, count, 'the last state is kept')
    const before = searches().length
    upstream.rule = () => undefined
    raiseAtNorthwind(sandbox)
    const next = await live.has('alarms', (data) => data.delayedSince === undefined && data.count !== count)
    t.equal(next.count, Number(count) + 1)
    t.ok(searches().length <= before + 3 * 2, `${searches().length - before} searches`)
  })

for (const [name, username, query] of [
  ['a customer', 'customer.user', NORTHWIND_STREAM],
  ['a list', 'customer.multi', `?organizationId=${MULTI}`]
] as const)
  t.test(`while the API hangs, ${name} is late since its newest reading, and soon no longer`, async (t) => {
    // Hanging calls never fail by themselves.
    const { upstream, open } = await scene(t, { UPSTREAM_TIMEOUT_MS: '120000' })
    const { live } = await open(username, query)
    await live.has('alarms', ({ tag }) => tag !== null)
    const hanging = Promise.withResolvers<Answer>()
    upstream.rule = (asked) => (isAlarmSearch(asked) ? hanging.promise : undefined)
    // On a busy machine, readings may be late before.
    const isSinceReading = (data: { delayedSince?: string; readAt: string | null }) =>
      data.delayedSince !== undefined && data.delayedSince >= String(data.readAt)
    const { customerId, delayedSince } = await live.has('alarms', isSinceReading)
    t.ok(delayedSince)
    upstream.rule = () => undefined
    // An API that comes back has lost its connections.
    hanging.resolve((response) => response.destroy())
    const isBack = (data: { customerId: string; delayedSince?: string; readAt: string | null }) =>
      data.customerId === customerId && !data.delayedSince && String(data.readAt) > String(delayedSince)
    t.ok(await live.has('alarms', isBack))
  })

// That a read finds out within five seconds whether the API is back shows back-off.test.ts.
t.test(
  'while the API is away, the list and the start page name its customers, and soon no longer',
  async (t) => {
    const { upstream, open } = await scene(t)
    const { person, live } = await open('customer.multi', `?organizationId=${MULTI}`)
    const { totals } = await complete<OrganizationAlarms>(person, listPath())
    const names = totals.map(({ customer }) => customer.id)
    t.ok(names.length > 1)
    const readList = () => person.json<OrganizationAlarms>(listPath())
    const lateInList = async () => (await readList()).partial.map(({ id }) => id)
    const lateOnStartPage = async () => {
      const { items } = await person.json<AttentionList>(organizationPath('attention'))
      return items.filter(({ partial }) => partial.includes('alarms')).map(({ id }) => id)
    }
    const isLateInStream = (id: string) => {
      const isOfCustomer = (event: LiveEvent) => event.event === 'alarms' && event.data.customerId === id
      const last = live.events.findLast(isOfCustomer)
      return last?.event === 'alarms' && last.data.delayedSince !== undefined
    }
    await eventually(async () => (await lateOnStartPage()).length === 0)
    upstream.rule = (asked) => (isAlarmSearch(asked) ? { status: 503 } : undefined)
    await eventually(async () => (await lateInList()).length === names.length)
    await eventually(async () => (await lateOnStartPage()).length === names.length)
    t.ok((await readList()).totals.every(({ delayedSince }) => delayedSince !== undefined))
    await eventually(() => names.every(isLateInStream))
    upstream.rule = () => undefined
    await eventually(async () => (await lateInList()).length === 0)
    await eventually(async () => (await lateOnStartPage()).length === 0)
    await eventually(() => !names.some(isLateInStream))
  }
)

t.test('a change of a customer whose API hangs stops nobody', async (t) => {
  const { sandbox, upstream, portal, searches, open } = await scene(t)
  const { live } = await open('partner.user', `?organizationId=${NOTABLE.partner}`)
  await live.has('alarms', ({ customerId, tag }) => customerId === NOTABLE.northwind && tag !== null)
  const { customerId: quick } = await live.has('alarms', (data) => data.customerId !== NOTABLE.northwind)
  await open('partner.user', `?customerId=${quick}`)
  const isHanging = (asked: Asked) => isAlarmSearch(asked) && asked.target.includes(`/${NOTABLE.northwind}/`)
  upstream.rule = (asked) => (isHanging(asked) ? new Promise(() => {}) : undefined)
  const before = searches().filter(isHanging).length
  // It is slow as soon as it is read a second time.
  await eventually(() => searches().filter(isHanging).length >= before + 2 * 2)
  const { deviceId, uuid } = raiseAtNorthwind(sandbox)
  const admin = await portal.as('partner.admin')
  const answer = await admin.call(`/api/v1/control/devices/${deviceId}/commands/editAlarmData`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-customer-id': NOTABLE.northwind },
    body: JSON.stringify({ alarms: [{ uuid, notes: 'called' }], requestProcessingPriority: 255 })
  })
  t.equal(answer.status, 202)
  const asked = searches().length
  await eventually(() =>
    searches()
      .slice(asked)
      .some(({ target }) => target.includes(`/${quick}/`))
  )
  t.ok(searches().slice(asked).filter(isHanging).length <= 2 * 4, 'it is read again a few times only')
})

t.test('a list that was not read before is empty, and names its customers as missing', async (t) => {
  t.match(first, { items: [], totals: [], readAt: null })
  t.equal(first.partial.length, 3)
})

t.test('lists the newest alarms of all customers, and each customer with its total', async (t) => {
  t.strictSame(list.totals.map(({ customer }) => customer.id).sort(), [...NOTABLE.multi])
  for (const { customer, count, active, unacked } of list.totals) {
    const own = list.items.filter((alarm) => alarm.customer.id === customer.id)
    t.equal(own.length, count, customer.orgName)
    t.equal(active, own.filter(isActive).length)
    t.equal(unacked, own.filter(isUnacked).length)
    const page = await person.json<{ page: { totalElements: number } }>(
      `/api/portal/v1/customers/${customer.id}/alarms?size=1`
    )
    t.equal(count, page.page.totalElements)
  }
  t.strictSame(list.counts, {
    action: list.items.length,
    active: list.items.filter(isActive).length,
    unacked: list.items.filter(isUnacked).length,
    unackedIsMinimum: false
  })
  t.ok(searches().length > 0)
})

t.test('a filter selects alarms, but keeps the totals of all customers', async (t) => {
  const [one] = list.items
  if (one === undefined) throw new Error('there is no alarm')
  const filters: [query: string, matches: (alarm: AlarmOfCustomer) => boolean][] = [
    ['show=active', isActive],
    ['show=active&sourceStates=normal&sourceStates=fault', ({ sourceState }) => sourceState === 'fault'],
    [`sourceStates=${one.sourceState}`, ({ sourceState }) => sourceState === one.sourceState],
    [`systemGuid=${one.systemGuid}`, ({ systemGuid }) => systemGuid === one.systemGuid],
    [`alarmClasses=${one.alarmClass}`, ({ alarmClass }) => alarmClass === one.alarmClass],
    [`startTime=${one.timestamp}`, ({ timestamp }) => timestamp >= one.timestamp],
    [
      `keyword=${encodeURIComponent(one.messageText.toUpperCase())}`,
      (alarm) => alarm.messageText === one.messageText
    ],
    ['show=unacked', isUnacked],
    [`customerId=${one.customer.id}`, ({ customer }) => customer.id === one.customer.id],
    [
      `q=${encodeURIComponent(one.messageText.toUpperCase())}`,
      (alarm) => alarm.messageText === one.messageText
    ],
    [`states=${one.sourceState}`, ({ sourceState }) => sourceState === one.sourceState],
    [`priorityFrom=${one.priority}&priorityTo=${one.priority}`, ({ priority }) => priority === one.priority]
  ]
  for (const [query, matches] of filters) {
    const found = await read(query)
    if (!query.startsWith('show=active&')) t.ok(found.items.length > 0, query)
    t.equal(found.items.length, list.items.filter(matches).length, query)
    t.equal(found.totals.length, 3)
    t.strictSame(found.counts, list.counts)
  }
})

t.test('a project limits the list to the systems of its devices, and needs its customer', async (t) => {
  const [one] = list.items
  if (one === undefined) throw new Error('there is no alarm')
  const devices = state.devices.of(one.customer.id)
  const project = devices.find(({ systemGuid }) => systemGuid === one.systemGuid)?.projectId
  const guids = devices.filter(({ projectId }) => projectId === project).map(({ systemGuid }) => systemGuid)
  const found = await read(`customerId=${one.customer.id}&projectId=${project}`)
  t.strictSame(
    found.items.map(({ uuid }) => uuid),
    list.items.filter(({ systemGuid }) => guids.includes(systemGuid)).map(({ uuid }) => uuid)
  )
  const statusOf = async (query: string) => (await person.call(listPath(`?${query}`))).status
  t.equal(await statusOf(`projectId=${project}`), 400)
  t.equal(await statusOf(`customerId=${NOTABLE.otherPartnersCustomer}&projectId=${project}`), 404)
  t.equal(await statusOf('show=all'), 400, 'only alarms that need action are read')
})

t.test('sorts by band and, in each band, the newest first; a released order is as before', async (t) => {
  const byBand = list.items.map(({ priority, timestamp }) => ({ band: bandOf(priority), timestamp }))
  t.ok(new Set(byBand.map(({ band }) => band)).size > 1)
  t.strictSame(
    byBand,
    byBand.toSorted((a, b) => a.band - b.band || (a.timestamp < b.timestamp ? 1 : -1))
  )
  const times = (await read('sort=timestamp')).items.map(({ timestamp }) => timestamp)
  t.strictSame(times, times.toSorted().reverse())
})

t.test('sorts alarms of all customers by priority', async (t) => {
  const priorities = (await read('sort=priority&order=asc')).items.map(({ priority }) => priority)
  t.strictSame(
    priorities,
    priorities.toSorted((a, b) => a - b)
  )
})

t.test('tells a stream of an organization about each of its customers', async (t) => {
  const { open } = await scene(t)
  const { live } = await open('customer.multi', `?organizationId=${MULTI}`)
  await live.has('counts', ({ organizationId }) => organizationId === MULTI)
  for (const id of NOTABLE.multi)
    await live.has('alarms', ({ customerId, tag }) => customerId === id && !!tag)
})
