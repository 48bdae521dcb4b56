import t from 'tap'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { startPortal } from '#test/support/portal.ts'
import { startBrowser } from '../support/browser/browser.ts'
import { deviceOf, historyPath, personsOf, pointOf } from '../support/browser/data-screens.ts'
import { savedList, totalOf } from '../support/browser/downloads.ts'

const browser = await startBrowser(t)
const portal = await startPortal(t)
const open = personsOf(browser, portal)
const device = deviceOf(portal, 'airHandler')

t.test('a chart becomes a report that stays relative, is renamed, copied and deleted', async (t) => {
  const { page, errors } = await open(
    'customer.admin',
    historyPath(device, ['Supply Air Temp', 'Return Air Temp'], '&range=Last+Month')
  )
  await page.getByRole('figure').first().waitFor()
  await page.getByRole('button', { name: 'Save as report' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Report name').fill('Air <of> the month')
  await dialog.getByText('Symbols like *,<,>,/ are not allowed.').waitFor()
  t.equal(await dialog.getByRole('button', { name: 'Save' }).getAttribute('aria-disabled'), 'true')
  await dialog.getByLabel('Report name').fill('Air of the month')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText("Report 'Air of the month' saved.").waitFor()
  const kept = [...portal.sandbox.state.reports.of(NOTABLE.northwind)].find(
    ({ reportName }) => reportName === 'Air of the month'
  )
  t.match(kept, { startTime: null, endTime: null, reportDetails: { selectedDateFilter: 'Last Month' } })

  await page.goto('/reports')
  await page
    .getByRole('row', { name: /Air of the month/ })
    .getByText('Last Month')
    .waitFor()
  await page.getByRole('searchbox').fill('return air')
  await page.getByRole('button', { name: '2 points on 1 device of Air of the month' }).click()
  await page.getByText('Return Air Temp, AHU-2').waitFor()

  const act = async (name: string, deed: string) => {
    await page.getByRole('button', { name: `Actions for ${name}` }).click()
    await page.getByRole('menuitem', { name: deed }).click()
  }
  await act('Air of the month', 'Rename')
  await dialog.getByLabel('Report name').fill('Monthly air')
  await dialog.getByLabel('Report name').press('Enter')
  await page.getByRole('link', { name: 'Monthly air', exact: true }).waitFor()
  await act('Monthly air', 'Duplicate')
  t.equal(await dialog.getByLabel('Report name').inputValue(), 'Monthly air - copy')
  await dialog.getByRole('button', { name: 'Duplicate' }).click()
  await page.getByRole('link', { name: 'Monthly air - copy' }).waitFor()
  await dialog.waitFor({ state: 'detached' })
  portal.sandbox.faults.set('charts-and-reports', '503')
  await act('Monthly air - copy', 'Delete')
  await page.getByRole('button', { name: 'Delete report' }).click()
  await page
    .getByRole('alertdialog')
    .getByRole('alert')
    .filter({ hasText: 'The report was not deleted. Network Connectivity Failed' })
    .waitFor()
  portal.sandbox.faults.clear()
  await page.getByRole('button', { name: 'Delete report' }).click()
  await page.getByRole('link', { name: 'Monthly air - copy' }).waitFor({ state: 'detached' })
  t.strictSame(
    errors.filter((text) => !text.includes('503')),
    []
  )
})

t.test('an opened report names the points that are gone, and asks before changes are lost', async (t) => {
  const { state } = portal.sandbox
  const names = ['Supply Air Temp', 'Return Air Temp']
  const selectedPoints = names.map((name) => ({
    device: device.deviceUuid,
    point: pointOf(device, name).cloudId,
    pointName: name
  }))
  state.reports.add({
    id: 'r-gone',
    reportName: 'With a gap',
    customerId: NOTABLE.northwind,
    reportDetails: {
      selectedDateFilter: 'Yesterday',
      selectedPoints: [
        ...selectedPoints,
        { device: device.deviceUuid, point: 'c-gone', pointName: 'Old Sensor' }
      ]
    },
    startTime: null,
    endTime: null,
    createdBy: 'Carla Almeida',
    createdDate: new Date().toISOString(),
    lastModifiedDate: new Date().toISOString()
  })
  const { page } = await open('customer.admin', '/reports')
  await page.getByRole('link', { name: 'With a gap' }).click()
  await page.getByText('A point is no longer there: Old Sensor.').waitFor()
  await page.getByRole('figure', { name: /2 points in °C/ }).waitFor()
  t.equal(await page.getByRole('combobox', { name: 'Range' }).inputValue(), 'Yesterday')
  await page.getByRole('button', { name: 'Save as report' }).waitFor()
  t.equal(await page.getByRole('button', { name: 'Save changes' }).count(), 0)
  await page.getByRole('button', { name: 'Remove Old Sensor' }).click()
  await page.getByRole('button', { name: 'Save changes' }).waitFor()
  await page.getByRole('link', { name: 'Device Details' }).click()
  await page.getByRole('alertdialog', { name: 'Save your changes?' }).waitFor()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { level: 1, name: 'AHU-2' }).waitFor()
  t.equal(state.reports.get('r-gone')?.reportDetails.selectedPoints.length, 2)
})

t.test('the list is saved as a file, as the filters leave it', async (t) => {
  const { page, errors } = await open('partner.admin', '/reports?kind=relative')
  const { name, heading, rows } = await savedList(page)
  t.match(name, /^reports-\d{4}-\d\d-\d\d\.csv$/)
  t.match(heading, 'Name,Customer,Range,Points,Devices,Created by,Modified')
  t.equal(rows.length, await totalOf(page))
  t.strictSame(errors, [])
})

t.test('one customer whose reports cannot be loaded does not hide those of the others', async (t) => {
  const { page } = await open('partner.admin', '/')
  const path = `**/api/v1/charts-and-reports/${NOTABLE.northwind}/reports*`
  await page.route(path, (route) => route.fulfill({ status: 500 }))
  await page.goto('/reports')
  await page.getByText('The reports of Northwind Hospitals could not be loaded.').waitFor()
  await page.getByRole('rowheader').first().waitFor()
  t.ok((await page.getByRole('rowheader').count()) > 0)
  await page.unroute(path)
  await page.getByRole('button', { name: 'Retry' }).click()
  await page.getByRole('link', { name: 'Heating season' }).waitFor()
})
