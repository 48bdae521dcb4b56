import '../../../../support/client/dom.ts'
import assert from 'node:assert/strict'
import { fireEvent, waitFor, within } from '@testing-library/react'
import t from 'tap'
import { customer, DEVICES, HERE, MANAGEMENT } from '../../../../support/client/customer.ts'
import { setDisplay, textsOf } from '../../../../support/client/dom.ts'
import { device, problem, user } from '../../../../support/client/gateway.ts'
import { chooseAction } from '../../../../support/client/gestures.ts'
import { openPortal, type Portal } from '../../../../support/client/portal.tsx'
import { savedFiles } from '../../../../support/client/saved-files.ts'

const select = async (portal: Portal, name: string) =>
  fireEvent.click(await portal.findByRole('checkbox', { name: `Select ${name}` }))
const bar = (portal: Portal) => within(portal.getByRole('region', { name: 'Selected devices' }))
const movesIn = (portal: Portal) => portal.gateway.calls.filter(({ method }) => method === 'PATCH')
const lastQuery = (portal: Portal) => Object.fromEntries(portal.callsTo(DEVICES).at(-1)?.query ?? [])

t.test('a user who may not move devices can export them', async (t) => {
  const files = savedFiles(t)
  const reader = user('customer_user', '/organizations/1/customers/9')
  const portal = openPortal(t, HERE, customer().answers, { user: reader })
  await select(portal, 'AHU-1')
  await select(portal, 'AHU-4')
  t.notOk(bar(portal).queryByRole('button', { name: 'Move to project' }))
  fireEvent.click(bar(portal).getByRole('button', { name: 'Export CSV' }))
  const lines = ((await [...files.values()][0]?.text()) ?? '').trimEnd().split('\r\n')
  t.equal(lines.length, 3)
  t.match(lines[0], 'Device,Host ID,Project,Location,Services,Device UUID')
  t.match(lines[2], /^AHU-4,Qnx-4,Garage,Level 4,Data Services until 0\d-Jan-2027/)
})

t.test('announces the selection; the selection bar is between the rows and the pager', async (t) => {
  const portal = openPortal(t, HERE, customer({ tower: 17 }).answers)
  const box = await portal.findByRole('checkbox', { name: 'Select AHU-1' })
  const status = portal.getAllByRole('status').find((one) => one.closest('.selection-bar')) as HTMLElement
  t.equal(status.textContent, '')
  fireEvent.click(box)
  t.equal(status.textContent, '1 selected')
  const clear = bar(portal).getByRole('button', { name: 'Clear selection' })
  const precedes = (first: Element, second: Element) =>
    first.compareDocumentPosition(second) === Node.DOCUMENT_POSITION_FOLLOWING
  t.ok(precedes(portal.getByRole('table'), clear))
  t.ok(precedes(clear, portal.getByRole('navigation', { name: 'Pages of devices' })))
  fireEvent.click(clear)
  t.equal(status.textContent, '')
})

t.test('keeps the selection on the next page; “Select all” adds all matching devices', async (t) => {
  const portal = openPortal(t, HERE, customer({ tower: 17 }).answers)
  fireEvent.click(await portal.findByRole('checkbox', { name: 'Select all rows shown' }))
  await portal.findByText('15 selected')
  fireEvent.click(portal.getByRole('button', { name: 'Next page' }))
  await portal.findByText('AHU-17')
  portal.getByText('15 selected')
  fireEvent.click(bar(portal).getByRole('button', { name: 'Select all 18' }))
  await portal.findByText('18 selected')
  t.match(lastQuery(portal), { size: '1000', page: '0' })
  fireEvent.click(bar(portal).getByRole('button', { name: 'Clear selection' }))
  await waitFor(() => assert.ok(portal.queryByText(/selected$/) === null))
})

