// On a phone a list begins early: above it stand the search and, behind one button, filters and order.
import t from 'tap'
import { startPortal } from '#test/support/portal.ts'
import { openAs, startBrowser } from '../support/browser/browser.ts'
import { calm } from '../support/browser/calm.ts'
import { NORTHWIND } from '../support/browser/data-screens.ts'

const browser = await startBrowser(t)
const portal = await startPortal(t)

/** Header and title end at some 160 px; the notice above backups takes 80, tabs and choices 56. */
const LISTS: [path: string, first: string, mostPx: number][] = [
  [NORTHWIND, '.device-card', 240],
  [`${NORTHWIND}/alarms`, '.row-card', 310],
  [`${NORTHWIND}/savedbackups`, '.row-card', 350],
  ['/users', '.row-card', 310],
  ['/reports', '.row-card', 250],
  ['/exports', '.row-card', 260],
  ['/auditlog?range=30d', '.audit-row', 340]
]

for (const [path, first, mostPx] of LISTS)
  t.test(`${path} begins within ${mostPx} px`, async (t) => {
    const { page, errors } = await openAs(browser, portal, 'partner.admin', path, { width: 390, touch: true })
    await page.locator(first).first().waitFor()
    await calm(page)
    const top = (await page.locator(first).first().boundingBox())?.y ?? Number.POSITIVE_INFINITY
    t.ok(top <= mostPx, `${top} px`)
    const tops = await page
      .locator('.toolbar > *, .toolbar-end > *')
      .evaluateAll((parts) =>
        parts
          .filter((part) => part.checkVisibility())
          .map((part) => Math.round(part.getBoundingClientRect().top))
      )
    t.equal(new Set(tops).size, 1, 'one line of tools')
    t.strictSame(errors, [])
  })

t.test('what is set for the alarms is behind the button of the filters, and holds at once', async (t) => {
  const { page } = await openAs(browser, portal, 'partner.admin', `${NORTHWIND}/alarms`, {
    width: 390,
    touch: true
  })
  await page.locator('.row-card').first().waitFor()
  t.equal(await page.getByRole('switch').count(), 0)
  await page.getByRole('button', { name: 'Filter and sort' }).click()
  const sheet = page.getByRole('dialog', { name: 'Filter and sort' })
  await sheet.getByRole('switch', { name: 'Refresh every 20 s' }).uncheck()
  await sheet.getByRole('button', { name: 'Close' }).click()
  await page.getByText(/^Updated /).waitFor()
  await page.getByRole('button', { name: 'Filter and sort' }).click()
  t.notOk(await sheet.getByRole('switch', { name: 'Refresh every 20 s' }).isChecked())
})
