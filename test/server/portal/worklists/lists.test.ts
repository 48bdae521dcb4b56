import t from 'tap'
import { createDeviceTable } from '#server/inventory/worker/device-table.ts'
import { createReadingLists } from '#server/portal/reading-lists.ts'
import { BACKUPS } from '#server/portal/worklists/lists.ts'
import { device } from '../../../support/client/gateway.ts'

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

t.test('a text finds a row if it finds its device in the list of all devices', async (t) => {
  const customer = { id: 'c-1', orgName: 'Grand Harbour', scope: '' }
  const ahu = device(3, { deviceName: 'AHU 3', hostId: 'Qnx-7', projectName: 'East Wing' })
  const reading = { items: [{ device: ahu, lastBackup: null, noneSince: null }], total: 1, readAt: 0 }
  const lists = createReadingLists(BACKUPS.kind)
  const table = createDeviceTable([ahu])
  const order = { order: 'asc', page: 0, size: 10 } as const
  const everything = { filter: () => true, filterName: '' }
  const texts = ['AHU 3', 'ahu3', 'a h u 3', 'qnx', 'eastwing', 'ahu harbour', 'Grand 3 EAST', 'harbour']
  const others = ['3qnx', 'east grand', 'ahu north', 'ahu qnx', 'ahu7']
  for (const q of [...texts, ...others]) {
    const query = { ...order, ...everything, sort: 'customer', keyword: q }
    const { page } = await lists.page('a', [{ reading, customer }], query)
    t.equal(page.totalElements, texts.includes(q) ? 1 : 0, q)
    const deviceQuery = { q, match: 'words', customerName: customer.orgName, sort: 'deviceName' } as const
    t.equal(table.page({ ...order, ...deviceQuery }, 0).page.totalElements, page.totalElements, q)
  }
})
