import type { Page } from 'playwright-core'
import t from 'tap'
import { browserTest, type Visit } from '../support/browser/browser.ts'
import { calm } from '../support/browser/calm.ts'
import { NORTHWIND } from '../support/browser/data-screens.ts'

const { open } = await browserTest(t)

const DESK: Visit = { width: 1440 }
const TABLET: Visit = { width: 1024, touch: true }

/** The texts that a column of the table cuts. */
const cutTextsOf = (page: Page, column: string): Promise<string[]> =>
  page.locator(`tbody .column-${column}`).evaluateAll((cells) =>
    cells
      .filter((cell) =>
        [cell, ...cell.querySelectorAll('*')].some((element) => {
          const isEllipsis = getComputedStyle(element).textOverflow === 'ellipsis'
          return isEllipsis && element.scrollWidth > element.clientWidth + 1
        })
      )
      .map((cell) => cell.textContent ?? '')
  )

const WHOLE: [name: string, path: string, visit: Visit, column: string][] = [
  ['customers of the start page on a tablet', '/?view=list', TABLET, 'name'],
  ['notes of backups on a desk', `${NORTHWIND}/savedbackups?kind=MANUAL`, DESK, 'notes'],
  ['names of exports on a tablet', '/exports', TABLET, 'exportName'],
  ['customers of the audit log on a tablet', '/auditlog?range=30d', TABLET, 'customerName']
]

for (const [name, path, visit, column] of WHOLE)
  t.test(`shows in full the ${name}`, async (t) => {
    const { page } = await open('partner.admin', path, visit)
    await page.locator(`tbody .column-${column}`).first().waitFor()
    await calm(page)
    t.strictSame(await cutTextsOf(page, column), [])
  })

t.test('shows in full the ages of alarms on the cards of a phone', async (t) => {
  const { page } = await open('partner.admin', '/alarms', { width: 390, touch: true })
  const ages = page.locator('.row-card-facts time')
  await ages.first().waitFor()
  await calm(page)
  const cutAges = await ages.evaluateAll((nodes) =>
    nodes
      .filter((node) => {
        const line = node.closest('.row-card-facts')?.getBoundingClientRect()
        return node.getBoundingClientRect().right > (line?.right ?? 0)
      })
      .map((node) => node.textContent)
  )
  t.strictSame(cutAges, [])
})

t.test('shows all of a user’s access on one screen of a desk', async (t) => {
  const { page } = await open('partner.admin', '/users/u-partner-user', DESK)
  const actions = page.getByRole('region', { name: /^Actions at/ })
  await actions.waitFor()
  await calm(page)
  const { bottom, isScrolled, height } = await actions.evaluate((region) => ({
    bottom: region.getBoundingClientRect().bottom,
    isScrolled: region.scrollHeight > region.clientHeight,
    height: innerHeight
  }))
  t.ok(bottom <= height, `${bottom} of ${height} px`)
  t.notOk(isScrolled)
})
