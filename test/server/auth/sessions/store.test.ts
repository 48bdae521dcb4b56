import { randomBytes } from 'node:crypto'
import t from 'tap'
import { createEncryption } from '#server/auth/encryption.ts'
import { createNotes } from '#server/auth/sessions/notes.ts'
import type { SessionData } from '#server/auth/sessions/store.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { Browser, startPortal, upToCallback } from '#test/support/portal.ts'
import { leaksIn, listenTo } from '../../../support/redis-listener.ts'
import { startRedis } from '../../../support/redis-server.ts'
import { sentCookies } from '../../../support/sent-cookies.ts'
import { sessionOf } from '../../../support/visits.ts'
import { commandsOf } from '../redis-commands.ts'
import { DATA, LIFETIMES, SECRET, START, storeAt, TOKENS } from './sample.ts'

const { idleSeconds: IDLE_S, absoluteSeconds: ABSOLUTE_S } = LIFETIMES

t.test('ends an unused session after its idle time', async (t) => {
  const { store, time } = storeAt()
  await store.create('id', DATA, TOKENS)
  time.now = START + IDLE_S * 1000 - 1
  const session = await store.read('id')
  t.match(session, { id: 'id', data: DATA, tokens: TOKENS, version: 1, createdAt: START, seenAt: START })
  t.same(session && store.timeLeft(session), { seconds: 1, final: false })
  time.now += 1
  t.equal(await store.read('id'), null)
})

t.test('never reports more than the limits, also for a session from the future', async (t) => {
  const { store, time } = storeAt()
  const session = await store.create('id', DATA, TOKENS)
  time.now = START - 240_000
  t.same(store.timeLeft(session), { seconds: IDLE_S, final: false })
})

t.test('a note ends with its lifetime', async (t) => {
  const { backend, time } = storeAt()
  const notes = createNotes(backend, createEncryption([SECRET]))
  await notes.write('a name', 'a text', 60_000)
  time.now += 60_000 - 1
  t.equal(await notes.read('another name'), null)
  t.equal(await notes.read('a name'), 'a text')
  time.now += 1
  t.equal(await notes.read('a name'), null)
})

t.test('ends a used session after its absolute time', async (t) => {
  const { store, time } = storeAt()
  await store.create('id', DATA, TOKENS)
  for (let seconds = 0; seconds <= ABSOLUTE_S - IDLE_S; seconds += IDLE_S / 2) {
    time.now = START + seconds * 1000
    const session = await store.read('id')
    if (session === null) return t.fail(`expired after ${seconds} s of use`)
    await store.touch(session)
  }
  time.now = START + (ABSOLUTE_S - IDLE_S / 2) * 1000
  const session = await store.read('id')
  if (session === null) return t.fail('expired too early')
  await store.extend(session)
  t.same(store.timeLeft({ ...session, seenAt: time.now }), { seconds: IDLE_S / 2, final: true })
  time.now = START + ABSOLUTE_S * 1000 - 1
  t.ok(await store.read('id'))
  time.now += 1
  t.equal(await store.read('id'), null)
  t.equal(store.timeLeft(session).seconds, 0)
})

t.test('a session without a refresh token ends before its access token expires', async (t) => {
  const { store } = storeAt()
  const tokens = { ...TOKENS, expiresAt: START + 7_000 }
  const session = await store.create('id', DATA, { ...tokens, refresh: null })
  t.same(store.timeLeft(session), { seconds: 2, final: true })
  t.same(store.timeLeft({ ...session, tokens }), { seconds: IDLE_S, final: false })
})

t.test('touches a session once a minute, or every tenth of a short idle time', async (t) => {
  const cases: [idleSeconds: number, everyMs: number][] = [
    [1800, 60_000],
    [601, 60_000],
    [600, 60_000],
    [100, 10_000],
    [10, 1000]
  ]
  for (const [idleSeconds, everyMs] of cases) {
    const { store, backend, time } = storeAt({ idleSeconds, absoluteSeconds: ABSOLUTE_S })
    let touches = 0
    const { touch } = backend
    backend.touch = async (...parameters) => {
      touches += 1
      return touch(...parameters)
    }
    const session = await store.create('id', DATA, TOKENS)
    time.now = START + everyMs - 1
    await store.touch(session)
    t.equal(touches, 0, `${idleSeconds} s, just before the next touch`)
    time.now += 1
    await store.touch(session)
    t.equal(touches, 1, `${idleSeconds} s`)
  }
})

