// Everything that opens on a page, once: fit for everybody in both themes, on a desktop and on a phone.
import t from 'tap'
import { startPortal } from '#test/helper.ts'
import { openAs, startBrowser } from '../browser.ts'
import { violations, WIDTHS } from '../support/axe.ts'
import { overflowOf } from '../support/page-checks.ts'
import { goTo } from '../support/walk.ts'
import { people } from './states/people.ts'
import { data, devices } from './states/points.ts'
import { projects } from './states/projects.ts'
import { sites } from './states/sites.ts'

const browser = await startBrowser(t)
const portal = await startPortal(t)

for (const [feature, statesOf] of Object.entries({ projects, devices, data, sites, people }))
  t.test(`no state of ${feature} shuts anybody out`, async (t) => {
    const { page } = await openAs(browser, portal, 'partner.admin', '/', { reduced: true })
    for (const { name, path, open, at = WIDTHS } of statesOf(portal)) {
      await page.setViewportSize({ width: at[0] ?? 0, height: 900 })
      await goTo(page, path)
      await open(page)
      const problems: string[] = []
      for (const width of at) problems.push(...(await violations(page, [width])), ...(await overflowOf(page)))
      t.strictSame(problems, [], name)
      await page.unrouteAll()
    }
  })
