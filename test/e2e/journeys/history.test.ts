import t from 'tap'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { browserTest, says } from '../../support/browser/browser.ts'
import { calm } from '../../support/browser/calm.ts'
import { deviceOf, devicePath } from '../../support/browser/data-screens.ts'

const { portal, open } = await browserTest(t)

t.test('points of a device are charted for last month, and the chart is saved as a report', async (t) => {
  const path = devicePath(deviceOf(portal, 'airHandler'), '&q=Air+Temp')
  const { page, errors } = await open('customer.admin', path)
  await calm(page)
  for (const name of ['Supply Air Temp', 'Return Air Temp'])
    await page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).check()
  await page.getByRole('button', { name: 'Add to chart (2/10)' }).click()
  await page.getByRole('combobox', { name: 'Range' }).selectOption('Last Month')
  await page
    .getByRole('figure', { name: /^Chart of 2 points in °C/ })
    .locator('.u-over')
    .waitFor()
  await page
    .getByRole('table', { name: /^Summary/ })
    .getByText('Return Air Temp')
    .first()
    .waitFor()

  await page.getByRole('button', { name: 'Save as report' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Report name').fill('Air of the month')
  await says(page, "Report 'Air of the month' saved.", () =>
    dialog.getByRole('button', { name: 'Save' }).click()
  )
  const report = portal.sandbox.state.reports
    .of(NOTABLE.northwind)
    .find(({ reportName }) => reportName === 'Air of the month')
  t.match(report, { startTime: null, endTime: null, reportDetails: { selectedDateFilter: 'Last Month' } })

  await page.goto('/reports')
  await page.getByRole('link', { name: 'Air of the month', exact: true }).click()
  await page.getByRole('figure', { name: /^Chart of 2 points in °C/ }).waitFor()
  t.equal(await page.getByRole('combobox', { name: 'Range' }).inputValue(), 'Last Month')
  t.strictSame(errors, [])
})