t.test('a session in use goes on after the clock was set back', async (t) => {
  const { store, time } = storeAt()
  await store.create('id', DATA, TOKENS)
  time.now = START - 60_000
  const session = await store.read('id')
  if (session === null) return t.fail('there is no session')
  await store.touch(session)
  t.match(await store.read('id'), { seenAt: time.now })
})

t.test('finds no session in a record or field that was copied to another place', async (t) => {
  const { store, backend } = storeAt()
  await store.create('mine', DATA, TOKENS)
  await store.create('other', { ...DATA, subject: 'subject-2' }, TOKENS)
  const keyOf = store.nameOf
  const otherRecord = await backend.read(keyOf('other'))
  if (otherRecord === null) return t.fail('nothing was stored')
  await backend.create(keyOf('mine'), otherRecord, 60_000, [])
  t.equal(await store.read('mine'), null)
  await store.create('mine', DATA, TOKENS)
  const record = await backend.read(keyOf('mine'))
  if (record === null) return t.fail('nothing was stored')
  await backend.create(keyOf('mine'), { ...record, data: record.tokens }, 60_000, [])
  t.equal(await store.read('mine'), null)
})

t.test('ends all portal sessions of a person or of one authority session', async (t) => {
  const { store } = storeAt()
  await store.create('a', DATA, TOKENS)
  await store.create('b', { ...DATA, authoritySessionId: 'sid-2' }, TOKENS)
  await store.create('c', { ...DATA, authoritySessionId: null }, TOKENS)
  await store.create('d', { ...DATA, subject: 'subject-10', authoritySessionId: 'sid-10' }, TOKENS)
  const activeIds = async () =>
    (await Promise.all(['a', 'b', 'c', 'd'].map(async (id) => ((await store.read(id)) ? id : '')))).join('')
  t.equal((await store.removeAll('subject', 'sid-1', 'authority')).length, 0)
  t.equal((await store.removeAll('authoritySession', '', 'authority')).length, 0)
  t.equal(await activeIds(), 'abcd')
  t.equal((await store.removeAll('authoritySession', 'sid-1', 'authority')).length, 1)
  t.equal(await activeIds(), 'bcd')
  t.equal((await store.removeAll('subject', 'subject-1', 'authority')).length, 2)
  t.equal(await activeIds(), 'd')
  t.equal((await store.removeAll('subject', 'subject-1', 'authority')).length, 0)
})

t.test('a sign-in counts as ended if the sessions ended after the sign-in began', async (t) => {
  const { store, time } = storeAt()
  const hasEnded = (data: Partial<SessionData>, begunAt: number) =>
    store.hasEndedSince({ ...DATA, ...data }, begunAt)
  t.equal(await hasEnded({}, START), false, 'before any end')
  time.now += 1000
  t.equal((await store.removeAll('subject', 'subject-1', 'authority')).length, 0)
  t.equal(await hasEnded({}, START + 999), true, 'began just before the end')
  t.equal(await hasEnded({}, START + 1000), false, 'began at the end')
  t.equal(await hasEnded({}, START + 1001), false, 'began just after the end')
  t.equal(await hasEnded({ subject: 'subject-10' }, START), false, 'a session of another person')
  t.equal(await hasEnded({ authoritySessionId: null }, START), true, 'any session at the authority')
  time.now += 1000
  await store.removeAll('subject', 'subject-1', 'authority')
  t.equal(await hasEnded({}, START + 1999), true, 'the latest time counts')
  time.now += 1000
  await store.removeAll('authoritySession', 'sid-1', 'authority')
  t.equal(await hasEnded({}, START + 2999), true, 'the ended session at the authority')
  t.equal(await hasEnded({}, START + 3000), false, 'a later session with the same id')
  t.equal(await hasEnded({ authoritySessionId: 'sid-2' }, START + 2000), false)
  time.now += 15 * 60_000 - 1
  t.equal(await hasEnded({}, START), true, 'the end counts for 15 minutes')
  time.now += 1
  t.equal(await hasEnded({}, START), false)
})

t.test('lists sessions of records without a browser or a network', async (t) => {
  const { store } = storeAt()
  await store.create('without a browser', DATA, TOKENS)
  const browser = { browser: 'Firefox', system: 'Windows' }
  await store.create('without a network', { ...DATA, browser }, TOKENS)
  const sessions = await store.ofPerson(DATA.subject)
  t.strictSame(
    sessions.map(({ browser, system, network }) => [browser, system, network]).sort(),
    [
      [null, null, null],
      ['Firefox', 'Windows', null]
    ].sort()
  )
})

