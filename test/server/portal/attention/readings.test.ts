// What is kept for the counts, and what comes of it, without a gateway.
import t from 'tap'
import type { Plan } from '#server/inventory/due-services.ts'
import { createAnswer } from '#server/portal/attention/answer.ts'
import { countsOf } from '#server/portal/attention/counts.ts'
import {
  type Now,
  nextJob,
  nextPlans,
  noReadings,
  PARTS,
  PLANS_MAX,
  plansAreKnown,
  plansOf,
  type Readings,
  usageAt,
  type Watched,
  withoutPart,
  withTotals
} from '#server/portal/attention/readings.ts'
import {
  ATTENTION_FRESH_MS,
  ATTENTION_KINDS,
  type AttentionKind,
  type AttentionList
} from '#shared/attention.ts'

const NOW = Date.parse('2026-03-01T12:00:00Z')
const now = (rest: Partial<Now> = {}): Now => ({
  nowMs: NOW,
  notBefore: Number.NEGATIVE_INFINITY,
  turn: 1,
  ...rest
})

const plan = (number: number): Plan => ({
  deviceId: `d-${number}`,
  deviceUuid: `u-${number}`,
  subscription: { offeringCode: 'NDS', startDate: '2026-01-01', endDate: '2027-01-01', planLimit: 5 }
})
const plans = (count: number) =>
  plansOf(
    noReadings(),
    Array.from({ length: count }, (_, number) => plan(number))
  )

function read(ageMs: number, rest: Partial<Readings> = {}): Readings {
  const readAt = NOW - ageMs
  return {
    ...noReadings(),
    services: { ended: 1, ending: 2, recover: [], readAt },
    alarms: { count: 3, readAt },
    backups: { missing: 4, readAt },
    ...rest
  }
}

function next(known: Record<string, Readings | undefined>, rest: Partial<Now> = {}, kinds = ATTENTION_KINDS) {
  const customers: Watched[] = Object.keys(known).map((customerId) => ({ customerId, kinds }))
  const job = nextJob(customers, (id) => known[id] && withTotals(known[id]), now(rest))
  return job && `${job.customerId} ${job.part}`
}

t.test('what is fresh is not read, nor is what was asked for lately and failed', async (t) => {
  t.equal(next({ a: read(0) }), null)
  t.equal(next({ a: read(10 * 60_000 - 1) }), null)
  t.equal(next({ a: read(10 * 60_000) }), 'a alarms', 'alarms are fresh for ten minutes')
  t.equal(next({ a: { ...noReadings(), failedAt: { services: NOW, alarms: NOW - 59_999 } } }), null)
  t.equal(next({ a: { ...noReadings(), failedAt: { services: NOW, alarms: NOW - 60_000 } } }), 'a alarms')
})

t.test('counts that are read together grow old together', async (t) => {
  for (const [part, kinds] of Object.entries(PARTS))
    t.equal(new Set(kinds.map((kind) => ATTENTION_FRESH_MS[kind])).size, 1, part)
})

t.test('what nobody may see is not read, but for the services that others are built on', async (t) => {
  t.equal(next({ a: undefined }, {}, []), null)
  t.equal(next({ a: undefined }, {}, ['alarms']), 'a alarms')
  t.equal(next({ a: undefined }, {}, ['withoutBackup']), 'a services')
  t.equal(next({ a: read(0, { backups: undefined } as object) }, {}, ['alarms']), null)
})

t.test('what was never read comes first, customer by customer, and before plans', async (t) => {
  const { services, alarms, backups } = read(0)
  t.equal(next({ a: undefined, b: undefined }), 'a services')
  t.equal(next({ a: { ...noReadings(), services } as Readings, b: undefined }), 'a alarms')
  t.equal(next({ a: { ...noReadings(), services, alarms } as Readings, b: undefined }), 'a backups')
  t.equal(
    next({ a: { ...noReadings(), services, alarms, backups, ...plans(1) } as Readings, b: undefined }),
    'b services'
  )
})

t.test('plans and what is too old take turns, few plans and the oldest first', async (t) => {
  const known = {
    many: read(0, plans(3)),
    few: read(0, plans(2)),
    old: read(ATTENTION_FRESH_MS.alarms),
    older: read(ATTENTION_FRESH_MS.alarms + 1)
  }
  t.equal(next(known, { turn: 2 }), 'few plans')
  t.equal(next(known, { turn: 3 }), 'older alarms')
  t.equal(next({ few: known.few }, { turn: 3 }), 'few plans')
  t.equal(next({ old: known.old }, { turn: 2 }), 'old alarms')
})

t.test('what is older than asked, than a change, or from the future is read again', async (t) => {
  t.equal(next({ a: read(1) }, { notBefore: NOW - 1 }), null)
  t.equal(next({ a: read(1) }, { notBefore: NOW }), 'a services')
  t.equal(next({ a: read(1, { changedAt: NOW }) }), 'a services')
  t.equal(next({ a: read(-1) }), 'a services')
  const [one] = plans(1).plans.values()
  const known = new Map([['u-0', { plan: plan(0), level: 'ok' as const, readAt: NOW - 1 }]])
  t.ok(one)
  t.equal(next({ a: read(0, { plans: known, changedAt: NOW - 1 }) }), null, 'a change leaves plans alone')
  t.equal(next({ a: read(0, { plans: known }) }, { notBefore: NOW }), 'a plans')
})

