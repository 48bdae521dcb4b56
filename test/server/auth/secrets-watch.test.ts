import t from 'tap'
import { createSecretsWatch } from '#server/auth/secrets-watch.ts'
import { createLog } from '#server/observability/log.ts'
import { startRedis } from '../../support/redis-server.ts'

const redis = await startRedis(t)
const [first, second] = ['first-secret-of-thirty-two-characters', 'second-secret-of-thirty-two-characters']

function replica(secrets: string[]) {
  const logged: string[] = []
  const log = createLog('warn', { write: (line: string) => void logged.push(line) })
  const watch = createSecretsWatch(redis.untimedBackend(), secrets, log)
  t.teardown(watch.close)
  return { ...watch, logged }
}

t.beforeEach(() => redis.client.flushall())

t.test('replicas with the same secrets agree', async (t) => {
  const [one, other] = [replica([first, second]), replica([first, second])]
  for (const watch of [one, other, one, other]) await watch.compare()
  t.equal(one.differ() || other.differ(), false)
  t.strictSame([...one.logged, ...other.logged], [])
})

for (const [name, secrets] of [
  ['another secret', [second]],
  ['a further secret', [first, second]],
  ['another order', [second, first]]
] as const)
  t.test(`both replicas notice ${name}, and warn once`, async (t) => {
    const one = replica(name === 'another order' ? [first, second] : [first])
    const other = replica([...secrets])
    for (const watch of [one, other, one, other]) await watch.compare()
    for (const { differ, logged } of [one, other]) {
      t.equal(differ(), true)
      t.equal(logged.length, 1)
      t.match(logged[0], /other SESSION_SECRETS/)
    }
  })

t.test('agrees again after a rotation, and knows a stopped replica for a minute only', async (t) => {
  const old = replica([first])
  await old.compare()
  const renewed = replica([second, first])
  await renewed.compare()
  t.equal(renewed.differ(), true)
  await renewed.compare()
  t.equal(renewed.differ(), false)
  const [key = ''] = await redis.client.keys('*')
  const ttlMs = await redis.client.pttl(key)
  t.ok(ttlMs > 0 && ttlMs <= 60_000)
})

t.test('Redis holds no secret, and hashes of equal secrets are equal', async (t) => {
  await replica([first, second]).compare()
  const [key = ''] = await redis.client.keys('*')
  const value = (await redis.client.get(key)) ?? ''
  t.match(value, /^[\w-]{16}\.[\w-]{16}$/)
  t.notMatch(value, /secret/)
})

t.test('a failing Redis rejects nothing and warns of nothing', async (t) => {
  const fail = () => Promise.reject(new Error('away'))
  const watch = createSecretsWatch({ recall: fail, remember: fail }, [first], createLog('silent'))
  t.teardown(watch.close)
  await t.resolves(watch.compare())
  t.equal(watch.differ(), false)
})