t.test('Shift selects or clears a range of rows', async (t) => {
  const portal = openPortal(t, HERE, customer({ tower: 6 }).answers)
  const box = (name: string) => portal.getByRole('checkbox', { name: `Select ${name}` }) as HTMLInputElement
  const names = ['AHU-1', 'AHU-2', 'AHU-3', 'AHU-4', 'AHU-5', 'AHU-6', 'AHU-7']
  const checkedNames = () => names.filter((name) => box(name).checked)
  await portal.findByRole('checkbox', { name: 'Select AHU-1' })
  fireEvent.click(box('AHU-3'), { shiftKey: true })
  t.same(checkedNames(), ['AHU-3'])
  fireEvent.click(box('AHU-6'), { shiftKey: true })
  t.same(checkedNames(), ['AHU-3', 'AHU-4', 'AHU-5', 'AHU-6'])
  fireEvent.click(box('AHU-4'))
  fireEvent.click(box('AHU-2'), { shiftKey: true })
  t.same(checkedNames(), ['AHU-2', 'AHU-3', 'AHU-4', 'AHU-5', 'AHU-6'])
  fireEvent.click(box('AHU-7'))
  fireEvent.click(box('AHU-5'), { shiftKey: true })
  t.same(checkedNames(), ['AHU-2', 'AHU-3', 'AHU-4'])
})

async function openMove(portal: Portal) {
  fireEvent.click(bar(portal).getByRole('button', { name: 'Move to project' }))
  return within(await portal.findByRole('dialog'))
}

t.test('moves several devices, shows a result for each, and retries the failed move', async (t) => {
  const files = savedFiles(t)
  const state = customer()
  state.refusals.set(`PATCH ${MANAGEMENT}/devices/d-2`, () => problem(409))
  const portal = openPortal(t, HERE, state.answers)
  for (const name of ['AHU-1', 'AHU-2', 'AHU-4']) await select(portal, name)
  const dialog = await openMove(portal)
  const startButton = dialog.getByRole('button', { name: 'Move 3 devices' })
  fireEvent.click(startButton)
  t.equal(startButton.getAttribute('aria-disabled'), 'true')
  fireEvent.change(dialog.getByRole('combobox', { name: 'To project' }), { target: { value: 'p-2' } })
  fireEvent.click(startButton)
  await dialog.findByText('3 of 3 done, 1 not moved')
  const results = () =>
    textsOf(within(dialog.getByRole('list', { name: 'Results' })).getAllByRole('listitem'))
  t.same(results(), [
    'AHU-1Moved',
    'AHU-2Failed to move device: Data Conflict found. Unable to complete the request due to a conflict.',
    'AHU-4Already in this project'
  ])
  fireEvent.click(await dialog.findByRole('button', { name: 'Save results as CSV' }))
  t.match(
    await [...files.values()][0]?.text(),
    'AHU-2,Qnx-2,Failed to move device: Data Conflict found. Unable to complete the request due to a conflict.'
  )
  portal.getByText('1 selected')
  state.refusals.clear()
  fireEvent.click(dialog.getByRole('button', { name: 'Retry 1' }))
  await dialog.findByText('3 of 3 done')
  t.equal(results()[1], 'AHU-2Moved')
  t.same(
    movesIn(portal).map(({ path }) => path.slice(-3)),
    ['d-1', 'd-2', 'd-2']
  )
  fireEvent.click(dialog.getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement)
  await waitFor(() => assert.ok(portal.queryByText(/selected/) === null))
})

