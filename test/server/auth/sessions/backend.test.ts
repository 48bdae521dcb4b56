import t, { type Test } from 'tap'
import type { SessionBackend, StoredSession } from '#server/auth/sessions/backend.ts'
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
  t.test('a session that was never stored does not exist', async (t) => {
    t.equal(await store.read('none'), null)
    t.equal(await store.remove('none', LONG_MS), false)
    t.equal(await store.replaceData('none', STORED.data, bytes('x')), false)
    t.equal(await store.replaceTokens('none', 1, bytes('x')), false)
    await store.touch('none', STORED, LONG_MS)
    t.equal(await store.read('none'), null)
    t.strictSame(await store.keysOf('none'), [])
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
    await store.remove('ended', LONG_MS)
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
    await store.remove('known', LONG_MS)
    await staysSame()
    t.equal(session, null)
  })

  t.test('late writes do not restore an ended session', async (t) => {
    await store.create('ended', STORED, LONG_MS, [])
    t.equal(await store.remove('ended', LONG_MS), true)
    t.equal(await store.remove('ended', LONG_MS), false)
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
    await store.remove('copied', SHORT_MS)
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
    t.equal(await store.remove('changed', LONG_MS), false)
    t.equal(await store.replaceTokens('changed', 2, bytes('late')), false)
    t.match(await store.read('touched'), { ...STORED, seen: bytes('later'), seenAt: 5000 })
  })

  t.test('summarizes a running session, and stores the reason why a session ended', async (t) => {
    await store.create('summarized', { ...STORED, about: bytes('about') }, LONG_MS, [])
    await store.create('without about', STORED, LONG_MS, [])
    await store.touch('summarized', { seen: bytes('later'), seenAt: 5000 }, LONG_MS)
    t.match(await store.summaryOf('summarized'), { about: bytes('about'), createdAt: 1000, seenAt: 5000 })
    t.equal((await store.summaryOf('without about'))?.about, undefined)
    t.equal(await store.summaryOf('none'), null)
    t.equal(await store.endOf('summarized'), null)
    await store.remove('summarized', SHORT_MS, 'authority')
    await store.remove('summarized', SHORT_MS, 'person')
    await store.remove('none', SHORT_MS, 'person')
    t.equal(await store.summaryOf('summarized'), null)
    t.equal(await store.endOf('summarized'), 'authority', 'keeps the first reason')
    t.equal(await store.endOf('none'), null)
    await after(SHORT_MS, async () => (await store.endOf('summarized')) === null)
  })

  t.test('finds sessions under each of their indexes', async (t) => {
    const index = (name: string, ttlMs = LONG_MS) => ({ name, ttlMs })
    await store.create('i1', STORED, LONG_MS, [index('user'), index('sid-1')])
    await store.create('i2', STORED, LONG_MS, [index('user'), index('sid-2', SHORT_MS)])
    await store.create('i3', STORED, LONG_MS, [index('other')])
    const sortedKeysOf = async (name: string) => (await store.keysOf(name)).sort()
    t.strictSame(await sortedKeysOf('user'), ['i1', 'i2'])
    t.strictSame(await sortedKeysOf('sid-1'), ['i1'])
    t.strictSame(await sortedKeysOf('sid-2'), ['i2'])
    t.strictSame(await sortedKeysOf('sid'), [])
    await after(SHORT_MS, async () => (await store.keysOf('sid-2')).length === 0)
    t.strictSame(await sortedKeysOf('user'), ['i1', 'i2'])
  })

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
    t.strictSame(await store.keysOf('same'), ['same'])
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
    await store.remove('removed', LONG_MS)
    const keys = await client.keys('*')
    t.ok(keys.some((key) => key.includes('removed')))
    t.ok(keys.length >= 5)
    for (const key of keys) t.ok((await client.pttl(key)) > 0, key)
  })
})
