// Where the numbers at the ends of lines stand.
import t from 'tap'
import { spread } from '#client/ui/chart/end-labels.ts'

t.test('numbers that do not meet stay where their lines end', async (t) => {
  t.same(spread([10, 50, 30], 13, 0, 100), [10, 50, 30])
  t.same(spread([], 13, 0, 100), [])
})

t.test('numbers that would meet move apart, in the order of their lines', async (t) => {
  t.same(spread([50, 49, 51], 13, 0, 100), [62, 49, 75])
})

t.test('none leaves the chart, at its bottom either', async (t) => {
  t.same(spread([99, 100, 98], 10, 0, 100), [90, 100, 80])
  t.same(spread([-20, 300], 10, 0, 100), [0, 100])
})
