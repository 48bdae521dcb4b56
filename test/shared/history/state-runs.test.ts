// The runs of a state, and how long each value lasts.
import t from 'tap'
import {
  durationsIn,
  joinedStates,
  NO_STATES,
  STATES_MAX,
  stateRuns,
  summaryOfStates
} from '#shared/history/state-runs.ts'
import { type Pairs, samplesOf } from '#test/support/samples.ts'

const VIEW = { fromMs: 100, toMs: 200 }
const runs = (pairs: Pairs, validUntilMs = 200) =>
  stateRuns(samplesOf(pairs, validUntilMs), VIEW).map(({ fromMs, toMs, value }) => [fromMs, toMs, value])

t.test('without a record there is no run', async (t) => {
  t.same(runs([]), [])
})

t.test('a value from before the view holds until the next record', async (t) => {
  t.same(runs([10, 0, 40, 1, 150, 0]), [
    [100, 150, 1],
    [150, 200, 0]
  ])
  t.same(runs([40, 1]), [[100, 200, 1]], 'a view without a record')
  t.same(runs([100, 1]), [[100, 200, 1]], 'a record at the start of the view')
})

t.test('the last value holds to the end of the view or to now', async (t) => {
  t.same(runs([120, 1], 500), [[120, 200, 1]])
  t.same(runs([120, 1], 170), [[120, 170, 1]])
  t.same(runs([120, 1], 120), [], 'the value is held for no time')
  t.same(runs([250, 1], 500), [], 'the record is after the view')
})

t.test('an equal value continues the run, and a missing value is a separate run', async (t) => {
  t.same(runs([100, 1, 120, 1, 140, Number.NaN, 160, 1]), [
    [100, 140, 1],
    [140, 160, Number.NaN],
    [160, 200, 1]
  ])
})

t.test('sums how long each value lasts within a period', async (t) => {
  const samples = samplesOf([100, 1, 120, 0, 130, 1, 150, Number.NaN, 160, 0], 200)
  const period = { fromMs: 110, toMs: 170 }
  t.same(durationsIn(stateRuns(samples, VIEW), period), [
    [0, 20],
    [1, 30]
  ])
  t.same(durationsIn([], period), [])
})

t.test('counts changes and starts, also from one part of a view to the next', async (t) => {
  const samples = samplesOf([90, 0, 110, 1, 120, 0, 140, 2, 160, 2, 180, Number.NaN, 190, 1], 200)
  const whole = summaryOfStates(samples, VIEW)
  t.match(whole, { starts: 2, changes: 5, first: 0, last: 1 })
  for (let middle = 100; middle <= 200; middle += 5) {
    // The samples of a part end with it, as those of a page of records.
    const firstPart = summaryOfStates({ ...samples, validUntilMs: middle }, { fromMs: 100, toMs: middle })
    const secondPart = summaryOfStates(samples, { fromMs: middle, toMs: 200 })
    t.same(joinedStates(joinedStates(NO_STATES, firstPart), secondPart), whole, `in parts at ${middle}`)
  }
})

t.test('a summary keeps a limited number of values', async (t) => {
  const first = summaryOfStates(samplesOf([100, 1], 150), { fromMs: 100, toMs: 150 })
  const durations = Array.from({ length: STATES_MAX }, (_, value): [number, number] => [value, 1])
  const joined = joinedStates(first, { ...first, durations })
  t.equal(joined.durations.length, STATES_MAX)
  t.same(joined.durations[1], [1, 51], 'those that were there first')
  const further = joinedStates(joined, { ...first, durations: [[STATES_MAX, 1]] })
  t.same(further.durations, joined.durations)
})
