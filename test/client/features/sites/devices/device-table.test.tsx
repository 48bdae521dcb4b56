// The toolbar of the device table on desktops, tablets and phones.
import '../../../../support/client/dom.ts'
import assert from 'node:assert/strict'
import { fireEvent, waitFor, within } from '@testing-library/react'
import t from 'tap'
import { recall, remember } from '#client/lib/storage.ts'
import { customer, DEVICES, HERE } from '../../../../support/client/customer.ts'
import { setDisplay, textsOf } from '../../../../support/client/dom.ts'
import { device, pageOf, problem } from '../../../../support/client/gateway.ts'
import { openPortal, type Portal } from '../../../../support/client/portal.tsx'
import { savedFiles } from '../../../../support/client/saved-files.ts'

const headers = (portal: Portal) =>
  textsOf(portal.getAllByRole('columnheader')).filter((text) => !text?.startsWith('Actions'))
const views = (portal: Portal) =>
  textsOf(within(portal.getByRole('navigation', { name: 'Views' })).getAllByRole('link'))
const press = (portal: Portal, name: string | RegExp) => fireEvent.click(portal.getByRole('button', { name }))

async function saveAs(portal: Portal, name: string) {
  press(portal, 'Save view')
  const dialog = within(await portal.findByRole('dialog', { name: 'Save view' }))
  fireEvent.change(dialog.getByRole('textbox', { name: 'Name' }), { target: { value: name } })
  fireEvent.click(dialog.getByRole('button', { name: /^(Save|Replace)/ }))
  await waitFor(() => assert.ok(portal.queryByRole('dialog') === null))
}

t.test('an unchanged view cannot be saved', async (t) => {
  const portal = openPortal(t, HERE, customer().answers)
  await portal.findByText('AHU-1')
  const save = portal.getByRole('button', { name: 'Save view' })
  t.equal(save.getAttribute('aria-disabled'), 'true')
  t.equal(save.title, 'Filter, sort or choose columns first')
})

t.test('saves, opens, changes and deletes a view, and shows its device count', async (t) => {
  const portal = openPortal(t, `${HERE}?service=NDS&sort=location`, customer().answers)
  await portal.findByText('AHU-1')
  await saveAs(portal, ' By place ')
  t.equal(portal.address(), `${HERE}?service=NDS&sort=location&view=By+place`)
  await waitFor(() => assert.deepEqual(views(portal), ['All4', 'By place4']))
  fireEvent.click(portal.getByRole('link', { name: /^All ?4/ }))
  await waitFor(() => assert.equal(portal.address(), HERE))
  fireEvent.click(portal.getByRole('link', { name: /^By place/ }))
  await waitFor(() => assert.match(portal.address(), /view=By\+place/))
  t.equal(portal.getByRole('button', { name: 'Save view' }).title, 'This view is saved')
  fireEvent.click(portal.getByRole('button', { name: 'Location' }))
  await waitFor(() => assert.match(portal.address(), /order=desc/))
  await saveAs(portal, 'By place')
  t.same(views(portal), ['All4', 'By place4'])
  press(portal, 'Delete the view By place')
  t.same(views(portal), ['All4'])
  t.equal(portal.address(), HERE)
})

t.test('saving and deleting a view keeps the views that another tab has saved', async (t) => {
  const key = 'portal.device-views.u-1.9'
  const portal = openPortal(t, `${HERE}?service=NDS`, customer().answers)
  await portal.findByText('AHU-1')
  remember(key, ['q=AHU&view=Second'])
  await saveAs(portal, 'Mine')
  await waitFor(() => assert.deepEqual(views(portal), ['All4', 'Second4', 'Mine4']))
  remember(key, [...(recall<string[]>(key) ?? []), 'q=AHU&view=Third'])
  press(portal, 'Delete the view Mine')
  await waitFor(() => assert.deepEqual(views(portal), ['All4', 'Second4', 'Third4']))
  t.same(recall(key), ['q=AHU&view=Second', 'q=AHU&view=Third'])
})

t.test('says so if the browser cannot store a view', async (t) => {
  const portal = openPortal(t, `${HERE}?service=NDS`, customer().answers)
  await portal.findByText('AHU-1')
  t.intercept(Object.getPrototypeOf(window.localStorage), 'setItem', {
    value() {
      throw new DOMException('full', 'QuotaExceededError')
    }
  })
  await saveAs(portal, 'Mine')
  await portal.findByText('The view could not be stored in this browser.')
})

t.test('opens an unsaved view from the address', async (t) => {
  const address = `${HERE}?q=AHU&columns=location%2C-projectName&view=Places`
  const portal = openPortal(t, address, customer().answers)
  await portal.findByText('AHU-1')
  t.equal(portal.getByRole('link', { name: /^Places/ }).getAttribute('aria-current'), 'true')
  t.same(headers(portal), ['DeviceHost ID', 'Location', 'Services', 'Nearest end'])
  t.notOk(portal.queryByRole('button', { name: /^Delete the view/ }))
  await saveAs(portal, 'Places')
  portal.getByRole('button', { name: 'Delete the view Places' })
})

