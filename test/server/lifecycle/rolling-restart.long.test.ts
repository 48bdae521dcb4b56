// Restarts, crashes and failovers while people work: nobody notices, or is told to try again; nobody is signed out.
// How soon, and at 300 calls a second, measures `npm run bench -- restarts`.
import t from 'tap'
import { startSandbox } from '#test/sandbox/app.ts'
import { eventually, startRedis } from '../../support/redis-server.ts'
import { startReplicas } from '../../support/replicas.ts'
import { startSentinels } from '../../support/sentinels.ts'
import { type Answered, startSteadyLoad } from '../../support/steady-load.ts'

const ME = '/api/v2/management/myUser'
const PEOPLE = [
  'global.admin',
  'partner.admin',
  'partner.user',
  'customer.admin',
  'customer.user',
  'customer.multi'
]
const PER_SECOND = 60
const WITHIN_MS = 60_000

// Many processes start here, which takes long where all cores are busy.
t.setTimeout(400_000)
const sandbox = await startSandbox({ accessTokenSeconds: 3600 })
t.teardown(() => sandbox.stop())

/**
 * Answers that are not as ever. On a machine where every core is busy with other tests, Redis is late now and then, which
 * says nothing about restarts; a gateway that stops would be told by any other answer.
 */
const oddOnes = (answered: readonly Answered[]) =>
  answered
    .filter(({ status, problem }) => status !== 200 && problem !== 'session_store_unavailable')
    .map(({ status, problem }) => `${status} ${problem}`)

const statusesOf = (answered: readonly Answered[]) =>
  [...new Set(answered.map(({ status }) => status))].sort()

async function statusOf(url: string, cookie: string): Promise<number> {
  const answer = await fetch(url + ME, { headers: { cookie, 'x-portal-csrf': '1' } })
  await answer.body?.cancel()
  return answer.status
}

t.test('two replicas, one Redis', async (t) => {
  const redis = await startRedis(t, sandbox.confided)
  const replicas = await startReplicas(t, { sandbox, redis: { REDIS_URL: redis.url } })
  const { balancer } = replicas
  const cookies = await replicas.signIn(PEOPLE)

  await t.test('a rolling restart is noticed by nobody', async (t) => {
    const load = startSteadyLoad(balancer.url, ME, cookies, PER_SECOND)
    await replicas.restartEach()
    const answered = await load.end()
    t.ok(answered.length > PER_SECOND, `${answered.length} calls`)
    t.strictSame(oddOnes(answered), [])
    t.strictSame(balancer.failures, [])
    for (const cookie of cookies) t.equal(await statusOf(balancer.url, cookie), 200, 'still signed in')
  })

  await t.test('when one crashes, sessions go on at the other', async (t) => {
    const load = startSteadyLoad(balancer.url, ME, cookies, PER_SECOND)
    await eventually(() => load.answered.length > 20, WITHIN_MS)
    await replicas.killOne()
    await eventually(() => balancer.ready() === 1, WITHIN_MS)
    const from = load.answered.length
    await eventually(() => load.answered.length > from + PER_SECOND, WITHIN_MS)
    const answered = await load.end()
    const lost = answered.filter(({ status }) => status !== 200 && status !== 503)
    // Before its answer had begun, or within it.
    t.strictSame(
      statusesOf(lost).filter((status) => status !== 502 && status !== 0),
      [],
      'what it had under way is lost, and nothing is refused'
    )
    t.ok(lost.length <= PER_SECOND, `${lost.length} calls were lost`)
    t.strictSame(oddOnes(answered.slice(-PER_SECOND)), [])
    for (const cookie of cookies) t.equal(await statusOf(balancer.url, cookie), 200, 'still signed in')
  })
})

t.test(
  'a rolling restart while Redis fails over: calls are told to try again, nobody is signed out',
  async (t) => {
    const redis = await startSentinels(t, sandbox.confided)
    const replicas = await startReplicas(t, { sandbox, redis: redis.env })
    const { balancer } = replicas
    const cookies = await replicas.signIn(PEOPLE)
    await redis.copied()
    const load = startSteadyLoad(balancer.url, ME, cookies, PER_SECOND)
    await eventually(() => load.answered.length > 20, WITHIN_MS)
    await redis.failOver()
    await eventually(() => load.answered.slice(-20).every(({ status }) => status === 200), WITHIN_MS)
    await replicas.restartEach()
    const answered = await load.end()
    // Where this process stands still while Redis fails over, nobody calls just then.
    t.strictSame(
      statusesOf(answered).filter((status) => status !== 200 && status !== 503),
      []
    )
    const refused = answered.filter(({ status }) => status === 503)
    t.ok(
      refused.every(({ retryAfter }) => Number(retryAfter) >= 1),
      `${refused.length} were told when to try again`
    )
    t.strictSame(balancer.failures, [])
    for (const cookie of cookies) t.equal(await statusOf(balancer.url, cookie), 200, 'still signed in')
  }
)
