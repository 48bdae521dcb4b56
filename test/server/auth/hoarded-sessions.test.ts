// A person with many sessions: the work for one call is bounded on every replica, and others notice nothing.
import { randomBytes } from 'node:crypto'
import t, { type Test } from 'tap'
import { createEncryption } from '#server/auth/encryption.ts'
import type { SessionBackend } from '#server/auth/sessions/backend.ts'
import { createSessionStore, type Session } from '#server/auth/sessions/store.ts'
import type { OwnSessions } from '#shared/answers/session.ts'
import { type Browser, signIn, startPortal } from '#test/support/portal.ts'
import { startRedis } from '../../support/redis-server.ts'
import { sessionOf } from '../../support/visits.ts'
import { commandsOf } from './redis-commands.ts'
import { LIFETIMES } from './sessions/sample.ts'

const HOARDED = 300
const LISTED_MAX = 101
const SESSIONS_PER_PERSON = 50
const SESSIONS_PER_PERSON_MAX = 100
const CALLS_PER_MINUTE = 20
const BOOTSTRAP = '/api/portal/v1/bootstrap'

const secrets = [randomBytes(32).toString('base64')]
const time = { ahead: 0 }
const clock = () => Date.now() + time.ahead
const redis = await startRedis(t)

/** The most sessions that one call to the store named. */
let largestCall = 0
/** Lists that are read at the same time on a replica. */
let [summariesAtOnce, mostSummariesAtOnce] = [0, 0]
function observed(backend: SessionBackend): SessionBackend {
  const observe = (count: number) => {
    largestCall = Math.max(largestCall, count)
  }
  return {
    ...backend,
    remove(keys, end) {
      observe(keys.length)
      return backend.remove(keys, end)
    },
    keysOf(index, count) {
      observe(count)
      return backend.keysOf(index, count)
    },
    async summariesOf(keys) {
      summariesAtOnce += 1
      mostSummariesAtOnce = Math.max(mostSummariesAtOnce, summariesAtOnce)
      const summaries = await backend.summariesOf(keys)
      summariesAtOnce -= 1
      return summaries
    }
  }
}

const first = await startPortal(t, { clock, secrets, backend: observed(redis.untimedBackend()) })
const { sandbox } = first
const second = await startPortal(t, {
  ...{ clock, secrets, startedSandbox: sandbox },
  backend: observed(redis.untimedBackend())
})
const store = createSessionStore(redis.untimedBackend(), createEncryption(secrets), LIFETIMES, clock)

const idOf = async (browser: Browser) =>
  decodeURIComponent((await sessionOf(browser)).slice('portal='.length)).split('.')[0] ?? ''

/** Stores further sessions of the browser's person, as if other browsers had signed in. */
async function hoard(
  browser: Browser,
  count = HOARDED
): Promise<(number: number) => Promise<Session | null>> {
  const session = await store.read(await idOf(browser))
  if (session === null) throw new Error('the browser has no session')
  const idOfNumber = (number: number) => `${session.id} ${number}`
  await Promise.all(
    Array.from({ length: count }, (_, number) =>
      store.create(
        idOfNumber(number),
        { ...session.data, authoritySessionId: `sid ${number}` },
        session.tokens
      )
    )
  )
  return (number) => store.read(idOfNumber(number))
}

async function commandsDuring(work: () => Promise<unknown>): Promise<number> {
  await redis.client.config('RESETSTAT')
  await work()
  return Object.values(await commandsOf(redis)).reduce((sum, count) => sum + count, 0)
}

const listOf = async (browser: Browser) => (await browser.json<OwnSessions>('/auth/sessions')).sessions
const statusOf = async (browser: Browser) => (await browser.call(BOOTSTRAP)).status
const namesIn = async (index: string) => redis.client.zcard(index)
/** Sizes of the indexes with more than one name, apart from the count of all sessions. */
async function indexSizes(): Promise<number[]> {
  const indexes = (await redis.client.keys('portal:index:*')).filter((key) => !key.endsWith(':live'))
  return (await Promise.all(indexes.map(namesIn))).filter((size) => size > 1)
}

t.beforeEach(async () => {
  await redis.client.flushall()
  largestCall = 0
})

t.test('lists the newest 101 sessions with a bounded number of commands', async (t) => {
  const desk = await signIn(first.url, sandbox, 'customer.user')
  await hoard(desk)
  time.ahead += 1_000
  const phone = await signIn(second.url, sandbox, 'customer.user')
  const commands = await commandsDuring(async () => t.equal((await listOf(phone)).length, LISTED_MAX))
  t.ok(commands < 6 * LISTED_MAX, `${commands} commands`)
  t.match((await listOf(phone))[0], { current: true })
  t.equal(largestCall, LISTED_MAX)
})

