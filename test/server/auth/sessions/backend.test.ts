import t, { type Test } from 'tap'
import type { SessionBackend, SessionEnd, StoredSession } from '#server/auth/sessions/backend.ts'
import { createMemoryBackend } from '#server/auth/sessions/memory.ts'
import { startRedis } from '../../../support/redis-server.ts'

interface Backend {
  store: SessionBackend
  after: (ms: number, isExpired: () => Promise<boolean>) => Promise<void>
}

/** Bytes that are not valid text, like encrypted bytes. */
const bytes = (text: string) => Buffer.from(`\xff\0\r\n${text}`, 'latin1')
const STORED: StoredSession = {
  data: bytes('data'),
  tokens: bytes('tokens'),
  version: 1,
  createdAt: 1000,
  seen: bytes('seen'),
  seenAt: 1000
}
const LONG_MS = 600_000
const SHORT_MS = 120_000

// One suite for both backends: memory in development, Redis in production.
function contract(t: Test, { store, after }: Backend) {
  const remove = (key: string, end: Partial<SessionEnd> = {}) =>
    store.remove([key], { markedMs: LONG_MS, ...end })
  const summaryOf = async (key: string) => (await store.summariesOf([key]))[0]

  t.test('a session that was never stored does not exist', async (t) => {
    t.equal(await store.read('none'), null)
    t.strictSame(await remove('none'), [])
    t.equal(await store.replaceData('none', STORED.data, bytes('x')), false)
    t.equal(await store.replaceTokens('none', 1, bytes('x')), false)
    await store.touch('none', STORED, LONG_MS)
    t.equal(await store.read('none'), null)
    t.strictSame(await store.keysOf('none', 10), [])
  })

  t.test('counts the running sessions', async (t) => {
    const now = Date.now()
    const session = { ...STORED, createdAt: now, seenAt: now }
    const countBefore = await store.countLive(now)
    for (const [key, ms] of [
      ['brief', 50],
      ['used', SHORT_MS],
      ['long', LONG_MS],
      ['ended', LONG_MS]
    ] as const)
      await store.create(key, session, ms, [])
    t.equal(await store.countLive(now), countBefore + 4)
    await store.touch('used', { seen: session.seen, seenAt: now }, LONG_MS)
    await remove('ended')
    await after(50, async () => (await store.read('brief')) === null)
    t.equal(await store.countLive(now + SHORT_MS + 1), countBefore + 2)
  })

  t.test('returns independent copies of a stored session', async (t) => {
    const input = { ...STORED }
    await store.create('a', input, LONG_MS, [])
    input.data = bytes('changed by the caller')
    const read = await store.read('a')
    t.strictSame({ ...read }, STORED)
    Object.assign(read ?? {}, { data: bytes('changed by a reader') })
    t.strictSame({ ...(await store.read('a')) }, STORED)
    t.equal(await store.read('A'), null)
  })

  t.test('reads the data of a cached session only after a change, and nothing after its end', async (t) => {
    await store.create('known', STORED, LONG_MS, [])
    let session = await store.read('known')
    const staysSame = async () => {
      const before = session
      session = await store.read('known', before ?? undefined)
      return session?.data === before?.data && session?.tokens === before?.tokens
    }
    t.equal(await staysSame(), true)
    await store.touch('known', { seen: bytes('later'), seenAt: 5000 }, LONG_MS)
    t.equal(await staysSame(), true)
    t.match(session, { seen: bytes('later'), seenAt: 5000 })
    await store.replaceTokens('known', 1, bytes('second'))
    t.equal(await staysSame(), false)
    t.match(session, { tokens: bytes('second'), version: 2 })
    await store.replaceData('known', bytes('data'), bytes('other'))
    t.equal(await staysSame(), false)
    t.match(session, { data: bytes('other'), tokens: bytes('second'), seen: bytes('later') })
    await remove('known')
    await staysSame()
    t.equal(session, null)
  })

  t.test('late writes do not restore an ended session', async (t) => {
    await store.create('ended', STORED, LONG_MS, [])
    t.strictSame(await remove('ended'), ['ended'])
    t.strictSame(await remove('ended'), [])
    t.equal(await store.replaceTokens('ended', 1, bytes('late')), false)
    t.equal(await store.replaceData('ended', STORED.data, bytes('late')), false)
    await store.touch('ended', { seen: bytes('late'), seenAt: 2000 }, LONG_MS)
    t.equal(await store.read('ended'), null)
  })

  t.test('does not read a restored copy of an ended session while the end marker exists', async (t) => {
    await store.create('copied', STORED, LONG_MS, [])
    await store.create('other', STORED, LONG_MS, [])
    const copy = await store.read('copied')
    if (copy === null) throw new Error('nothing is stored')
    await remove('copied', { markedMs: SHORT_MS })
    await store.create('copied', copy, LONG_MS, [])
    t.equal(await store.read('copied'), null)
    t.ok(await store.read('other'))
    await after(SHORT_MS, async () => (await store.read('copied')) !== null)
  })

  t.test('replaces tokens only with the current version', async (t) => {
    await store.create('cas', STORED, LONG_MS, [])
    for (const version of [0, 2, -1, 1.5])
      t.equal(await store.replaceTokens('cas', version, bytes('wrong')), false, `version ${version}`)
    t.equal(await store.replaceTokens('cas', 1, bytes('second')), true)
    t.match(await store.read('cas'), {
      tokens: bytes('second'),
      version: 2,
      data: bytes('data'),
      createdAt: 1000,
      seenAt: 1000
    })
    t.equal(await store.replaceTokens('cas', 1, bytes('older')), false)
    t.equal(await store.replaceTokens('cas', 2, bytes('third')), true)
    t.match(await store.read('cas'), { tokens: bytes('third'), version: 3 })
  })

  t.test('only one of many concurrent replacements succeeds', async (t) => {
    await store.create('race', STORED, LONG_MS, [])
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) => store.replaceTokens('race', 1, bytes(`by ${index}`)))
    )
    t.equal(results.filter(Boolean).length, 1)
    t.match(await store.read('race'), { tokens: bytes(`by ${results.indexOf(true)}`), version: 2 })
  })

  t.test('replaces data only with the current data, and keeps the tokens', async (t) => {
    await store.create('data', STORED, LONG_MS, [])
    for (const expected of ['', 'Data', 'data ', 'tokens'])
      t.equal(await store.replaceData('data', bytes(expected), bytes('wrong')), false)
    t.equal(await store.replaceData('data', bytes('data'), bytes('second')), true)
    t.match(await store.read('data'), { ...STORED, data: bytes('second') })
    t.equal(await store.replaceData('data', bytes('data'), bytes('older')), false)
    t.match(await store.read('data'), { ...STORED, data: bytes('second') })
  })

  t.test('a touch extends a session, but a change does not', async (t) => {
    await store.create('touched', STORED, SHORT_MS, [])
    await store.create('changed', STORED, SHORT_MS, [])
    await store.touch('touched', { seen: bytes('later'), seenAt: 5000 }, LONG_MS)
    t.equal(await store.replaceTokens('changed', 1, bytes('new')), true)
    t.equal(await store.replaceData('changed', STORED.data, bytes('new')), true)
    await after(SHORT_MS, async () => (await store.read('changed')) === null)
    t.strictSame(await remove('changed'), [])
    t.equal(await store.replaceTokens('changed', 2, bytes('late')), false)
    t.match(await store.read('touched'), { ...STORED, seen: bytes('later'), seenAt: 5000 })
  })

  t.test('summarizes a running session, and stores the reason why a session ended', async (t) => {
    await store.create('summarized', { ...STORED, about: bytes('about') }, LONG_MS, [])
    await store.create('without about', STORED, LONG_MS, [])
    await store.touch('summarized', { seen: bytes('later'), seenAt: 5000 }, LONG_MS)
    t.match(await summaryOf('summarized'), { about: bytes('about'), createdAt: 1000, seenAt: 5000 })
    t.equal((await summaryOf('without about'))?.about, undefined)
    t.equal(await summaryOf('none'), null)
    t.equal(await store.endOf('summarized'), null)
    await remove('summarized', { markedMs: SHORT_MS, why: 'authority' })
    await remove('summarized', { markedMs: SHORT_MS, why: 'person' })
    await remove('none', { markedMs: SHORT_MS, why: 'person' })
    t.equal(await summaryOf('summarized'), null)
    t.equal(await store.endOf('summarized'), 'authority', 'keeps the first reason')
    t.equal(await store.endOf('none'), null)
    await after(SHORT_MS, async () => (await store.endOf('summarized')) === null)
  })

  t.test('finds sessions under each of their indexes', async (t) => {
    const index = (name: string, ttlMs = LONG_MS) => ({ name, ttlMs })
    await store.create('i1', STORED, LONG_MS, [index('user'), index('sid-1')])
    await store.create('i2', STORED, LONG_MS, [index('user'), index('sid-2', SHORT_MS)])
    await store.create('i3', STORED, LONG_MS, [index('other')])
    const sortedKeysOf = async (name: string) => (await store.keysOf(name, 10)).sort()
    t.strictSame(await sortedKeysOf('user'), ['i1', 'i2'])
    t.strictSame(await sortedKeysOf('sid-1'), ['i1'])
    t.strictSame(await sortedKeysOf('sid-2'), ['i2'])
    t.strictSame(await sortedKeysOf('sid'), [])
    await after(SHORT_MS, async () => (await store.keysOf('sid-2', 10)).length === 0)
    t.strictSame(await sortedKeysOf('user'), ['i1', 'i2'])
  })

  t.test('lists the newest sessions of an index first, up to a number', async (t) => {
    const indexes = [{ name: 'many', ttlMs: LONG_MS }]
    for (let number = 1; number <= 12; number += 1)
      await store.create(`n${number}`, { ...STORED, createdAt: number }, LONG_MS, indexes)
    t.strictSame(await store.keysOf('many', 3), ['n12', 'n11', 'n10'])
    t.equal((await store.keysOf('many', 100)).length, 12)
    t.equal(await store.isIndexed('many', 'n1'), true)
    t.equal(await store.isIndexed('many', 'i1'), false)
    t.equal(await store.isIndexed('none', 'n1'), false)
  })

  t.test('an ended session leaves all its indexes at once', async (t) => {
    const indexes = ['left-1', 'left-2'].map((name) => ({ name, ttlMs: LONG_MS }))
    for (const key of ['l1', 'l2', 'l3']) await store.create(key, STORED, LONG_MS, indexes)
    t.strictSame((await store.remove(['l1', 'none', 'l3'], { markedMs: LONG_MS })).sort(), ['l1', 'l3'])
    for (const { name } of indexes) t.strictSame(await store.keysOf(name, 10), ['l2'])
  })

  t.test('the name of an expired session stays in its index until it is taken out', async (t) => {
    const indexes = [{ name: 'expiring', ttlMs: LONG_MS }]
    await store.create('e1', STORED, SHORT_MS, indexes)
    await store.create('e2', STORED, LONG_MS, indexes)
    await after(SHORT_MS, async () => (await summaryOf('e1')) === null)
    t.strictSame((await store.keysOf('expiring', 10)).sort(), ['e1', 'e2'])
    await store.leaveIndex('expiring', [])
    await store.leaveIndex('expiring', ['e1', 'none'])
    t.strictSame(await store.keysOf('expiring', 10), ['e2'])
  })

  t.test(
    'keeps the record of an ended session on request, for one reader and for its idle time',
    async (t) => {
      for (const key of ['kept', 'kept for later', 'not kept']) await store.create(key, STORED, SHORT_MS, [])
      for (const key of ['kept', 'kept for later']) await remove(key, { keepRecord: true })
      await remove('not kept')
      t.equal(await store.read('kept'), null)
      t.strictSame({ ...(await store.takeEnded('kept')) }, STORED)
      for (const key of ['kept', 'not kept', 'none']) t.equal(await store.takeEnded(key), null, key)
      await store.create('still running', STORED, SHORT_MS, [])
      await after(SHORT_MS, async () => (await store.read('still running')) === null)
      t.equal(await store.takeEnded('kept for later'), null)
    }
  )

  t.test('a lease has one holder, and only the holder can renew or release the lease', async (t) => {
    const isHolder = await Promise.all(
      ['a', 'b', 'c', 'd'].map((holder) => store.takeLease('lease', holder, LONG_MS))
    )
    t.equal(isHolder.filter(Boolean).length, 1)
    const holder = ['a', 'b', 'c', 'd'][isHolder.indexOf(true)] as string
    t.equal(await store.takeLease('lease', holder, LONG_MS), false)
    t.equal(await store.renewLease('lease', 'other', LONG_MS), false)
    await store.releaseLease('lease', 'other')
    t.equal(await store.takeLease('lease', 'other', LONG_MS), false)
    t.equal(await store.renewLease('lease', holder, LONG_MS), true)
    t.equal(await store.takeLease('another', 'other', LONG_MS), true, 'leases of other sessions are free')
    await store.releaseLease('lease', holder)
    t.equal(await store.renewLease('lease', holder, LONG_MS), false)
    t.equal(await store.takeLease('lease', 'other', LONG_MS), true)
  })

  t.test('a lease expires unless it is renewed', async (t) => {
    await store.takeLease('left', 'dead', SHORT_MS)
    await store.takeLease('kept', 'alive', SHORT_MS)
    t.equal(await store.renewLease('kept', 'alive', LONG_MS), true)
    await after(SHORT_MS, () => store.takeLease('left', 'next', LONG_MS))
    t.equal(await store.renewLease('left', 'dead', LONG_MS), false, 'a former holder cannot renew')
    await store.releaseLease('left', 'dead')
    t.equal(await store.takeLease('left', 'third', LONG_MS), false)
    t.equal(await store.takeLease('kept', 'next', LONG_MS), false)
  })

  t.test('only one of several concurrent calls takes a value', async (t) => {
    t.equal(await store.takeOnce('once'), null)
    await store.remember('once', 'first', LONG_MS)
    const values = await Promise.all(Array.from({ length: 10 }, () => store.takeOnce('once')))
    t.strictSame(
      values.filter((value) => value !== null),
      ['first']
    )
  })

  t.test('remember replaces a value and its expiry', async (t) => {
    await store.remember('marker', 'first', LONG_MS)
    await store.remember('marker', 'second', SHORT_MS)
    t.equal(await store.recall('marker'), 'second')
    t.equal(await store.recall('marker'), 'second', 'recall keeps the value')
    t.equal(await store.recall('other marker'), null)
    await after(SHORT_MS, async () => (await store.recall('marker')) === null)
  })

  t.test('sessions, leases, indexes and values of one name are independent', async (t) => {
    await store.create('same', STORED, LONG_MS, [{ name: 'same', ttlMs: LONG_MS }])
    t.equal(await store.takeLease('same', 'holder', LONG_MS), true)
    await store.remember('same', 'value', LONG_MS)
    t.ok(await store.read('same'))
    t.strictSame(await store.keysOf('same', 10), ['same'])
    t.equal(await store.takeOnce('same'), 'value')
  })
}

