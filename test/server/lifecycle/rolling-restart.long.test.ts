// Rolling restarts and crashes under load: only calls of a crashed process fail, and all sessions stay valid.
// `npm run bench -- restarts` measures the recovery time.
import t from 'tap'
import { startSandbox } from '#test/sandbox/app.ts'
import { prepareHaproxy } from '../../support/haproxy.ts'
import { operationsProgram } from '../../support/machine.ts'
import { startRedis } from '../../support/redis-server.ts'
import { startReplicas } from '../../support/replicas.ts'
import { type Answered, startSteadyLoad } from '../../support/steady-load.ts'

const ME = '/api/v2/management/myUser'
const PER_SECOND = 60

// Starting many processes takes long on a busy machine.
t.setTimeout(400_000)

/** Answers other than 200, without those caused by a slow Redis on a busy machine. */
const oddOnes = (answered: readonly Answered[]) =>
  answered
    .filter(({ status, problem }) => status !== 200 && problem !== 'session_store_unavailable')
    .map(({ status, problem }) => `${status} ${problem}`)

t.test('two replicas, one Redis', async (t) => {
  if (operationsProgram(t, 'haproxy') === null) return
  const haproxy = await prepareHaproxy(t)
  const sandbox = await startSandbox({ accessTokenSeconds: 3600, gatewayUrl: haproxy.url })
  t.teardown(() => sandbox.stop())
  const redis = await startRedis(t)
  const { cookies, endEach } = await startReplicas(t, {
    sandbox,
    haproxy,
    redis: { REDIS_URL: redis.url },
    count: 2
  })
  const answeredDuring = async (signal: 'SIGTERM' | 'SIGKILL') => {
    const load = startSteadyLoad(haproxy.url, ME, cookies, PER_SECOND)
    await endEach(signal)
    const answered = await load.end()
    t.ok(answered.length > PER_SECOND, `${answered.length} calls`)
    for (const cookie of cookies) {
      const answer = await fetch(haproxy.url + ME, { headers: { cookie, 'x-portal-csrf': '1' } })
      await answer.body?.cancel()
      t.equal(answer.status, 200, 'still signed in')
    }
    return answered
  }

  await t.test('no call fails during a rolling restart', async (t) => {
    t.strictSame(oddOnes(await answeredDuring('SIGTERM')), [])
  })

  await t.test('sessions work at the other replica after a crash', async (t) => {
    const answered = await answeredDuring('SIGKILL')
    const lost = answered.filter(({ status }) => status !== 200 && status !== 503)
    // 502: before the answer began; 0: within it.
    const others = lost.filter(({ status }) => status !== 502 && status !== 0)
    t.strictSame(others, [], 'pending calls are lost, no call is refused')
    t.ok(lost.length <= PER_SECOND, `${lost.length} calls were lost`)
    t.strictSame(oddOnes(answered.slice(-PER_SECOND)), [])
  })
})
