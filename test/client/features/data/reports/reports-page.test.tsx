import '../../../../support/client/dom.ts'
import assert from 'node:assert/strict'
import { fireEvent, waitFor, within } from '@testing-library/react'
import t, { type Test } from 'tap'
import { type Action, ROLES, rolesAllowing } from '#shared/permissions.ts'
import { customer } from '../../../../support/client/customer.ts'
import { setDisplay, textsOf } from '../../../../support/client/dom.ts'
import {
  type Answers,
  type Call,
  CUSTOMERS,
  customersOf,
  never,
  pageOf,
  problem,
  user
} from '../../../../support/client/gateway.ts'
import { chooseAction } from '../../../../support/client/gestures.ts'
import { pointModel, pointPage } from '../../../../support/client/points.ts'
import { openPortal, type Portal } from '../../../../support/client/portal.tsx'
import { listOf, reportRecord } from '../../../../support/client/records.ts'

// uPlot dispatches an event of this class when it loads.
Object.assign(globalThis, { CustomEvent: window.CustomEvent })

const REPORTS = '/api/v1/charts-and-reports/9/reports'

const answers: Answers = {
  [REPORTS]: listOf('reports', [reportRecord(1), reportRecord(2, { createdBy: 'Somebody else' })])
}
const ROLE_NAMES = ROLES.filter(({ name }) => name !== 'global_admin').map(({ name }) => name)
async function openReportDialog(portal: Portal, action: string) {
  await chooseAction(portal, 'Report 1', action)
  return within(portal.getByRole(action === 'Delete' ? 'alertdialog' : 'dialog'))
}
const asUser = (role: (typeof ROLE_NAMES)[number]) => ({ user: user(role, '/organizations/1') })

for (const [role, buttons] of [
  ['partner_admin', 2],
  ['partner_user', 0]
] as const)
  t.test(`the empty state shows ${role} the button “New report” ${buttons} times`, async (t) => {
    const portal = openPortal(t, '/reports', { [REPORTS]: listOf('reports', []) }, asUser(role))
    await portal.findByText('Chart some points and choose Save as report.')
    t.equal(portal.queryAllByRole('button', { name: 'New report' }).length, buttons)
  })

t.test('filters without matches can be removed', async (t) => {
  const portal = openPortal(t, '/reports?owner=me&kind=fixed', answers)
  await portal.findByRole('heading', { name: 'No reports match these filters' })
  fireEvent.click(portal.getByRole('button', { name: 'Remove filter Range: Fixed range' }))
  await portal.findByRole('link', { name: 'Report 1' })
  t.notOk(portal.queryByRole('link', { name: 'Report 2' }))
  t.equal(portal.address(), '/reports?owner=me')
})

t.test('sorts reports by name with numbers by value', async (t) => {
  const names = ['Week 10', 'week 2', 'Week 1']
  const records = names.map((reportName, index) => reportRecord(index, { reportName }))
  const portal = openPortal(t, '/reports?sort=reportName&order=asc', {
    [REPORTS]: listOf('reports', records)
  })
  await portal.findByRole('link', { name: 'Week 10' })
  t.same(textsOf(portal.getAllByRole('rowheader')), ['Week 1', 'week 2', 'Week 10'])
})

for (const role of ROLE_NAMES)
  t.test(`offers ${role} the permitted actions on a history`, async (t) => {
    const may = (action: Action) => rolesAllowing(action).includes(role)
    const pointNames = { '/api/v1/entitymodel/customers/9/pointNames': { page: pageOf(0) } }
    const path = '/customers/9/devicedetails/history?deviceUuid=uuid-1'
    const portal = openPortal(t, path, { ...customer().answers, ...pointNames }, asUser(role))
    await portal.findByRole('heading', { name: may('data:query') ? /^Choose up to 10/ : /does not include/ })
    if (may('data:query')) await portal.findByRole('button', { name: 'Share' })
    t.equal(portal.queryByRole('button', { name: 'Export' }) !== null, may('data:export'))
    t.equal(portal.queryByRole('button', { name: 'Save as report' }) !== null, may('reports:create'))
  })

