import '../../../../support/client/dom.ts'
import assert from 'node:assert/strict'
import { fireEvent, waitFor, within } from '@testing-library/react'
import t, { type Test } from 'tap'
import { customer, DEVICES, devicePage } from '../../../../support/client/customer.ts'
import { setDisplay, textsOf } from '../../../../support/client/dom.ts'
import { type Call, never, pageOf, problem } from '../../../../support/client/gateway.ts'
import { openPortal } from '../../../../support/client/portal.tsx'
import { backupRecord, inDays, listOf } from '../../../../support/client/records.ts'

const HERE = '/customers/9/savedbackups'
const BACKUPS = '/api/v1/recover/customers/9/backups'

/** Opens the list of two backups. Calls change and delete them, and a locked backup is not deleted. */
function openBackups(t: Test) {
  let backups = [backupRecord(1), backupRecord(2)]
  const change = (id: string, fields: object) => {
    backups = backups.map((backup) => (backup.id === id ? { ...backup, ...fields } : backup))
    return backups.find((backup) => backup.id === id)
  }
  const answerTo =
    (id: string) =>
    ({ method, body }: Call) => {
      if (method === 'PATCH') return change(id, body as object)
      if (backups.some((backup) => backup.id === id && backup.retained)) return problem(409)
      backups = backups.filter((backup) => backup.id !== id)
      return new Response(null, { status: 204 })
    }
  const portal = openPortal(t, HERE, {
    ...customer().answers,
    [BACKUPS]: () => listOf('backups', backups),
    [`${BACKUPS}/bk-1`]: answerTo('bk-1'),
    [`${BACKUPS}/bk-2`]: answerTo('bk-2')
  })
  const row = (number: number) => portal.findByRole('row', { name: new RegExp(`AHU-${number}`) })
  const openMenu = async (number: number) => {
    fireEvent.click(within(await row(number)).getByRole('button', { name: /^Actions for/ }))
    return (name: string | RegExp) => portal.getByRole('menuitem', { name })
  }
  return { ...portal, row, openMenu, lock: (id: string) => change(id, { retained: true }) }
}

t.test('a backup can get a note', async (t) => {
  const text = 'At 14:05, before the pump (<5 kW) was changed. 50%?'
  const list = openBackups(t)
  fireEvent.click((await list.openMenu(1))('Edit note'))
  const dialog = within(list.getByRole('dialog', { name: 'Note on the backup of AHU-1' }))
  fireEvent.change(dialog.getByRole('textbox', { name: 'Note' }), { target: { value: text } })
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }))
  t.ok(await within(await list.row(1)).findByText(text))
})

t.test('a backup cannot be deleted while it is locked', async (t) => {
  const list = openBackups(t)
  fireEvent.click((await list.openMenu(1))('Lock'))
  await waitFor(async () => within(await list.row(1)).getByText('Locked'))
  const menuItem = await list.openMenu(1)
  t.equal(list.getByRole('menuitem', { name: /^Delete/ }).getAttribute('aria-disabled'), 'true')
  fireEvent.click(menuItem('Unlock'))
  await waitFor(async () => assert.ok(!within(await list.row(1)).queryByText('Locked')))
})

t.test('several backups are deleted only after a typed confirmation', async (t) => {
  const list = openBackups(t)
  for (const number of [1, 2]) fireEvent.click(within(await list.row(number)).getByRole('checkbox'))
  fireEvent.click(list.getByRole('button', { name: 'Delete 2' }))
  const dialog = within(list.getByRole('alertdialog', { name: 'Delete 2 backups?' }))
  const confirm = dialog.getByRole('button', { name: 'Delete 2 backups' })
  t.equal(confirm.getAttribute('aria-disabled'), 'true')
  fireEvent.click(confirm)
  t.equal(list.callsTo(`${BACKUPS}/bk-1`).length, 0)
  const field = dialog.getByRole('textbox')
  fireEvent.change(field, { target: { value: 'delete 2' } })
  fireEvent.keyDown(field, { key: 'Enter' })
  await list.findByText('2 backups deleted.')
  await list.findByRole('heading', { name: 'No backups yet' })
})

