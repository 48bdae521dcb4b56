// Records that become lines, and the lines that a click on a name hides.
import t from 'tap'
import { hiddenAfter } from '#client/features/data/history/chart/chart-lines.ts'
import { createCollector, joined, notesIn } from '#client/features/data/history/chart/history-samples.ts'
import type { HistoryRecord } from '#shared/answers/points.ts'
import type { Samples } from '#shared/history/samples.ts'
import { statisticsOf } from '#shared/history/statistics.ts'
import type { TimeRange } from '#shared/time/date-ranges.ts'
import { fan, mode, numeric } from '#test/support/client/point-kinds.ts'
import { randomFrom, samplesOf } from '#test/support/samples.ts'

t.test('a click on a name isolates its line; a second click shows all lines', async (t) => {
  const all = ['a', 'b', 'c']
  t.same(hiddenAfter('b', all, [], false), ['a', 'c'])
  t.same(hiddenAfter('b', all, ['a', 'c'], false), [])
  t.same(hiddenAfter('a', all, ['a', 'c'], false), ['b', 'c'], 'isolates another line')
  t.same(hiddenAfter('a', ['a'], [], false), [], 'a single line cannot be hidden')
})

t.test('a Ctrl-click shows or hides one line; the last visible line stays', async (t) => {
  const all = ['a', 'b', 'c']
  t.same(hiddenAfter('a', all, ['a', 'c'], true), ['c'])
  t.same(hiddenAfter('b', all, [], true), ['b'])
  t.same(hiddenAfter('b', all, ['a', 'c'], true), ['a', 'c'])
})

/** The definition of the statistics of measured values, without any kept totals. */
function plainStatistics({ times, values }: Samples, { fromMs, toMs }: TimeRange) {
  const indexes = [...times.keys()].filter((index) => {
    const time = times[index] as number
    return time >= fromMs && time < toMs && !Number.isNaN(values[index])
  })
  const numbers = indexes.map((index) => values[index] as number)
  const [min, max] = [Math.min(...numbers), Math.max(...numbers)]
  return {
    samples: numbers.length,
    min: numbers.length > 0 ? min : null,
    max: numbers.length > 0 ? max : null,
    minMs: times[indexes[numbers.indexOf(min)] ?? -1] ?? 0,
    maxMs: times[indexes[numbers.indexOf(max)] ?? -1] ?? 0,
    last: numbers.at(-1) ?? null,
    sum: numbers.reduce((sum, number) => sum + number, 0)
  }
}

t.test('figures of a line that grows are those of all its records, in any view', (t) => {
  const random = randomFrom(23)
  let ms = 0
  const someSamples = (count: number) =>
    samplesOf(
      Array.from({ length: count }, () => {
        ms += 1 + Math.floor(random() * 3)
        return [ms, random() < 0.05 ? Number.NaN : Math.floor(random() * 1e6)] as const
      })
    )
  let samples = someSamples(3000)
  for (let round = 0; round < 200; round++) {
    samples = { ...joined(samples, someSamples(Math.floor(random() * 60))), validUntilMs: null }
    const fromMs = round % 2 === 0 ? 0 : Math.floor(random() * ms)
    const view = { fromMs, toMs: fromMs + Math.floor(random() * (ms + 10)) }
    const { average, weight, ...statistics } = statisticsOf(samples, view)
    const { sum, ...expected } = plainStatistics(samples, view)
    t.same(statistics, expected)
    t.equal(weight, expected.samples)
    t.ok(average === null ? expected.samples === 0 : Math.abs(average - sum / expected.samples) < 1e-6)
  }
  t.end()
})

t.test('an append leaves earlier samples as they were, also if two follow the same ones', (t) => {
  const first = samplesOf([10, 1, 20, 2])
  const second = joined(first, samplesOf([30, 3]))
  const third = joined(second, samplesOf([40, 4]))
  const other = joined(second, samplesOf([50, 5, 60, 6]))
  t.same([...first.times], [10, 20])
  t.same([...second.times], [10, 20, 30])
  t.same([...third.times, ...third.values], [10, 20, 30, 40, 1, 2, 3, 4])
  t.same([...other.times, ...other.values], [10, 20, 30, 50, 60, 1, 2, 3, 5, 6])
  t.equal(third.values.buffer, second.values.buffer, 'the records are not copied again')
  t.end()
})