t.test('plans keep what is known of them; those never read are next, or else the oldest', async (t) => {
  const before = { ...noReadings(), ...plans(3) }
  const [first, second, third] = [...before.plans.values()]
  if (first) Object.assign(first, { level: 'warning', readAt: NOW })
  if (second) Object.assign(second, { level: 'exceeded', readAt: NOW - 1 })
  t.strictSame(
    nextPlans(before, 2).map(({ plan: { deviceUuid } }) => deviceUuid),
    ['u-2']
  )
  if (third) third.readAt = NOW
  t.strictSame(
    nextPlans(before, 1).map(({ plan: { deviceUuid } }) => deviceUuid),
    ['u-1']
  )
  const after = { ...noReadings(), ...plansOf(before, [plan(1), plan(7)]) }
  t.strictSame([...usageAt(after, 'exceeded').keys()], ['u-1'])
  t.equal(usageAt(after, 'warning').size, 0, 'a plan that is gone')
  t.equal(usageAt(undefined, 'warning').size, 0)
})

t.test('of more plans than are read the others stay unread', async (t) => {
  t.equal(plans(PLANS_MAX).plansBeyond, 0)
  t.equal(plans(PLANS_MAX + 1).plansBeyond, 1)
  t.equal(plans(PLANS_MAX + 1).plans.size, PLANS_MAX)
})

function counts(readings: Readings | undefined, kinds: readonly AttentionKind[]) {
  if (readings === undefined) return countsOf(undefined, kinds)
  const summed = withTotals(readings)
  summed.plans = new Proxy(summed.plans, { get: () => t.fail('a plan is looked at') })
  return countsOf(summed, kinds)
}

t.test('a count that may not be seen is absent, one that was not read is null', async (t) => {
  t.strictSame(counts(undefined, ['alarms', 'servicesEnded']), {
    counts: { servicesEnded: null, alarms: null },
    partial: []
  })
  t.strictSame(counts(read(0), []).counts, {})
  t.strictSame(counts({ ...noReadings(), failedAt: { services: 0 } }, ['withoutBackup', 'alarms']), {
    counts: { alarms: null, withoutBackup: null },
    partial: ['withoutBackup']
  })
})

t.test('each count says when it was read; plans when the oldest was, and how many are left', async (t) => {
  const readAt = new Date(NOW - 1000).toISOString()
  t.strictSame(counts(read(1000), ATTENTION_KINDS).counts, {
    servicesEnded: { count: 1, readAt },
    plansExceeded: { count: 0, readAt },
    alarms: { count: 3, readAt },
    servicesEnding: { count: 2, readAt },
    plansWarning: { count: 0, readAt },
    withoutBackup: { count: 4, readAt }
  })
  const some = read(0, plans(3))
  t.strictSame(counts(some, ['plansExceeded']).counts, { plansExceeded: null }, 'none is read')
  t.notOk(plansAreKnown(withTotals(some)))
  const [first, second] = [...some.plans.values()]
  if (first) Object.assign(first, { level: 'exceeded', readAt: NOW - 1000 })
  if (second) Object.assign(second, { level: 'ok', readAt: NOW })
  t.strictSame(counts(some, ['plansExceeded']).counts, { plansExceeded: { count: 1, readAt, unread: 1 } })
})

t.test('what is refused is forgotten, and nothing else', async (t) => {
  const known = read(0, plans(1))
  const [one] = [...known.plans.values()]
  if (one) Object.assign(one, { level: 'exceeded', readAt: NOW })
  t.strictSame(counts(withoutPart(known, 'alarms'), ['alarms', 'plansExceeded']).counts, {
    plansExceeded: { count: 1, readAt: new Date(NOW).toISOString() },
    alarms: null
  })
  t.strictSame(counts(withoutPart(known, 'plans'), ['plansExceeded']).counts, { plansExceeded: null })
})

t.test(
  'an answer writes only customers whose readings have changed, and is named by its counts',
  async (t) => {
    const card = (id: string) => ({
      ...{ id, orgName: id, projectCount: 1, deviceCount: 1 },
      scope: `/organizations/1/customers/${id}`
    })
    const answer = createAnswer(
      [card('a'), card('b')],
      [
        { role: 'customer_user', scope: card('a').scope },
        { role: 'niagara_remote', scope: card('b').scope }
      ]
    )
    t.strictSame(
      answer.watched.map(({ kinds }) => ATTENTION_KINDS.filter((kind) => !kinds.includes(kind))),
      [[], ['withoutBackup']]
    )
    const known: Record<string, Readings> = { a: read(0) }
    const update = () => answer.update((id) => known[id])
    const first = update()
    const list = JSON.parse(answer.body.toString()) as AttentionList
    t.match(list, {
      items: [
        { id: 'a', counts: { alarms: { count: 3 } } },
        { id: 'b', counts: { alarms: null } }
      ]
    })
    t.strictSame(
      list.partial,
      ATTENTION_KINDS.filter((kind) => kind !== 'withoutBackup')
    )

    const { body } = answer
    t.equal(update(), first)
    t.equal(answer.body, body, 'nothing is written')
    known.a = read(0)
    t.equal(update(), first, 'read again, with the same counts')
    known.b = read(0)
    Object.defineProperty(known.a, 'alarms', { get: () => t.fail('the other customer is written again') })
    t.not(update(), first)
    t.match(JSON.parse(answer.body.toString()), {
      items: [{ id: 'a' }, { counts: { alarms: { count: 3 } } }],
      partial: []
    })
  }
)
