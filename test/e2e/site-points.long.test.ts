// Two tasks with the points of a site, with their clicks counted: finding outliers, and clearing overrides.
import type { Locator, Page } from 'playwright-core'
import t from 'tap'
import { browserTest } from '../support/browser/browser.ts'
import { deviceOf, devicePath, NORTHWIND, pointOf } from '../support/browser/data-screens.ts'

let stoppedMs: number | null = null
const { portal, open } = await browserTest(t, { sandbox: { clock: () => stoppedMs ?? Date.now() } })
const NAME = 'Supply Air Temp Setpoint'

function countClicks() {
  let clicks = 0
  return {
    click: async (control: Locator) => {
      await control.click()
      clicks += 1
    },
    get clicks() {
      return clicks
    }
  }
}
const allRead = (page: Page) =>
  page.getByText(/551 of 1,240 devices read, 689 have no Data Services/).waitFor()

t.test('one point of a site leads to a chart of its three outliers in at most eight clicks', async (t) => {
  // Values must not change between the reading by which rows are sorted and the live one that they show.
  stoppedMs = Date.now()
  t.teardown(() => {
    stoppedMs = null
  })
  const { page, errors } = await open('customer.user', NORTHWIND)
  const hand = countClicks()
  await hand.click(page.getByRole('link', { name: 'Points', exact: true }))
  await allRead(page)
  await hand.click(page.getByRole('combobox', { name: 'Point' }))
  await hand.click(page.getByRole('option', { name: /^Supply Air Temp · \d+$/ }))
  await page.getByRole('columnheader', { name: /°C$/ }).waitFor()
  const distances = () =>
    page
      .locator('.from-median')
      .evaluateAll((cells) => cells.map((cell) => Math.abs(Number(cell.textContent?.replace('−', '-')))))
  const shown = await distances()
  t.ok(shown.length > 0)
  t.strictSame(
    shown,
    shown.toSorted((a, b) => b - a)
  )
  const boxes = page.locator('tbody input[type="checkbox"]:not([aria-disabled="true"])')
  for (const number of [0, 1, 2]) await hand.click(boxes.nth(number))
  await hand.click(page.getByRole('button', { name: 'Add to chart (3/10)' }))
  await page.getByRole('figure', { name: /^Chart of 3 points/ }).waitFor()
  t.ok(hand.clicks <= 8, `${hand.clicks} clicks`)
  t.strictSame(errors, [])
})

t.test('three overrides of a site are cleared and read back in at most six clicks', async (t) => {
  const devices = (['airHandler'] as const).map((name) => deviceOf(portal, name))
  const names = [NAME, 'Cooling Valve', 'Heating Valve']
  for (const name of names)
    portal.sandbox.state.pointWrites.set(pointOf(devices[0] as never, name).cloudId, [
      { fromMs: Date.now() - 60_000, value: 20 }
    ])
  const { page, errors } = await open('partner.admin', NORTHWIND)
  const hand = countClicks()
  await hand.click(page.getByRole('link', { name: 'Points', exact: true }))
  await allRead(page)
  await hand.click(page.getByRole('tab', { name: /^Exceptions/ }))
  await hand.click(page.getByText(/^Overridden 3$/))
  await page.getByText('1–3 of 3').waitFor()
  await hand.click(page.getByRole('checkbox', { name: 'Select all rows shown' }))
  await hand.click(page.getByRole('button', { name: 'Clear 3 overrides' }))
  const dialog = page.getByRole('alertdialog', { name: 'Clear 3 overrides?' })
  for (const name of names) await dialog.getByText(name, { exact: true }).waitFor()
  await hand.click(dialog.getByRole('button', { name: 'Clear 3 overrides' }))
  await dialog
    .getByText(/^Cleared, the device reads/)
    .nth(2)
    .waitFor()
  t.ok(hand.clicks <= 6, `${hand.clicks} clicks`)
  await dialog.getByText('Close', { exact: true }).click()
  await page.getByRole('heading', { name: /^No exceptions match/ }).waitFor()
  t.strictSame(errors, [])
})

t.test('the page of a point leads to the same point of all devices', async (t) => {
  const device = deviceOf(portal, 'airHandler')
  const { cloudId } = pointOf(device, NAME)
  const path = devicePath(device).replace('devicedetails', 'devicedetails/pointdetails')
  const { page } = await open('customer.user', `${path}&cloudId=${cloudId}`)
  await page.getByRole('link', { name: 'Over all devices' }).click()
  await page.getByRole('rowheader').first().waitFor()
  t.equal(await page.getByRole('combobox', { name: 'Point' }).inputValue(), NAME)
})