t.test('reads the lists of one person one after another', async (t) => {
  const desk = await signIn(first.url, sandbox, 'customer.user')
  await hoard(desk)
  mostSummariesAtOnce = 0
  const lists = await Promise.all(Array.from({ length: 8 }, () => listOf(desk)))
  for (const list of lists) t.equal(list.length, LISTED_MAX)
  t.equal(mostSummariesAtOnce, 1)
})

t.test('expired sessions do not hide older ones, and leave the index', async (t) => {
  const desk = await signIn(first.url, sandbox, 'customer.user')
  const session = await store.read(await idOf(desk))
  if (session === null) return t.fail('there is no session')
  await hoard(desk)
  for (const key of await redis.client.keys('portal:*:session'))
    if (!key.includes(store.nameOf(session.id))) await redis.client.del(key)
  t.match(await listOf(desk), [{ current: true }])
  t.strictSame(await indexSizes(), [])
})

t.test('ends all other sessions in batches, on every replica', async (t) => {
  const desk = await signIn(first.url, sandbox, 'customer.user')
  const colleague = await signIn(second.url, sandbox, 'customer.admin')
  const stored = await hoard(desk)
  t.equal((await desk.call('/auth/sessions', { method: 'DELETE' })).status, 204)
  t.equal(await first.backend.countLive(clock()), 2)
  for (const number of [0, 1, HOARDED / 2, HOARDED - 1]) t.equal(await stored(number), null)
  for (const browser of [desk, colleague]) t.equal(await statusOf(browser), 200)
  t.strictSame(await indexSizes(), [])
  t.equal(largestCall, LISTED_MAX)
})

t.test('signing out everywhere ends all sessions', async (t) => {
  const desk = await signIn(second.url, sandbox, 'customer.user')
  await hoard(desk)
  t.equal((await desk.call('/auth/logout/everywhere', { method: 'POST' })).status, 200)
  t.equal(await first.backend.countLive(clock()), 0)
})

t.test('ends all sessions of a person whose sign-out the authority reports', async (t) => {
  const desk = await signIn(first.url, sandbox, 'customer.user')
  const session = await store.read(await idOf(desk))
  await hoard(desk)
  const ended = await store.removeAll('subject', session?.data.subject ?? '', 'authority')
  t.equal(ended.length, HOARDED + 1)
  t.equal(await statusOf(desk), 401)
})

/** Signs a person in who has `limit` sessions, and checks that the oldest one ends. Returns the new session. */
async function signInBeyond(t: Test, limit: number, { from, to }: { from: string; to: string }) {
  const oldest = await signIn(from, sandbox, 'customer.user')
  time.ahead += 1_000
  await hoard(oldest, limit - 1)
  t.equal(await statusOf(oldest), 200)
  time.ahead += 1_000
  const newest = await signIn(to, sandbox, 'customer.user')
  t.equal(await statusOf(oldest), 401)
  t.equal((await listOf(newest)).length, limit)
  return newest
}

t.test('a sign-in ends the oldest session beyond 50, with a bounded number of commands', async (t) => {
  const newest = await signInBeyond(t, SESSIONS_PER_PERSON, { from: first.url, to: second.url })
  await hoard(newest)
  const commands = await commandsDuring(() => signIn(first.url, sandbox, 'customer.user'))
  t.ok(commands < 8 * LISTED_MAX, `${commands} commands`)
})

t.test('a sign-in ends the oldest session beyond the highest limit', async (t) => {
  const portal = await startPortal(t, {
    ...{ clock, secrets, startedSandbox: sandbox },
    backend: redis.untimedBackend(),
    env: { SESSIONS_PER_PERSON: `${SESSIONS_PER_PERSON_MAX}` }
  })
  await signInBeyond(t, SESSIONS_PER_PERSON_MAX, { from: portal.url, to: portal.url })
})

t.test('refuses frequent calls of a person to their sessions, but no other calls', async (t) => {
  const calls: [method: string, path: string, ok: number][] = [
    ['GET', '/auth/sessions', 200],
    ['DELETE', '/auth/sessions', 204],
    ['DELETE', `/auth/sessions/${'a'.repeat(43)}`, 404]
  ]
  const person = await signIn(second.url, sandbox, 'partner.user')
  for (const [method, path, ok] of calls) {
    const statuses = new Map<number, number>()
    for (let number = 0; number < CALLS_PER_MINUTE + 2; number += 1) {
      const answer = await person.call(path, { method })
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      if (answer.status === 429) t.ok(Number(answer.headers.get('retry-after')) > 0)
    }
    t.strictSame(Object.fromEntries(statuses), { [ok]: CALLS_PER_MINUTE, 429: 2 }, `${method} ${path}`)
  }
  t.equal(await statusOf(person), 200)
  t.equal((await person.call('/auth/session')).status, 200)
  const other = await signIn(second.url, sandbox, 'partner.admin')
  t.equal((await other.call('/auth/sessions')).status, 200, 'limits per person')
})