t.test('with the maximum of views, one can be replaced but none added', async (t) => {
  const saved = Array.from({ length: 8 }, (_, index) => `q=AHU&view=View+${index + 1}`)
  localStorage.setItem('portal.device-views.u-1.9', JSON.stringify(saved))
  const portal = openPortal(t, `${HERE}?q=AHU&sort=location&view=View+1`, customer().answers)
  await portal.findByText('AHU-1')
  press(portal, 'Save view')
  const dialog = within(await portal.findByRole('dialog', { name: 'Save view' }))
  const name = dialog.getByRole('textbox', { name: 'Name' })
  fireEvent.change(name, { target: { value: 'View 9' } })
  t.equal(dialog.getByRole('button', { name: 'Save' }).getAttribute('aria-disabled'), 'true')
  dialog.getByText(/^At most 8 views can be saved/)
  fireEvent.change(name, { target: { value: 'View 2' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Replace' }))
  await waitFor(() => assert.match(portal.address(), /view=View\+2/))
  t.equal(views(portal).length, 9, 'all devices, and eight views')
})

t.test('hides and reorders columns, and remembers the choice', async (t) => {
  const portal = openPortal(t, HERE, customer().answers)
  await portal.findByText('AHU-1')
  press(portal, /^Columns/)
  fireEvent.click(portal.getByRole('checkbox', { name: 'Project' }))
  t.equal(portal.getByRole('button', { name: 'Move Host ID up' }).getAttribute('aria-disabled'), 'true')
  press(portal, 'Move Host ID up')
  press(portal, 'Move Services up')
  t.same(headers(portal), ['DeviceHost ID', 'Services', 'Location', 'Nearest end'])
  t.equal(portal.address(), HERE)
  const nextVisit = openPortal(t, HERE, customer().answers)
  await nextVisit.findAllByText('AHU-1')
  t.same(headers(nextVisit), ['DeviceHost ID', 'Services', 'Location', 'Nearest end'])
})

t.test('rows are compact by default; the chosen density is stored', async (t) => {
  const portal = openPortal(t, HERE, customer().answers)
  await portal.findByText('AHU-1')
  t.ok(portal.getByRole('region', { name: 'Devices' }).classList.contains('compact'))
  press(portal, /^Columns/)
  fireEvent.click(portal.getByRole('checkbox', { name: 'Higher rows' }))
  t.equal(localStorage.getItem('portal.density'), '"comfortable"')
  t.ok(portal.getByRole('region', { name: 'Devices' }).classList.contains('comfortable'))
})

t.test('“Refresh” fetches the devices again; the list shows their age', async (t) => {
  const state = customer()
  const portal = openPortal(t, HERE, state.answers)
  await portal.findByText('AHU-1')
  await portal.findByText(/^Updated \d+ s ago$/)
  const callCount = portal.callsTo(DEVICES).length
  press(portal, 'Refresh the list')
  await waitFor(() => assert.ok(portal.callsTo(DEVICES).length > callCount))
  t.equal(portal.callsTo(DEVICES).length, callCount + 1)
})

t.test('exports all filtered devices, in pages of 1,000', async (t) => {
  const files = savedFiles(t)
  const portal = openPortal(t, `${HERE}?service=NDS`, customer({ tower: 17 }).answers)
  await portal.findByText('1–15 of 18')
  press(portal, 'Export CSV')
  await portal.findByText('18 devices saved.')
  const [[name, file] = []] = files
  t.match(name, /\.csv$/)
  t.equal((await file?.text())?.trimEnd().split('\r\n').length, 19, '18 devices and the header')
  const { service, size, page } = Object.fromEntries(portal.callsTo(DEVICES).at(-1)?.query ?? [])
  t.strictSame({ service, size, page }, { service: 'NDS', size: '1000', page: '0' })
})

t.test('“Register device” preselects the customer and the project', async (t) => {
  const portal = openPortal(t, `${HERE}?project=p-2`, customer().answers)
  await portal.findByText('1–1 of 1')
  t.equal(
    portal.getByRole('link', { name: 'Register device' }).getAttribute('href'),
    '/registerdevice?customerId=9&projectId=p-2'
  )
})

t.test('a sheet on a tablet shows a device and links to the next device', async (t) => {
  setDisplay({ tablet: true })
  const portal = openPortal(t, HERE, customer({ tower: 12 }).answers)
  await portal.findByText('1–10 of 13')
  press(portal, 'Details of AHU-9')
  const sheet = async (name: string) => within(await portal.findByRole('dialog', { name }))
  const firstSheet = await sheet('AHU-9')
  firstSheet.getByText('Qnx-9')
  t.equal(
    firstSheet.getByRole('link', { name: 'Open device' }).getAttribute('href'),
    `${HERE}/devicedetails?deviceUuid=uuid-9`
  )
  fireEvent.click(firstSheet.getByRole('button', { name: 'Next device' }))
  const lastSheet = await sheet('AHU-10')
  t.equal(lastSheet.getByRole('button', { name: 'Next device' }).getAttribute('aria-disabled'), 'true')
  lastSheet.getByRole('button', { name: /^Edit Details/ })
  fireEvent.click(lastSheet.getByRole('button', { name: 'Close' }))
  await waitFor(() => assert.ok(portal.queryByRole('dialog') === null))
})

t.test('a sheet whose device left the list does not open again by itself', async (t) => {
  setDisplay({ tablet: true })
  const state = customer()
  const portal = openPortal(t, HERE, state.answers)
  await portal.findByText('1–4 of 4')
  press(portal, 'Details of AHU-1')
  await portal.findByRole('dialog', { name: 'AHU-1' })
  const { devices } = state
  const reload = async (shown: typeof devices, count: string) => {
    state.devices = shown
    press(portal, 'Refresh the list')
    await portal.findByText(count)
  }
  await reload(devices.slice(1), '1–3 of 3')
  t.notOk(portal.queryByRole('dialog'))
  await reload(devices, '1–4 of 4')
  t.notOk(portal.queryByRole('dialog'))
})

t.test('a tablet has a button for projects and a button for filters', async (t) => {
  setDisplay({ tablet: true })
  const portal = openPortal(t, HERE, customer().answers)
  await portal.findByText('1–4 of 4')
  t.notOk(portal.queryByRole('combobox', { name: 'Service' }))
  press(portal, 'Filter and sort')
  const filters = within(await portal.findByRole('dialog', { name: 'Filter and sort' }))
  t.notOk(filters.queryByRole('button', { name: /project/ }))
  fireEvent.change(filters.getByRole('combobox', { name: 'Sort by' }), { target: { value: 'hostId desc' } })
  fireEvent.click(filters.getByRole('button', { name: 'Apply' }))
  await waitFor(() => assert.equal(portal.address(), `${HERE}?sort=hostId&order=desc`))
  press(portal, /^Filter by project: ?All Projects/)
  const projects = within(await portal.findByRole('dialog', { name: 'Projects (2)' }))
  fireEvent.click(projects.getByRole('link', { name: /Garage/ }))
  await portal.findByText('1–1 of 1')
})

t.test('a phone has one button for filters, which shows the number of active filters', async (t) => {
  setDisplay({ wide: false })
  const portal = openPortal(t, `${HERE}?project=p-2&service=NDS`, customer().answers)
  await portal.findByText('AHU-4')
  t.notOk(portal.queryByRole('combobox'))
  press(portal, /^Filter and sort.*2/)
  const sheet = within(await portal.findByRole('dialog', { name: 'Filter and sort' }))
  sheet.getByRole('button', { name: /^Filter by project: ?Garage/ })
  fireEvent.click(sheet.getByRole('button', { name: 'Clear filters' }))
  fireEvent.click(sheet.getByRole('button', { name: 'Apply' }))
  await waitFor(() => assert.equal(portal.address(), HERE))
})

t.test('a list filtered by data usage has a usage column, and a notice while usage loads', async (t) => {
  const state = customer()
  const items = [device(1, { usagePercent: 340.5 }), device(2, { usagePercent: 100.2 })]
  state.answers[DEVICES] = { items, page: pageOf(2), partial: ['plans'] }
  const portal = openPortal(t, `${HERE}?plan=exceeded&sort=usagePercent&order=desc`, state.answers)
  await portal.findByText('340.5 %')
  await portal.findByText(/^The data usage of some devices is still loading/)
  t.equal(portal.getByRole('columnheader', { name: 'Usage' }).getAttribute('aria-sort'), 'descending')
  fireEvent.click(portal.getByRole('button', { name: 'Location' }))
  fireEvent.click(portal.getByRole('button', { name: 'Usage' }))
  t.match(portal.address(), /sort=usagePercent&order=desc/)
  fireEvent.click(portal.getByRole('button', { name: 'Remove filter Usage above the plan limit' }))
  await waitFor(() => assert.equal(portal.address(), HERE))
  t.notOk(headers(portal).includes('Usage'))
})

t.test('shows a view without its count if the count fails', async (t) => {
  const state = customer()
  const answerDevices = state.answers[DEVICES] as (call: { query: URLSearchParams }) => unknown
  state.answers[DEVICES] = (call: { query: URLSearchParams }) =>
    call.query.get('size') === '1' ? problem(503) : answerDevices(call)
  const portal = openPortal(t, `${HERE}?q=AHU&view=Mine`, state.answers)
  await portal.findByText('AHU-1')
  t.same(views(portal), ['All4', 'Mine'])
})