t.test('“New report” is disabled until the customers are loaded', async (t) => {
  let answer: (list: object) => void = () => {}
  const portal = openPortal(t, '/reports', {
    ...answers,
    [CUSTOMERS]: () => new Promise((resolve) => (answer = resolve))
  })
  const button = await portal.findByRole('button', { name: 'New report' })
  t.equal(button.getAttribute('aria-disabled'), 'true')
  fireEvent.click(button)
  t.notOk(portal.queryByRole('dialog'))
  answer(customersOf('9', '8'))
  portal.gateway.answers['/api/v1/charts-and-reports/8/reports'] = listOf('reports', [])
  await portal.findByRole('link', { name: 'Report 1' })
  t.equal(portal.getByRole('button', { name: 'New report' }), button)
  fireEvent.click(button)
  portal.getByRole('dialog', { name: 'New report' })
})

t.test('shows a renamed report without fetching the list again', async (t) => {
  const portal = openPortal(t, '/reports', {
    ...answers,
    '/api/v1/charts-and-reports/9/report/r-1': reportRecord(1, { reportName: 'Boilers' })
  })
  await portal.findByRole('link', { name: 'Report 1' })
  await chooseAction(portal, 'Report 1', 'Rename')
  const field = portal.getByRole('textbox', { name: 'Report name' })
  fireEvent.change(field, { target: { value: 'Boilers' } })
  fireEvent.keyDown(field, { key: 'Enter' })
  await portal.findByRole('link', { name: 'Boilers' })
  t.notOk(portal.queryByRole('link', { name: 'Report 1' }))
  t.equal(portal.callsTo(REPORTS).length, 1)
})

t.test('a copy of a report has its points, range and a name that is not used', async (t) => {
  const newReport = '/api/v1/charts-and-reports/9/report'
  const portal = openPortal(t, '/reports', { ...answers, [newReport]: { reportId: 'r-3' } })
  await portal.findByRole('link', { name: 'Report 1' })
  const dialog = await openReportDialog(portal, 'Duplicate')
  const name = dialog.getByRole('textbox', { name: 'Report name' }) as HTMLInputElement
  t.equal(name.value, 'Report 1 - copy')
  fireEvent.click(dialog.getByRole('button', { name: 'Duplicate' }))
  await portal.findByRole('link', { name: 'Report 1 - copy' })
  t.match(portal.callsTo(newReport)[0]?.body, {
    reportName: 'Report 1 - copy',
    reportDetails: reportRecord(1).reportDetails
  })
})

t.test('a failed deletion keeps the report and can be repeated', async (t) => {
  const path = '/api/v1/charts-and-reports/9/report/r-1'
  const portal = openPortal(t, '/reports', { ...answers, [path]: problem(503) })
  await portal.findByRole('link', { name: 'Report 1' })
  const dialog = await openReportDialog(portal, 'Delete')
  fireEvent.click(dialog.getByRole('button', { name: 'Delete report' }))
  const alert = await dialog.findByRole('alert')
  t.match(alert.textContent, 'The report was not deleted. Network Connectivity Failed')
  portal.getByRole('link', { name: 'Report 1' })
  portal.gateway.answers[path] = new Response(null, { status: 204 })
  fireEvent.click(dialog.getByRole('button', { name: 'Delete report' }))
  await waitFor(() => assert.ok(!portal.queryByRole('link', { name: 'Report 1' })))
  portal.getByRole('link', { name: 'Report 2' })
})

t.test('shows the reports of other customers when those of one customer cannot be loaded', async (t) => {
  const otherReports = '/api/v1/charts-and-reports/8/reports'
  const portal = openPortal(t, '/reports', {
    ...answers,
    [CUSTOMERS]: customersOf('9', '8'),
    [otherReports]: problem(500)
  })
  await portal.findByText('The reports of Customer 8 could not be loaded.')
  portal.getByRole('link', { name: 'Report 1' })
  portal.gateway.answers[otherReports] = listOf('reports', [reportRecord(3)])
  fireEvent.click(portal.getByRole('button', { name: 'Retry' }))
  await portal.findByRole('link', { name: 'Report 3' })
  t.notOk(portal.queryByText(/could not be loaded/) !== null)
})