t.test('keeps sessions, their indexes and their end markers when the secrets rotate', async (t) => {
  const { storeWith } = storeAt()
  const newSecret = `new-${SECRET}`
  const bothSecrets = storeWith(newSecret, SECRET)
  await storeWith(SECRET).create('id', DATA, TOKENS)
  t.match(await bothSecrets.read('id'), { data: DATA, tokens: TOKENS })
  t.equal(await storeWith(newSecret).read('id'), null, 'without the old secret')
  t.equal((await bothSecrets.removeAll('subject', 'subject-1', 'authority')).length, 1)
  for (const replica of [storeWith(SECRET), storeWith(newSecret)])
    t.equal(await replica.hasEndedSince(DATA, START - 1), true)
})

t.test('a failing store causes 503 and ends no session', async (t) => {
  const { store, backend } = storeAt()
  const session = await store.create('id', DATA, TOKENS)
  const fails = () => Promise.reject(new Error('the store fails'))
  for (const name of Object.keys(backend)) Object.assign(backend, { [name]: fails })
  const calls = {
    read: () => store.read('id'),
    create: () => store.create('id2', DATA, TOKENS),
    extend: () => store.extend(session),
    replaceData: () => store.replaceData(session, DATA),
    replaceTokens: () => store.replaceTokens(session, TOKENS),
    remove: () => store.remove('id'),
    removeAll: () => store.removeAll('subject', 'subject-1', 'authority'),
    hasEndedSince: () => store.hasEndedSince(DATA, START)
  }
  for (const [name, call] of Object.entries<() => Promise<unknown>>(calls))
    await t.rejects(call(), /503 session_store_unavailable/, name)
})

const PROJECTS = `/api/portal/v1/customers/${NOTABLE.northwind}/projects`

t.test('with Redis', async (t) => {
  const redis = await startRedis(t)
  const secrets = [randomBytes(32).toString('base64')]
  const time = { now: Date.now() }
  const portal = await startPortal(t, { backend: redis.untimedBackend(), clock: () => time.now, secrets })

  const commandsDuring = async (work: () => Promise<unknown>) => {
    await redis.client.config('RESETSTAT')
    await work()
    return commandsOf(redis)
  }

  t.test('each call makes one read and no write', async (t) => {
    const browser = await portal.as('customer.admin')
    await browser.json(PROJECTS)
    const commands = await commandsDuring(async () => {
      for (let index = 0; index < 25; index += 1) await browser.json(PROJECTS)
      await Promise.all(Array.from({ length: 25 }, () => browser.json(PROJECTS)))
    })
    t.strictSame(commands, { evalsha: 50, hmget: 50, exists: 50 })
  })

  t.test('stores nothing for visitors who do not sign in', async (t) => {
    const before = await redis.client.dbsize()
    for (const path of ['/auth/session', PROJECTS, '/no-such-file.js'])
      for (const cookie of ['', 'portal=forged.signature', `portal=${'x'.repeat(4000)}`])
        await fetch(portal.url + path, { headers: { cookie, 'sec-fetch-site': 'same-origin' } })
    t.equal(await redis.client.dbsize(), before)
  })

  t.test('sends no name, role, id or cookie to Redis in clear text', async (t) => {
    const listener = await listenTo(redis.client)
    t.teardown(() => listener.stop())
    const browser = new Browser(portal.url)
    const callback = await upToCallback(browser, portal.sandbox, 'partner.admin', '/a-page-to-return-to')
    const attempt = (await sentCookies(browser.jar)).find((cookie) => cookie.includes('signin')) ?? ''
    await browser.jar.fetch(callback)
    await browser.json(PROJECTS)
    await listener.upToDate()
    const signedId = decodeURIComponent((await sessionOf(browser)).slice('portal='.length))
    const values = {
      'session id': signedId.split('.')[0] ?? '',
      'signed cookie': signedId,
      'key of the attempt': attempt.split('=')[1]?.split('.')[1] ?? '',
      'full name': 'Paula',
      email: 'partner.admin@portal.example',
      organization: NOTABLE.northwind,
      role: 'partner_admin',
      'page to return to': 'a-page-to-return-to',
      secret: secrets[0] ?? ''
    }
    for (const [name, value] of Object.entries(values)) t.ok(value.length > 2, name)
    const secretValues = Object.entries(values).map(([name, value]) => ({ name, value }))
    t.ok(listener.words.size > 20)
    t.strictSame(leaksIn(listener.words, [...portal.sandbox.secrets(), ...secretValues]), [])
  })
})
