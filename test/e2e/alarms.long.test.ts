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
