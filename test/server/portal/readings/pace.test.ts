// The pace says how many fetches of an upstream may run in parallel.
import t from 'tap'
import { createPace } from '#server/portal/readings/pace.ts'

const MOST = 16
const MINUTE_MS = 60_000

/** A pace whose upstream has answered `count` times, each within `ms`. */
function paceAfter(count: number, ms: number) {
  const pace = createPace(MOST)
  answer(pace, count, ms)
  return pace
}

function answer(pace: ReturnType<typeof createPace>, count: number, ms: number, nowMs = 0) {
  for (let number = 0; number < count; number += 1) pace.good(ms, nowMs)
}

t.test('a busy answer halves the limit, but never below one', async (t) => {
  const pace = paceAfter(100, 25)
  const limits = Array.from({ length: 6 }, () => {
    pace.busy()
    return pace.limit
  })
  t.strictSame(limits, [8, 4, 2, 1, 1, 1])
})

t.test('answers that take more than twice as long as the quickest halve the limit', async (t) => {
  const pace = paceAfter(100 * 8, 25)
  answer(pace, 7, 51)
  t.equal(pace.limit, 16, 'seven answers are too few')
  answer(pace, 1, 51)
  t.equal(pace.limit, 8)
  answer(pace, 100 * 8, 51)
  t.ok(pace.limit <= 4, 'and again while they stay slow')
})

t.test('answers that take twice as long as the quickest do not halve the limit', async (t) => {
  const pace = paceAfter(100 * 8, 25)
  answer(pace, 100, 50)
  t.equal(pace.limit, 16)
})

t.test('a few slow answers among quick ones do not halve the limit', async (t) => {
  const pace = paceAfter(100 * 8, 25)
  for (let round = 0; round < 50; round += 1) {
    answer(pace, 5, 25)
    answer(pace, 3, 1_000)
  }
  t.equal(pace.limit, 16)
})

t.test('differences of a few milliseconds are no sign of load', async (t) => {
  const pace = paceAfter(100 * 8, 1)
  answer(pace, 100, 20)
  t.equal(pace.limit, 16)
})

t.test('the limit never rises above the highest', async (t) => {
  t.equal(paceAfter(10_000, 25).limit, MOST)
  const single = createPace(1)
  answer(single, 10, 25)
  t.equal(single.limit, 1)
})

t.test(
  'each good answer raises the limit until the first sign of load, then as many as the limit',
  async (t) => {
    const pace = createPace(MOST)
    t.equal(pace.limit, 1)
    answer(pace, 7, 25)
    t.equal(pace.limit, 8)
    pace.busy()
    t.equal(pace.limit, 4)
    answer(pace, 3, 25)
    t.equal(pace.limit, 4)
    answer(pace, 1, 25)
    t.equal(pace.limit, 5)
  }
)

t.test('an upstream that stays slower counts as quick after a minute', async (t) => {
  const pace = paceAfter(100 * 8, 25)
  answer(pace, 80, 60, MINUTE_MS - 1)
  t.ok(pace.limit <= 4)
  answer(pace, 500, 60, MINUTE_MS)
  t.equal(pace.limit, 16)
})