t.test('in memory', async (t) => {
  let now = 1_000_000
  const store = createMemoryBackend(() => now)
  t.teardown(() => store.close())
  const after: Backend['after'] = async (ms, isExpired) => {
    now += ms - 1
    if (await isExpired()) throw new Error('the entry expired early')
    now += 1
    if (!(await isExpired())) throw new Error('the entry did not expire')
  }
  contract(t, { store, after })
})

t.test('in Redis', async (t) => {
  const redis = await startRedis(t)
  const store = redis.untimedBackend()
  const { client } = redis
  const after: Backend['after'] = async (ms, isExpired) => {
    for (const key of await client.keys('*')) {
      const ttlMs = await client.pttl(key)
      if (ttlMs > 0) await client.pexpire(key, ttlMs - ms)
    }
    if (!(await isExpired())) throw new Error('the entry did not expire')
  }
  contract(t, { store, after })

  t.test('every key expires', async (t) => {
    await store.create('ends', STORED, LONG_MS, [{ name: 'ends', ttlMs: LONG_MS }])
    await store.touch('ends', STORED, LONG_MS)
    await store.replaceTokens('ends', 1, bytes('x'))
    await store.replaceData('ends', STORED.data, bytes('x'))
    await store.takeLease('ends', 'x', LONG_MS)
    await store.renewLease('ends', 'x', LONG_MS)
    await store.remember('ends', 'x', LONG_MS)
    await store.create('removed', STORED, LONG_MS, [])
    await store.remove(['removed'], { markedMs: LONG_MS, keepRecord: true })
    const keys = await client.keys('*')
    t.ok(keys.some((key) => key.includes('removed')))
    t.ok(keys.length >= 5)
    for (const key of keys) t.ok((await client.pttl(key)) > 0, key)
  })
})
