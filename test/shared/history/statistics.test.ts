// Averages, extremes and last values of samples, also of values that hold until the next record.
import { isDeepStrictEqual } from 'node:util'
import t from 'tap'
import {
  averageIn,
  extremes,
  joinedAverage,
  joinedStatistics,
  NO_STATISTICS,
  statisticsOf
} from '#shared/history/statistics.ts'
import { type Pairs, randomFrom, samplesOf } from '#test/support/samples.ts'

const statistics = (pairs: Pairs, validUntilMs: number | null) =>
  statisticsOf(samplesOf(pairs, validUntilMs), { fromMs: 100, toMs: 200 })

t.test('weights held values by their time in view', async (t) => {
  t.match(statistics([0, 10, 175, 20], 200), {
    samples: 1,
    min: 10,
    minMs: 100,
    max: 20,
    maxMs: 175,
    average: 12.5,
    last: 20
  })
  t.match(statistics([0, 10], 150), { samples: 0, average: 10, last: 10 })
  t.match(statistics([0, 10], 100), { samples: 0, average: null, last: null })
})

t.test('leaves out a held value that ends exactly where the view begins', async (t) => {
  t.match(statistics([0, 90, 100, 20], 200), { samples: 1, min: 20, max: 20, average: 20 })
})

t.test('counts each sample in view once', async (t) => {
  t.match(statistics([99, 90, 100, 1, 110, Number.NaN, 199, 2, 200, 90], null), {
    samples: 2,
    min: 1,
    max: 2,
    average: 1.5,
    last: 2
  })
})

t.test('a held record without duration counts as the last value', async (t) => {
  t.match(statistics([150, 3], 150), { samples: 1, average: 3, last: 3 })
})

t.test('averages the largest numbers without overflow', async (t) => {
  const { average, max } = statistics([101, 1e308, 102, 1e308, 103, 1e308], null)
  t.equal(max, 1e308)
  t.ok(Math.abs((average ?? 0) / 1e308 - 1) < 1e-9)
})

t.test('averages very large numbers without overflow; has no average without samples', async (t) => {
  t.equal(extremes(Float64Array.of(1e308, 1e308), 0, 2)?.average, 1e308)
  t.equal(extremes(Float64Array.of(Number.NaN), 0, 1), null)
  t.equal(extremes(new Float64Array(0), 0, 0), null)
})

t.test('two parts of a view have the average and the statistics of the whole view', async (t) => {
  const random = randomFrom(5)
  for (const holds of [true, false])
    for (let round = 0; round < 200; round++) {
      const pairs = Array.from({ length: Math.floor(random() * 12) }, (_, at) => {
        const value = random() < 0.2 ? Number.NaN : Math.floor(random() * 50)
        return [at * 20 + Math.floor(random() * 20), value] as const
      })
      const samples = samplesOf(pairs, holds ? 180 : null)
      const [fromMs, middleMs, toMs] = [random() * 60, 60 + random() * 60, 120 + random() * 120] as const
      const whole = averageIn(samples, { fromMs, toMs })
      const parts = joinedAverage(
        averageIn(samples, { fromMs, toMs: middleMs }),
        averageIn(samples, { fromMs: middleMs, toMs })
      )
      const isEqual =
        whole && parts && whole.weight > 0
          ? Math.abs(whole.value - parts.value) < 1e-9 && Math.abs(whole.weight - parts.weight) < 1e-9
          : whole?.value === parts?.value
      if (!isEqual) t.same(parts, whole, JSON.stringify({ pairs, fromMs, middleMs, toMs, holds }))
      const {
        average: _average,
        weight: _weight,
        ...wholeStatistics
      } = statisticsOf(samples, { fromMs, toMs })
      const {
        average: _parts,
        weight: _partsWeight,
        ...partStatistics
      } = joinedStatistics(
        joinedStatistics(NO_STATISTICS, statisticsOf(samples, { fromMs, toMs: middleMs })),
        statisticsOf(samples, { fromMs: middleMs, toMs })
      )
      if (!isDeepStrictEqual(partStatistics, wholeStatistics))
        t.same(partStatistics, wholeStatistics, JSON.stringify({ pairs, fromMs, middleMs, toMs, holds }))
    }
})
