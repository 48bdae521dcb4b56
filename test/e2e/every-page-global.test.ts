// Every page as a global admin who works for an integrator.
import t from 'tap'
import { startPortal } from '#test/helper.ts'
import { startBrowser } from './browser.ts'
import { problemsOnTheWay } from './every-page.ts'

const browser = await startBrowser(t)
const portal = await startPortal(t)

t.test('every page of a global admin is fit for everybody', async (t) => {
  t.strictSame(await problemsOnTheWay(browser, portal, 'global.admin+'), {})
})
