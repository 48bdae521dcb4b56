// Tooltip and legends show the values that are drawn at the cursor.
import t from 'tap'
import { alarmsAt } from '#client/features/data/history/chart/chart-alarms.ts'
import { type ChartLine, numberSeries, picturesOf } from '#client/features/data/history/chart/chart-lines.ts'
import { drawn } from '#client/features/data/history/chart/decimation.ts'
import {
  differenceText,
  lastReadings,
  type Reading,
  readingsAt,
  readingText,
  spreadText,
  timeText
} from '#client/features/data/history/chart/readings.ts'
import type { HistoryRecord } from '#shared/answers/points.ts'
import type { TimeRange } from '#shared/time/date-ranges.ts'
import { chartPoint, FAN, lineOf, samplesOfYear } from '#test/support/client/history.ts'
import { type Pair, type Pairs, randomFrom, samplesOf } from '#test/support/samples.ts'
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

interface Frame {
  fromMs?: number
  toMs?: number
  pixels?: number
  zone?: string
}

function picturesIn(lines: ChartLine[], { fromMs = 0, toMs = 300, pixels = 500, zone = 'UTC' }: Frame = {}) {
  return picturesOf(lines).map((picture) => ({
    ...picture,
    segments: [],
    drawn: drawn(
      picture.state ? [] : picture.lines.map(({ samples }) => samples),
      { fromMs, toMs },
      pixels,
      zone
    )
  }))
}

function readingsOf(lines: ChartLine[], atMs: number) {
  const readings = readingsAt(picturesIn(lines), atMs)
  return { ...readings, values: lines.map(({ id }) => readings.of.get(id)?.value) }
}

const PAIRS: Pairs = [0, 1, 10, 2, 20, 3, 30, 4, 200, 5, 210, 6]
const fanLine = (color: number, pairs: Pairs, endMs: number) => lineOf(color, samplesOf(pairs, endMs), FAN)

t.test('shows the sample next to the cursor, and no value in a gap', async (t) => {
  const readingAt = (ms: number) => {
    const { atMs, values, span } = readingsOf([lineOf(0, samplesOf(PAIRS))], ms)
    return [atMs, values[0], span]
  }
  t.same(readingAt(14), [10, 2, null])
  t.same(readingAt(16), [20, 3, null])
  t.same(readingAt(190), [200, 5, null])
  t.same(readingAt(110), [110, undefined, null])
  t.same(readingAt(280), [280, undefined, null])
})

t.test('shows the values of all lines at the sample next to the cursor', async (t) => {
  const otherSamples = samplesOf([3, 1, 13, 7, 23, 1, 33, 1])
  const { atMs, values } = readingsOf(
    [lineOf(0, samplesOf(PAIRS)), lineOf(1, otherSamples), fanLine(2, [0, 1], 100)],
    12
  )
  t.same([atMs, values], [13, [2, 7, 1]])
  t.equal(readingsOf([fanLine(0, [0, 1], 100)], 12).atMs, 12, 'a state has a value at any time')
})

t.test('shows a held value from its first record to its end, not before or after', async (t) => {
  const readingAt = (ms: number) => readingsOf([fanLine(0, [100, 1], 250)], ms).values[0]
  t.same([99, 100, 250, 251].map(readingAt), [undefined, 1, 1, undefined])
  const setPoint = lineOf(0, samplesOf([100, 20, 150, 22], 250))
  t.same(
    [99, 149, 250, 251].map((ms) => readingsOf([setPoint], ms).values[0]),
    [undefined, 20, 22, undefined]
  )
})

