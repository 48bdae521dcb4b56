// Session records that somebody has changed in the store.
import t from 'tap'
import type { StoredSession } from '#server/auth/sessions/backend.ts'
import { DATA, LIFETIMES, START, storeAt, TOKENS } from './sample.ts'

const IDLE_MS = LIFETIMES.idleSeconds * 1000
const ABSOLUTE_MS = LIFETIMES.absoluteSeconds * 1000
const MINUTE_MS = 60_000
const LONG_MS = 10 * ABSOLUTE_MS

function scene() {
  const { time, backend, store } = storeAt()
  const key = store.nameOf('id')
  const storedRecord = async (name = key): Promise<StoredSession> => {
    const record = await backend.read(name)
    if (record === null) throw new Error('nothing is stored')
    return record
  }
  const change = async (fields: Partial<StoredSession>) =>
    backend.create(key, { ...(await storedRecord()), ...fields }, LONG_MS, [])
  return { time, backend, store, key, storedRecord, change }
}

t.test('changed times do not extend a session', async (t) => {
  for (const [name, end] of [
    ['idle', START + IDLE_MS],
    ['absolute', START + ABSOLUTE_MS]
  ] as const) {
    const { time, store, change } = scene()
    await store.create('id', DATA, TOKENS)
    while (name === 'absolute' && time.now + IDLE_MS < end) {
      time.now += IDLE_MS / 2
      const session = await store.read('id')
      if (session === null) throw new Error('ended too early')
      await store.extend(session)
    }
    await change({ createdAt: end + IDLE_MS, seenAt: end + IDLE_MS })
    time.now = end - 1
    t.ok(await store.read('id'), name)
    time.now = end
    t.equal(await store.read('id'), null, name)
  }
})

t.test('refuses a session whose last use was copied from another session', async (t) => {
  const { time, store, storedRecord, change } = scene()
  await store.create('other', DATA, TOKENS)
  const session = await store.create('id', DATA, TOKENS)
  const { seen: firstUse, tokens } = await storedRecord()
  time.now += MINUTE_MS
  await store.touch(session)
  t.equal((await store.read('id'))?.seenAt, START + MINUTE_MS)
  await change({ seen: firstUse })
  t.equal((await store.read('id'))?.seenAt, START, 'accepts an earlier last use')
  for (const seen of [(await storedRecord(store.nameOf('other'))).seen, tokens, Buffer.alloc(0)]) {
    await change({ seen })
    t.equal(await store.read('id'), null)
  }
})

t.test('a restored copy of the record does not restore an ended session', async (t) => {
  for (const end of ['remove', 'removeAll'] as const) {
    const { time, backend, store, key, storedRecord } = scene()
    await store.create('id', DATA, TOKENS)
    const copy = await storedRecord()
    if (end === 'remove') await store.remove('id')
    else await store.removeAll('subject', DATA.subject, 'authority')
    await backend.create(key, copy, LONG_MS, [])
    t.equal(await store.read('id'), null, end)
    time.now += ABSOLUTE_MS
    t.equal(await store.read('id'), null, `${end}, after the absolute lifetime`)
  }
})
