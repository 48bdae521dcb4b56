// The throttle limits the number of parallel fetches of a part, in total and for each visibility.
import t from 'tap'
import { problems } from '#server/errors.ts'
import { createThrottles, type Throttle } from '#server/portal/readings/throttle.ts'
import { eventually } from '../../../support/eventually.ts'

const OPEN = new AbortController().signal
const AT_ONCE = 16
const NEVER_MS = 2 ** 31 - 1
const SLOW_MS = 50
const tick = () => new Promise((resolve) => setImmediate(resolve))

/** Starts fetches that end when the test ends them, or when they are aborted. */
function startFetches(throttle: Throttle, count: number) {
  const running: PromiseWithResolvers<void>[] = []
  const failures: unknown[] = []
  const start = () =>
    throttle(async (signal) => {
      const gate = Promise.withResolvers<void>()
      running.push(gate)
      signal.addEventListener('abort', () => gate.reject(signal.reason))
      await gate.promise.finally(() => running.splice(running.indexOf(gate), 1))
    }).catch((error) => void failures.push(error))
  for (let fetch = 0; fetch < count; fetch += 1) void start()
  return {
    failures,
    count: () => running.length,
    /** Ends the first fetch, and returns how many run then. */
    async end(error?: unknown) {
      const [first] = running
      if (error === undefined) first?.resolve()
      else first?.reject(error)
      await tick()
      return running.length
    }
  }
}

t.test(
  'a visibility starts with one fetch, and gets one more after each good answer, up to fifteen',
  async (t) => {
    const { count, end } = startFetches(
      createThrottles({ closing: OPEN, atOnce: AT_ONCE, slowMs: NEVER_MS })('a'),
      100
    )
    await tick()
    t.equal(count(), 1)
    for (let expected = 2; expected <= 15; expected += 1) t.equal(await end(), expected)
    t.equal(await end(), 15, 'one slot remains for others')
  }
)

t.test('a visibility gets half as many fetches after a busy answer, but not after a refusal', async (t) => {
  const { count, end } = startFetches(
    createThrottles({ closing: OPEN, atOnce: AT_ONCE, slowMs: NEVER_MS })('a'),
    100
  )
  await tick()
  while (count() < 8) await end()
  t.equal(await end(problems.forbidden()), 8)
  for (let fetch = 0; fetch < 8; fetch += 1) await end(problems.upstreamTimeout())
  t.equal(count(), 1)
  t.equal(await end(), 2)
})

t.test('all visibilities together get sixteen fetches', async (t) => {
  const throttleOf = createThrottles({ closing: OPEN, atOnce: AT_ONCE, slowMs: NEVER_MS })
  const fetches = ['a', 'b', 'c'].map((visibility) => startFetches(throttleOf(visibility), 100))
  const counts = () => fetches.map(({ count }) => count())
  await tick()
  const [a, b] = fetches
  for (let fetch = 0; fetch < 7; fetch += 1) {
    await a?.end()
    await b?.end()
  }
  t.strictSame(counts(), [8, 7, 1])
  await a?.end()
  t.equal(
    counts().reduce((sum, count) => sum + count),
    16
  )
})

t.test('a slow fetch lets another visibility start, but not its own', async (t) => {
  const throttleOf = createThrottles({ closing: OPEN, atOnce: AT_ONCE, slowMs: SLOW_MS })
  const hanging = Array.from({ length: 16 }, (_, visibility) => startFetches(throttleOf(`${visibility}`), 2))
  await tick()
  const others = startFetches(throttleOf('others'), 2)
  t.equal(others.count(), 0, 'all slots are taken')
  await eventually(() => others.count() === 1)
  for (const { count } of hanging) t.equal(count(), 1)
})

t.test('aborts the first slow fetch when more than sixteen are slow', async (t) => {
  const throttleOf = createThrottles({ closing: OPEN, atOnce: AT_ONCE, slowMs: SLOW_MS })
  const fetches = Array.from({ length: 20 }, (_, visibility) => startFetches(throttleOf(`${visibility}`), 1))
  await eventually(() => fetches.slice(0, 4).every(({ failures }) => failures.length === 1))
  t.match(fetches[0]?.failures, [{ status: 504, id: 'upstream_timeout' }])
  for (const { count, failures } of fetches.slice(4)) t.strictSame([count(), failures.length], [1, 0])
})

t.test('aborts all fetches when the gateway closes', async (t) => {
  const closing = new AbortController()
  const { failures } = startFetches(createThrottles({ closing: closing.signal, atOnce: AT_ONCE })('a'), 1)
  await tick()
  closing.abort(problems.clientGone())
  await tick()
  t.match(failures, [{ id: 'client_gone' }])
})
