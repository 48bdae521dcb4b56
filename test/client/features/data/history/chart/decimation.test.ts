// Draws averages with a band if a pixel contains more than three samples, otherwise each sample.
import t from 'tap'
import { drawn, drawnLane, gapsIn } from '#client/features/data/history/chart/decimation.ts'
import { tableValueAt, unionTimes } from '#client/features/data/history/chart/history-samples.ts'
import { edgesOf, type TimeRange } from '#shared/time/date-ranges.ts'
import { samplesOfYear } from '#test/support/client/history.ts'
import { mode, numeric } from '#test/support/client/point-kinds.ts'
import { type Pair, randomFrom, samplesOf } from '#test/support/samples.ts'
import {
  averageOf,
  DAYS,
  heldEachMinute,
  knownIn,
  YEAR,
  yearOfRecords,
  ZONE
} from '#test/support/year-of-records.ts'

const regular = (count: number, stepMs = 1000) =>
  samplesOf(Array.from({ length: count }, (_, index): Pair => [index * stepMs, index % 10]))
const view = (fromMs: number, toMs: number) => ({ fromMs, toMs })
const HOUR = 3_600_000
const iso = (ms: number | undefined) => new Date(ms ?? 0).toISOString().slice(0, 16)

t.test('draws up to three samples per pixel unchanged, and averages of more samples', async (t) => {
  const drawnAt = (count: number) => drawn([regular(count)], view(0, count * 1000), 100, 'UTC')
  t.match(drawnAt(300), { bucketMs: null, edges: null, lines: [{ band: null }], times: { length: 300 } })
  t.equal(drawnAt(302).bucketMs, 10_000)
  t.ok(drawnAt(302).lines[0]?.band)
})

t.test('averages over a round duration of at least two pixels', async (t) => {
  for (const [hours, pixels, bucketMs] of [
    [48, 1013, 8 * 60_000],
    [24, 1000, 4 * 60_000],
    [24 * 365, 1000, 24 * HOUR]
  ] as const) {
    const count = 10 * pixels
    const samples = regular(count, (hours * HOUR) / count)
    t.equal(
      drawn([samples], view(0, hours * HOUR), pixels, 'UTC').bucketMs,
      bucketMs,
      `${hours} h in ${pixels}`
    )
  }
})

t.test('averages by local days and hours, also across a clock change', async (t) => {
  const march = view(Date.parse('2026-03-28T12:00Z'), Date.parse('2026-03-30T12:00Z'))
  t.same(edgesOf(march, 24 * HOUR, 'Europe/Berlin').map(iso), [
    '2026-03-27T23:00',
    '2026-03-28T23:00',
    '2026-03-29T22:00',
    '2026-03-30T22:00'
  ])
  t.same(edgesOf(view(march.fromMs, march.fromMs + 6 * HOUR), 6 * HOUR, 'Asia/Kolkata').map(iso), [
    '2026-03-28T06:30',
    '2026-03-28T12:30',
    '2026-03-28T18:30'
  ])
  t.equal(iso(edgesOf(march, 7 * 24 * HOUR, 'UTC')[0]), '2026-03-23T00:00', 'weeks begin on Monday')
  const autumn = edgesOf(
    view(Date.parse('2026-10-24T22:00Z'), Date.parse('2026-10-25T22:59Z')),
    2 * HOUR,
    'Europe/Berlin'
  )
  t.same(autumn.slice(-3).map(iso), ['2026-10-25T20:00', '2026-10-25T22:00', '2026-10-25T23:00'])
})