// In May, midnight in Berlin is 22:00 UTC. On day n, the value is 10 n before noon and 10 n + 2 after noon.
const MAY = Date.parse('2026-05-01T22:00Z')
const quarterHours = Array.from(
  { length: 96 * 200 },
  (_, at): Pair => [MAY + (at * HOUR) / 4, 10 * Math.floor(at / 96) + (at % 96 < 48 ? 0 : 2)]
)
const averagedLine = lineOf(0, samplesOf(quarterHours))
const BERLIN_DAYS = { fromMs: MAY, toMs: MAY + 200 * DAY, pixels: 400, zone: 'Europe/Berlin' }
const BERLIN_HOURS = { ...BERLIN_DAYS, toMs: MAY + 8 * DAY, pixels: 100 }

t.test('shows an average as drawn, with its span in local days and hours', async (t) => {
  const day = readingsAt(picturesIn([averagedLine], BERLIN_DAYS), MAY + 8 * DAY + 3 * HOUR)
  t.equal(timeText(day, 'Europe/Berlin'), '10-May-2026')
  const reading = day.of.get(averagedLine.id) as Reading
  t.same(reading, { value: 81, low: 80, high: 82, states: null })
  t.equal(spreadText(averagedLine, reading), '80.0–82.0')
  const hours = readingsAt(picturesIn([averagedLine], BERLIN_HOURS), MAY + 7 * HOUR)
  t.equal(timeText(hours, 'Europe/Berlin'), '02-May-2026 04:00–08:00')
})

t.test('beside an average, states and held values are of the same span', async (t) => {
  const [noon, evening] = [MAY + 8 * DAY + 12 * HOUR, MAY + 8 * DAY + 18 * HOUR]
  const fan = fanLine(1, [MAY, 0, noon, 1, evening, 0], MAY + 200 * DAY)
  const setPoint = lineOf(2, samplesOf([MAY, 20, noon, 24, evening, 18], MAY + 200 * DAY))
  const day = readingsAt(picturesIn([averagedLine, fan, setPoint], BERLIN_DAYS), noon)
  t.equal(timeText(day, 'Europe/Berlin'), '10-May-2026')
  const fanReading = day.of.get(fan.id) as Reading
  t.equal(readingText(fan, fanReading), 'Off 75 %')
  t.equal(spreadText(fan, fanReading), 'Running 25 %')
  // 20 for 12 hours, 24 for 6 hours, 18 for 6 hours.
  t.same(day.of.get(setPoint.id), { value: 20.5, low: 18, high: 24, states: null })
})

t.test('on each day of a year, all readings equal the sums over the raw records of that day', async (t) => {
  const random = randomFrom(51)
  const stepMinutes = () => 1 + Math.floor(random() * 360)
  const measured = yearOfRecords({ stepMinutes: () => 60, value: () => 15 + 10 * random() })
  const states = yearOfRecords({ stepMinutes, value: () => Math.floor(random() * 2) })
  const setPoints = yearOfRecords({ stepMinutes, value: () => 18 + Math.floor(random() * 8) })
  const lineOfYear = (color: number, records: HistoryRecord[], holds: boolean, tags = {}) =>
    lineOf(color, samplesOfYear(records, chartPoint(tags), holds), tags)
  const measuredLine = lineOfYear(0, measured, false)
  const fan = lineOfYear(1, states, true, FAN)
  const setPoint = lineOfYear(2, setPoints, true)
  const pictures = picturesIn([measuredLine, fan, setPoint], { ...YEAR, pixels: 1000, zone: ZONE })
  const [fanEachMinute, setPointEachMinute] = [heldEachMinute(states), heldEachMinute(setPoints)]
  const wrongDays: unknown[] = []
  const daysWithoutReading = [0, 0, 0]
  for (const day of DAYS) {
    const { span, of } = readingsAt(pictures, day.fromMs + random() * (day.toMs - day.fromMs))
    const fanMinutes = knownIn(fanEachMinute, day)
    const minutesIn = (state: number) => fanMinutes.filter((value) => value === state).length
    const readMs = (state: number) => of.get(fan.id)?.states?.find(({ value }) => value === state)?.ms ?? 0
    const isRight =
      span?.fromMs === day.fromMs &&
      span.toMs === day.toMs &&
      isSummaryOf(of.get(measuredLine.id), valuesRecordedIn(measured, day)) &&
      isSummaryOf(of.get(setPoint.id), knownIn(setPointEachMinute, day)) &&
      [0, 1].every((state) => readMs(state) === minutesIn(state) * 60_000)
    if (!isRight) wrongDays.push(day)
    for (const [at, { id }] of [measuredLine, fan, setPoint].entries())
      if (!of.has(id)) daysWithoutReading[at] = (daysWithoutReading[at] ?? 0) + 1
  }
  t.same(wrongDays, [])
  t.same(daysWithoutReading, [30, 1, 1], 'without measurements for 29 days, and all of them in the fault')
})

