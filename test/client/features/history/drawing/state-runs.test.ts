// What a state was for how long.
import t from 'tap'
import { startsIn, stateRuns, timeInStates } from '#client/features/history/drawing/state-runs.ts'

const VIEW = { fromMs: 100, toMs: 200 }
const samples = (...pairs: [time: number, value: number][]) => ({
  times: Float64Array.from(pairs, ([time]) => time),
  values: Float64Array.from(pairs, ([, value]) => value)
})
const runs = (...args: Parameters<typeof stateRuns>) =>
  stateRuns(...args).map(({ fromMs, toMs, value }) => [fromMs, toMs, value])

t.test('without a record there is no run', async (t) => {
  t.same(runs(samples(), VIEW, 200), [])
})

t.test('what came before the view holds into it', async (t) => {
  t.same(runs(samples([10, 0], [40, 1], [150, 0]), VIEW, 200), [
    [100, 150, 1],
    [150, 200, 0]
  ])
  t.same(runs(samples([40, 1]), VIEW, 200), [[100, 200, 1]], 'a view without a record of its own')
  t.same(runs(samples([100, 1]), VIEW, 200), [[100, 200, 1]], 'a record at its very start')
})

t.test('the last value holds to the end of the view, or to now, and never past it', async (t) => {
  t.same(runs(samples([120, 1]), VIEW, 500), [[120, 200, 1]])
  t.same(runs(samples([120, 1]), VIEW, 170), [[120, 170, 1]])
  t.same(runs(samples([120, 1]), VIEW, 120), [], 'nothing is known after it')
  t.same(runs(samples([250, 1]), VIEW, 500), [], 'all of it is later')
})

t.test('the same value again goes on, and no value is a run of its own', async (t) => {
  t.same(runs(samples([100, 1], [120, 1], [140, Number.NaN], [160, 1]), VIEW, 200), [
    [100, 140, 1],
    [140, 160, Number.NaN],
    [160, 200, 1]
  ])
})

t.test('runs too short to be seen become one, at most as long as they must', async (t) => {
  const often = samples(
    ...Array.from({ length: 10 }, (_, index): [number, number] => [100 + index, index % 2])
  )
  t.same(runs(often, VIEW, 200, 5), [
    [100, 105, null],
    [105, 109, null],
    [109, 200, 1]
  ])
  t.same(runs(samples([100, 0], [150, 1], [151, 0]), VIEW, 200, 5).length, 3, 'one beside long ones stays')
})

t.test('time in each state is that of its runs, the longest first', async (t) => {
  const found = stateRuns(samples([50, 0], [110, 1], [140, 0], [150, Number.NaN], [190, 1]), VIEW, 200)
  t.same(timeInStates(found), [
    { value: 1, ms: 40 },
    { value: 0, ms: 20 }
  ])
})

t.test('a start is a change from rest; what was running already has not started', async (t) => {
  const starts = (...pairs: [number, number][]) => startsIn(stateRuns(samples(...pairs), VIEW, 200))
  t.equal(starts([50, 1], [120, 0]), 0)
  t.equal(starts([50, 0], [120, 1], [130, 0], [140, 1]), 2)
  t.equal(starts([110, 1]), 0, 'nobody knows what was before')
  t.equal(starts([50, 0], [120, Number.NaN], [130, 1]), 0)
})
