// Everything that opens on a page, once: fit for everybody in both themes, on a desk, and for a finger on a tablet and a phone.
import t from 'tap'
import { startPortal } from '#test/support/portal.ts'
import { violations } from '../../support/browser/axe.ts'
import { openAs, startBrowser } from '../../support/browser/browser.ts'
import { misfitsNow } from '../../support/browser/fit.ts'
import { goTo } from '../../support/browser/walk.ts'
import { DESK_AND_PHONE } from './state.ts'
import { last } from './states/last.ts'
import { people } from './states/people.ts'
import { data, devices } from './states/points.ts'
import { projects } from './states/projects.ts'
import { sites } from './states/sites.ts'

const browser = await startBrowser(t)
const portal = await startPortal(t)

// One page for all: the portal and axe are loaded but once.
t.test('no state shuts anybody out', async (t) => {
  const desk = await openAs(browser, portal, 'partner.admin', '/', { reduced: true })
  const tablet = await openAs(browser, portal, 'partner.admin', '/', { reduced: true, touch: true })
  for (const [feature, statesOf] of Object.entries({ projects, devices, data, sites, people, last }))
    for (const { name, path, open, at = DESK_AND_PHONE } of statesOf(portal)) {
      const touched = at.every((width) => width < 1024)
      const { page } = touched ? tablet : desk
      await page.setViewportSize({ width: at[0] ?? 0, height: 900 })
      await goTo(page, path)
      await open(page)
      const problems: string[] = []
      for (const width of at) {
        problems.push(...(await violations(page, { widths: [width] })))
        problems.push(...(await misfitsNow(page, touched ? 'touch' : 'mouse')))
      }
      t.strictSame(problems, [], `${feature}: ${name}`)
      await page.unrouteAll()
    }
})
