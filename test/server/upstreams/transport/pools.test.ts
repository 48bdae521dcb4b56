import t, { type Test } from 'tap'
import { Problem } from '#server/errors.ts'
import { createMetrics } from '#server/observability/metrics.ts'
import { createUpstreamClient } from '#server/upstreams/client.ts'
import { openUpstreams } from '#server/upstreams/transport/pools.ts'
import { createSemaphore, createSemaphores } from '#server/upstreams/transport/semaphore.ts'
import { eventually } from '../../../support/eventually.ts'
import { leastConfig } from '../../../support/least-config.ts'
import { startTinyUpstream } from '../../../support/tiny-upstream.ts'

const LONG_MS = 60_000
const SHORT_WAIT_MS = 100
const idOf = (error: unknown) => (error instanceof Problem ? error.id : error)
const bearer = { accessToken: async () => 'token', replaceToken: async () => null }

const failure = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error) => error
  )

/** @param waitMs the longest time that a call waits for a connection */
async function startPool(t: Test, waitMs = LONG_MS, connections = 1) {
  const upstream = await startTinyUpstream(t)
  const open: (() => void)[] = []
  upstream.answer = (_request, response) => void open.push(() => response.end('{"fine":true}'))
  const config = leastConfig({
    UPSTREAM_URL: upstream.url,
    UPSTREAM_CONNECTIONS: String(connections),
    UPSTREAM_TIMEOUT_MS: String(LONG_MS)
  })
  const upstreams = openUpstreams(config, createMetrics().recorder, waitMs)
  t.teardown(() => upstreams.close())
  const client = createUpstreamClient(upstreams, config.UPSTREAM_TIMEOUT_MS)
  const call = (signal?: AbortSignal) => client.get('MANAGEMENT', '/x', bearer, signal)
  return { upstream, upstreams, open, call }
}

t.test('refuses a caller above the maximum number of waiting callers', async (t) => {
  const semaphore = createSemaphore({ permits: 2, waiters: 1, waitMs: LONG_MS })
  await semaphore.acquire()
  await semaphore.acquire()
  const waiting = semaphore.acquire()
  const refused = await semaphore.acquire().catch((error) => error)
  t.match(refused, { id: 'upstream_busy', status: 503, options: { retryAfterSeconds: 1 } })
  t.equal(semaphore.count, 3)
  semaphore.release()
  await waiting
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
    const abort = new AbortController()
    const waiting = semaphore.acquire(abort.signal)
    abort.abort()
    t.equal(idOf(await waiting.catch((error) => error)), 'client_gone')
  }
  t.equal(idOf(await semaphore.acquire(AbortSignal.abort()).catch((error) => error)), 'client_gone')
  semaphore.release()
  t.equal(idOf(await semaphore.acquire(AbortSignal.abort()).catch((error) => error)), 'client_gone')
  t.equal(semaphore.count, 0)
})

t.test('grants permits in the order of arrival', async (t) => {
  const semaphore = createSemaphore({ permits: 1, waiters: 3, waitMs: LONG_MS })
  await semaphore.acquire()
  const order: string[] = []
  const waiting = ['first', 'second', 'third'].map((name) =>
    semaphore.acquire().then(() => {
      order.push(name)
      semaphore.release()
    })
  )
  semaphore.release()
  await Promise.all(waiting)
  t.strictSame(order, ['first', 'second', 'third'])
  t.equal(semaphore.count, 0)
})

t.test('grants permits for each key separately', async (t) => {
  const of = createSemaphores({ permits: 1, waiters: 1, waitMs: 0 })
  await of('a').acquire()
  t.equal(
    idOf(
      await of('a')
        .acquire()
        .catch((error) => error)
    ),
    'upstream_busy'
  )
  await of('b').acquire()
  of('a').release()
  await of('a').acquire()
  t.equal(
    idOf(
      await of('a')
        .acquire()
        .catch((error) => error)
    ),
    'upstream_busy',
    'a key keeps its limit while it is idle'
  )
})

t.test('refuses a call that gets no connection in time', async (t) => {
  const { upstream, open, call } = await startPool(t, SHORT_WAIT_MS)
  const first = call()
  await eventually(() => open.length === 1)
  for (let round = 0; round < 3; round += 1)
    t.match(await failure(call()), { id: 'upstream_busy', status: 503, options: { retryAfterSeconds: 1 } })
  open[0]?.()
  t.strictSame(await first, { fine: true })
  t.equal(upstream.received.length, 1, 'does not send the call later')
})

t.test('makes no call for a caller that aborts while waiting', async (t) => {
  const { upstream, open, call } = await startPool(t)
  const first = call()
  await eventually(() => open.length === 1)
  const abort = new AbortController()
  const waiting = call(abort.signal)
  abort.abort()
  t.match(await failure(waiting), { id: 'client_gone' })
  open[0]?.()
  await first
  t.equal(upstream.received.length, 1)
})

t.test('a second release of a connection has no effect', async (t) => {
  const { upstreams } = await startPool(t, SHORT_WAIT_MS)
  const upstream = upstreams.of('MANAGEMENT')
  const release = await upstream.enter()
  release(200)
  release()
  const again = await upstream.enter()
  t.match(await failure(upstream.enter()), { id: 'upstream_busy' }, 'frees only one connection')
  again()
})

t.test('gives one caller a quarter of the connections, rounded up', async (t) => {
  for (const [connections, share] of [
    [1, 1],
    [5, 2],
    [8, 2]
  ] as const) {
    const { upstreams } = await startPool(t, SHORT_WAIT_MS, connections)
    const upstream = upstreams.of('MANAGEMENT')
    const enter = (caller: string) => upstream.enter(undefined, undefined, undefined, caller)
    const releases = []
    for (let call = 0; call < share; call += 1) releases.push(await enter('first'))
    t.match(await failure(enter('first')), { id: 'upstream_busy' }, `${share} of ${connections}`)
    if (share < connections) releases.push(await enter('second'), await upstream.enter())
    for (const release of releases) release()
    const again = await enter('first')
    again()
  }
})
