// Rules for reading and answering counts, without a gateway.
import t from 'tap'
import type { Plan } from '#server/inventory/worker/due-services.ts'
import { createAnswer } from '#server/portal/attention/answer.ts'
import { countsOf } from '#server/portal/attention/counts.ts'
import {
  nextPlans,
  noReadings,
  PLANS_MAX,
  plansAreKnown,
  plansOf,
  type Readings,
  usageAt,
  withoutPart,
  withTotals
} from '#server/portal/readings/customer-readings.ts'
import { hasChanged, type Now, nextCustomer } from '#server/portal/readings/next-customer.ts'
import { COUNTED_PARTS, kindsOf, PART_NAMES } from '#server/portal/readings/parts.ts'
import type { AlarmState } from '#server/portal/readings/reader.ts'
import { withRead } from '#server/portal/readings/readings.ts'
import { PLANS } from '#server/portal/worklists/lists.ts'
import type { AttentionList } from '#shared/answers/portal.ts'
import { ATTENTION, ATTENTION_KINDS, type AttentionKind } from '#shared/attention.ts'

const NOW = Date.parse('2026-03-01T12:00:00Z')
const timesOf = (rest: Partial<Now> = {}): Now => ({
  nowMs: NOW,
  notBefore: Number.NEGATIVE_INFINITY,
  ...rest
})

const plan = (number: number): Plan => ({
  deviceId: `d-${number}`,
  device: { deviceUuid: `u-${number}`, deviceName: `Device ${number}`, hostId: '', projectName: null },
  subscription: { offeringCode: 'NDS', startDate: '2026-01-01', endDate: '2027-01-01', planLimit: 5 }
})
const plans = (count: number) => plansOf(noReadings(), [...Array(count).keys()].map(plan))

function read(ageMs: number, rest: Partial<Readings> = {}): Readings {
  const readAt = NOW - ageMs
  return {
    ...noReadings(),
    services: { ended: 1, ending: 2, recover: [], readAt },
    backups: { missing: 4, readAt },
    ...rest
  }
}

/** Returns the customer to read next, for each part. */
function nextToRead(
  byId: Record<string, Readings | undefined>,
  rest: Partial<Now> = {},
  kinds = ATTENTION_KINDS,
  first: readonly string[] = []
) {
  const customers = Object.entries(byId).map(([customerId, readings]) => ({
    customerId,
    kinds,
    readings: readings && withTotals(readings)
  }))
  const nextOfParts = COUNTED_PARTS.map(
    (part) => [part, nextCustomer(part, customers, timesOf(rest), new Set(first))] as const
  )
  return Object.fromEntries(nextOfParts.filter(([, customerId]) => customerId !== null))
}

t.test('reads no count that is fresh, or whose API failed recently', async (t) => {
  t.strictSame(nextToRead({ a: read(0) }), {})
  t.strictSame(nextToRead({ a: read(30 * 60_000 - 1) }), {})
  t.strictSame(
    nextToRead({ a: read(30 * 60_000) }),
    { services: 'a', backups: 'a' },
    'are fresh for half an hour'
  )
  t.strictSame(nextToRead({ a: { ...noReadings(), awayAt: { services: NOW - 4_999 } } }), {})
  t.strictSame(nextToRead({ a: { ...noReadings(), awayAt: { services: NOW - 5_000 } } }), {
    services: 'a'
  })
})

t.test('counts that were read together expire together', async (t) => {
  for (const part of PART_NAMES)
    t.equal(new Set(kindsOf(part).map((kind) => ATTENTION[kind].freshMs)).size, 1, part)
})

t.test('reads only the counts that the caller may see, and the needed services', async (t) => {
  t.strictSame(nextToRead({ a: undefined }, {}, []), {})
  t.strictSame(nextToRead({ a: undefined }, {}, ['alarms']), {}, 'alarms are read by the watch')
  t.strictSame(nextToRead({ a: undefined }, {}, ['withoutBackup']), { services: 'a' })
  t.strictSame(nextToRead({ a: read(0, { backups: undefined } as object) }, {}, ['servicesEnded']), {})
})

t.test('reads customers in list order, and backups and plans after services', async (t) => {
  const { services } = read(0)
  t.strictSame(nextToRead({ a: undefined, b: undefined }), { services: 'a' })
  const after = { ...noReadings(), services, ...plans(1) } as Readings
  t.strictSame(nextToRead({ a: after, b: undefined }), { services: 'b', backups: 'a', plans: 'a' })
})

