// The number of parallel calls.
import t from 'tap'
import { problems } from '#server/errors.ts'
import { AT_ONCE, createThrottle } from '#server/portal/attention/readers.ts'

const tick = () => new Promise((resolve) => setImmediate(resolve))

async function twenty() {
  const clock = { nowMs: 0 }
  const throttle = createThrottle(() => clock.nowMs)
  const underWay: PromiseWithResolvers<void>[] = []
  for (let call = 0; call < 20; call += 1)
    throttle(async () => {
      const ended = Promise.withResolvers<void>()
      underWay.push(ended)
      await ended.promise.finally(() => underWay.splice(underWay.indexOf(ended), 1))
    }).catch(() => {})
  await tick()
  const end = async (why?: unknown) => {
    const [first] = underWay
    if (why === undefined) first?.resolve()
    else first?.reject(why)
    await tick()
    return underWay.length
  }
  return { clock, end, count: () => underWay.length }
}

t.test('starts a waiting call when another one has ended', async (t) => {
  const { count, end } = await twenty()
  t.equal(count(), AT_ONCE)
  t.equal(await end(), AT_ONCE)
})

t.test('sends fewer parallel calls to a busy or slow API, and more after good answers', async (t) => {
  const busy = problems.upstreamTimeout(new Error('late'))
  const { clock, count, end } = await twenty()
  for (let call = 0; call < AT_ONCE; call += 1) await end(busy)
  t.equal(count(), 1)
  t.equal(await end(), 2)
  clock.nowMs += 10_000
  t.equal(await end(), 1, 'after a call of ten seconds')
})

t.test('a refused caller does not reduce the parallel calls to the API', async (t) => {
  const { end } = await twenty()
  t.equal(await end(problems.forbidden()), AT_ONCE)
})