t.test('moves a selected device from where it is now, and selects a deleted one no more', async (t) => {
  const state = customer()
  const portal = openPortal(t, HERE, state.answers)
  await select(portal, 'AHU-1')
  await select(portal, 'AHU-2')
  const [moved] = state.devices
  Object.assign(moved ?? {}, { projectId: 'p-2', projectName: 'Garage' })
  fireEvent.click(portal.getByRole('button', { name: 'Refresh the list' }))
  await waitFor(() => assert.equal(portal.getAllByText('Garage').length, 2))
  await chooseAction(portal, 'AHU-2', 'Delete')
  const question = within(await portal.findByRole('alertdialog'))
  fireEvent.change(question.getByRole('textbox'), { target: { value: 'AHU-2' } })
  fireEvent.click(question.getByRole('button', { name: 'Delete Device' }))
  await portal.findByText('1 selected')
  const dialog = await openMove(portal)
  fireEvent.change(dialog.getByRole('combobox', { name: 'To project' }), { target: { value: 'p-1' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Move 1 device' }))
  await dialog.findByText('1 of 1 done')
  t.strictSame(
    movesIn(portal).map(({ path }) => path.slice(-3)),
    ['d-1']
  )
})

t.test('undoing a move of several devices returns each device to its previous project', async (t) => {
  const state = customer()
  const portal = openPortal(t, HERE, state.answers)
  for (const name of ['AHU-1', 'AHU-2', 'AHU-4']) await select(portal, name)
  const dialog = await openMove(portal)
  fireEvent.change(dialog.getByRole('combobox', { name: 'To project' }), { target: { value: 'p-2' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Move 3 devices' }))
  await dialog.findByText('3 of 3 done')
  t.notOk(portal.queryByText(/moved to project/), 'no message while the dialog shows the result')
  fireEvent.click((await dialog.findAllByRole('button', { name: 'Close' })).at(-1) as HTMLElement)
  await portal.findByText("2 devices moved to project 'Garage'.")
  state.refusals.set(`PATCH ${MANAGEMENT}/devices/d-2`, () => problem(503))
  fireEvent.click(portal.getByRole('button', { name: 'Undo' }))
  await portal.findByText('Move undone: 1 device back in place.')
  await portal.findByText('The move of 1 device could not be undone.')
  state.refusals.clear()
  fireEvent.click(portal.getByRole('button', { name: 'Retry' }))
  await waitFor(() => assert.equal(state.devices.filter(({ projectId }) => projectId === 'p-1').length, 3))
  const undoCalls = movesIn(portal).slice(2)
  t.strictSame(
    undoCalls.map(({ path }) => path.slice(-3)),
    ['d-1', 'd-2', 'd-2']
  )
  for (const { body } of undoCalls) t.same(body, { project: '/projects/p-1' })
})

t.test('selects rows on a phone', async (t) => {
  setDisplay({ wide: false })
  const portal = openPortal(t, HERE, customer().answers)
  await select(portal, 'AHU-2')
  await portal.findByText('1 selected')
  await openMove(portal)
})

t.test('filters by service and expiry appear in the address and the request', async (t) => {
  const state = customer({ tower: 17 })
  state.devices[0] = device(1, { subscriptions: [] })
  const portal = openPortal(t, `${HERE}?page=2`, state.answers)
  await portal.findByText('16–18 of 18')
  fireEvent.click(await portal.findByRole('button', { name: 'Filters' }))
  fireEvent.change(await portal.findByRole('combobox', { name: 'Service' }), { target: { value: 'Remote' } })
  await waitFor(() => assert.equal(portal.address(), `${HERE}?service=Remote`))
  await portal.findByText('1–15 of 17')
  fireEvent.change(portal.getByRole('combobox', { name: 'Subscription ends' }), { target: { value: '7' } })
  await waitFor(() => assert.equal(portal.address(), `${HERE}?service=Remote&expires=7`))
  await waitFor(() => assert.equal(lastQuery(portal).expires, '7'))
  t.equal(lastQuery(portal).service, 'Remote')
})

t.test('clears filters without matches', async (t) => {
  const state = customer({ tower: 1, garage: 0 })
  state.devices[0] = device(1, { subscriptions: [] })
  const portal = openPortal(t, `${HERE}?service=NDS&expires=30`, state.answers)
  await portal.findByRole('heading', { name: 'No devices match these filters' })
  t.notOk(portal.queryByText('Delete Project'))
  fireEvent.click(portal.getByRole('button', { name: 'Clear filters' }))
  await portal.findByText('AHU-1')
  t.equal(portal.address(), HERE)
})

t.test('shows devices with empty fields', async (t) => {
  const state = customer({ tower: 0, garage: 1 })
  state.projects = [{ id: 'p-2', projectName: '' }]
  state.devices = [
    device(1, { projectId: 'p-77', projectName: null, hostId: '', location: '', deviceName: '' }),
    device(2, { projectId: 'p-2', projectName: '' })
  ]
  const portal = openPortal(t, HERE, state.answers)
  await portal.findByText('1–2 of 2')
  portal.getByText('p-2')
  t.equal(portal.getAllByRole('row').length, 3)
})
