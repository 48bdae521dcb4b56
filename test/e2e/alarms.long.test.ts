import t from 'tap'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { browserTest } from '../support/browser/browser.ts'

const { open } = await browserTest(t)
const ALARMS = `/customers/${NOTABLE.northwind}/alarms`

t.test('arrow keys move through the details of alarms, and Escape closes the details', async (t) => {
  const { page, errors } = await open('partner.admin', `${ALARMS}?show=all&range=all`)
  await page.locator('.link-button.source').first().click()
  await page.waitForURL(/alarm=/)
  const details = page.getByRole('complementary').filter({ hasText: 'Raised' })
  const openAlarm = () => new URL(page.url()).searchParams.get('alarm') ?? ''
  const firstAlarm = openAlarm()
  await details.getByText(firstAlarm, { exact: true }).waitFor({ state: 'attached' })
  await page.waitForFunction(() => document.activeElement?.id === 'alarm-heading')
  await page.keyboard.press('ArrowDown')
  await page.waitForURL((url) => url.searchParams.get('alarm') !== firstAlarm)
  await details.getByText(openAlarm(), { exact: true }).waitFor({ state: 'attached' })
  await page.keyboard.press('Escape')
  await details.waitFor({ state: 'detached' })
  t.strictSame(errors, [])
})

for (const width of [1024, 1280, 1440])
  t.test(`beside the details, each row keeps its tick and its menu in sight at ${width} px`, async (t) => {
    const { page, errors } = await open('partner.admin', '/alarms', { width })
    await page.locator('.link-button.source').nth(1).click()
    await page.locator('#alarm-heading').waitFor()
    const region = await page.locator('.table-region').boundingBox()
    const actions = await page.locator('tbody .row-actions').first().boundingBox()
    if (!region || !actions) throw new Error('no rows')
    t.ok(actions.x + actions.width <= region.x + region.width, `${actions.width} px wide at ${actions.x}`)
    t.strictSame(errors, [])
  })

t.test(
  'on a tablet, the sheet with the details hides neither the open row nor the tools of the list',
  async (t) => {
    const { page, errors } = await open('partner.admin', '/alarms', { width: 820, touch: true })
    await page.locator('.link-button.source').nth(1).click()
    const sheet = page.getByRole('complementary').filter({ hasText: 'Raised' })
    await sheet.waitFor()
    const sheetTop = async () => (await sheet.boundingBox())?.y ?? 0
    const row = await page.locator('tr[aria-current="true"]').boundingBox()
    t.ok(row && row.y + row.height <= (await sheetTop()) + 1, `the row ends at ${row && row.y + row.height}`)
    const buttons = await sheet
      .getByRole('button')
      .evaluateAll((elements) =>
        elements.map((element) => Math.round(element.getBoundingClientRect().height))
      )
    t.ok(Math.min(...buttons) >= 44, `buttons of ${buttons.join()} px`)
    await page.getByRole('searchbox', { name: 'Source, message or customer' }).fill('Smoke')
    await page.waitForURL(/q=Smoke/)
    t.ok(await sheet.isVisible())
    t.strictSame(errors, [])
  }
)
