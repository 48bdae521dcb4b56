import t from 'tap'
import {
  agesOf,
  factsOf,
  foundIn,
  isOld,
  isUnread,
  keptOrder,
  missingIn,
  readAtOf,
  sorted,
  standOutLimits,
  worstFirst
} from '#client/features/sites/customers/attention.ts'
import type { CustomerAttention } from '#shared/answers/portal.ts'
import { ATTENTION, type AttentionKind } from '#shared/attention.ts'
import { card, NOW } from '../../../../support/client/gateway.ts'

type Counts = CustomerAttention['counts']
const now = Date.parse(NOW)
const ago = (ms: number) => new Date(now - ms).toISOString()
const countsOf = (counts: Partial<Record<AttentionKind, number>>) =>
  ({
    counts: Object.fromEntries(
      Object.entries(counts).map(([kind, count]) => [kind, { count, readAt: NOW }])
    ) as Counts,
    partial: []
  }) satisfies Pick<CustomerAttention, 'counts' | 'partial'>

t.test('a null count is missing, an absent count is not; neither needs attention or is old', async (t) => {
  const noCounts = { counts: {}, partial: [] }
  t.same(foundIn(noCounts), [])
  t.same(missingIn(noCounts), { failed: [], unread: [] })
  t.equal(readAtOf(noCounts), null)
  t.notOk(isOld(noCounts, now))
  const nullCounts = { alarms: null, servicesEnded: null, servicesEnding: null }
  t.same(missingIn({ counts: nullCounts, partial: ['alarms'] }), { failed: ['alarms'], unread: ['services'] })
  t.ok(isUnread({ counts: { plansWarning: { count: 1, readAt: NOW, unread: 2 } }, partial: [] }))
  t.notOk(isUnread({ counts: { alarms: null }, partial: ['alarms'] }), 'a failed count is not unread')
})

t.test('finds the kinds with a count above 0, most urgent first', async (t) => {
  const attention = countsOf({ withoutBackup: 1, alarms: 2, servicesEnding: 0, plansExceeded: 3 })
  t.same(foundIn(attention), ['plansExceeded', 'alarms', 'withoutBackup'])
})

t.test('the oldest count determines the age; a count is old after twice its maximum age', async (t) => {
  const limitMs = 2 * ATTENTION.alarms.freshMs
  const attentionOf = (ms: number): Pick<CustomerAttention, 'counts' | 'partial'> => ({
    counts: { alarms: { count: 0, readAt: ago(ms) }, servicesEnded: { count: 0, readAt: NOW } },
    partial: []
  })
  t.equal(readAtOf(attentionOf(5)), ago(5))
  t.notOk(isOld(attentionOf(limitMs), now))
  t.ok(isOld(attentionOf(limitMs + 1), now))
})

t.test(
  'a customer shows its own age only if its counts are old and those of most customers are not',
  async (t) => {
    const freshMs = 2 * ATTENTION.alarms.freshMs
    const readBefore = (...agesMs: number[]) =>
      agesMs.map((ms, index) => ({
        id: String(index + 1),
        counts: { alarms: { count: 1, readAt: ago(ms) } } satisfies Counts
      }))
    t.same(agesOf([], now), { readAt: null, isOld: false, lateIds: new Set() })
    t.same(agesOf(readBefore(1, freshMs), now), { readAt: ago(freshMs), isOld: false, lateIds: new Set() })
    t.same(
      agesOf(readBefore(1, 2, freshMs + 1), now),
      { readAt: ago(2), isOld: false, lateIds: new Set(['3']) },
      'the age of the others is that of the oldest of them'
    )
    t.same(
      agesOf(readBefore(1, freshMs + 2, freshMs + 1), now),
      { readAt: ago(freshMs + 2), isOld: true, lateIds: new Set() },
      'counts that are old at most customers have one age'
    )
  }
)

