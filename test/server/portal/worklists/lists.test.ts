import t from 'tap'
import { BACKUPS } from '#server/portal/worklists/lists.ts'

t.test('backups: devices without any come first, then by the day before which the last one was made', (t) => {
  const customer = { id: 'c-1', orgName: 'Customer', scope: '' }
  const rowOf = (name: string, lastBackup: string | null, noneSince: string | null) => ({
    customer,
    item: {
      device: { deviceUuid: name, deviceName: name, hostId: '', projectId: null, projectName: null },
      lastBackup,
      noneSince
    }
  })
  const rows = [
    rowOf('newest', '2026-10-01T00:00:00.000Z', null),
    rowOf('none since June', null, '2026-06-01T00:00:00.000Z'),
    rowOf('never', null, null),
    rowOf('May', '2026-05-01T00:00:00.000Z', null)
  ]
  const expected = ['never', 'May', 'none since June', 'newest']
  const { sortKey, tie } = BACKUPS.kind
  const namesBy = (key: (row: (typeof rows)[number]) => unknown) =>
    rows.toSorted((a, b) => Number(key(a)) - Number(key(b))).map(({ item }) => item.device.deviceName)
  t.strictSame(
    namesBy((row) => sortKey('lastBackup', row)),
    expected
  )
  t.strictSame(
    namesBy(({ item }) => -tie(item)),
    expected
  )
  t.end()
})
