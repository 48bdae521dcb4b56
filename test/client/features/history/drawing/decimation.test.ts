// What of many samples is drawn: averages in their band where a pixel holds more than three, else the samples.
import t from 'tap'
import { drawn, drawnSeries, extremes } from '#client/features/history/drawing/decimation.ts'
import { nearest, unionTimes, valueAt } from '#client/features/history/records/history-samples.ts'

const samplesOf = (count: number, stepMs = 1000) => {
  const times = Float64Array.from({ length: count }, (_, index) => index * stepMs)
  return { times, values: times.map((_, index) => index % 10) }
}

/** The same numbers each run. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

t.test('three samples for each pixel are drawn as they are, one more and they are averaged', async (t) => {
  const at = (count: number) => drawn([drawnSeries(samplesOf(count), null)], 0, count * 1000, 100)
  t.equal(at(300).bucketMs, null)
  t.equal(at(300).lines[0]?.band, null)
  t.equal(at(300).times.length, 300)
  t.equal(at(302).bucketMs, 10_000)
  t.ok(at(302).lines[0]?.band)
})

t.test('a time that is averaged is a round one of two pixels at least', async (t) => {
  for (const [hours, pixels, bucketMs] of [
    [48, 1013, 8 * 60_000],
    [24, 1000, 4 * 60_000],
    [24 * 365, 1000, 24 * 3_600_000]
  ] as const) {
    const count = 10 * pixels
    const series = drawnSeries(samplesOf(count, (hours * 3_600_000) / count), null)
    t.equal(drawn([series], 0, hours * 3_600_000, pixels).bucketMs, bucketMs, `${hours} h in ${pixels}`)
  }
})

t.test('a band has the lowest and the highest of each average, whatever the samples are', async (t) => {
  const random = randomFrom(23)
  for (let round = 0; round < 40; round++) {
    const size = 3_000 + Math.floor(random() * 20_000)
    const width = 50 + Math.floor(random() * 400)
    const step = 1 + Math.floor(random() * 50)
    let at = 0
    const times = Float64Array.from({ length: size }, () => (at += 1 + Math.floor(random() * step)))
    const values = Float64Array.from({ length: size }, () =>
      random() < 0.01 ? Number.NaN : random() * 100 - 50
    )
    const series = { times, values, gapMs: Number.POSITIVE_INFINITY, heldUntilMs: null }
    const { times: shown, lines, bucketMs } = drawn([series], 0, at + 1, width)
    const [line] = lines
    if (!line?.band || bucketMs === null) continue
    const real = new Map<number, number[]>()
    times.forEach((time, index) => {
      const bucket = Math.floor(time / bucketMs)
      const value = values[index] as number
      if (!Number.isNaN(value)) real.set(bucket, [...(real.get(bucket) ?? []), value])
    })
    const wrong = shown.filter((time, index) => {
      const own = real.get(Math.floor((time * 1000) / bucketMs)) ?? []
      if (own.length === 0) return line.values[index] !== null
      const average = own.reduce((sum, value) => sum + value, 0) / own.length
      return (
        line.band?.low[index] !== Math.min(...own) ||
        line.band.high[index] !== Math.max(...own) ||
        Math.abs((line.values[index] ?? 1e9) - average) > 1e-9
      )
    })
    t.same(wrong, [], `${size} samples in ${width} pixels`)
    t.ok(shown.every((time, index) => index === 0 || time > (shown[index - 1] as number)))
    t.ok(shown.length <= width / 2 + 2)
  }
})

t.test('averages of the largest numbers are numbers, and of none there is none', async (t) => {
  t.equal(extremes(Float64Array.of(1e308, 1e308), 0, 2)?.average, 1e308)
  t.equal(extremes(Float64Array.of(Number.NaN), 0, 1), null)
  t.equal(extremes(new Float64Array(0), 0, 0), null)
})

t.test('a time without records is a gap between averages too', async (t) => {
  const [early, late] = [samplesOf(5_000), samplesOf(5_000)]
  const times = Float64Array.of(...early.times, ...late.times.map((time) => time + 20_000_000))
  const values = Float64Array.of(...early.values, ...late.values)
  const { lines } = drawn([drawnSeries({ times, values }, null)], 0, 25_000_000, 500)
  t.equal(lines[0]?.values.filter((value) => value === null).length, 1)
  t.equal(lines[0]?.band?.low.filter((value) => value === null).length, 1)
})

t.test('few samples are drawn as they are, and a time without records is a gap', async (t) => {
  const times = Float64Array.from([0, 10, 20, 30, 100, 110])
  const seen = drawn([drawnSeries({ times, values: times.map((time) => time / 10) }, null)], 0, 200, 100)
  t.same(
    seen.times.map((time) => Math.round(time * 1000)),
    [0, 10, 20, 30, 65, 100, 110]
  )
  t.same(seen.lines, [{ values: [0, 1, 2, 3, null, 10, 11], band: null }])
})

t.test('a value that holds is drawn to where it is known to, and not beyond the view', async (t) => {
  const samples = { times: Float64Array.of(1000, 5000), values: Float64Array.of(1, 2) }
  const until = (heldUntilMs: number | null, toMs = 20_000) =>
    drawn([drawnSeries(samples, heldUntilMs)], 2000, toMs, 100).times
  t.same(until(null), [1, 5])
  t.same(until(9000), [1, 5, 9])
  t.same(until(50_000), [1, 5, 20])
  t.same(until(50_000, 4000), [1, 5], 'what comes next is there already')
})

t.test('series with times of their own meet without gaps of each other', async (t) => {
  const one = { times: Float64Array.from([1000, 3000]), values: Float64Array.from([1, 3]) }
  const other = { times: Float64Array.from([2000, 3000]), values: Float64Array.from([20, Number.NaN]) }
  t.same(drawn([drawnSeries(one, null), drawnSeries(other, null)], 0, 5000, 100), {
    times: [1, 2, 3],
    lines: [
      { values: [1, undefined, 3], band: null },
      { values: [undefined, 20, null], band: null }
    ],
    bucketMs: null
  })
  t.same([...unionTimes([one, other], { fromMs: 1500, toMs: 5000 })], [2000, 3000])
  t.equal(valueAt(one, 2000), null)
  t.equal(valueAt(one, 3000), 3)
  t.same(
    [-5, 1900, 2100, 9000].map((time) => nearest(one.times, time)),
    [0, 0, 1, 1]
  )
})

t.test('a view shows the sample before it and the one after, for the lines that lead there', async (t) => {
  const seen = drawn([drawnSeries(samplesOf(100), null)], 50_500, 52_500, 500)
  t.same(seen.times, [50, 51, 52, 53])
})