t.test('a band has the lowest and highest sample of each average', async (t) => {
  const random = randomFrom(23)
  for (let round = 0; round < 40; round++) {
    const size = 3_000 + Math.floor(random() * 20_000)
    const width = 50 + Math.floor(random() * 400)
    const step = 1 + Math.floor(random() * 50)
    let timeMs = 0
    const pairs = Array.from({ length: size }, (): Pair => {
      timeMs += 1 + Math.floor(random() * step)
      return [timeMs, random() < 0.01 ? Number.NaN : random() * 100 - 50]
    })
    const { times, lines, edges } = drawn([samplesOf(pairs)], view(0, timeMs + 1), width, 'UTC')
    const band = lines[0]?.band
    if (!band || !edges) continue
    const wrongTimes = times.filter((time, index) => {
      const end = edges.findIndex((edge) => edge > time)
      const [from = 0, to = 0] = [edges[end - 1], edges[end]]
      const bin = pairs.flatMap(([ms, value]) => (ms >= from && ms < to && !Number.isNaN(value) ? value : []))
      if (bin.length === 0) return lines[0]?.values[index] !== null
      const average = bin.reduce((sum, value) => sum + value, 0) / bin.length
      const isBand = band.low[index] === Math.min(...bin) && band.high[index] === Math.max(...bin)
      return !isBand || Math.abs((lines[0]?.values[index] ?? 1e9) - average) > 1e-9
    })
    t.same(wrongTimes, [], `${size} samples in ${width} pixels`)
    t.ok(times.every((time, index) => index === 0 || time > (times[index - 1] as number)))
    t.ok(times.length <= width / 2 + 4)
  }
})

t.test('draws a gap between averages where there are no records', async (t) => {
  const lateTimes = regular(5_000).times.map((time) => time + 20_000_000)
  const times = Float64Array.of(...regular(5_000).times, ...lateTimes)
  const values = times.map((_, index) => index % 10)
  const { lines, times: drawnTimes } = drawn(
    [{ times, values, validUntilMs: null }],
    view(0, 25_000_000),
    500,
    'UTC'
  )
  const gaps = drawnTimes.filter(
    (time, index) => time > 0 && time < 25_000_000 && lines[0]?.values[index] === null
  )
  t.ok(gaps.length > 100)
  t.ok(gaps.every((time) => time > 5_000_000 && time < 20_000_000))
})

t.test('draws few samples unchanged, with a gap where there are no records', async (t) => {
  const times = [0, 10, 20, 30, 100, 110]
  const { times: drawnTimes, lines } = drawn(
    [samplesOf(times.map((time): Pair => [time, time / 10]))],
    view(0, 120),
    100,
    'UTC'
  )
  t.same(drawnTimes, [0, 10, 20, 30, 65, 100, 110])
  t.same(lines, [{ values: [0, 1, 2, 3, null, 10, 11], band: null }])
})

t.test('draws a gap before and after a line that is shorter than the view', async (t) => {
  const { times, lines } = drawn([regular(5)], view(-9_000, 9_000), 500, 'UTC')
  t.same(times, [-1750, 0, 1000, 2000, 3000, 4000, 5750])
  t.same([lines[0]?.values.at(0), lines[0]?.values.at(-1)], [null, null])
})

t.test('draws a held value until its known end, but not beyond the view', async (t) => {
  const timesUntil = (validUntilMs: number | null, toMs = 20_000) => {
    const samples = samplesOf([1000, 1, 5000, 2], validUntilMs)
    return drawn([samples], view(2000, toMs), 100, 'UTC').times
  }
  t.same(timesUntil(null), [1000, 5000])
  t.same(timesUntil(9000), [1000, 5000, 9000])
  t.same(timesUntil(50_000), [1000, 5000, 20_000])
  t.same(timesUntil(50_000, 4000), [1000, 5000], 'the next sample is drawn instead')
})

t.test('the times of one series do not cause gaps in another series', async (t) => {
  const first = samplesOf([1000, 1, 3000, 3])
  const second = samplesOf([2000, 20, 3000, Number.NaN])
  t.match(drawn([first, second], view(0, 5000), 100, 'UTC'), {
    times: [1000, 2000, 3000],
    lines: [{ values: [1, undefined, 3] }, { values: [undefined, 20, null] }]
  })
  t.same([...unionTimes([first, second], view(1500, 5000))], [2000, 3000])
})

