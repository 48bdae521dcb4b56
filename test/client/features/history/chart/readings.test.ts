// Tooltip and legends show the values that are drawn at the cursor.
import t from 'tap'
import { alarmsAt } from '#client/features/history/chart/chart-alarms.ts'
import { type ChartLine, picturesOf } from '#client/features/history/chart/chart-lines.ts'
import { drawn } from '#client/features/history/chart/decimation.ts'
import { differenceText, readingsAt, spreadText, timeText } from '#client/features/history/chart/readings.ts'
import { FAN, lineOf, type Pair, type Pairs, samplesOf } from '#test/support/client/history.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

function readingsOf(lines: ChartLine[], atMs: number, toMs = 300, pixels = 500, zone = 'UTC') {
  const pictures = picturesOf(lines).map((picture) => ({
    ...picture,
    drawn: drawn(
      picture.lines.map(({ samples }) => samples),
      { fromMs: 0, toMs },
      pixels,
      zone
    )
  }))
  const readings = readingsAt(pictures, atMs)
  return { ...readings, values: lines.map(({ id }) => readings.of.get(id)?.value), zone }
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

t.test('shows an average as drawn, with its span in local days and hours', async (t) => {
  // In May, midnight in Berlin is 22:00 UTC. On day n, the value is 10 n before noon and 10 n + 2 after noon.
  const start = Date.parse('2026-05-01T22:00Z')
  const pairs = Array.from(
    { length: 96 * 200 },
    (_, at): Pair => [start + (at * HOUR) / 4, 10 * Math.floor(at / 96) + (at % 96 < 48 ? 0 : 2)]
  )
  const line = lineOf(0, samplesOf(pairs))
  const picture = picturesOf([line])[0]
  if (!picture) throw new Error('the line has no chart')
  const view = { fromMs: start, toMs: start + 200 * DAY }
  const dayPicture = { ...picture, drawn: drawn([line.samples], view, 400, 'Europe/Berlin') }
  const day = readingsAt([dayPicture], start + 8 * DAY + 3 * HOUR)
  t.equal(timeText(day, 'Europe/Berlin'), '10-May-2026')
  const reading = day.of.get(line.id)
  t.same(reading, { value: 81, low: 80, high: 82 })
  t.equal(reading && spreadText(line, reading), 'average, 80.0–82.0')
  const shortView = { fromMs: start, toMs: start + 8 * DAY }
  const hourPicture = { ...picture, drawn: drawn([line.samples], shortView, 100, 'Europe/Berlin') }
  t.equal(timeText(readingsAt([hourPicture], start + 7 * HOUR), 'Europe/Berlin'), '02-May-2026 04:00–08:00')
})

t.test('shows the difference from the earlier period with its sign', async (t) => {
  const numberLine = lineOf(0, samplesOf([]))
  t.equal(differenceText(numberLine, 21.26, 20), '+1.3')
  t.equal(differenceText(numberLine, 20, 21), '−1.0')
  t.equal(differenceText(numberLine, 20, 20.01), '±0')
  const fan = fanLine(0, [], 0)
  t.equal(differenceText(fan, 1, 0), 'before: Off')
  t.equal(differenceText(fan, 1, 1), 'as before')
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
