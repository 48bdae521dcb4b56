// The values of hours and days: equal to sums over the raw records, whatever the pages, and computed in small steps.
import t from 'tap'
import { readPeriods } from '#server/portal/report-data/periods.ts'
import type { FoundPoint } from '#server/portal/report-data/points.ts'
import type { PointRecord, RecordPage } from '#server/portal/report-data/records.ts'
import type { HistoryRecord } from '#shared/answers/points.ts'
import { type PointKind, pointTypeOf } from '#shared/history/point-type.ts'
import type { TimeRange } from '#shared/time/date-ranges.ts'
import { randomFrom } from '#test/support/samples.ts'
import {
  averageOf,
  DAYS,
  heldEachMinute,
  knownIn,
  YEAR,
  yearOfRecords,
  ZONE
} from '#test/support/year-of-records.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

const pointOf = (kind: PointKind): FoundPoint => ({
  deviceUuid: 'd',
  cloudId: kind,
  deviceName: 'AHU',
  pointName: kind,
  type: pointTypeOf({ tags: { dataType: kind } }),
  source: { systemGuid: 'g', pointId: kind },
  missing: null
})

type Pair = readonly [ms: number, value: unknown, status?: string]
const msOf = (record: HistoryRecord | undefined) =>
  record ? Date.parse(String(record.timestamp)) : Number.POSITIVE_INFINITY
const recordsOf = (index: number, pairs: readonly Pair[]) =>
  pairs.map(([ms, value, status = '']): PointRecord => ({ index, ms, value, status }))

interface Frame {
  kinds: readonly PointKind[]
  /** Those before the range are the ones before it. */
  records: readonly PointRecord[]
  range: TimeRange
  periodMs: number
  timeZone?: string
  endMs?: number
  pageMs?: () => number
}

function periodsOf(frame: Frame) {
  const { kinds, records, range, periodMs, timeZone = 'UTC', endMs = range.toMs } = frame
  const pageMs = frame.pageMs ?? (() => range.toMs - range.fromMs)
  async function* pages(): AsyncGenerator<RecordPage, void, void> {
    const own = records.filter(({ ms }) => ms >= range.fromMs).sort((a, b) => a.ms - b.ms)
    let first = 0
    for (let fromMs = range.fromMs; fromMs < range.toMs; ) {
      fromMs = Math.min(fromMs + pageMs(), range.toMs)
      let end = first
      while ((own[end]?.ms ?? Number.POSITIVE_INFINITY) < fromMs) end += 1
      yield { records: own.slice(first, end), untilMs: fromMs }
      first = end
    }
  }
  const before = kinds.map((_, index) =>
    records.filter((record) => record.index === index && record.ms < range.fromMs)
  )
  return readPeriods(pages(), kinds.map(pointOf), { range, periodMs, timeZone, endMs, before })
}

async function valuesOf(frame: Frame): Promise<[index: number, ms: number, value: unknown][]> {
  const batches: PointRecord[][] = []
  for await (const batch of periodsOf(frame)) batches.push(batch)
  return batches.flat().map(({ index, ms, value }) => [index, ms, value])
}

t.test(
  'weights a number that is recorded on change by time, and has each hour in which it holds',
  async (t) => {
    const records = recordsOf(0, [
      [0, 20],
      [0.5 * HOUR, 20],
      [HOUR * (5 / 6), 30]
    ])
    const frame: Frame = { kinds: ['Numeric'], records, range: { fromMs: 0, toMs: 3 * HOUR }, periodMs: HOUR }
    const values = await valuesOf(frame)
    t.same(
      values.map(([, ms, value]) => [ms, Number(value).toFixed(2)]),
      [
        [0, '21.67'],
        [HOUR, '30.00'],
        [2 * HOUR, '30.00']
      ]
    )
    const untilNow = await valuesOf({ ...frame, endMs: 1.5 * HOUR })
    t.same(
      untilNow.map(([, ms]) => ms),
      [0, HOUR],
      'not after now'
    )
  }
)

t.test('has a number and a state that hold from before the range', async (t) => {
  const records = [
    ...recordsOf(0, [[-5 * HOUR, 21]]),
    ...recordsOf(1, [
      [-90 * DAY, true],
      [HOUR, false]
    ])
  ]
  const range = { fromMs: 0, toMs: 2 * HOUR }
  t.same(await valuesOf({ kinds: ['Numeric', 'Boolean'], records, range, periodMs: HOUR }), [
    [0, 0, 21],
    [1, 0, true],
    [0, HOUR, 21],
    [1, HOUR, false]
  ])
})

t.test('of records with the same time, the last one counts', async (t) => {
  const records = recordsOf(0, [
    [0, 1],
    [HOUR / 2, 3],
    [HOUR / 2, 5]
  ])
  const range = { fromMs: 0, toMs: HOUR }
  t.same(await valuesOf({ kinds: ['Numeric'], records, range, periodMs: HOUR }), [[0, 0, 3]])
})

