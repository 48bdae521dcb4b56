import t from 'tap'
import { rangeProblem } from '#client/lib/time/date-range.ts'
import { DATE_FILTERS, filterNamed, RANGE_MAX_MS, rangeOf, type TimeRange } from '#shared/time/date-ranges.ts'
import { previousPeriod, shiftRange, yearBefore } from '#shared/time/earlier-periods.ts'

const HOUR = 3_600_000
const ms = (iso: string) => Date.parse(iso)
const iso = (time: number) => new Date(time).toISOString()
const BERLIN = 'Europe/Berlin'
const NEW_YORK = 'America/New_York'

const NOW = ms('2026-03-30T10:20:00Z')
const ranges: [filter: string, zone: string, now: number, from: string, to: string][] = [
  ['Today', BERLIN, ms('2026-03-29T12:00Z'), '2026-03-28T23:00:00.000Z', '2026-03-29T12:00:00.000Z'],
  ['Yesterday', BERLIN, NOW, '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
  ['Last 24 Hours', BERLIN, NOW, '2026-03-29T10:20:00.000Z', '2026-03-30T10:20:00.000Z'],
  ['Week-To-Date', BERLIN, ms('2026-03-29T12:00Z'), '2026-03-22T23:00:00.000Z', '2026-03-29T12:00:00.000Z'],
  ['Week-To-Date', 'UTC', NOW, '2026-03-30T00:00:00.000Z', '2026-03-30T10:20:00.000Z'],
  ['Last 7 Days', 'UTC', NOW, '2026-03-24T00:00:00.000Z', '2026-03-30T10:20:00.000Z'],
  ['Month-To-Date', BERLIN, NOW, '2026-02-28T23:00:00.000Z', '2026-03-30T10:20:00.000Z'],
  ['Month-To-Date', 'UTC', ms('2026-03-01T00:00Z'), '2026-03-01T00:00:00.000Z', '2026-03-01T00:01:00.000Z'],
  ['Last Month', 'UTC', ms('2028-03-15T00:00Z'), '2028-02-01T00:00:00.000Z', '2028-03-01T00:00:00.000Z'],
  ['Last Month', NEW_YORK, ms('2026-01-01T03:00Z'), '2025-11-01T04:00:00.000Z', '2025-12-01T05:00:00.000Z'],
  ['Year-To-Date', BERLIN, NOW, '2025-12-31T23:00:00.000Z', '2026-03-30T10:20:00.000Z']
]
for (const [filter, zone, now, from, to] of ranges)
  t.test(`${filter} in ${zone} at ${iso(now)} is ${from} to ${to}`, async (t) => {
    const { fromMs, toMs } = rangeOf(filter as 'Today', now, zone)
    t.same([iso(fromMs), iso(toMs)], [from, to])
  })

t.test('named ranges do not end in the future; their names match in any spelling', async (t) => {
  for (const zone of ['UTC', BERLIN, NEW_YORK])
    for (let now = ms('2027-12-30T00:30Z'); now < ms('2028-04-02T00:00Z'); now += 13 * HOUR)
      for (const filter of DATE_FILTERS) {
        if (filter === 'Custom Range') continue
        const { fromMs, toMs } = rangeOf(filter, now, zone)
        if (!(fromMs < toMs && toMs <= now + 60_000)) t.fail(`${filter} ${iso(now)} ${zone}`)
      }
  t.equal(filterNamed('month to date'), 'Month-To-Date')
  t.equal(filterNamed('LAST_7_DAYS'), 'Last 7 Days')
  t.equal(filterNamed('Last Blue Moon'), null)
})

t.test('moves a range by its own length: a month by a month, a day by a day', async (t) => {
  const rangeAfter = (from: string, to: string, by: 1 | -1, zone = BERLIN) => {
    const range = shiftRange({ fromMs: ms(from), toMs: ms(to) }, by, zone)
    return [iso(range.fromMs), iso(range.toMs)]
  }
  const february = ['2026-01-31T23:00:00.000Z', '2026-02-28T23:00:00.000Z']
  const march = ['2026-02-28T23:00:00.000Z', '2026-03-31T22:00:00.000Z']
  t.same(rangeAfter(march[0] as string, march[1] as string, -1), february, 'moves from a month to a month')
  t.same(rangeAfter(february[0] as string, february[1] as string, 1), march, 'moves across a clock change')
  t.same(
    rangeAfter('2026-03-28T23:00Z', '2026-03-29T22:00Z', -1),
    ['2026-03-27T23:00:00.000Z', '2026-03-28T23:00:00.000Z'],
    'moves from a day of 23 hours to a day of 24 hours'
  )
  t.same(rangeAfter('2026-03-01T10:00Z', '2026-03-01T12:00Z', 1), [
    '2026-03-01T12:00:00.000Z',
    '2026-03-01T14:00:00.000Z'
  ])
})

const comparisons: [name: string, period: TimeRange, from: string, to: string][] = [
  [
    'a month to date with the same part of the month before, but not with its own beginning',
    previousPeriod('Month-To-Date', rangeOf('Month-To-Date', NOW, 'UTC'), 'UTC'),
    '2026-02-01T00:00:00.000Z',
    '2026-03-01T00:00:00.000Z'
  ],
  [
    'a custom range that is part of a month with the same part of the month before',
    previousPeriod('Custom Range', { fromMs: ms('2026-11-01T00:00Z'), toMs: ms('2026-11-09T10:00Z') }, 'UTC'),
    '2026-10-01T00:00:00.000Z',
    '2026-10-09T10:00:00.000Z'
  ],
  [
    'October in Berlin with September, across the clock change',
    previousPeriod(
      'Custom Range',
      { fromMs: ms('2026-09-30T22:00Z'), toMs: ms('2026-10-31T23:00Z') },
      BERLIN
    ),
    '2026-08-31T22:00:00.000Z',
    '2026-09-30T22:00:00.000Z'
  ],
  [
    'a leap February with the February of the year before',
    yearBefore({ fromMs: ms('2028-02-01T00:00Z'), toMs: ms('2028-03-01T00:00Z') }, 'UTC'),
    '2027-02-01T00:00:00.000Z',
    '2027-03-01T00:00:00.000Z'
  ]
]
for (const [name, { fromMs, toMs }, from, to] of comparisons)
  t.test(`compares ${name}`, async (t) => {
    t.same([iso(fromMs), iso(toMs)], [from, to])
  })

const rangeCases: [name: string, from: number | null, to: number | null, problem: string | null][] = [
  ['without a beginning', null, 5, 'Enter the day and time at which it begins.'],
  ['without an end', 5, null, 'Enter the day and time at which it ends.'],
  ['that ends at its beginning', 5, 5, 'The range must end after it begins.'],
  ['in the future', NOW + 1, NOW + 2, 'The range lies in the future.'],
  ['of just over five years', NOW - RANGE_MAX_MS - 1, NOW, 'The range is longer than five years.'],
  ['of five years', NOW - RANGE_MAX_MS, NOW, null],
  ['that begins now', NOW, NOW + 1, null]
]
for (const [name, from, to, problem] of rangeCases)
  t.test(`${problem === null ? 'accepts' : 'rejects'} a typed range ${name}`, async (t) => {
    t.equal(rangeProblem(from, to, NOW), problem)
  })
