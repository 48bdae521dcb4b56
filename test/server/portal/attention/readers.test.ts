// The throttle limits the number of parallel calls to an API.
import t from 'tap'
import { problems } from '#server/errors.ts'
import { AT_ONCE, createThrottle } from '#server/portal/attention/readers.ts'

const tick = () => new Promise((resolve) => setImmediate(resolve))

async function startTwenty() {
  const clock = { nowMs: 0 }
  const throttle = createThrottle(() => clock.nowMs)
  const pending: PromiseWithResolvers<void>[] = []
  for (let call = 0; call < 20; call += 1)
    throttle(async () => {
      const gate = Promise.withResolvers<void>()
      pending.push(gate)
      await gate.promise.finally(() => pending.splice(pending.indexOf(gate), 1))
    }).catch(() => {})
  await tick()
  const end = async (error?: unknown) => {
    const [first] = pending
    if (error === undefined) first?.resolve()
    else first?.reject(error)
    await tick()
    return pending.length
  }
  return { clock, end, count: () => pending.length }
}

t.test('starts a waiting call when another call has ended', async (t) => {
  const { count, end } = await startTwenty()
  t.equal(count(), AT_ONCE)
  t.equal(await end(), AT_ONCE)
})

t.test('sends fewer parallel calls to a busy or slow API, and more after good answers', async (t) => {
  const busy = problems.upstreamTimeout(new Error('late'))
  const { clock, count, end } = await startTwenty()
  for (let call = 0; call < AT_ONCE; call += 1) await end(busy)
  t.equal(count(), 1)
  t.equal(await end(), 2)
  clock.nowMs += 10_000
  t.equal(await end(), 1, 'after a call of ten seconds')
})

t.test('a refused caller does not reduce the parallel calls to the API', async (t) => {
  const { end } = await startTwenty()
  t.equal(await end(problems.forbidden()), AT_ONCE)
})