function valuesRecordedIn(records: readonly HistoryRecord[], { fromMs, toMs }: TimeRange): number[] {
  return records.flatMap(({ timestamp, value, status }) => {
    const ms = Date.parse(String(timestamp))
    return ms >= fromMs && ms < toMs && status !== 'fault' ? [Number(value)] : []
  })
}

/** Whether a reading is the average, minimum and maximum of the values; without values, whether there is no reading. */
function isSummaryOf(reading: Reading | undefined, values: readonly number[]): boolean {
  if (!reading) return values.length === 0
  const isAverage = Math.abs(reading.value - averageOf(values)) < 1e-9
  return isAverage && reading.low === Math.min(...values) && reading.high === Math.max(...values)
}

t.test('without a cursor, shows the last record in view, not the last average', async (t) => {
  const fan = fanLine(1, [MAY, 1], MAY + 200 * DAY)
  const frame = { ...BERLIN_DAYS, toMs: MAY + 100 * DAY }
  const { of } = lastReadings(picturesIn([averagedLine, fan], frame), frame)
  t.same(of.get(averagedLine.id)?.value, 992)
  t.same(of.get(fan.id)?.value, 1)
  t.equal(lastReadings(picturesIn([averagedLine], frame), { fromMs: 0, toMs: 1 }).of.size, 0)
})

t.test('shows the difference from the earlier period with its sign', async (t) => {
  const reading = (value: number): Reading => ({ value, low: null, high: null, states: null })
  const numberLine = lineOf(0, samplesOf([]))
  t.equal(differenceText(numberLine, reading(21.26), reading(20)), '+1.3')
  t.equal(differenceText(numberLine, reading(20), reading(21)), '−1.0')
  t.equal(differenceText(numberLine, reading(20), reading(20.01)), '±0')
  const fan = fanLine(0, [], 0)
  t.equal(differenceText(fan, reading(1), reading(0)), 'before: Off')
  t.equal(differenceText(fan, reading(1), reading(1)), 'as before')
  const earlierLine = {
    ...lineOf(0, samplesOf([0, 9, 10, 8]), {}, 5)
  }
  t.same(readingsOf([lineOf(0, samplesOf(PAIRS)), earlierLine], 10).values, [2, 8])
})

t.test('names an alarm at any time of its duration', async (t) => {
  const alarm = { uuid: 'a', cloudId: 'c', text: 'Hot', fromMs: 6, toMs: 15, lowLimit: null, highLimit: null }
  const countAt = (ms: number, toMs: number | null = 15) => alarmsAt([{ ...alarm, toMs }], ms).length
  t.same([countAt(5), countAt(6), countAt(15), countAt(16), countAt(999, null)], [0, 1, 1, 0, 1])
})

t.test('a writable set point stays at its value until the next record', async (t) => {
  const setPoint = lineOf(0, samplesOf([0, 20, 100, 24, 200, 24]))
  const writable = { ...setPoint, point: { ...setPoint.point, writable: true } }
  t.equal(numberSeries(setPoint, undefined).kind, 'line')
  t.equal(numberSeries(writable, undefined).kind, 'steps')
  t.same(
    [99, 100].map((ms) => readingsOf([writable], ms).values[0]),
    [20, 24]
  )
})
