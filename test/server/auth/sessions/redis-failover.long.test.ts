// Failover with Sentinels and in a Cluster: the gateway answers 503 for a short time, then recovers. All sessions survive,
// and the gateway does not repeat refused writes.
import t, { type Test } from 'tap'
import type { Portal } from '#test/support/portal.ts'
import { signInWith, startFakeAuthority } from '../../../support/fake-authority.ts'
import { hasAll, startCluster, startSentinels } from '../../../support/redis-processes.ts'
import { eventually } from '../../../support/redis-server.ts'
import {
  type Answered,
  AT_ONCE_MS,
  BACK_WITHIN_MS,
  backendAt,
  ME,
  portalAt,
  timed
} from '../../../support/store-trouble.ts'

// Both tests run at the same time.
t.jobs = 2

/** Time limit of a failover, with the time until Redis notices the failure, which is long on a busy machine. */
const FAILOVER_MS = 40_000
const RENEW = '/auth/session/renew'

const fake = await startFakeAuthority(t)

function keepCalling(t: Test, portal: Portal, cookies: readonly string[]) {
  const answers: Answered[] = []
  let isDone = false
  t.teardown(() => {
    isDone = true
  })
  const loops = Promise.all(
    cookies.map(async (cookie, index) => {
      while (!isDone) {
        answers.push(await timed(portal, cookie, index % 2 ? ME : RENEW, index % 2 ? 'GET' : 'POST'))
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    })
  )
  return {
    answers,
    async stop() {
      isDone = true
      await loops
    }
  }
}

function expectFast503(t: Test, portal: Portal, answers: readonly Answered[]): void {
  const otherAnswers = answers.filter(({ status }) => status !== 200 && status !== 503)
  t.strictSame(otherAnswers.map(({ status, text }) => `${status} ${text}`).slice(0, 3), [])
  const refusals = answers.filter(({ status }) => status === 503)
  const slowest = Math.max(0, ...refusals.map(({ ms }) => ms))
  t.ok(slowest < AT_ONCE_MS, `${refusals.length} refusals within ${Math.round(slowest)} ms`)
  for (const { text, headers } of refusals) {
    if (!/session_store_unavailable/.test(text)) t.fail(text)
    if (headers.getSetCookie().length > 0) t.fail('a cookie was removed')
  }
  const linesOfLibrary = portal.logged.filter((line) =>
    /writeable|OfflineQueue|connection is closed|connection close|max retries/i.test(line)
  )
  t.strictSame(linesOfLibrary.slice(0, 3), [], 'logs no messages of the library')
}

async function expectRecovery(t: Test, portal: Portal, cookies: readonly string[]): Promise<void> {
  const start = performance.now()
  await eventually(async () => {
    const statuses = await Promise.all(
      cookies.map(async (cookie) => (await timed(portal, cookie, RENEW, 'POST')).status)
    )
    if (statuses.some((status) => status === 401 || status === 500)) throw new Error(`answers ${statuses}`)
    return statuses.every((status) => status === 200)
  }, BACK_WITHIN_MS)
  t.pass(`every cookie works after ${Math.round(performance.now() - start)} ms`)
}

/** A Redis that has just started or failed over on a busy machine may take longer than the gateway waits. */
const signInPatiently = (portal: Portal, subject: string): Promise<string> =>
  eventually(() => signInWith(fake, portal.url, subject).catch(() => null), BACK_WITHIN_MS)

t.test('with Sentinels', { buffered: true }, async (t) => {
  const redis = await startSentinels(t)
  const portal = await portalAt(t, fake, redis.env)
  const cookies = await Promise.all(
    [1, 2, 3, 4].map((index) => signInPatiently(portal, `u-sentinel-${index}`))
  )

  const waitForFailover = (before: { port: number }) =>
    eventually(async () => {
      const now = await redis.primary()
      return now.port !== before.port && /role:master/.test(await now.client.info('replication')) ? now : null
    }, FAILOVER_MS)
  const waitForSync = () =>
    eventually(async () => {
      const primary = await redis.primary()
      const replication = await primary.client.info('replication')
      const [sentinel] = redis.sentinels
      const replicas = (await sentinel?.client.call('SENTINEL', 'REPLICAS', 'portal')) as string[][]
      const flags = replicas.map((fields) => fields[fields.indexOf('flags') + 1] ?? '')
      return hasAll(replication) && flags.length === 1 && flags.every((flag) => flag === 'slave')
    }, FAILOVER_MS)

  const ENDINGS: Record<string, (before: Awaited<ReturnType<typeof redis.primary>>) => unknown> = {
    'on request': () => redis.sentinels[0]?.client.call('SENTINEL', 'FAILOVER', 'portal'),
    'from a hanging primary': (before) => before.freeze(),
    'from a killed primary': (before) => before.kill()
  }
  for (const [name, end] of Object.entries(ENDINGS)) {
    await t.test(`the replica takes over ${name}`, async (t) => {
      await waitForSync()
      const before = await redis.primary()
      const calls = keepCalling(t, portal, cookies)
      await eventually(() => calls.answers.length > 8, 10_000)
      await end(before)
      await waitForFailover(before)
      await expectRecovery(t, portal, cookies)
      await calls.stop()
      expectFast503(t, portal, calls.answers)
      before.thaw()
      const cookie = await signInPatiently(portal, 'u-fresh')
      const signOut = async () => (await timed(portal, cookie, '/auth/logout', 'POST')).status === 200
      t.ok(await eventually(signOut, 10_000), 'sign-in and sign-out work')
      t.equal((await timed(portal, cookie, ME)).status, 401)
    })
  }
})

t.test('in a Cluster', async (t) => {
  const redis = await startCluster(t)
  const portal = await portalAt(t, fake, redis.env)
  const backend = await backendAt(t, redis.env)
  const names = Array.from({ length: 12 }, (_, index) => `u-cluster-${index % 3}`)
  const cookies = await Promise.all(names.map((name) => signInPatiently(portal, name)))

  await t.test('finds, renews and ends sessions on any node', async (t) => {
    const keysOfNodes = await Promise.all(redis.nodes.map(({ client }) => client.keys('portal:*:session')))
    t.ok(keysOfNodes.filter((keys) => keys.length > 0).length > 2, 'sessions are on more than one node')
    for (const cookie of cookies) {
      t.equal((await timed(portal, cookie, ME)).status, 200)
      t.equal((await timed(portal, cookie, RENEW, 'POST')).status, 200)
    }
    const { sessions } = JSON.parse((await timed(portal, cookies[0] ?? '', '/auth/sessions')).text)
    t.equal(sessions.length, names.length / 3, 'lists sessions of several nodes')
    const [cookie = '', otherCookie = ''] = cookies.splice(0, 2)
    t.equal((await timed(portal, cookie, '/auth/logout', 'POST')).status, 200)
    t.equal((await timed(portal, cookie, ME)).status, 401)
    const answer = await fetch(`${portal.url}/auth/backchannel-logout`, {
      method: 'POST',
      body: new URLSearchParams({ logout_token: fake.logoutToken({ sub: 'u-cluster-1' }) })
    })
    t.equal(answer.status, 200)
    t.equal((await timed(portal, otherCookie, ME)).status, 401)
    const statuses = await Promise.all(
      cookies.map(async (cookie) => (await timed(portal, cookie, ME)).status)
    )
    for (const [index, status] of statuses.entries()) t.equal(status, (index + 2) % 3 === 1 ? 401 : 200)
  })

  const activeCookies = () => cookies.filter((_, index) => (index + 2) % 3 !== 1)
  const ENDINGS = { hangs: 'freeze', 'is killed': 'kill' } as const
  for (const [name, end] of Object.entries(ENDINGS)) {
    await t.test(`a primary that ${name} is replaced`, async (t) => {
      // The part in braces determines the slot of a key.
      const probe = `{probe-${name.length}}`
      const key = `portal:once:${probe}`
      t.ok(await eventually(redis.inStep, FAILOVER_MS), 'replicas are in sync')
      // Holds failovers only now: a node that was just replaced may not know its role before.
      await redis.holdFailovers(true)
      const primary = await redis.primaryOf(key)
      if (primary === null) return t.fail('no node has the key')
      const calls = keepCalling(t, portal, activeCookies())
      await eventually(() => calls.answers.length > 20, 10_000)
      await primary[end]()
      const failure = await backend.remember(`${probe}-refused`, 'x', 600_000).catch(String)
      t.match(failure, /Error/)
      await redis.holdFailovers(false)
      const newPrimary = await eventually(async () => {
        const node = await redis.primaryOf(key).catch(() => null)
        return node !== null && node.port !== primary.port ? node : null
      }, FAILOVER_MS)
      await expectRecovery(t, portal, activeCookies())
      await calls.stop()
      expectFast503(t, portal, calls.answers)
      t.strictSame(await newPrimary.client.keys('*-refused'), [], 'a refused write is not repeated')
      const retry = () => backend.remember(probe, 'x', 600_000).then(() => true, String)
      t.ok(await eventually(async () => (await retry()) === true, BACK_WITHIN_MS))
      primary.thaw()
    })
  }
})
