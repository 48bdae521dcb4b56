import type { Page } from 'playwright-core'
import t from 'tap'
import { browserTest, type Visit } from '../support/browser/browser.ts'
import { calm } from '../support/browser/calm.ts'
import { NORTHWIND } from '../support/browser/data-screens.ts'
import { listProblems } from '../support/browser/list-checks.ts'

const { open } = await browserTest(t)

const DESK: Visit = { width: 1440 }
const TABLET: Visit = { width: 1024, touch: true }
const PHONE: Visit = { width: 390, touch: true }

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
  ['names of exports on a desk', '/exports', DESK, 'exportName'],
  ['names of exports on a tablet', '/exports', TABLET, 'exportName'],
  ['points of reports on a tablet', '/reports', TABLET, 'points'],
  ['e-mails of invitations on a tablet', '/users?tab=invitations', TABLET, 'invited'],
  ['customers of the audit log on a tablet', '/auditlog?range=30d', TABLET, 'customerName']
]

for (const [name, path, visit, column] of WHOLE)
  t.test(`shows in full the ${name}`, async (t) => {
    const { page } = await open('partner.admin', path, visit)
    await page.locator(`tbody .column-${column}`).first().waitFor()
    await calm(page)
    t.strictSame(await cutTextsOf(page, column), [])
  })

const WHOLE_ON_CARDS: [name: string, path: string, selector: string][] = [
  ['ages of alarms', '/alarms', '.row-card-facts time'],
  ['ends of invitations', '/users?tab=invitations', '.row-card-main .badge']
]

for (const [name, path, selector] of WHOLE_ON_CARDS)
  t.test(`shows in full the ${name} on the cards of a phone`, async (t) => {
    const { page } = await open('partner.admin', path, PHONE)
    const facts = page.locator(selector)
    await facts.first().waitFor()
    await calm(page)
    const cutFacts = await facts.evaluateAll((nodes) =>
      nodes
        .filter((node) => {
          const card = node.closest('.row-card-main')?.getBoundingClientRect()
          return node.getBoundingClientRect().right > (card?.right ?? 0)
        })
        .map((node) => node.textContent)
    )
    t.strictSame(cutFacts, [])
  })

t.test('keeps the buttons of a list beside its search while chips show its filters', async (t) => {
  const { page } = await open('partner.admin', '/users?role=3&type=CUSTOMER', { width: 1280 })
  await page.locator('.filter-chips').waitFor()
  await calm(page)
  t.strictSame(await page.evaluate(listProblems), [])
})

const TOUCH_ROWS = ['/users', '/reports', '/exports', '/alarms', NORTHWIND, `${NORTHWIND}/serviceaccount`]

for (const path of TOUCH_ROWS)
  t.test(`rows are as high as a target of 44 px on a tablet: ${path}`, async (t) => {
    const { page } = await open('partner.admin', path, TABLET)
    const rows = page.locator('.list-card tbody tr')
    await rows.first().waitFor()
    await calm(page)
    const heights = await rows.evaluateAll((nodes) =>
      nodes.map((node) => Math.round(node.getBoundingClientRect().height))
    )
    t.ok(
      heights.every((height) => height >= 45 && height <= 46),
      heights.join()
    )
  })

t.test('cuts the device of an alarm only after its customer', async (t) => {
  const { page } = await open('partner.admin', '/alarms', TABLET)
  const names = page.locator('tbody .source-device')
  await names.first().waitFor()
  await calm(page)
  const cutDevices = await names.evaluateAll((nodes) =>
    nodes
      .filter((node) => {
        const [customer, , device] = node.children
        if (!device) return true
        const isDeviceCut = [device, device.querySelector('.middle-cut > :first-child')].some(
          (element) => element && element.scrollWidth > element.clientWidth + 1
        )
        return isDeviceCut && (customer?.clientWidth ?? 0) > 48
      })
      .map((node) => node.textContent)
  )
  t.strictSame(cutDevices, [])
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

const LOW_WINDOW = [NORTHWIND, '/alarms', '/users', `${NORTHWIND}/savedbackups`]

for (const path of LOW_WINDOW)
  t.test(`shows 15 rows and the pager in a window of 1280 × 860 px: ${path}`, async (t) => {
    const { page } = await open('partner.admin', path, { width: 1280 })
    await page.setViewportSize({ width: 1280, height: 860 })
    await page.locator('.list-card tbody tr').first().waitFor()
    await calm(page)
    t.equal(await page.locator('.list-card tbody tr').count(), 15)
    const pagerBox = await page.locator('.pager').boundingBox()
    t.ok(pagerBox && pagerBox.y + pagerBox.height <= 860, JSON.stringify(pagerBox))
  })
