import t from 'tap'
import { axisProblem } from '#client/features/data/history/chart/panel-head.tsx'

t.test('a manual axis ends above its start, and a logarithmic axis is above 0', async (t) => {
  const problem = (min: number | null, max: number | null, log = false) => axisProblem({ min, max, log })
  t.equal(problem(Number.NaN, 1), 'Enter numbers.')
  t.equal(problem(5, 5), 'The axis must end above its beginning.')
  t.equal(problem(0, 5, true), 'A logarithmic axis needs values above 0.')
  t.same(
    [problem(null, null), problem(5, null), problem(0, 5), problem(0.1, 5, true)],
    [null, null, null, null]
  )
})
