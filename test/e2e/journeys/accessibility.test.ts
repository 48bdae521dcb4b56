import t from 'tap'
import { violations } from '../../support/browser/axe.ts'
import { browserTest } from '../../support/browser/browser.ts'
import { pagesOf } from '../../support/browser/pages.ts'
import { goTo } from '../../support/browser/walk.ts'

const { portal, open } = await browserTest(t)

t.test('axe finds no violation on any page', async (t) => {
  const { page } = await open('partner.admin', '/', { width: 1280, reduced: true })
  for (const path of pagesOf(portal)) {
    const heading = await goTo(page, path)
    if (!path.includes('nowhere')) t.not(heading, 'Page Not Found', path)
    t.strictSame(await violations(page, ['light']), [], path)
  }
})
