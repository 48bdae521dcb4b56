import t, { type Test } from 'tap'
import { Problem } from '#server/errors.ts'
import { createMetrics } from '#server/observability/metrics.ts'
import { openUpstreams } from '#server/upstreams/transport/pools.ts'
import { createSemaphore, createSemaphores } from '#server/upstreams/transport/semaphore.ts'
import { leastConfig } from '../../../support/least-config.ts'

const LONG_MS = 60_000
const SHORT_WAIT_MS = 100
const idOf = (error: unknown) => (error instanceof Problem ? error.id : error)

const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error) => error
  )

function managementUpstream(t: Test, connections = 1) {
  const config = leastConfig({ UPSTREAM_CONNECTIONS: String(connections) })
  const upstreams = openUpstreams(config, createMetrics().recorder, SHORT_WAIT_MS)
  t.teardown(() => upstreams.close())
  return upstreams.of('MANAGEMENT')
}

t.test('refuses a caller above the maximum number of waiting callers', async (t) => {
  const semaphore = createSemaphore({ permits: 2, waiters: 1, waitMs: LONG_MS })
  await semaphore.acquire()
  await semaphore.acquire()
  const call = semaphore.acquire()
  const problem = await semaphore.acquire().catch((error) => error)
  t.match(problem, { id: 'upstream_busy', status: 503, options: { retryAfterSeconds: 1 } })
  t.equal(semaphore.count, 3)
  semaphore.release()
  await call
  t.equal(semaphore.count, 2)
})

t.test('refuses a caller that waits too long, and grants no permit later', async (t) => {
  const semaphore = createSemaphore({ permits: 1, waiters: 5, waitMs: 0 })
  await semaphore.acquire()
  t.equal(idOf(await semaphore.acquire().catch((error) => error)), 'upstream_busy')
  t.equal(semaphore.count, 1)
  semaphore.release()
  t.equal(semaphore.count, 0)
  await semaphore.acquire()
})

t.test('grants no permit to an aborted caller', async (t) => {
  const semaphore = createSemaphore({ permits: 1, waiters: 1, waitMs: LONG_MS })
  await semaphore.acquire()
  for (let round = 0; round < 3; round += 1) {
    const aborter = new AbortController()
    const call = semaphore.acquire(aborter.signal)
    aborter.abort()
    t.equal(idOf(await call.catch((error) => error)), 'client_gone')
  }
  t.equal(idOf(await semaphore.acquire(AbortSignal.abort()).catch((error) => error)), 'client_gone')
  semaphore.release()
  t.equal(idOf(await semaphore.acquire(AbortSignal.abort()).catch((error) => error)), 'client_gone')
  t.equal(semaphore.count, 0)
})

t.test('a foreground call never waits behind a background call', async (t) => {
  const semaphore = createSemaphore({ permits: 1, waiters: 2, waitMs: LONG_MS })
  await semaphore.acquire()
  const order: string[] = []
  const waitAs = (name: string, priority: 'foreground' | 'background') =>
    semaphore.acquire(undefined, priority).then(() => {
      order.push(name)
      semaphore.release()
    })
  const calls = [
    waitAs('first background', 'background'),
    waitAs('second background', 'background'),
    waitAs('first foreground', 'foreground'),
    waitAs('second foreground', 'foreground')
  ]
  t.equal(
    idOf(await semaphore.acquire(undefined, 'background').catch((error) => error)),
    'upstream_busy',
    'waiting background calls take no places of foreground calls'
  )
  t.equal(semaphore.waiting, 4)
  semaphore.release()
  await Promise.all(calls)
  t.strictSame(order, ['first foreground', 'second foreground', 'first background', 'second background'])
})

t.test('grants permits in the order of arrival', async (t) => {
  const semaphore = createSemaphore({ permits: 1, waiters: 3, waitMs: LONG_MS })
  await semaphore.acquire()
  const order: string[] = []
  const call = ['first', 'second', 'third'].map((name) =>
    semaphore.acquire().then(() => {
      order.push(name)
      semaphore.release()
    })
  )
  semaphore.release()
  await Promise.all(call)
  t.strictSame(order, ['first', 'second', 'third'])
  t.equal(semaphore.count, 0)
})

t.test('grants permits for each key separately', async (t) => {
  const semaphoreOf = createSemaphores({ permits: 1, waiters: 1, waitMs: 0 })
  await semaphoreOf('a').acquire()
  t.equal(
    idOf(
      await semaphoreOf('a')
        .acquire()
        .catch((error) => error)
    ),
    'upstream_busy'
  )
  await semaphoreOf('b').acquire()
  semaphoreOf('a').release()
  await semaphoreOf('a').acquire()
  t.equal(
    idOf(
      await semaphoreOf('a')
        .acquire()
        .catch((error) => error)
    ),
    'upstream_busy',
    'an idle key keeps its limit'
  )
})

const CALL = { method: 'GET', path: '/' }

t.test('a second release of a connection has no effect', async (t) => {
  const upstream = managementUpstream(t)
  const call = await upstream.enter(CALL)
  call.leave(200)
  call.leave()
  const next = await upstream.enter(CALL)
  t.match(await failureOf(upstream.enter(CALL)), { id: 'upstream_busy' }, 'frees only one connection')
  next.leave()
})

t.test('gives one caller a quarter of the connections, rounded up', async (t) => {
  for (const [connections, share] of [
    [1, 1],
    [5, 2],
    [8, 2]
  ] as const) {
    const upstream = managementUpstream(t, connections)
    const enter = (caller: string) => upstream.enter(CALL, undefined, caller)
    const calls = []
    for (let call = 0; call < share; call += 1) calls.push(await enter('first'))
    t.match(await failureOf(enter('first')), { id: 'upstream_busy' }, `${share} of ${connections}`)
    if (share < connections) calls.push(await enter('second'), await upstream.enter(CALL))
    for (const call of calls) call.leave()
    const next = await enter('first')
    next.leave()
  }
})
