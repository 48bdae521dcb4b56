// Another Redis takes over, by plan or because the one before is gone or hangs: a moment of 503, with every cookie kept,
// then all goes on by itself. Nobody is signed out, nothing fails, and what was refused is not carried out later.
import t, { type Test } from 'tap'
import { freePort, type Portal } from '#test/support/portal.ts'
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

// One start that fails, after 5 s, is waited for beside the others.
t.jobs = 2

/** On a busy machine a failover is noticed late; what the gateway itself takes is what counts. */
const TAKEN_OVER_WITHIN_MS = 40_000
const RENEW = '/auth/session/renew'

const fake = await startFakeAuthority(t)

/** Calls again and again until stopped; what was answered by then. */
function keepCalling(t: Test, portal: Portal, cookies: readonly string[]) {
  const answers: Answered[] = []
  let isOver = false
  t.teardown(() => {
    isOver = true
  })
  const work = Promise.all(
    cookies.map(async (cookie, index) => {
      while (!isOver) {
        answers.push(await timed(portal, cookie, index % 2 ? ME : RENEW, index % 2 ? 'GET' : 'POST'))
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    })
  )
  return {
    answers,
    async stop() {
      isOver = true
      await work
    }
  }
}

/** Everybody was answered well or told to try again, in time, and has the cookie. */
function onlyMoments(t: Test, answers: readonly Answered[]): void {
  const others = answers.filter(({ status }) => status !== 200 && status !== 503)
  t.strictSame(
    others.map(({ status, text }) => `${status} ${text}`).slice(0, 3),
    [],
    'nobody is signed out and nothing fails'
  )
  const refused = answers.filter(({ status }) => status === 503)
  const slowest = Math.max(0, ...refused.map(({ ms }) => ms))
  t.ok(
    slowest < AT_ONCE_MS,
    `${refused.length} of ${answers.length} refused, within ${Math.round(slowest)} ms`
  )
  for (const { text, headers } of refused) {
    if (!/session_store_unavailable/.test(text)) t.fail(text)
    if (headers.getSetCookie().length > 0) t.fail('a cookie was taken away')
  }
}

/** The portal goes on with every cookie, soon after there is a Redis again. */
async function backSoon(t: Test, portal: Portal, cookies: readonly string[]): Promise<void> {
  const begun = performance.now()
  await eventually(async () => {
    const statuses = await Promise.all(
      cookies.map(async (cookie) => (await timed(portal, cookie, RENEW, 'POST')).status)
    )
    if (statuses.some((status) => status === 401 || status === 500)) throw new Error(`answers ${statuses}`)
    return statuses.every((status) => status === 200)
  }, BACK_WITHIN_MS)
  t.pass(`everybody goes on ${Math.round(performance.now() - begun)} ms after there is a Redis again`)
}

t.test(
  'a gateway does not start without its Sentinels, or its Cluster, and says so',
  { buffered: true },
  async (t) => {
    const nobody = `127.0.0.1:${await freePort()}`
    await t.rejects(backendAt(t, { REDIS_SENTINELS: nobody, REDIS_SENTINEL_NAME: 'portal' }))
    await t.rejects(backendAt(t, { REDIS_CLUSTER: nobody }))
  }
)

t.test('with Sentinels', { buffered: true }, async (t) => {
  const redis = await startSentinels(t, fake.confided)
  const portal = await portalAt(t, fake, redis.env)
  const backend = await backendAt(t, redis.env)
  const cookies = await Promise.all(
    [1, 2, 3, 4].map((index) => signInWith(fake, portal.url, `u-sentinel-${index}`))
  )

  /** Until the Sentinels name another one, which takes writes. */
  const takenOver = (before: { port: number }) =>
    eventually(async () => {
      const now = await redis.primary()
      return now.port !== before.port && /role:master/.test(await now.look.info('replication')) ? now : null
    }, TAKEN_OVER_WITHIN_MS)
  /** Until the other one has everything, so that it may take over next. */
  const inStep = () =>
    eventually(async () => {
      const primary = await redis.primary()
      const replication = await primary.look.info('replication')
      const [sentinel] = redis.sentinels
      const replicas = (await sentinel?.look.call('SENTINEL', 'REPLICAS', 'portal')) as string[][]
      const flags = replicas.map((fields) => fields[fields.indexOf('flags') + 1] ?? '')
      return hasAll(replication) && flags.length === 1 && flags.every((one) => one === 'slave')
    }, TAKEN_OVER_WITHIN_MS)

  const ENDINGS: Record<string, (before: Awaited<ReturnType<typeof redis.primary>>) => unknown> = {
    'by plan': () => redis.sentinels[0]?.look.call('SENTINEL', 'FAILOVER', 'portal'),
    'from one that hangs': (before) => before.freeze(),
    'from one that is killed': (before) => before.kill()
  }
  for (const [name, end] of Object.entries(ENDINGS)) {
    await t.test(`the replica takes over ${name}`, async (t) => {
      await inStep()
      const before = await redis.primary()
      const calls = keepCalling(t, portal, cookies)
      await eventually(() => calls.answers.length > 8, 10_000)
      await end(before)
      const ghosts: string[] = []
      const writing = (async () => {
        for (let index = 0; index < 10; index += 1) {
          const ghost = `ghost-${name.length}-${index}`
          await backend.putOnce(ghost, 'x', 600_000).catch(() => void ghosts.push(ghost))
        }
      })()
      const now = await takenOver(before)
      await backSoon(t, portal, cookies)
      await calls.stop()
      await writing
      onlyMoments(t, calls.answers)
      before.thaw()
      const kept = await now.look.keys('*ghost*')
      t.strictSame(
        ghosts.filter((ghost) => kept.includes(`portal:once:${ghost}`)),
        [],
        `of ${ghosts.length} refused writes none was carried out`
      )
      const fresh = await eventually(() => signInWith(fake, portal.url, 'u-fresh').catch(() => null), 10_000)
      const leaves = async () => (await timed(portal, fresh, '/auth/logout', 'POST')).status === 200
      t.ok(await eventually(leaves, 10_000), 'one signs in and out')
      t.equal((await timed(portal, fresh, ME)).status, 401)
    })
  }

  await t.test(
    'what is refused while the way to Redis is looked for is not carried out once it is found',
    async (t) => {
      const [, second] = redis.sentinels
      const primary = await redis.primary()
      const seeker = await backendAt(t, redis.env)
      // It asked the first one already. The next takes so long that calls are given up meanwhile.
      second?.freeze()
      await primary.look.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
      const [refused, done] = [new Set<string>(), new Set<string>()]
      let isOver = false
      const works: Promise<unknown>[] = []
      const writing = (async () => {
        while (!isOver) {
          const name = `late-${works.length}`
          const put = seeker.putOnce(name, 'x', 600_000)
          works.push(
            put.then(
              () => done.add(name),
              () => refused.add(name)
            )
          )
          await new Promise((resolve) => setTimeout(resolve, 10))
        }
      })()
      await eventually(() => refused.size > 5, 10_000)
      await eventually(async () => (await seeker.ping().catch(() => 'away')) !== 'away', 10_000)
      isOver = true
      await writing
      await Promise.all(works)
      await seeker.ping()
      const kept = await primary.look.keys('portal:once:late-*')
      t.strictSame(
        [...refused].filter((name) => kept.includes(`portal:once:${name}`)),
        [],
        `of ${refused.size} refused writes none was carried out, of ${done.size} others all were`
      )
      t.equal(kept.length, done.size)
      second?.thaw()
    }
  )

  await t.test('a Sentinel that hangs is passed over', async (t) => {
    const [first] = redis.sentinels
    first?.freeze()
    const other = await backendAt(t, redis.env)
    await t.resolves(other.ping())
    first?.thaw()
  })
})

t.test('in a Cluster', async (t) => {
  const redis = await startCluster(t, fake.confided)
  const portal = await portalAt(t, fake, redis.env)
  const backend = await backendAt(t, redis.env)
  const names = Array.from({ length: 12 }, (_, index) => `u-cluster-${index % 3}`)
  const cookies = await Promise.all(names.map((name) => signInWith(fake, portal.url, name)))

  await t.test('sessions lie anywhere and are found, refreshed and ended', async (t) => {
    const used = await Promise.all(redis.nodes.map(({ look }) => look.keys('portal:*:session')))
    t.ok(used.filter((keys) => keys.length > 0).length > 2, 'on more than one node')
    for (const cookie of cookies) {
      t.equal((await timed(portal, cookie, ME)).status, 200)
      t.equal((await timed(portal, cookie, RENEW, 'POST')).status, 200)
    }
    const [one = '', another = ''] = cookies.splice(0, 2)
    t.equal((await timed(portal, one, '/auth/logout', 'POST')).status, 200)
    t.equal((await timed(portal, one, ME)).status, 401)
    const ended = await fetch(`${portal.url}/auth/backchannel-logout`, {
      method: 'POST',
      body: new URLSearchParams({ logout_token: fake.logoutToken({ sub: 'u-cluster-1' }) })
    })
    t.equal(ended.status, 200, 'all sessions of a person end, wherever they lie')
    t.equal((await timed(portal, another, ME)).status, 401)
    const statuses = await Promise.all(
      cookies.map(async (cookie) => (await timed(portal, cookie, ME)).status)
    )
    t.strictSame(
      statuses,
      cookies.map((_, index) => ((index + 2) % 3 === 1 ? 401 : 200))
    )
  })

  const alive = () => cookies.filter((_, index) => (index + 2) % 3 !== 1)
  const ENDINGS: Record<
    string,
    (keeper: NonNullable<Awaited<ReturnType<typeof redis.keeperOf>>>) => unknown
  > = {
    hangs: (keeper) => keeper.freeze(),
    'is killed': (keeper) => keeper.kill()
  }
  for (const [name, end] of Object.entries(ENDINGS)) {
    await t.test(`a primary that ${name} is replaced`, async (t) => {
      // What is in braces decides where a key lies.
      const probe = `{probe-${name.length}}`
      const key = `portal:once:${probe}`
      t.ok(await eventually(redis.inStep, TAKEN_OVER_WITHIN_MS), 'replicas have what it has')
      // Only now: one that has just been replaced may not know it before.
      await redis.holdFailovers(true)
      const keeper = await redis.keeperOf(key)
      if (keeper === null) return t.fail('nobody keeps it')
      const calls = keepCalling(t, portal, alive())
      await eventually(() => calls.answers.length > 20, 10_000)
      await end(keeper)
      const refused = await backend.putOnce(`${probe}-refused`, 'x', 600_000).catch(String)
      t.match(refused, /Error/, 'a write to it is refused')
      await redis.holdFailovers(false)
      const now = await eventually(async () => {
        const next = await redis.keeperOf(key).catch(() => null)
        return next !== null && next.port !== keeper.port ? next : null
      }, TAKEN_OVER_WITHIN_MS)
      await backSoon(t, portal, alive())
      await calls.stop()
      onlyMoments(t, calls.answers)
      t.strictSame(await now.look.keys('*-refused'), [], 'and is not carried out by the one that took over')
      const again = () => backend.putOnce(probe, 'x', 600_000).catch(() => null)
      t.equal(await eventually(again, BACK_WITHIN_MS), true, 'tried again, it is')
      keeper.thaw()
    })
  }

  await t.test('nor are the refused writes carried out by anybody later', async (t) => {
    const kept = async () => {
      const nodes = redis.nodes.filter((node) => node.answers())
      return (await Promise.all(nodes.map(({ look }) => look.keys('*-refused')))).flat()
    }
    // One that hung may carry out what had reached it, until it learns that it has been replaced.
    await eventually(async () => (await kept()).length === 0, TAKEN_OVER_WITHIN_MS)
    t.strictSame(await kept(), [])
  })
})
