import t from 'tap'
import { nextCustomers, outcomeOfTurn, remainingMs } from '#server/portal/readings/turns.ts'

const FRESH_MS = 4_000
const NEVER = Number.NEGATIVE_INFINITY

/** The keys of the customers that are read at second 100, after tries at these seconds. */
function nextKeys(triedAtSeconds: Record<string, number>, readKeys: string[] = []): string[] {
  const customers = Object.entries(triedAtSeconds).map(([key, seconds]) => ({ key, triedAt: seconds * 1000 }))
  const moment = { hasReading: (key: string) => readKeys.includes(key), nowMs: 100_000, freshMs: FRESH_MS }
  return nextCustomers(customers, moment).map(({ key }) => key)
}

t.test('reads nothing of an empty list', async (t) => {
  t.strictSame(nextKeys({}), [])
})

t.test('reads no customer again that was tried a moment ago', async (t) => {
  t.strictSame(nextKeys({ a: 96.001 }), [])
  t.strictSame(nextKeys({ a: 96 }), ['a'])
})

t.test('reads several customers that were never read, before any other', async (t) => {
  const customers = { old: 1, a: NEVER, b: NEVER, c: NEVER, d: NEVER, e: NEVER }
  t.strictSame(nextKeys(customers), ['a', 'b', 'c', 'd'])
})

t.test('reads a customer with an earlier reading in its turn only', async (t) => {
  t.strictSame(nextKeys({ a: NEVER, b: NEVER }, ['a', 'b']), ['a'])
})

t.test('reads the customer that was tried longest ago', async (t) => {
  t.strictSame(nextKeys({ a: 50, b: 20, c: 30 }), ['b'])
})

t.test('a turn is busy after one busy answer, and failed without a good one', async (t) => {
  t.equal(outcomeOfTurn(['good', 'busy', 'failed']), 'busy')
  t.equal(outcomeOfTurn(['failed', 'good']), 'good')
  t.equal(outcomeOfTurn(['failed']), 'failed')
  t.equal(outcomeOfTurn([]), 'failed')
})

t.test('waits for the rest of an interval, and not after its end', async (t) => {
  t.equal(remainingMs(1_000, 300, 1_100), 200)
  t.equal(remainingMs(1_000, 300, 1_400), 0)
  t.equal(remainingMs(NEVER, 300, 1_400), 0)
})