t.test('a count stands out above three times the median of the counts above 0, from 5 on', async (t) => {
  const limitOf = (...values: number[]) =>
    standOutLimits(values.map((value) => countsOf({ alarms: value }))).alarms
  t.equal(limitOf(), 5)
  t.equal(limitOf(0, 0, 0), 5)
  t.equal(limitOf(40), 121, 'a single count never stands out')
  t.equal(limitOf(1, 1, 100), 5)
  t.equal(limitOf(0, 0, 0, 0, 2, 3, 90), 10, 'customers without any do not count')
  t.equal(limitOf(9, 4, 5, 30), 16, 'of two middle counts, the smaller one is the median')
})

t.test(
  'a number that is not read comes last in both directions; equal numbers are sorted worst first',
  async (t) => {
    const customers = [
      { ...card('1'), ...countsOf({ alarms: 2 }) },
      { ...card('2'), counts: { alarms: null }, partial: [] },
      { ...card('3'), ...countsOf({ alarms: 9 }) },
      { ...card('4'), ...countsOf({ alarms: 2, servicesEnded: 1 }) }
    ]
    const idsBy = (sort: string, order: string) => sorted(customers, sort, order).map(({ id }) => id)
    t.same(idsBy('alarms', 'desc'), ['3', '4', '1', '2'])
    t.same(idsBy('alarms', 'asc'), ['4', '1', '3', '2'])
    t.same(idsBy('name', 'asc'), ['1', '2', '3', '4'])
    t.same(idsBy('name', 'desc'), ['4', '3', '2', '1'])
    t.same(idsBy('no such order', 'asc'), idsBy('attention', 'desc'))
  }
)

t.test(
  'sorts by the number of urgent kinds, then by their counts; equal customers keep their order',
  async (t) => {
    const customers = [
      { id: 'well', ...countsOf({ alarms: 0 }) },
      { id: 'backups', ...countsOf({ withoutBackup: 900 }) },
      { id: 'ending', ...countsOf({ servicesEnding: 1 }) },
      { id: 'also ending', ...countsOf({ servicesEnding: 1 }) },
      { id: 'many alarms', ...countsOf({ alarms: 50 }) },
      { id: 'alarms and plans', ...countsOf({ alarms: 1, plansExceeded: 1 }) },
      { id: 'few alarms', ...countsOf({ alarms: 2 }) }
    ]
    t.same(
      worstFirst(customers).map(({ id }) => id),
      ['alarms and plans', 'many alarms', 'few alarms', 'ending', 'also ending', 'backups', 'well']
    )
  }
)

t.test('states how many customers need attention and how many are checked', async (t) => {
  const sentences: [
    number,
    unread: number,
    failed: number,
    checked: number,
    all: number,
    sentence: string
  ][] = [
    [0, 0, 0, 0, 0, ''],
    [0, 0, 0, 45, 45, 'All customers are well'],
    [0, 45, 0, 0, 45, '0 of 45 customers fully checked'],
    [24, 44, 0, 1, 45, '24 need attention so far, 1 of 45 customers fully checked'],
    [1, 2, 3, 41, 45, '1 needs attention so far, 41 of 45 customers fully checked'],
    [24, 0, 0, 45, 45, '24 of 45 customers need attention'],
    [1, 0, 0, 1, 1, '1 of 1 customer needs attention'],
    [0, 0, 1, 44, 45, '0 of 45 customers need attention, 1 not fully read'],
    [24, 0, 2, 43, 45, '24 of 45 customers need attention, 2 not fully read']
  ]
  for (const [needing, unread, failed, checked, all, sentence] of sentences)
    t.equal(factsOf({ needing, unread, failed, checked, all }), sentence)
})

t.test('keeps the displayed order; new ids come last', async (t) => {
  t.same(keptOrder(['a', 'b', 'c'], ['c', 'x', 'a', 'y']), ['a', 'c', 'x', 'y'])
  t.same(keptOrder([], ['b', 'a']), ['b', 'a'])
})
