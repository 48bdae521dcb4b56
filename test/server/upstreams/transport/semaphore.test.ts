import t from 'tap'
import { Problem } from '#server/errors.ts'
import { createSemaphore } from '#server/upstreams/transport/semaphore.ts'

const AT_ONCE = 0
const FOR_EVER = 1_000_000
const idOf = (error: unknown) => (error instanceof Problem ? error.id : error)

t.test('one more than may wait is refused at once', async (t) => {
  const semaphore = createSemaphore({ permits: 2, waiters: 1, waitMs: FOR_EVER })
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

t.test('whoever waits too long is refused, and takes no permit later', async (t) => {
  const semaphore = createSemaphore({ permits: 1, waiters: 5, waitMs: AT_ONCE })
  await semaphore.acquire()
  t.equal(idOf(await semaphore.acquire().catch((error) => error)), 'upstream_busy')
  t.equal(semaphore.count, 1)
  semaphore.release()
  t.equal(semaphore.count, 0)
  await semaphore.acquire()
})

t.test('whoever goes leaves the line, and takes no permit later', async (t) => {
  const semaphore = createSemaphore({ permits: 1, waiters: 1, waitMs: FOR_EVER })
  await semaphore.acquire()
  for (let round = 0; round < 3; round += 1) {
    const gone = new AbortController()
    const waiting = semaphore.acquire(gone.signal)
    gone.abort()
    t.equal(idOf(await waiting.catch((error) => error)), 'client_gone')
  }
  t.equal(idOf(await semaphore.acquire(AbortSignal.abort()).catch((error) => error)), 'client_gone')
  semaphore.release()
  t.equal(idOf(await semaphore.acquire(AbortSignal.abort()).catch((error) => error)), 'client_gone')
  t.equal(semaphore.count, 0)
})

t.test('a permit goes to whoever has waited longest', async (t) => {
  const semaphore = createSemaphore({ permits: 1, waiters: 3, waitMs: FOR_EVER })
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