t.test('an opened report names deleted points, and asks before changes are lost', async (t) => {
  const path = '/api/v1/charts-and-reports/9/report/r-1'
  const selectedPoints = [
    { device: 'uuid-1', point: 'c-1', pointName: 'Point 1' },
    { device: 'uuid-1', point: 'c-gone', pointName: 'Old Sensor' }
  ]
  const portal = openPortal(t, '/customers/9/devicedetails/history?reportId=r-1', {
    ...customer().answers,
    [path]: reportRecord(1, { reportDetails: { selectedDateFilter: 'Yesterday', selectedPoints } }),
    '/api/v1/entitymodel/customers/9/pointNames': ({ body }: Call) =>
      pointPage((body as { searchItems: string[] }).searchItems.includes('c-gone') ? [] : [pointModel(1)]),
    '/api/v1/egress/telemetry': never,
    '/api/v1/alarms/customers/9/alarms:search': never,
    '/api/v1/control/devices/d-1/commands/read': []
  })
  await portal.findByText('This point is no longer there')
  t.equal((portal.getByRole('combobox', { name: 'Range' }) as HTMLSelectElement).value, 'Yesterday')
  portal.getByRole('button', { name: 'Save as report' })
  t.notOk(portal.queryByRole('button', { name: 'Save changes' }))
  fireEvent.click(portal.getByRole('button', { name: 'Remove Old Sensor' }))
  await portal.findByRole('button', { name: 'Save changes' })
  fireEvent.click(await portal.findByRole('link', { name: 'Device Details' }))
  const question = within(await portal.findByRole('alertdialog', { name: 'Save your changes?' }))
  fireEvent.click(question.getByRole('button', { name: 'Save' }))
  await portal.findByRole('heading', { level: 1, name: 'AHU-1' })
  const change = portal.callsTo(path).find(({ method }) => method === 'PATCH')
  t.match(change?.body, { reportDetails: { selectedPoints: [{ point: 'c-1' }] } })
})

const HISTORY = '/customers/9/devicedetails/history'

/** Opens a report, and changes its range. */
async function openChangedReport(t: Test): Promise<Portal> {
  const path = '/api/v1/charts-and-reports/9/report'
  const savedPoints = [{ device: 'uuid-1', point: 'c-1', pointName: 'Point 1' }]
  const record = (number: number) =>
    reportRecord(number, { reportDetails: { selectedDateFilter: 'Yesterday', selectedPoints: savedPoints } })
  const portal = openPortal(t, `${HISTORY}?reportId=r-1`, {
    ...customer().answers,
    [path]: { reportId: 'r-2' },
    [`${path}/r-1`]: record(1),
    [`${path}/r-2`]: record(2),
    '/api/v1/entitymodel/customers/9/pointNames': pointPage([pointModel(1)]),
    '/api/v1/egress/telemetry': never,
    '/api/v1/alarms/customers/9/alarms:search': never,
    '/api/v1/control/devices/d-1/commands/read': []
  })
  await portal.findByText('Point 1')
  fireEvent.change(portal.getByRole('combobox', { name: 'Range' }), { target: { value: 'Last 7 Days' } })
  await portal.findByRole('button', { name: 'Save changes' })
  return portal
}

t.test('asks before changes of a report are lost to the history of another device', async (t) => {
  const portal = await openChangedReport(t)
  void portal.router.navigate(`${HISTORY}?deviceUuid=uuid-2`)
  const question = within(await portal.findByRole('alertdialog', { name: 'Save your changes?' }))
  fireEvent.click(question.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => assert.ok(!portal.queryByRole('alertdialog')))
  t.match(portal.address(), /reportId=r-1/)
  portal.getByRole('button', { name: 'Save changes' })
})