t.test('fills in held values, also in a view without records', async (t) => {
  const heldSamples = samplesOf([1000, 1, 3000, 0], 9000)
  t.same([...unionTimes([heldSamples], view(5000, 6000))], [5000])
  t.same([...unionTimes([heldSamples], view(500, 1000))], [])
  t.same(
    [999, 1000, 2999, 3000, 9000, 9001].map((ms) => tableValueAt(heldSamples, ms)),
    [null, 1, 1, 0, 0, null]
  )
  t.equal(tableValueAt({ ...heldSamples, validUntilMs: null }, 2000), null, 'a measured value is not held')
})

t.test('draws the samples just before and after the view, so that lines reach its edges', async (t) => {
  t.same(drawn([regular(100)], view(50_500, 52_500), 500, 'UTC').times, [50_000, 51_000, 52_000, 53_000])
})

t.test('values that hold are averaged by time, once their steps are narrower than two pixels', async (t) => {
  // 10 for a quarter of each 40 ms, then 30.
  const pairs = Array.from(
    { length: 101 },
    (_, at): Pair => [Math.floor(at / 2) * 40 + (at % 2) * 10, at % 2 ? 30 : 10]
  )
  const held = samplesOf(pairs, 2000)
  const wide = drawn([held], view(0, 2000), 202, 'UTC')
  t.equal(wide.lines[0]?.band, null, 'as many steps as half the pixels are drawn unchanged')
  const { times, lines, bucketMs } = drawn([held], view(0, 2000), 20, 'UTC')
  t.equal(bucketMs, 1000)
  const inView = times.flatMap((time, at) => (time > 0 && time < 2000 ? [lines[0]?.values[at]] : []))
  t.same(inView, [25, 25])
  t.same(lines[0]?.band?.low.includes(10), true)
  t.same(lines[0]?.band?.high.includes(30), true)
})

t.test('a held value without a change in a period is drawn there, but not after its known end', async (t) => {
  const busy = Array.from({ length: 100 }, (_, at): Pair => [at, at % 2])
  const { times, lines } = drawn([samplesOf([...busy, 100, 7], 6000)], view(0, 10_000), 20, 'UTC')
  const valueAt = (ms: number) => lines[0]?.values[times.findIndex((time) => Math.abs(time - ms) <= 500)]
  t.equal(valueAt(3500), 7)
  t.equal(valueAt(5500), 7)
  t.equal(valueAt(8500), null)
})

const lane = (pairs: Pair[], validUntilMs: number, toMs: number, pixels: number) =>
  drawnLane(samplesOf(pairs, validUntilMs), view(0, toMs), pixels, 'UTC')
const whole = (fromMs: number, toMs: number, value: number) => ({ fromMs, toMs, value, bottom: 0, top: 1 })

t.test('a lane shows each state as long as two neighbours do not fall into one pixel', async (t) => {
  t.same(
    lane(
      [
        [0, 0],
        [500, 1],
        [501, 0]
      ],
      1000,
      1000,
      100
    ),
    [whole(0, 500, 0), whole(500, 501, 1), whole(501, 1000, 0)],
    'a single short state stays visible'
  )
  t.same(lane([], 0, 1000, 100), [])
})

t.test('a lane that changes too often shows the share of each state, and no other state', async (t) => {
  const busy = Array.from({ length: 200 }, (_, at): Pair => [at * 5, at % 4 === 0 ? 3 : 0])
  t.same(lane([...busy, [1000, 3]], 2000, 2000, 40), [
    ...Array.from({ length: 10 }, (_, at) => [
      { fromMs: at * 100, toMs: (at + 1) * 100, value: 0, bottom: 0, top: 0.75 },
      { fromMs: at * 100, toMs: (at + 1) * 100, value: 3, bottom: 0.75, top: 1 }
    ]).flat(),
    whole(1000, 2000, 3)
  ])
})

