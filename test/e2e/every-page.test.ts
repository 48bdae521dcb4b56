// Every page of a partner admin, who has nearly all of them; those of somebody without a role, and without a session.
import t from 'tap'
import { startPortal } from '#test/helper.ts'
import { WIDTHS } from './accessibility.ts'
import { startBrowser, visit } from './browser.ts'
import { problemsOf, problemsOnTheWay } from './every-page.ts'
import { watchMotion } from './motion.ts'

const browser = await startBrowser(t)
const portal = await startPortal(t)

for (const walker of ['no.access', 'partner.admin'] as const)
  t.test(`every page of ${walker} is fit for everybody`, async (t) => {
    t.strictSame(await problemsOnTheWay(browser, portal, walker), {})
  })

t.test('pages without a session: the same', async (t) => {
  const { page, context } = await visit(browser, portal, { reduced: true })
  for (const path of ['/signed-out', '/signin-failed', '/signin-failed?reason=expired']) {
    await page.setViewportSize({ width: WIDTHS[0], height: 900 })
    await page.goto(path)
    await watchMotion(page)
    const heading = await page.getByRole('heading', { level: 1 }).innerText()
    t.strictSame(await problemsOf(page, heading), [], path)
  }
  await context.close()
})