t.test('a backup that is locked meanwhile stays, and the dialog says why', async (t) => {
  const list = openBackups(t)
  for (const number of [1, 2]) fireEvent.click(within(await list.row(number)).getByRole('checkbox'))
  list.lock('bk-2')
  fireEvent.click(list.getByRole('button', { name: 'Delete 2' }))
  const dialog = within(list.getByRole('alertdialog'))
  fireEvent.change(dialog.getByRole('textbox'), { target: { value: 'delete 2' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Delete 2 backups' }))
  await list.findByText(/locked or changed meanwhile/)
  await list.findByText('1 backup deleted.')
  await waitFor(() => assert.ok(!list.queryByRole('row', { name: /AHU-1/ })))
  t.ok(await list.row(2))
})

t.test('a note of a backup whose answer is lost may have been saved', async (t) => {
  const list = openBackups(t)
  fireEvent.click((await list.openMenu(1))('Edit note'))
  list.gateway.answers[`${BACKUPS}/bk-1`] = problem(504)
  const note = within(list.getByRole('dialog', { name: 'Note on the backup of AHU-1' }))
  fireEvent.change(note.getByRole('textbox', { name: 'Note' }), { target: { value: 'Before the pump' } })
  const reads = list.callsTo(BACKUPS).length
  fireEvent.click(note.getByRole('button', { name: 'Save' }))
  t.match((await note.findByRole('alert')).textContent, /The change may have been made anyway\.$/)
  await waitFor(() => assert.equal(list.callsTo(BACKUPS).length, reads + 1))
})

t.test('a backup whose answer is lost may have been deleted', async (t) => {
  const list = openBackups(t)
  fireEvent.click((await list.openMenu(1))(/^Delete/))
  list.gateway.answers[`${BACKUPS}/bk-1`] = problem(504)
  const dialog = within(list.getByRole('alertdialog'))
  fireEvent.change(dialog.getByRole('textbox'), { target: { value: 'AHU-1' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Delete backup' }))
  await dialog.findByText(/The change may have been made anyway\.$/)
  t.pass()
})

t.test('the filter sheet shows the device that was chosen in it, until a project is chosen', async (t) => {
  setDisplay({ wide: false })
  const list = openBackups(t)
  fireEvent.click(await list.findByRole('button', { name: /^Filter and sort/ }))
  const sheet = within(list.getByRole('dialog', { name: 'Filter and sort' }))
  const field = (name: string) => sheet.getByRole<HTMLInputElement>('combobox', { name })
  const choose = async (name: string, option: RegExp) => {
    fireEvent.click(field(name))
    fireEvent.click(await sheet.findByRole('option', { name: option }))
  }
  await choose('Device', /^AHU-2/)
  await waitFor(() => assert.equal(field('Device').value, 'AHU-2'))
  await choose('Project', /^Garage/)
  t.equal(field('Device').value, '')
  fireEvent.click(sheet.getByRole('button', { name: 'Apply' }))
  t.equal(list.address(), `${HERE}?project=p-2`)
})

t.test('the last good backup of one device is not shown for the next', async (t) => {
  const portal = openPortal(t, `${HERE}?deviceUuid=uuid-1`, {
    ...customer().answers,
    [BACKUPS]: (call: Call) =>
      call.query.get('deviceUuid') === 'uuid-1' ? listOf('backups', [backupRecord(1)]) : never(call)
  })
  await portal.findByText(/^Last good backup/)
  await portal.router.navigate(`${HERE}?deviceUuid=uuid-2`)
  await portal.findByText('AHU-2 of Northwind')
  t.notOk(portal.queryByText(/^Last good backup/))
})

/** Opens the devices without a backup in 30 days. There are devices 1 to 4; the last is in the project Garage. */
function openMissing(t: Test, backups: ReturnType<typeof backupRecord>[], query = '', more = false) {
  const { answers, devices } = customer()
  return openPortal(t, `${HERE}?missing=yes${query}`, {
    ...answers,
    [DEVICES]: (call: Call) => ({
      ...devicePage(devices, call),
      ...(more ? { page: pageOf(1_200, 0, 1_000) } : {})
    }),
    [BACKUPS]: (call: Call) => {
      const [from, to] = ['from', 'to'].map((name) => call.query.get(name))
      return listOf(
        'backups',
        backups.filter(({ backupDate }) => (!from || backupDate >= from) && (!to || backupDate <= to))
      )
    }
  })
}

t.test('devices without a good backup of the last 30 days show their last one', async (t) => {
  const failed = { backupDate: inDays(-1), status: 'FAILED' }
  const old = [backupRecord(2, { backupDate: inDays(-40) }), backupRecord(2, { backupDate: inDays(-50) })]
  const portal = openMissing(t, [backupRecord(1), backupRecord(2, failed), ...old, backupRecord(4)])
  const cards = within(await portal.findByRole('list', { name: 'Devices without a backup in 30 days' }))
  t.same(textsOf(cards.getAllByRole('listitem')), [
    'AHU-3Host ID: Qnx-3Last good backup: none',
    'AHU-2Host ID: Qnx-2Last good backup: last 20-Jan-2026'
  ])
  t.equal(portal.getByText(/with Recover$/).textContent, '2 devices of 4 devices with Recover')
  const days = portal.callsTo(BACKUPS).map(({ query }) => [query.get('from'), query.get('to')])
  t.match(days, [
    [/^2026-01-30T12:00/, null],
    [null, /^2026-01-30T12:00/]
  ])
})

for (const [name, query, more, part] of [
  ['all devices', '', false, ''],
  ['those of a project', '&project=p-2', false, ' in this project'],
  ['the first of all', '', true, ' among the first 1,000'],
  ['the first of a project', '&project=p-2', true, ' among the first 1,000 of this project']
] as const)
  t.test(`says that no device is without a backup if ${name} were checked`, async (t) => {
    const portal = openMissing(
      t,
      [1, 2, 3, 4].map((number) => backupRecord(number)),
      query,
      more
    )
    await portal.findByRole('heading', {
      name: `Every device with Recover${part} has a good backup of the last 30 days`
    })
    t.equal(portal.callsTo(BACKUPS).length, 1, 'reads no older backups')
  })
