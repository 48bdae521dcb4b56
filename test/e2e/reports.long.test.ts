import t from 'tap'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { browserTest, refuse, unexpected } from '../support/browser/browser.ts'
import { deviceOf, pointOf } from '../support/browser/data-screens.ts'

const { portal, open } = await browserTest(t)
const device = deviceOf(portal, 'airHandler')

/** Stores a report of two existing points and `more` points, which need not exist. */
function addReport(
  id: string,
  reportName: string,
  more: { device: string; point: string; pointName: string }[]
) {
  const points = ['Supply Air Temp', 'Return Air Temp'].map((pointName) => ({
    device: device.deviceUuid,
    point: pointOf(device, pointName).cloudId,
    pointName
  }))
  portal.sandbox.state.reports.add({
    id,
    reportName,
    customerId: NOTABLE.northwind,
    reportDetails: { selectedDateFilter: 'Yesterday', selectedPoints: [...points, ...more] },
    startTime: null,
    endTime: null,
    createdBy: 'Carla Almeida',
    createdDate: new Date().toISOString(),
    lastModifiedDate: new Date().toISOString()
  })
}

t.test('a report is renamed, duplicated, and deleted once its service answers', async (t) => {
  addReport('r-monthly', 'Air of the month', [])
  const { page, errors } = await open('customer.admin', '/reports?q=air')
  const dialog = page.getByRole('dialog')
  const chooseAction = async (name: string, item: string) => {
    await page.getByRole('button', { name: `Actions for ${name}` }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await chooseAction('Air of the month', 'Rename')
  await dialog.getByLabel('Report name').fill('Monthly air')
  await dialog.getByLabel('Report name').press('Enter')
  await page.getByRole('link', { name: 'Monthly air', exact: true }).waitFor()
  await chooseAction('Monthly air', 'Duplicate')
  t.equal(await dialog.getByLabel('Report name').inputValue(), 'Monthly air - copy')
  await dialog.getByRole('button', { name: 'Duplicate' }).click()
  await page.getByRole('link', { name: 'Monthly air - copy' }).waitFor()
  await dialog.waitFor({ state: 'detached' })
  portal.sandbox.faults.set('charts-and-reports', '503')
  await chooseAction('Monthly air - copy', 'Delete')
  await page.getByRole('button', { name: 'Delete report' }).click()
  await page
    .getByRole('alertdialog')
    .getByRole('alert')
    .filter({ hasText: 'The report was not deleted. Network Connectivity Failed' })
    .waitFor()
  portal.sandbox.faults.clear()
  await page.getByRole('button', { name: 'Delete report' }).click()
  await page.getByRole('link', { name: 'Monthly air - copy' }).waitFor({ state: 'detached' })
  t.strictSame(unexpected(errors, '503'), [])
})

t.test('an opened report names deleted points, and asks before changes are lost', async (t) => {
  addReport('r-gone', 'With a gap', [{ device: device.deviceUuid, point: 'c-gone', pointName: 'Old Sensor' }])
  const { page } = await open('customer.admin', '/reports')
  await page.getByRole('link', { name: 'With a gap' }).click()
  await page.getByText('Old Sensor This point is no longer there').waitFor()
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
  t.equal(portal.sandbox.state.reports.get('r-gone')?.reportDetails.selectedPoints.length, 2)
})

t.test('reports of one customer that cannot be loaded do not hide the others', async (t) => {
  const { page } = await open('partner.admin', '/')
  const path = `**/api/v1/charts-and-reports/${NOTABLE.northwind}/reports*`
  await refuse(page, path, 500)
  await page.goto('/reports')
  await page.getByText('The reports of Northwind Hospitals could not be loaded.').waitFor()
  await page.getByRole('rowheader').first().waitFor()
  t.ok((await page.getByRole('rowheader').count()) > 0)
  await page.unroute(path)
  await page.getByRole('button', { name: 'Retry' }).click()
  await page.getByRole('link', { name: 'Heating season' }).waitFor()
})
