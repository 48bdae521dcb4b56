// The permissions of running.md, applied to a real Redis: they suffice, and the check names each one that is missing.
import t from 'tap'
import { createRedisBackend } from '#server/auth/sessions/redis.ts'
import { checkRedis } from '#server/doctor/redis.ts'
import { signInChecks } from '#server/doctor/sign-in-report.ts'
import { createLog } from '#server/observability/log.ts'
import { createReplicaMessages } from '#server/replica-messages.ts'
import { startPortal } from '#test/support/portal.ts'
import { PASSWORD, redisUser } from '../support/documented-users.ts'
import { leastConfig } from '../support/least-config.ts'
import { eventually, openRedis, startRedis } from '../support/redis-server.ts'

const redis = await startRedis(t)
const silent = createLog('silent')
const [, , ...RULES] = redisUser.split(' ')
const { host } = new URL(redis.url)

async function userWith(name: string, rules: readonly string[]): Promise<Record<string, string>> {
  await redis.client.call('ACL', 'SETUSER', name, 'reset', ...rules)
  return { REDIS_URL: `redis://${host}`, REDIS_USERNAME: name, REDIS_PASSWORD: PASSWORD }
}

async function problemFor(name: string, rules: readonly string[]): Promise<string | null> {
  const [finding] = await checkRedis(leastConfig(await userWith(name, rules)), silent)
  return finding?.problem ?? null
}

t.test('the documented permissions suffice, and Redis refuses no command', async (t) => {
  await redis.client.call('ACL', 'LOG', 'RESET')
  t.equal(await problemFor('as-documented', RULES), null)
  t.strictSame(await redis.client.keys('*'), [], 'leaves nothing behind')
  const connection = await openRedis({ REDIS_URL: redis.url })
  const messages = createReplicaMessages(connection, silent)
  t.teardown(async () => {
    await messages.close()
    connection.disconnect()
  })
  const portal = await startPortal(t, { backend: await redis.backend(), messages })
  const person = await portal.as('partner.admin')
  t.equal((await person.call('/api/v2/management/myUser')).status, 200)
  t.equal((await person.call('/auth/logout', { method: 'POST' })).status, 200)
  await portal.app.probes.store()
  t.strictSame(await redis.client.call('ACL', 'LOG'), [])
})

// Without these, the gateway works: INFO explains a wrong Redis, SETNAME names connections, and SLOTS needs a Cluster.
const OPTIONAL = ['+info', '+client|setname', '+cluster|slots']

for (const rule of RULES.filter((rule) => rule.startsWith('+') && !OPTIONAL.includes(rule)))
  t.test(`names the missing permission ${rule}`, async (t) => {
    const command = rule.slice(1).toUpperCase()
    const problem = await problemFor(
      'restricted',
      RULES.filter((other) => other !== rule)
    )
    t.equal(
      problem?.split(':')[0],
      `its user lacks permissions for ${command}`,
      problem ?? 'the check found no problem'
    )
    t.match(problem, /running\.md.*REDIS_USERNAME/)
  })

t.test('works without the permissions that only help', async (t) => {
  const rules = RULES.filter((rule) => !OPTIONAL.includes(rule))
  t.equal(await problemFor('without-help', rules), null)
})

t.test('names missing keys and channels', async (t) => {
  const without = (pattern: string) => RULES.filter((rule) => rule !== pattern)
  t.match(await problemFor('no-keys', without('~portal:*')), /permissions for the keys portal:\*: /)
  t.match(await problemFor('no-channels', without('&portal:*')), /permissions for the channels portal:\*: /)
  const oneChannel = [...without('&portal:*'), '&portal:proof']
  t.match(await problemFor('one-channel', oneChannel), /permissions for the channels portal:\*: /)
})

t.test('names everything that a user lacks who may only SET and GETDEL', async (t) => {
  const problem = await problemFor('set-only', ['on', `>${PASSWORD}`, '~*', '&*', '+set', '+getdel'])
  for (const command of ['EXEC', 'EVAL', 'EVALSHA', 'TIME', 'ZADD', 'PUBLISH', 'SUBSCRIBE'])
    t.match(problem, new RegExp(`\\b${command}\\b`))
})

t.test('a gateway with a restricted user is not ready, says so at the start, and recovers', async (t) => {
  const env = await userWith('changing', [...RULES, '-subscribe'])
  const connection = await openRedis(env)
  const logged: string[] = []
  const log = createLog('warn', { write: (line: string) => void logged.push(line) })
  const messages = createReplicaMessages(connection, log)
  t.teardown(async () => {
    await messages.close()
    connection.disconnect()
  })
  const portal = await startPortal(t, { messages })
  await t.rejects(portal.app.probes.store(), { message: /permissions for SUBSCRIBE/ })
  const [checkStore] = signInChecks(portal.config, portal.app.probes.store)
  t.match(await checkStore?.(), /^Redis: its user lacks permissions for SUBSCRIBE: .*running\.md/)
  await redis.client.call('ACL', 'SETUSER', 'changing', '+subscribe')
  await eventually(() =>
    portal.app.probes.store().then(
      () => true,
      () => false
    )
  )
  t.equal(logged.length, 1, 'warns once')
})

t.test('a session store with a restricted user is not ready', async (t) => {
  const env = await userWith('no-exec', [...RULES, '-exec'])
  const connection = await openRedis(env)
  t.teardown(() => connection.disconnect())
  const portal = await startPortal(t, { backend: createRedisBackend(connection) })
  const [checkStore] = signInChecks(portal.config, portal.app.probes.store)
  t.match(await checkStore?.(), /^Redis: its user lacks permissions for EXEC: /)
  t.equal(await connection.get('portal:x'), null, 'the connection is in no transaction')
})

t.test('names a command that Redis does not know', async (t) => {
  const old = await startRedis(t, ['--rename-command', 'GETDEL', ''])
  const [finding] = await checkRedis(leastConfig({ REDIS_URL: old.adminUrl }), silent)
  t.match(finding?.problem, /^it does not know the command GETDEL: .*Redis 6\.2/)
})
