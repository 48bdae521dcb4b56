// The reference page of the API.
import t from 'tap'
import { violations } from '../support/browser/axe.ts'
import { bringSession, browserTest, visit } from '../support/browser/browser.ts'

const { browser, portal } = await browserTest(t)

t.test('requires a sign-in', async (t) => {
  const { page } = await visit(browser, portal)
  await page.goto('/api/docs')
  await page.waitForURL(/\/oidc\/|returnTo/)
  t.match(await page.content(), /sandbox|password/i)
})

for (const width of [1440, 390])
  t.test(
    `shows the permission and an example of each call, without accessibility violations at ${width} px`,
    async (t) => {
      const { page, context, errors, answers } = await visit(browser, portal, { width })
      await bringSession(context, portal, 'partner.admin')
      await page.goto('/api/docs')
      await page.getByText('/customers/{customerId}/devices', { exact: false }).first().click()
      const operation = page.locator('#portal\\.devices')
      await operation.getByText('devices:view').waitFor()
      await operation.getByText('"deviceName": "AHU-1"').waitFor()
      t.strictSame(await violations(page), [])
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      t.ok(overflow <= 0, `${overflow} px wider than the screen`)
      t.strictSame(errors, [])
      t.ok(answers.every((answer) => answer.url().startsWith(portal.url)))
    }
  )
