// The numbers of the legend, and what a click on a name hides.
import t from 'tap'
import { isolated } from '#client/features/history/legend/legend-rows.ts'
import { statisticsOf } from '#client/features/history/legend/statistics.ts'

const VIEW = { fromMs: 100, toMs: 200 }
const samples = (...pairs: [time: number, value: number][]) => ({
  times: Float64Array.from(pairs, ([time]) => time),
  values: Float64Array.from(pairs, ([, value]) => value)
})

t.test('values that hold count by how long they do, those from before the view too', async (t) => {
  t.match(statisticsOf(samples([0, 10], [175, 20]), VIEW, 200), {
    samples: 1,
    min: 10,
    minMs: 100,
    max: 20,
    maxMs: 175,
    average: 12.5,
    last: 20
  })
  t.match(statisticsOf(samples([0, 10]), VIEW, 150), { samples: 0, average: 10, last: 10 })
  t.match(statisticsOf(samples([0, 10]), VIEW, 100), { samples: 0, average: null, last: null })
})

t.test('values that do not hold count the same, and none from outside of the view', async (t) => {
  t.match(statisticsOf(samples([99, 90], [100, 1], [110, Number.NaN], [199, 2], [200, 90]), VIEW, null), {
    samples: 2,
    min: 1,
    max: 2,
    average: 1.5,
    last: 2,
    lastMs: 199
  })
})

t.test('a record that held for no time is no average, but what was last', async (t) => {
  t.match(statisticsOf(samples([150, 3]), VIEW, 150), { samples: 1, average: 3, last: 3 })
})

t.test('a click on a name leaves it alone; a second one brings all back', async (t) => {
  const all = ['a', 'b', 'c']
  t.same(isolated('b', all, []), ['a', 'c'])
  t.same(isolated('b', all, ['a', 'c']), [])
  t.same(isolated('a', all, ['a', 'c']), ['b', 'c'], 'another one instead')
  t.same(isolated('a', ['a'], []), [], 'one point is alone always')
})
