import t from 'tap'
import { noReadings } from '#server/portal/readings/customer-readings.ts'
import { type Candidate, nextCustomer } from '#server/portal/readings/next-customer.ts'

const FRESH_MS = 4_000
const NEVER = Number.NEGATIVE_INFINITY
const NOW = Date.parse('2026-03-01T12:00:00Z')
const reading = { count: 0, activeCount: 0, unackedCount: 0, newestAt: null, tag: '', alarms: [], bytes: 0 }

/** The key of the customer whose alarms are read at second 100, after tries at these seconds. */
function nextKey(
  triedAtSeconds: Record<string, number>,
  readKeys: string[] = [],
  change: Partial<Candidate> = {}
): string | null {
  const customers = Object.entries(triedAtSeconds).map(([customerId, seconds]): Candidate => {
    const readings = { ...noReadings(), alarms: { readAt: NOW - 1_000, reading } }
    return {
      customerId,
      kinds: ['alarms'],
      triedAt: seconds * 1000,
      readings: readKeys.includes(customerId) ? readings : undefined,
      ...(customerId === 'changed' ? change : {})
    }
  })
  const now = { nowMs: NOW, notBefore: NEVER, steadyMs: 100_000, liveFreshMs: FRESH_MS }
  return nextCustomer('alarms', customers, now, new Set())
}

t.test('reads nothing of an empty list', async (t) => {
  t.equal(nextKey({}), null)
})

t.test('reads no customer again that was tried a moment ago', async (t) => {
  t.equal(nextKey({ a: 96.001 }), null)
  t.equal(nextKey({ a: 96 }), 'a')
})

t.test('reads a customer that was never read before any other', async (t) => {
  t.equal(nextKey({ old: 1, a: NEVER, b: NEVER }), 'a')
})

t.test('reads a customer with an earlier reading in its turn only', async (t) => {
  t.equal(nextKey({ a: NEVER, b: NEVER, c: NEVER }, ['a', 'b']), 'c')
  t.equal(nextKey({ a: NEVER, b: NEVER }, ['a', 'b']), 'a')
})

t.test('reads the customer that was tried longest ago', async (t) => {
  t.equal(nextKey({ a: 50, b: 20, c: 30 }), 'b')
})

t.test('reads a customer first that has changed since its reading began, and only once', async (t) => {
  const alarms = (readAt: number) => ({
    readings: { ...noReadings(), alarms: { readAt, reading }, changedAt: { alarms: NOW } }
  })
  t.equal(nextKey({ a: NEVER, old: 1, changed: 99 }, [], alarms(NOW - 1)), 'changed')
  t.equal(nextKey({ old: 1, changed: 99 }, [], alarms(NOW)), 'old')
})
