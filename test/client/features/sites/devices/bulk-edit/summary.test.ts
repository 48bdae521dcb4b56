import t from 'tap'
import type { PlannedRow } from '#client/features/sites/devices/bulk-edit/plan.ts'
import type { RowGroups } from '#client/features/sites/devices/bulk-edit/result.ts'
import { explanationOf, type OpenFile } from '#client/features/sites/devices/bulk-edit/summary.ts'

const file: OpenFile = {
  id: 1,
  name: 'devices.csv',
  isUndo: false,
  isEncodingGuessed: false,
  plan: [],
  absentCount: 0
}
const row = {} as PlannedRow
const groups: RowGroups = {
  changes: [row],
  refused: [],
  unchanged: [],
  done: [row],
  open: [],
  unknown: [],
  triedCount: 1
}
const run = { results: new Map(), running: false }

t.test('says that the previous values are kept only if they are', async (t) => {
  const kept =
    'The previous values are kept in this browser until you sign out or apply another file. Save the undo file to keep them longer.'
  t.equal(explanationOf(file, groups, run, true), kept)
  t.equal(explanationOf(file, groups, run, false), '', 'the browser has no room for them')
  t.equal(explanationOf({ ...file, isUndo: true }, groups, run, true), '', 'an undo stores nothing')
  t.equal(explanationOf(file, { ...groups, done: [] }, run, true), '', 'nothing has changed')
})
