import t from 'tap'
import { browserTest, type Visit } from '../support/browser/browser.ts'
import { calm } from '../support/browser/calm.ts'
import { NORTHWIND } from '../support/browser/data-screens.ts'
import { listProblems } from '../support/browser/list-checks.ts'

const { open } = await browserTest(t)

const DESK: Visit = { width: 1440 }
const TABLET: Visit = { width: 1024, touch: true }

t.test('keeps the buttons of a list beside its search while chips show its filters', async (t) => {
  const { page } = await open('partner.admin', '/users?role=3&type=CUSTOMER', { width: 1280 })
  await page.locator('.filter-chips').waitFor()
  await calm(page)
  t.strictSame(await page.evaluate(listProblems), [])
})

const TOUCH_ROWS = [
  '/users',
  '/reports',
  '/exports',
  '/alarms',
  '/worklists/services',
  '/worklists/devices',
  NORTHWIND,
  `${NORTHWIND}/serviceaccount`
]

for (const path of TOUCH_ROWS)
  t.test(`rows are as high as a target of 44 px on a tablet: ${path}`, async (t) => {
    const { page } = await open('partner.admin', path, TABLET)
    const rows = page.locator('.list-card tbody tr')
    await rows.first().waitFor()
    await calm(page)
    const heights = await rows.evaluateAll((nodes) =>
      nodes.map((node) => Math.round(node.getBoundingClientRect().height))
    )
    t.ok(Math.min(...heights) >= 45, heights.join())
  })

t.test('a row is as high as its text: 36 px with one line, 52 with two', async (t) => {
  const { page } = await open('partner.admin', `${NORTHWIND}/savedbackups?kind=MANUAL`, DESK)
  const rows = page.locator('.list-card tbody tr')
  await rows.first().waitFor()
  await calm(page)
  const heights = await rows.evaluateAll((nodes) =>
    nodes.map((node) => Math.round(node.getBoundingClientRect().height))
  )
  t.ok(
    heights.every((height) => [36, 52, 70].includes(height)),
    heights.join()
  )
  t.ok(heights.includes(36))
})

const PAGED = [
  NORTHWIND,
  `${NORTHWIND}/points?name=Supply+Air+Temp`,
  `${NORTHWIND}/points?tab=exceptions`,
  '/alarms',
  '/worklists/services',
  '/worklists/plans',
  '/worklists/devices',
  '/users',
  '/auditlog?range=30d',
  `${NORTHWIND}/savedbackups`
]

for (const path of PAGED)
  t.test(`columns keep their widths from page to page: ${path}`, async (t) => {
    const { page } = await open('partner.admin', path, { width: 1280 })
    const heads = page.locator('.list-card thead :is(th, td)')
    const widths = () => heads.evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().width))
    await page.locator('.list-card tbody tr').first().waitFor()
    await calm(page)
    const firstWidths = await widths()
    for (let number = 2; number <= 4; number += 1) {
      await page.getByRole('button', { name: 'Next page' }).click()
      await page.getByText(`Page ${number} of`).waitFor()
      await calm(page)
      t.strictSame(await widths(), firstWidths, `page ${number}`)
    }
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

const LONG_LISTS = [NORTHWIND, '/users', `${NORTHWIND}/savedbackups`]

for (const path of LONG_LISTS)
  t.test(`the pager stays at the lower edge of the window while the list is longer: ${path}`, async (t) => {
    const { page } = await open('partner.admin', path, { width: 1280 })
    await page.setViewportSize({ width: 1280, height: 700 })
    await page.locator('.list-card tbody tr').first().waitFor()
    await calm(page)
    t.equal(await page.locator('.list-card tbody tr').count(), 15)
    const edgeOf = () =>
      page.locator('.list-card > .card-foot').evaluate((foot) => foot.getBoundingClientRect().bottom)
    t.equal(await edgeOf(), 700)
    await page.mouse.wheel(0, 200)
    await calm(page)
    t.ok((await edgeOf()) <= 700)
  })
