// Every route of §2, walked by everybody: those that are theirs, and those that are not. Who gets to every page looks at
// each as well: accessibility/pages.
import t from 'tap'
import { startPortal } from '#test/support/portal.ts'
import { startBrowser } from '../support/browser/browser.ts'
import { LOOKERS, land, unexpected, WALKERS, walkRoutes } from '../support/browser/walk.ts'

const browser = await startBrowser(t)
const portal = await startPortal(t)

for (const walker of WALKERS.filter((one) => !LOOKERS.includes(one)))
  t.test(`${walker} gets to every route that exists for them, and to no other`, async (t) => {
    const { page, errors } = await land(browser, portal, walker)
    const { met, wanted } = await walkRoutes(page, portal, walker)
    t.strictSame(met, wanted)
    t.strictSame(unexpected(errors), [])
  })
