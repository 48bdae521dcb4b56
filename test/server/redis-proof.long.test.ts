// The documented users of Redis suffice behind Sentinels and in a Cluster.
import t from 'tap'
import { checkRedis } from '#server/doctor/redis.ts'
import { createLog } from '#server/observability/log.ts'
import { PASSWORD, USER } from '../support/documented-users.ts'
import { leastConfig } from '../support/least-config.ts'
import { type RedisNode, startCluster, startSentinels } from '../support/redis-processes.ts'

const problemAt = async (env: Record<string, string>) =>
  (await checkRedis(leastConfig(env), createLog('silent')))[0]?.problem

async function refusalsOf(nodes: readonly RedisNode[]): Promise<unknown[]> {
  const logs = await Promise.all(nodes.map(({ client }) => client.call('ACL', 'LOG')))
  return logs.flat()
}

t.test('behind Sentinels', async (t) => {
  const { env, nodes, sentinels } = await startSentinels(t)
  t.equal(await problemAt(env), null)
  t.strictSame(await refusalsOf(nodes), [])
  const subcommand = 'sentinel|get-master-addr-by-name'
  for (const { client } of sentinels) await client.call('ACL', 'SETUSER', USER, `-${subcommand}`)
  t.match(await problemAt(env), /^its Sentinels forbid .*get-master-addr-by-name.*REDIS_SENTINEL_USERNAME/)
})

t.test('in a Cluster, on each of its nodes', async (t) => {
  const { env, nodes } = await startCluster(t)
  t.equal(await problemAt(env), null)
  t.strictSame(await refusalsOf(nodes), [])
  const [node] = nodes
  await node?.client.call('ACL', 'SETUSER', USER, '-zadd')
  t.match(await problemAt(env), /^its user lacks permissions for ZADD: /)
  for (const { client } of nodes)
    await client.call('ACL', 'SETUSER', USER, '+zadd', '-cluster|slots', `>${PASSWORD}`)
  t.match(await problemAt(env), /^its user lacks permissions \(.*cluster/)
})