t.test('a changed report that is saved under another name is opened without a question', async (t) => {
  const portal = await openChangedReport(t)
  fireEvent.click(portal.getByRole('button', { name: 'Save as report' }))
  const dialog = within(portal.getByRole('dialog', { name: 'Save as report' }))
  fireEvent.change(dialog.getByRole('textbox', { name: 'Report name' }), { target: { value: 'Week' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() => assert.match(portal.address(), /reportId=r-2/))
  t.notOk(portal.queryByRole('alertdialog'))
})

/** Opens a report with points of these numbers. */
function openReportOf(t: Test, pointNumbers: readonly number[], rest: Answers = {}, address = ''): Portal {
  const selectedPoints = pointNumbers.map((number) => ({ device: 'uuid-1', point: `c-${number}` }))
  return openPortal(t, `${HISTORY}?reportId=r-1${address}`, {
    ...customer().answers,
    '/api/v1/charts-and-reports/9/report/r-1': reportRecord(1, {
      reportDetails: { selectedDateFilter: 'Yesterday', selectedPoints }
    }),
    '/api/v1/entitymodel/customers/9/pointNames': ({ body }: Call) => {
      const { searchItems } = body as { searchItems: string[] }
      return pointPage(searchItems.map((cloudId) => pointModel(Number(cloudId.slice(2)))))
    },
    '/api/v1/egress/telemetry': never,
    '/api/v1/alarms/customers/9/alarms:search': never,
    '/api/v1/control/devices/d-1/commands/read': [],
    ...rest
  })
}

const TWELVE = Array.from({ length: 12 }, (_, index) => index + 1)

t.test('a report with more points than a chart shows is not saved without the others', async (t) => {
  const portal = openReportOf(t, TWELVE)
  await portal.findByText(/^The address names 12 points\./)
  t.notOk(portal.queryByRole('button', { name: 'Save changes' }))
  fireEvent.change(portal.getByRole('combobox', { name: 'Range' }), { target: { value: 'Last 7 Days' } })
  await waitFor(() => assert.match(portal.address(), /range=Last\+7\+Days/))
  t.notOk(portal.queryByRole('button', { name: 'Save changes' }))
  portal.getByRole('button', { name: 'Save as report' })
})

t.test('a report that names a point twice opens without changes', async (t) => {
  const portal = openReportOf(t, [1, 1, 2])
  await portal.findByText('Point 2')
  t.notOk(portal.queryByRole('button', { name: 'Save changes' }))
})

t.test('a printed report says that it has more points than it shows', async (t) => {
  const noRecords = { '/api/v1/egress/telemetry': { pointDetails: [] } }
  const portal = openReportOf(t, TWELVE, noRecords, '&view=paper')
  await portal.findByText('The report has 12 points. A chart shows only the first 10.')
})

t.test('a saved report keeps the names of devices that are not loaded', async (t) => {
  const path = '/api/v1/charts-and-reports/9/report/r-1'
  const point = { device: 'uuid-7', deviceName: 'Old AHU', point: 'c-1', pointName: 'Point 1' }
  const portal = openPortal(t, '/customers/9/devicedetails/history?reportId=r-1', {
    ...customer().answers,
    [path]: reportRecord(1, { reportDetails: { selectedDateFilter: 'Yesterday', selectedPoints: [point] } }),
    '/api/portal/v1/customers/9/devices/uuid-7': problem(404),
    '/api/v1/egress/telemetry': never
  })
  await portal.findByText('Point 1')
  fireEvent.change(portal.getByRole('combobox', { name: 'Range' }), { target: { value: 'Last 7 Days' } })
  fireEvent.click(await portal.findByRole('button', { name: 'Save changes' }))
  await waitFor(() => assert.ok(portal.callsTo(path).some(({ method }) => method === 'PATCH')))
  const change = portal.callsTo(path).find(({ method }) => method === 'PATCH')
  t.match(change?.body, { reportDetails: { selectedPoints: [{ deviceName: 'Old AHU' }] } })
})

t.test('“Refresh” loads a range again that has ended', async (t) => {
  const path = '/api/v1/charts-and-reports/9/report/r-1'
  const telemetry = '/api/v1/egress/telemetry'
  const point = { device: 'uuid-1', point: 'c-1', pointName: 'Point 1' }
  const portal = openPortal(t, '/customers/9/devicedetails/history?reportId=r-1', {
    ...customer().answers,
    [path]: reportRecord(1, { reportDetails: { selectedDateFilter: 'Yesterday', selectedPoints: [point] } }),
    '/api/v1/entitymodel/customers/9/pointNames': pointPage([pointModel(1)]),
    [telemetry]: never,
    '/api/v1/alarms/customers/9/alarms:search': never,
    '/api/v1/control/devices/d-1/commands/read': []
  })
  const loads = () => portal.callsTo(telemetry)
  await waitFor(() => assert.equal(loads().length, 1))
  // A chart is loaded as of a whole minute.
  const later = performance.now() + 60_000
  t.intercept(performance, 'now', { value: () => later })
  fireEvent.click(portal.getByRole('button', { name: 'Refresh' }))
  await waitFor(() => assert.equal(loads().length, 2))
  t.strictSame(loads()[1]?.body, loads()[0]?.body)
})

async function openOnPhone(t: Test, address: string) {
  setDisplay({ wide: false })
  const portal = openPortal(t, address, answers)
  await portal.findByRole('link', { name: 'Report 2' })
  const openSheet = () => {
    fireEvent.click(portal.getByRole('button', { name: /^Filter and sort/ }))
    return within(portal.getByRole('dialog', { name: 'Filter and sort' }))
  }
  return { portal, openSheet }
}

t.test('a small screen has the filters in a sheet, whose button counts them', async (t) => {
  const { portal } = await openOnPhone(t, '/reports?kind=relative')
  t.notOk(portal.queryByRole('button', { name: 'Owner' }))
  t.equal(portal.getByRole('button', { name: /^Filter and sort/ }).textContent, 'Filter and sort1 chosen')
})

t.test('closing the sheet discards its filters', async (t) => {
  const { portal, openSheet } = await openOnPhone(t, '/reports?kind=relative')
  let sheet = openSheet()
  fireEvent.click(sheet.getByRole('button', { name: 'Owner' }))
  fireEvent.click(sheet.getByRole('checkbox', { name: 'Me' }))
  t.equal(portal.address(), '/reports?kind=relative')
  fireEvent.click(sheet.getByRole('button', { name: 'Close' }))
  t.notOk(portal.queryByRole('dialog'))
  t.equal(portal.address(), '/reports?kind=relative')
  sheet = openSheet()
  fireEvent.click(sheet.getByRole('button', { name: 'Owner' }))
  t.notOk((sheet.getByRole('checkbox', { name: 'Me' }) as HTMLInputElement).checked)
})

t.test('“Apply” closes the sheet and applies its filters and sort order', async (t) => {
  const { portal, openSheet } = await openOnPhone(t, '/reports?kind=relative')
  const sheet = openSheet()
  fireEvent.click(sheet.getByRole('button', { name: 'Owner' }))
  fireEvent.click(sheet.getByRole('checkbox', { name: 'Me' }))
  fireEvent.change(sheet.getByRole('combobox', { name: 'Sort by' }), { target: { value: 'reportName asc' } })
  fireEvent.click(sheet.getByRole('button', { name: 'Apply' }))
  t.notOk(portal.queryByRole('dialog'))
  t.equal(portal.address(), '/reports?kind=relative&owner=me&sort=reportName&order=asc')
  t.notOk(portal.queryByRole('link', { name: 'Report 2' }))
})

t.test('“Clear filters” in the sheet keeps the sort order', async (t) => {
  const { portal, openSheet } = await openOnPhone(t, '/reports?kind=relative&sort=reportName&order=asc')
  const sheet = openSheet()
  fireEvent.click(sheet.getByRole('button', { name: 'Clear filters' }))
  fireEvent.keyDown(sheet.getByRole('heading', { name: 'Filter and sort' }), { key: 'Enter' })
  t.equal(portal.address(), '/reports?sort=reportName&order=asc')
})

t.test('Escape closes the choices of a filter, but not the sheet', async (t) => {
  setDisplay({ wide: false })
  const portal = openPortal(t, '/reports', answers)
  await portal.findByRole('link', { name: 'Report 1' })
  fireEvent.click(portal.getByRole('button', { name: 'Filter and sort' }))
  const sheet = within(portal.getByRole('dialog', { name: 'Filter and sort' }))
  fireEvent.click(sheet.getByRole('button', { name: 'Owner' }))
  fireEvent.keyDown(sheet.getByRole('checkbox', { name: 'Me' }), { key: 'Escape' })
  t.notOk(sheet.queryByRole('checkbox', { name: 'Me' }))
  t.ok(portal.queryByRole('dialog', { name: 'Filter and sort' }))
})

t.test('copies the address of the data, with the zone of the person', async (t) => {
  const copied: string[] = []
  const clipboard = { writeText: async (text: string) => void copied.push(text) }
  Object.defineProperty(navigator, 'clipboard', { value: clipboard, configurable: true })
  const portal = openPortal(t, '/reports', answers)
  await chooseAction(portal, 'Report 1', 'Copy data address')
  await portal.findByText('Data address copied.')
  const { pathname, searchParams } = new URL(copied[0] ?? '')
  t.equal(pathname, '/api/portal/v1/customers/9/reports/r-1/data')
  t.ok(searchParams.get('timeZone'))
})
