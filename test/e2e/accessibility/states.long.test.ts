// Checks all that opens on a page with axe in the dark theme, and for sideways scrolling. `pages.long.test.ts` covers the light
// theme.
import t from 'tap'
import { violations } from '../../support/browser/axe.ts'
import { browserTest } from '../../support/browser/browser.ts'
import { showWholePage, sideways } from '../../support/browser/page-checks.ts'
import { goTo } from '../../support/browser/walk.ts'
import { DESK_AND_PHONE } from './state.ts'
import { frame } from './states/frame.ts'
import { last } from './states/last.ts'
import { people } from './states/people.ts'
import { data, devices } from './states/points.ts'
import { projects } from './states/projects.ts'
import { sites } from './states/sites.ts'

const { portal, open } = await browserTest(t)

// Reusing the two pages loads the portal and axe only once for each.
t.test('axe finds no violation in anything that opens, and everything fits', async (t) => {
  const desk = await open('partner.admin', '/', { reduced: true })
  const tablet = await open('partner.admin', '/', { reduced: true, touch: true })
  for (const [feature, statesOf] of Object.entries({ projects, devices, data, sites, people, frame, last }))
    for (const { name, path, open, at = DESK_AND_PHONE } of statesOf(portal)) {
      const isTouch = at.every((width) => width < 1024)
      const { page } = isTouch ? tablet : desk
      await page.setViewportSize({ width: at[0] ?? 0, height: 900 })
      await goTo(page, path)
      await open(page)
      await showWholePage(page)
      const problems = await violations(page, ['dark'])
      for (const width of at) {
        await page.setViewportSize({ width, height: 900 })
        problems.push(...(await sideways(page)))
      }
      t.strictSame(problems, [], `${feature}: ${name}`)
      await page.unrouteAll()
    }
})
