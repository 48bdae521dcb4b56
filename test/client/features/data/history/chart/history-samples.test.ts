// Statistics of lines, and the lines that a click on a name hides.
import t from 'tap'
import { hiddenAfter } from '#client/features/data/history/chart/chart-lines.ts'
import { extremes, statisticsOf } from '#client/features/data/history/chart/history-samples.ts'
import { type Pairs, samplesOf } from '#test/support/client/history.ts'

const statistics = (pairs: Pairs, heldUntilMs: number | null) =>
  statisticsOf(samplesOf(pairs, heldUntilMs), { fromMs: 100, toMs: 200 })

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

t.test('averages very large numbers without overflow; has no average without samples', async (t) => {
  t.equal(extremes(Float64Array.of(1e308, 1e308), 0, 2)?.average, 1e308)
  t.equal(extremes(Float64Array.of(Number.NaN), 0, 1), null)
  t.equal(extremes(new Float64Array(0), 0, 0), null)
})