t.test('reads missing counts first, then the oldest counts, and few plans before many', async (t) => {
  const freshMs = ATTENTION.servicesEnded.freshMs
  const readings = { many: read(freshMs), few: read(freshMs + 1) }
  t.strictSame(nextToRead(readings), { services: 'few', backups: 'few' })
  t.strictSame(nextToRead({ ...readings, unknown: undefined }), { services: 'unknown', backups: 'few' })
  t.strictSame(nextToRead({ many: read(0, plans(3)), few: read(0, plans(2)) }), { plans: 'few' })
})

t.test('a customer to read first has no effect if it is fresh, waiting, hidden or unknown', async (t) => {
  const firstOf = (byId: Record<string, Readings | undefined>, kinds = ATTENTION_KINDS) =>
    nextToRead(byId, {}, kinds, ['first', 'foreign'])
  t.strictSame(firstOf({ first: read(0) }), {})
  t.strictSame(firstOf({ first: undefined }, []), {})
  t.strictSame(firstOf({ other: undefined, first: read(0) }), { services: 'other' })
  const failed = { ...noReadings(), awayAt: { services: NOW } }
  t.strictSame(firstOf({ other: undefined, first: failed }), { services: 'other' })
})

t.test(
  'reads named customers before all others, among them the oldest counts and few plans first',
  async (t) => {
    const freshMs = ATTENTION.servicesEnded.freshMs
    const firstOf = (byId: Record<string, Readings | undefined>) =>
      nextToRead(byId, {}, ATTENTION_KINDS, ['newer', 'older'])
    const old = {
      unknown: undefined,
      oldest: read(freshMs + 2),
      newer: read(freshMs),
      older: read(freshMs + 1)
    }
    t.strictSame(firstOf(old), { services: 'older', backups: 'older' })
    const unread = { few: read(0, plans(1)), newer: read(0, plans(3)), older: read(0, plans(2)) }
    t.strictSame(firstOf(unread), { plans: 'older' })
  }
)

t.test('reads a count again when it is too old, older than a change, or from the future', async (t) => {
  const all = { services: 'a', backups: 'a' }
  t.strictSame(nextToRead({ a: read(1) }, { notBefore: NOW - 1 }), {})
  t.strictSame(nextToRead({ a: read(1) }, { notBefore: NOW }), all)
  t.strictSame(nextToRead({ a: read(1, { changedAt: { services: NOW, backups: NOW } }) }), all)
  t.strictSame(nextToRead({ a: read(-1) }), all)
  const plans = new Map([['u-0', { plan: plan(0), level: 'ok' as const, readAt: NOW - 1 }]])
  t.strictSame(
    nextToRead({ a: read(0, { plans, changedAt: { services: NOW - 1, backups: NOW - 1 } }) }),
    {},
    'a change does not affect plans'
  )
  t.strictSame(nextToRead({ a: read(0, { plans }) }, { notBefore: NOW }), { plans: 'a' })
})

t.test(
  'keeps known plans; reads plans first that were never tried, then those tried longest ago',
  async (t) => {
    const before = { ...noReadings(), ...plans(3) }
    const [first, second, third] = [...before.plans.values()]
    if (first) Object.assign(first, { level: 'warning', readAt: NOW })
    if (second) Object.assign(second, { level: 'exceeded', readAt: NOW - 1 })
    const nextOf = (count: number, nowMs = NOW) =>
      nextPlans(before, count, nowMs).map(({ plan: { device } }) => device.deviceUuid)
    t.strictSame(nextOf(2), ['u-2'])
    t.strictSame(nextOf(2, NOW + ATTENTION.plansExceeded.freshMs), ['u-2', 'u-1'])
    if (third) third.readAt = NOW
    t.strictSame(nextOf(1), ['u-1'])
    const after = { ...noReadings(), ...plansOf(before, [plan(1), plan(7)]) }
    t.strictSame([...usageAt(after, 'exceeded').keys()], ['u-1'])
    t.equal(usageAt(after, 'warning').size, 0, 'drops a removed plan')
    t.equal(usageAt(undefined, 'warning').size, 0)
  }
)

t.test('a plan that fails again and again delays no other, and is tried again after a minute', async (t) => {
  const readings = read(0, plans(2))
  const [failing, old] = [...readings.plans.values()]
  if (failing) failing.failedAt = NOW
  if (old) old.readAt = NOW - 2 * 60 * 60_000
  const nextAt = (nowMs: number) =>
    nextPlans(readings, 2, nowMs).map(({ plan: { device } }) => device.deviceUuid)
  const isDueAt = (nowMs: number) => 'plans' in nextToRead({ a: readings }, { nowMs }, ['plansExceeded'])
  t.strictSame([nextAt(NOW), isDueAt(NOW)], [['u-1'], true])
  if (old) old.readAt = NOW
  t.notOk(isDueAt(NOW + 59_999))
  t.strictSame([nextAt(NOW + 60_000), isDueAt(NOW + 60_000)], [['u-0'], true])
})

