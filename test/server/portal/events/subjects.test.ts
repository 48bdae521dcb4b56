// The work of a live stream that follows many customers.
import t from 'tap'
import type { LiveList } from '#server/portal/alarms/live-lists.ts'
import { createChanges } from '#server/portal/events/changes.ts'
import { createSubjects, type SubjectSources } from '#server/portal/events/subjects.ts'
import type { Caller } from '#server/types.ts'

const ids = Array.from({ length: 1_000 }, (_, number) => `c${number}`)
const alarmSubjects = ids.map((id) => `alarms ${id}`)

/** A stream of an organization whose customers are known. */
async function followAll() {
  const list: LiveList = { ids: new Set(ids), tag: 'list', alarmCards: [], alarmIds: ids }
  const lookedAt: string[] = []
  const inventoryChanges = createChanges()
  let noteAlarms: (customerId?: string) => void = () => {}
  const sources = {
    inventoryChanges,
    countChanges: createChanges(),
    customerLists: { of: async () => [] },
    liveLists: () => list,
    reader: {
      watchCustomers(_organizationId: string, _viewer: Caller, onChange: typeof noteAlarms) {
        noteAlarms = onChange
        return { update: () => {}, stop: () => {} }
      },
      alarmsOf(id: string) {
        lookedAt.push(id)
        return { reading: { count: 1, newestAt: null, tag: 'tag' }, readAt: 0, delayedSince: undefined }
      }
    }
  } as unknown as SubjectSources
  const caller = { user: { roleAssignments: [] } } as unknown as Caller
  const subjects = createSubjects(sources, caller, { organizationId: '1' }, () => {})
  await subjects.refresh()
  return {
    lookedAt,
    inventoryChanges,
    refresh: subjects.refresh,
    noteAlarms: (id?: string) => noteAlarms(id),
    /** A reader that takes at most so many states. */
    take(count = Number.POSITIVE_INFINITY) {
      lookedAt.length = 0
      const taken: string[] = []
      for (const { subject } of subjects.present()) {
        if (taken.length === count) break
        taken.push(subject)
      }
      return taken
    }
  }
}

t.test('a change of one customer looks at no other one', async (t) => {
  const { take, noteAlarms, lookedAt, refresh } = await followAll()
  t.strictSame(take(), ['counts', ...alarmSubjects])
  await refresh()
  t.strictSame(take(), [])
  noteAlarms('c7')
  t.strictSame(take(), ['alarms c7'])
  t.strictSame(lookedAt, ['c7'])
})

t.test('what a slow reader does not take is offered again', async (t) => {
  const { take } = await followAll()
  t.strictSame(take(3), ['counts', 'alarms c0', 'alarms c1'])
  t.strictSame(take(), alarmSubjects.slice(2))
})

t.test('all customers are looked at again when any may have changed', async (t) => {
  const { take, noteAlarms } = await followAll()
  take()
  noteAlarms()
  t.strictSame(take(), alarmSubjects)
})

t.test('a change of the inventory offers the counts alone', async (t) => {
  const { take, inventoryChanges } = await followAll()
  take()
  inventoryChanges.changed('another')
  t.strictSame(take(), [])
  inventoryChanges.changed('c7')
  t.strictSame(take(), ['counts'])
})
