// Every route of §2, walked by everybody: those that are theirs, and those that are not.
import t from 'tap'
import { startPortal } from '#test/helper.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { openAs, startBrowser } from './browser.ts'
import { goTo, outcomeOf, stepsOf, WALKERS } from './support/walk.ts'

const browser = await startBrowser(t)
const portal = await startPortal(t)

for (const walker of WALKERS) {
  t.test(`${walker} gets to every route that exists for them, and to no other`, async (t) => {
    const chosen = walker.endsWith('+')
    const start = chosen ? `/integrators/${NOTABLE.partner}` : '/'
    const { page, errors } = await openAs(browser, portal, walker.replace('+', ''), start)
    if (chosen) await page.getByText('You work in').waitFor()
    const met: Record<string, string> = {}
    const wanted: Record<string, string> = {}
    for (const { path, outcome, customer } of stepsOf(walker, portal)) {
      if (walker === 'global.admin')
        await page.evaluate(() => localStorage.removeItem('portal.integrator.u-global-admin'))
      const heading = await goTo(page, path)
      met[path] = outcomeOf(heading, path, new URL(page.url()).pathname, customer)
      wanted[path] = outcome
    }
    t.strictSame(met, wanted)
    t.strictSame(
      errors.filter((text) => !/status of 40[34]/.test(text)),
      [],
      'nothing but refusals of the gateway on the console'
    )
    await page.context().close()
  })
}
