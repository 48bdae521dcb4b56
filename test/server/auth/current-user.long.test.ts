import { once } from 'node:events'
import t from 'tap'
import { createCurrentUsers } from '#server/auth/current-user.ts'
import { LIMITS } from '#server/http/limits.ts'
import { connectionProblem } from '#server/upstreams/transport/failures.ts'
import type { User } from '#shared/answers/portal.ts'

t.test('stops a read after five seconds, and repeats the read only after a pause', async (t) => {
  // Keeps the process alive, which the timer of the time limit does not.
  const timer = setInterval(() => {}, 1000)
  t.teardown(() => clearInterval(timer))
  const user = { id: 'u-1' } as User
  const { read } = createCurrentUsers({
    maxAgeSeconds: 60,
    clock: Date.now,
    steadyClock: Date.now,
    timeoutMs: LIMITS.userMs
  })
  const never = () => new Promise<never>(() => {})
  let reads = 0
  const fetch = async (limit: AbortSignal) => {
    reads += 1
    await once(limit, 'abort')
    throw connectionProblem(limit.reason)
  }
  const source = { fetch, keep: never, refuse: never }
  const start = performance.now()
  const lastUser = { user, readAt: Date.now() - 61_000 }
  const [cachedUser, problem] = await Promise.all([
    read('known', lastUser, source),
    read('unknown', undefined, source).catch((error) => error)
  ])
  t.equal(cachedUser, user)
  t.match(problem, { status: 503 })
  t.ok(performance.now() - start > 4_500)
  t.equal(reads, 2)
  t.equal(await read('known', lastUser, source), user)
  t.equal(reads, 2)
})