const iso = (time: number) => new Date(time).toISOString()
const WHOLE = { fromMs: 0, toMs: 1_000_000 }
const collect = (
  records: HistoryRecord[],
  point: Parameters<typeof createCollector>[0] = numeric,
  nowMs = 1_000_000
) => {
  const collector = createCollector(point, WHOLE, nowMs)
  collector.add(records)
  const history = collector.finish()
  return {
    ...history,
    notes: notesIn(history.notes, WHOLE),
    notesIn: (view: TimeRange) => notesIn(history.notes, view)
  }
}
const record = (time: number, value: unknown) => ({ timestamp: iso(time), value })

t.test('corrects records and reports each correction', async (t) => {
  const { times, values, notes } = collect(
    [
      record(30, 3),
      record(10, 1),
      record(20, 'NaN'),
      record(10, 2),
      { timestamp: 'soon', value: 1 },
      record(2_000_000, 9)
    ],
    numeric,
    -400_000
  )
  t.same([...times], [10, 20, 30])
  t.same([values[0], values[2]], [2, 3])
  t.ok(Number.isNaN(values[1]))
  t.same(notes, [
    'The records came out of order and were sorted.',
    '1 record with the same time as another one: the last one counts.',
    '1 record without a readable time left out.',
    '1 record outside the range left out.',
    '4 records in the future: the clock of the device may be wrong.',
    '1 record without a number, drawn as gaps.'
  ])
  t.same(collect([record(1, 1)]).notes, [])
})

t.test('a record with a status such as fault has no value, and is reported', async (t) => {
  const { values, notes } = collect([
    record(10, 20),
    { ...record(20, 85), status: 'fault' },
    { ...record(30, 86), status: '{down,stale}' },
    { ...record(40, 24), status: 'alarm,overridden' }
  ])
  t.same([...values], [20, Number.NaN, Number.NaN, 24])
  t.same(notes, ['2 records with a fault status, drawn as gaps.'])
})

t.test('counts only the records in view, and those without a time in the range', async (t) => {
  const history = collect(
    [
      ...[100, 200, 299, 300].map((time) => ({ ...record(time, 85), status: 'fault' })),
      ...[150, 150, 400, 400].map((time) => record(time, 20)),
      { timestamp: 'soon', value: 1 },
      record(2_000_000, 9)
    ].toSorted((a, b) => (Date.parse(a.timestamp) || 0) - (Date.parse(b.timestamp) || 0))
  )
  const always = ['1 record without a readable time left out.', '1 record outside the range left out.']
  t.same(history.notesIn({ fromMs: 0, toMs: 50 }), always)
  t.same(history.notesIn({ fromMs: 200, toMs: 300 }), [
    ...always,
    '2 records with a fault status, drawn as gaps.'
  ])
  t.same(history.notesIn({ fromMs: 140, toMs: 301 }), [
    '1 record with the same time as another one: the last one counts.',
    ...always,
    '3 records with a fault status, drawn as gaps.'
  ])
})

t.test('reads states from words, ordinals and booleans', async (t) => {
  t.same([...collect([record(1, true), record(2, 'Off'), record(3, 'Running')], fan).values], [1, 0, 1])
  t.same([...collect([record(1, 4), record(2, 'Low speed'), record(3, 'Off')], mode).values], [4, 1, 0])
})

t.test('sorts records without loss', async (t) => {
  const random = randomFrom(11)
  for (let round = 0; round < 100; round++) {
    const records = Array.from({ length: Math.floor(random() * 3000) }, () =>
      record(Math.floor(random() * 5000), Math.floor(random() * 100))
    )
    const expected = new Map(records.map(({ timestamp, value }) => [Date.parse(timestamp), value]))
    const { times, values } = collect(records)
    t.ok(times.every((time, index) => index === 0 || time > (times[index - 1] as number)))
    t.equal(times.length, expected.size)
    t.ok(times.every((time, index) => expected.get(time) === values[index]))
  }
})