t.test('a part of a period without a value is empty in the lane', async (t) => {
  const busy = Array.from({ length: 100 }, (_, at): Pair => [at, at % 2 ? Number.NaN : 1])
  t.match(lane(busy, 100, 1000, 100).slice(0, 1), [{ fromMs: 0, toMs: 100, value: 1, bottom: 0, top: 0.5 }])
})

t.test('over a year, a lane has the shares of the raw records, day by day', async (t) => {
  const random = randomFrom(7)
  const records = yearOfRecords({
    stepMinutes: () => 1 + Math.floor(random() * 180),
    value: () => [0, 0, 0, 1, 4][Math.floor(random() * 5)] ?? 0
  })
  const segments = drawnLane(samplesOfYear(records, mode, true), YEAR, 1000, ZONE)
  const drawnIn = (day: TimeRange, value: number) =>
    segments
      .filter((segment) => segment.value === value)
      .reduce((sum, { fromMs, toMs, bottom, top }) => {
        const ms = Math.min(toMs, day.toMs) - Math.max(fromMs, day.fromMs)
        return sum + Math.max(ms, 0) * (top - bottom)
      }, 0)
  const eachMinute = heldEachMinute(records)
  const wrongDays = DAYS.filter((day) => {
    const known = knownIn(eachMinute, day)
    return [0, 1, 4].some((value) => {
      const ms = known.filter((state) => state === value).length * 60_000
      return Math.abs(drawnIn(day, value) - ms) > 1
    })
  })
  t.same(wrongDays, [])
  t.notOk(segments.some(({ value }) => ![0, 1, 4].includes(value)))
})

t.test('over a year, a set point recorded on change is drawn as the raw records of each day', async (t) => {
  const random = randomFrom(8)
  const records = yearOfRecords({
    stepMinutes: () => 1 + Math.floor(random() * 360),
    value: () => 18 + Math.floor(random() * 16) / 2
  })
  const { times, lines, bucketMs } = drawn([samplesOfYear(records, numeric, true)], YEAR, 1000, ZONE)
  t.equal(bucketMs, 24 * HOUR)
  const { values = [], band } = lines[0] ?? {}
  const eachMinute = heldEachMinute(records)
  const wrongDays = DAYS.filter((day) => {
    const at = times.indexOf((day.fromMs + day.toMs) / 2)
    const known = knownIn(eachMinute, day)
    if (known.length === 0) return values[at] !== null || band?.low[at] !== null || band.high[at] !== null
    const isAverage = Math.abs((values[at] ?? 0) - averageOf(known)) < 1e-9
    return !isAverage || band?.low[at] !== Math.min(...known) || band.high[at] !== Math.max(...known)
  })
  t.same(wrongDays, [])
  t.equal(values.filter((value) => value === null).length, 3, 'the day of the fault, and outside the year')
})

t.test('names the gaps that a line has, and the time before and after its records', async (t) => {
  const minutes = [0, 1, 2, 3, 10, 11, 12, 13, 14]
  const samples = samplesOf(minutes.map((minute): Pair => [60_000 * minute, 20]))
  const gaps = (fromMinute: number, toMinute: number) =>
    gapsIn(samples, view(60_000 * fromMinute, 60_000 * toMinute)).map(({ fromMs, toMs }) => [
      fromMs / 60_000,
      toMs / 60_000
    ])
  t.same(gaps(0, 15), [[3, 10]])
  t.same(gaps(-5, 20), [
    [-5, 0],
    [3, 10],
    [14, 20]
  ])
  t.same(gaps(5, 8), [[5, 8]])
})

t.test('a value that holds leaves no gap after its first record', async (t) => {
  const held = samplesOf(
    [
      [100, 1],
      [900, 2]
    ],
    2000
  )
  t.same(gapsIn(held, view(500, 1500)), [])
  t.same(gapsIn(held, view(0, 1500)), [view(0, 100)])
  t.same(gapsIn(samplesOf([], 2000), view(0, 10)), [view(0, 10)])
})
