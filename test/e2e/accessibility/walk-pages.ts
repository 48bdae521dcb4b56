// Walks through pages as four users. Three files share the pages, because a test file has only ten minutes.
import type { Browser } from 'playwright-core'
import t from 'tap'
import { unexpected } from '../../support/browser/browser.ts'
import { statefulControls } from '../../support/browser/forced-colors.ts'
import { problemsOf } from '../../support/browser/page-checks.ts'
import { land, WALKERS, walkRoutes } from '../../support/browser/walk.ts'
import type { Portal } from '../../support/portal.ts'

export const isOfCustomer = (route: string) => route.startsWith('{customer}')
export const isOfPeople = (route: string) =>
  ['/users', '/auditlog', '/registerdevice', '/unsubscribe-email'].some((path) => route.startsWith(path))

interface Walk {
  browser: Browser
  portal: Portal
  /** Whether the walk visits this route of the table. */
  visits: (route: string) => boolean
  /** The walk checks more pages and controls than this. */
  pagesMin: number
  controlsMin: number
}

export function walkPages({ browser, portal, visits, pagesMin, controlsMin }: Walk): void {
  const checkedPages = new Set<string>()
  let statefulCount = 0

  for (const walker of WALKERS)
    t.test(
      `${walker} reaches the routes of its role; every page is accessible and fits the window`,
      async (t) => {
        const { page, errors } = await land(browser, portal, walker, { reduced: true })
        const { found, expected } = await walkRoutes(
          page,
          portal,
          walker,
          visits,
          async ({ route, heading, outcome }) => {
            if (outcome === 'redirect') return
            const name = outcome === 'Page Not Found' ? heading : `${heading} at ${route}`
            if (checkedPages.has(name)) return
            checkedPages.add(name)
            t.strictSame(await problemsOf(page, heading), [], name)
            statefulCount += await statefulControls(page).count()
          }
        )
        t.strictSame(found, expected)
        t.strictSame(unexpected(errors, '403', '404'), [])
      }
    )

  t.test('the checked pages have controls that forced colours could hide', async (t) => {
    t.ok(checkedPages.size > pagesMin, `${checkedPages.size} pages`)
    t.ok(statefulCount > controlsMin, `${statefulCount} controls`)
  })
}