t.test('the usage of a plan that has changed is read again', async (t) => {
  const before = { ...noReadings(), ...plans(1) }
  for (const read of before.plans.values()) Object.assign(read, { level: 'exceeded', readAt: NOW })
  const { subscription, ...rest } = plan(0)
  const changed = { ...rest, subscription: { ...subscription, planLimit: 50 } }
  const after = withTotals({ ...before, ...plansOf(before, [changed]) })
  t.match(after.planTotals, { exceeded: 0, unread: 1 })
  t.equal(withTotals({ ...before, ...plansOf(before, [plan(0)]) }).planTotals.exceeded, 1)
})

t.test('does not read plans beyond the limit', async (t) => {
  t.equal(plans(PLANS_MAX).plansBeyond, 0)
  t.equal(plans(PLANS_MAX + 1).plansBeyond, 1)
  t.equal(plans(PLANS_MAX + 1).plans.size, PLANS_MAX)
})

t.test('the list of plans is complete once those within the limit have been read', async (t) => {
  const readings = { ...noReadings(), ...plans(PLANS_MAX + 1) }
  const isIncomplete = () => PLANS.isIncomplete(withTotals(readings))
  const [last, ...others] = readings.plans.values()
  for (const other of others) Object.assign(other, { level: 'warning', readAt: NOW })
  t.ok(isIncomplete())
  Object.assign(last ?? {}, { level: 'warning', readAt: NOW })
  t.notOk(isIncomplete())
  t.equal(PLANS.countsOf(withTotals(readings)).unread, 1, 'it says how many are beyond')
})

const NO_ALARMS: AlarmState = {
  reading: undefined,
  readAt: undefined,
  delayedSince: undefined,
  isRefused: false
}
const withAlarms = (readings: Readings, ageMs: number): Readings => ({
  ...readings,
  alarms: {
    reading: {
      count: 3,
      activeCount: 2,
      unackedCount: 1,
      alarms: [],
      newestAt: null,
      tag: '',
      bytes: 0
    },
    readAt: NOW - ageMs
  }
})

function counts(readings: Readings | undefined, kinds: readonly AttentionKind[], areAlarmsLate = false) {
  if (readings === undefined) return countsOf(undefined, kinds, areAlarmsLate)
  const readingsWithTotals = withTotals(readings)
  readingsWithTotals.plans = new Proxy(readingsWithTotals.plans, { get: () => t.fail('reads a plan') })
  return countsOf(readingsWithTotals, kinds, areAlarmsLate)
}

t.test('omits counts that the caller may not see, and returns null for missing counts', async (t) => {
  const missing = { counts: { servicesEnded: null, alarms: null }, partial: [] }
  t.strictSame(counts(undefined, ['alarms', 'servicesEnded']), missing)
  t.strictSame(counts(read(0), []).counts, {})
  t.strictSame(counts({ ...noReadings(), failedAt: { services: 0 } }, ['withoutBackup', 'alarms']), {
    counts: { alarms: null, withoutBackup: null },
    partial: ['withoutBackup']
  })
  const late = counts(withAlarms(noReadings(), 0), ['alarms'], true)
  t.match(late, { counts: { alarms: { count: 3 } }, partial: ['alarms'] })
})

t.test('each count has a time; plans have the oldest time and the number of unread plans', async (t) => {
  const readAt = new Date(NOW - 1000).toISOString()
  t.strictSame(counts(withAlarms(read(1000), 1000), ATTENTION_KINDS).counts, {
    servicesEnded: { count: 1, readAt },
    plansExceeded: { count: 0, readAt },
    alarms: { count: 3, readAt },
    servicesEnding: { count: 2, readAt },
    plansWarning: { count: 0, readAt },
    withoutBackup: { count: 4, readAt }
  })
  const data = read(0, plans(3))
  t.strictSame(counts(data, ['plansExceeded']).counts, { plansExceeded: null }, 'before the first reading')
  t.notOk(plansAreKnown(withTotals(data)))
  const [first, second] = [...data.plans.values()]
  if (first) Object.assign(first, { level: 'exceeded', readAt: NOW - 1000 })
  if (second) Object.assign(second, { level: 'ok', readAt: NOW })
  t.strictSame(counts(data, ['plansExceeded']).counts, { plansExceeded: { count: 1, readAt, unread: 1 } })
})

t.test('drops a refused count, but no other count', async (t) => {
  const before = read(0, plans(1))
  const [first] = [...before.plans.values()]
  if (first) Object.assign(first, { level: 'exceeded', readAt: NOW })
  t.strictSame(counts(withoutPart(before, 'backups'), ['plansExceeded', 'withoutBackup']).counts, {
    plansExceeded: { count: 1, readAt: new Date(NOW).toISOString() },
    withoutBackup: null
  })
  t.strictSame(counts(withoutPart(before, 'plans'), ['plansExceeded']).counts, { plansExceeded: null })
})

