import t from 'tap'
import { createEncryption } from '#server/auth/encryption.ts'
import { createMemoryBackend } from '#server/auth/sessions/memory.ts'
import { createNotes } from '#server/auth/sessions/notes.ts'
import { createStoredCounts } from '#server/portal/readings/stored-counts.ts'

const DAY_MS = 86_400_000
const VIEWERS = { organizationId: '100', visibility: 'v' }
const NAME = 'counts of 100 for v'

const clock = { nowMs: Date.now() }
const readNow = () => ({ count: 3, readAt: new Date(clock.nowMs).toISOString() })

function setUp() {
  const backend = createMemoryBackend(() => clock.nowMs)
  t.teardown(() => backend.close())
  const notes = createNotes(backend, createEncryption(['s'.repeat(32)]))
  return { notes, storedCounts: createStoredCounts(notes, () => clock.nowMs) }
}

t.test('reads stored counts for a day', async (t) => {
  const { storedCounts } = setUp()
  const counts = { alarms: readNow(), servicesEnded: null }
  await storedCounts.write(VIEWERS, new Map([['c-1', counts]]))
  clock.nowMs += DAY_MS - 1
  t.strictSame(await storedCounts.read(VIEWERS), new Map([['c-1', { alarms: counts.alarms }]]))
  t.equal((await storedCounts.read({ ...VIEWERS, visibility: 'w' })).size, 0)
  clock.nowMs += 1
  t.equal((await storedCounts.read(VIEWERS)).size, 0)
})

t.test('leaves out a count that is older than a day, although it was stored again', async (t) => {
  const { storedCounts } = setUp()
  const alarms = readNow()
  clock.nowMs += DAY_MS + 1
  const servicesEnded = readNow()
  await storedCounts.write(VIEWERS, new Map([['c-1', { alarms, servicesEnded }]]))
  t.strictSame(await storedCounts.read(VIEWERS), new Map([['c-1', { servicesEnded }]]))
})

t.test('ignores texts of other versions, and texts that are not counts', async (t) => {
  const { notes, storedCounts } = setUp()
  const customers = { 'c-1': { alarms: readNow() } }
  for (const text of [
    JSON.stringify(customers),
    JSON.stringify({ version: 0, customers }),
    JSON.stringify({ version: 1 }),
    'null',
    '[]',
    '{'
  ]) {
    await notes.write(NAME, text, DAY_MS)
    t.equal((await storedCounts.read(VIEWERS)).size, 0, text)
  }
})