t.test(
  'a point that was recorded only from some day on delays no other one by more than a week',
  async (t) => {
    const records = [
      ...recordsOf(
        0,
        Array.from({ length: 40 * 24 }, (_, hour): Pair => [hour * HOUR, hour])
      ),
      ...recordsOf(1, [[20 * DAY, 7]])
    ]
    let readUntilMs = 0
    const range = { fromMs: 0, toMs: 40 * DAY }
    const pageMs = () => {
      readUntilMs += HOUR
      return HOUR
    }
    let longestDelayMs = 0
    for await (const batch of periodsOf({
      kinds: ['Numeric', 'Numeric'],
      records,
      range,
      periodMs: HOUR,
      pageMs
    }))
      for (const { ms } of batch) longestDelayMs = Math.max(longestDelayMs, readUntilMs - ms)
    t.ok(longestDelayMs <= 7 * DAY + 2 * HOUR, `${longestDelayMs / HOUR} h`)
  }
)

t.test('computes a few values at a time, whatever the range', async (t) => {
  const points = 100
  const fiveYears = { fromMs: Date.UTC(2021, 0), toMs: Date.UTC(2026, 0) }
  const kinds = Array.from({ length: points }, (): PointKind => 'Numeric')
  const records = kinds.flatMap((_, index) => recordsOf(index, [[fiveYears.fromMs, index]]))
  let [batches, longest, count] = [0, 0, 0]
  for await (const batch of periodsOf({ kinds, records, range: fiveYears, periodMs: HOUR, timeZone: ZONE })) {
    batches += 1
    longest = Math.max(longest, batch.length)
    count += batch.length
    if (count >= 500_000) break
  }
  t.ok(longest <= 170 * points, `${longest}: at first a week, in which it is decided what holds`)
  t.ok(count / batches <= 1_100, `${count} in ${batches}`)
})

t.test('each hour and day of a year equals the sums over its raw records', async (t) => {
  const random = randomFrom(77)
  const stepMinutes = () => 1 + Math.floor(random() * 360)
  const measured = yearOfRecords({ stepMinutes: () => 20, value: () => 15 + 10 * random() })
  const setPoints = yearOfRecords({ stepMinutes, value: () => 18 + Math.floor(random() * 80) / 10 })
  const states = yearOfRecords({ stepMinutes, value: () => Math.floor(random() * 2) })
  const pairsOf = (records: readonly HistoryRecord[]) =>
    records.map(({ timestamp, value, status }): Pair => [Date.parse(String(timestamp)), value, status ?? ''])
  const records = [measured, setPoints, states].flatMap((own, index) => recordsOf(index, pairsOf(own)))
  const setPointEachMinute = heldEachMinute(setPoints)
  const hours = Array.from({ length: 365 * 24 }, (_, hour) => {
    const fromMs = YEAR.fromMs + hour * HOUR
    return { fromMs, toMs: fromMs + HOUR }
  })
  for (const [periodMs, ranges] of [
    [HOUR, hours],
    [DAY, DAYS]
  ] as const) {
    const frame: Frame = {
      kinds: ['Numeric', 'Numeric', 'Enum'],
      records,
      range: YEAR,
      periodMs,
      timeZone: ZONE,
      pageMs: () => 60_000 * Math.ceil(random() * 5_000)
    }
    const values = new Map((await valuesOf(frame)).map(([index, ms, value]) => [`${index} ${ms}`, value]))
    const isAverage = (value: unknown, expected: readonly number[]) =>
      expected.length === 0 ? value === undefined : Math.abs(Number(value) - averageOf(expected)) < 1e-9
    let [nextMeasured, nextState] = [0, 0]
    const takeMeasured = (untilMs: number) => {
      const taken: number[] = []
      for (; msOf(measured[nextMeasured]) < untilMs; nextMeasured += 1)
        if (!measured[nextMeasured]?.status) taken.push(Number(measured[nextMeasured]?.value))
      return taken
    }
    const stateAt = (ms: number) => {
      while (msOf(states[nextState]) <= ms) nextState += 1
      return states[nextState - 1]?.value
    }
    const wrong = ranges.filter((range) => {
      const state = stateAt(range.fromMs)
      return (
        !isAverage(values.get(`0 ${range.fromMs}`), takeMeasured(range.toMs)) ||
        !isAverage(values.get(`1 ${range.fromMs}`), knownIn(setPointEachMinute, range)) ||
        values.get(`2 ${range.fromMs}`) !== state
      )
    })
    t.same(wrong, [], `${periodMs / HOUR} h`)
    t.ok(values.size > 2 * ranges.length)
  }
})