/** The answer for a user of customer `a` and a Niagara Remote user of customer `b`, of which only `a` has been read. */
function answerForTwo() {
  const card = (id: string) => ({
    id,
    orgName: id,
    projectCount: 1,
    deviceCount: 1,
    scope: `/organizations/1/customers/${id}`
  })
  const [a, b] = [card('a'), card('b')]
  const answer = createAnswer(
    [a, b],
    [
      { role: 'customer_user', scope: a.scope },
      { role: 'niagara_remote', scope: b.scope }
    ]
  )
  const readings: Record<string, Readings> = { a: withAlarms(read(0), 0) }
  const alarms: Record<string, AlarmState> = {}
  const update = () =>
    answer.update(
      (id) => readings[id],
      (id) => alarms[id] ?? NO_ALARMS
    )
  const updatedList = () => JSON.parse(update().body.toString()) as AttentionList
  return { answer, readings, alarms, update, updatedList }
}
t.test('a slow read of alarms that ends late does not replace newer ones', async (t) => {
  const rest = { activeCount: 0, unackedCount: 0, newestAt: null, tag: '', alarms: [], bytes: 0 }
  const at = (readAt: number, count: number) => ({ readAt, reading: { ...rest, count } })
  const countAfter = (knownAt: number, readAt: number) => {
    const known = { ...noReadings(), alarms: at(knownAt, 1), awayAt: { alarms: NOW } }
    const after = withRead(known, 'alarms', { alarms: at(readAt, 2) }, NOW)
    t.strictSame(after.awayAt, {})
    return after.alarms?.reading.count
  }
  t.equal(countAfter(NOW - 1_000, NOW - 1_001), 1)
  t.equal(countAfter(NOW - 1_000, NOW - 1_000), 2)
  t.equal(countAfter(NOW + 1, NOW - 1_000), 2, 'after the clock was set back')
})

t.test('reads once after a change or a call before the clock was set back', async (t) => {
  const changed = withAlarms(read(0, { changedAt: { alarms: NOW + 1, services: NOW + 1 } }), 0)
  t.ok(hasChanged('alarms', changed))
  t.strictSame(nextToRead({ a: changed }), { services: 'a' })
  const withNewAlarms = withRead(changed, 'alarms', changed, NOW)
  t.notOk(hasChanged('alarms', withNewAlarms))
  t.strictSame(nextToRead({ a: withNewAlarms }), { services: 'a' }, 'each part by itself')
  t.strictSame(nextToRead({ a: withRead(withNewAlarms, 'services', withNewAlarms, NOW) }), {})
  t.strictSame(nextToRead({ a: read(0) }, { notBefore: NOW + 1 }), {})
})

const WITHOUT_BACKUPS = ATTENTION_KINDS.filter((kind) => kind !== 'withoutBackup')

t.test('the kinds of a customer depend on the roles at the customer', async (t) => {
  const { customers } = answerForTwo().answer
  t.strictSame(
    customers.map(({ kinds }) => kinds),
    [ATTENTION_KINDS, WITHOUT_BACKUPS]
  )
})

t.test('names the kinds that some customer still lacks', async (t) => {
  const list = answerForTwo().updatedList()
  t.match(list, {
    items: [
      { id: 'a', counts: { alarms: { count: 3 } } },
      { id: 'b', counts: { alarms: null } }
    ]
  })
  t.strictSame(list.partial, WITHOUT_BACKUPS)
})

t.test('keeps the tag while the counts are the same', async (t) => {
  const { readings, update } = answerForTwo()
  const first = update()
  t.equal(update(), first)
  readings.a = withAlarms(read(0), 0)
  t.equal(update().tag, first.tag)
})

t.test('serializes only customers with changed readings', async (t) => {
  const { readings, update } = answerForTwo()
  const first = update()
  Object.assign(readings, { b: withAlarms(read(0), 0) })
  Object.defineProperty(readings.a, 'services', { get: () => t.fail('serializes the other customer again') })
  const { tag, body } = update()
  t.not(tag, first.tag)
  t.match(JSON.parse(body.toString()), {
    items: [{ id: 'a' }, { counts: { alarms: { count: 3 } } }],
    partial: []
  })
})

t.test('has no number of alarms once the upstream refuses it, although an older one is known', async (t) => {
  const { readings, alarms, update, updatedList } = answerForTwo()
  update()
  alarms.a = { ...NO_ALARMS, isRefused: true, delayedSince: NOW }
  Object.assign(readings, { a: read(0, { last: { alarms: { count: 9, readAt: '' } } }) })
  t.match(updatedList(), { items: [{ counts: { alarms: null } }, {}] })
})
