import type { Page } from 'playwright-core'
import t from 'tap'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { browserTest, type Visit } from '../support/browser/browser.ts'
import { calm } from '../support/browser/calm.ts'
import { deviceOf, devicePath, NORTHWIND } from '../support/browser/data-screens.ts'
import { sideways } from '../support/browser/page-checks.ts'
import { goTo } from '../support/browser/walk.ts'

const { portal, open } = await browserTest(t)

const DESK: Visit = { width: 1440 }
const TABLET: Visit = { width: 1024, touch: true }
const PHONE: Visit = { width: 390, touch: true }

/** Goes to a list. */
async function goToRows(page: Page, path: string): Promise<void> {
  await goTo(page, path)
  await page.locator('.list-card tbody tr').first().waitFor()
  await calm(page)
}

async function rowHeights(page: Page, path: string): Promise<number[]> {
  await goToRows(page, path)
  return page
    .locator('.list-card tbody tr')
    .evaluateAll((rows) => rows.map((row) => Math.round(row.getBoundingClientRect().height)))
}

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

t.test('rows are as high as a target of 44 px on a tablet', async (t) => {
  const { page } = await open('partner.admin', '/', TABLET)
  for (const path of TOUCH_ROWS) {
    const heights = await rowHeights(page, path)
    t.ok(Math.min(...heights) >= 45, `${path}: ${heights}`)
  }
})

t.test('a row is as high as its text: 36 px with one line, 52 with two', async (t) => {
  const { page } = await open('partner.admin', '/', DESK)
  const heights = await rowHeights(page, `${NORTHWIND}/savedbackups?kind=MANUAL`)
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

t.test('columns keep their widths from page to page', async (t) => {
  const { page } = await open('partner.admin', '/', { width: 1280 })
  const heads = page.locator('.list-card thead :is(th, td)')
  const widths = () => heads.evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().width))
  for (const path of PAGED) {
    await goToRows(page, path)
    const firstWidths = await widths()
    for (let number = 2; number <= 4; number += 1) {
      await page.getByRole('button', { name: 'Next page' }).click()
      await page.getByText(`Page ${number} of`).waitFor()
      await calm(page)
      t.strictSame(await widths(), firstWidths, `${path}, page ${number}`)
    }
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

t.test('the pager stays at the lower edge of the window while the list is longer', async (t) => {
  const { page } = await open('partner.admin', '/', { width: 1280 })
  await page.setViewportSize({ width: 1280, height: 700 })
  const edge = () =>
    page.locator('.list-card > .card-foot').evaluate((foot) => foot.getBoundingClientRect().bottom)
  for (const path of LONG_LISTS) {
    await goToRows(page, path)
    t.equal(await page.locator('.list-card tbody tr').count(), 15, path)
    t.equal(await edge(), 700, path)
    await page.mouse.move(640, 350)
    await page.mouse.wheel(0, 200)
    await calm(page)
    t.ok((await edge()) <= 700, path)
  }
})

t.test('only what names a row is bold, on a desk and on a tablet', async (t) => {
  for (const visit of [DESK, TABLET]) {
    const { page } = await open('partner.admin', '/', visit)
    await goToRows(page, '/exports')
    const weights = await page
      .locator('.list-card tbody tr')
      .first()
      .locator('.column-exportName .stacked, .column-customerName')
      .evaluateAll((texts) => texts.map((text) => getComputedStyle(text).fontWeight))
    t.strictSame(weights, ['600', '400'], `at ${visit.width}`)
  }
})

t.test('each line of facts on a card starts below the name, without a dot', async (t) => {
  const { page } = await open('partner.admin', '/', PHONE)
  await goTo(page, '/worklists/services')
  await page.locator('.row-card').first().waitFor()
  const starts = await page.locator('.row-card').evaluateAll((cards) =>
    cards.flatMap((card) => {
      const edge = card.querySelector('h3')?.getBoundingClientRect().left ?? 0
      const lines = new Map<number, DOMRect>()
      for (const fact of card.querySelectorAll('.row-card-facts > *')) {
        const box = fact.getBoundingClientRect()
        if (!lines.has(box.top)) lines.set(box.top, box)
      }
      // The dot takes the space before a fact's text.
      return [...lines.values()].map(({ left }) => Math.round(edge - left))
    })
  )
  t.ok(starts.length > 25)
  t.strictSame([...new Set(starts)], [12])
})

t.test('cards without a pager have no bar below them', async (t) => {
  const { page } = await open('partner.admin', '/?view=cards', DESK)
  await page.locator('.customer-card').first().waitFor()
  await calm(page)
  t.equal(await page.locator('.card-foot:visible').count(), 0)
})

t.test('points chosen on a phone make the page no wider, and the range is inside the list', async (t) => {
  const { page } = await open('partner.admin', devicePath(deviceOf(portal, 'chiller')), PHONE)
  for (const name of ['Select Chilled Water Flow', 'Select Chilled Water Return Temp'])
    await page.getByRole('checkbox', { name, exact: true }).check()
  const tray = page.getByRole('region', { name: 'Chosen points' })
  await tray.waitFor()
  t.strictSame(await sideways(page), [])
  const [trayLeft, rangeLeft] = await Promise.all(
    [tray, page.locator('.pager-range')].map((part) =>
      part.evaluate((node) => node.getBoundingClientRect().left)
    )
  )
  t.equal(Number(rangeLeft) - Number(trayLeft), 16)
})

t.test('a tooltip of a service contains its whole text', async (t) => {
  const { page } = await open('partner.admin', NORTHWIND, DESK)
  await page.locator('.service-links [aria-disabled]').first().focus()
  const tip = page.locator('.tooltip:popover-open')
  await tip.waitFor()
  const { text, room } = await tip.evaluate(({ scrollWidth, clientWidth }) => ({
    text: scrollWidth,
    room: clientWidth
  }))
  t.ok(text <= room, `${text} px in ${room}`)
})

t.test(
  'a desk shows the customers as a list, a smaller screen as cards, until the person chooses',
  async (t) => {
    const { page, errors } = await open('partner.admin')
    const table = page.getByRole('table', { name: 'Customers' })
    const card = page.locator('.customer-card').first()
    const switchTo = page.getByRole('group', { name: 'Show customers as' })
    for (const width of [1440, 1024]) {
      await page.setViewportSize({ width, height: 900 })
      await table.waitFor()
    }
    await page.setViewportSize({ width: 1023, height: 900 })
    await card.waitFor()
    await switchTo.getByRole('button', { name: 'List' }).click()
    await table.waitFor()
    await page.setViewportSize({ width: 767, height: 900 })
    await card.waitFor()
    t.equal(await switchTo.count(), 0)
    await page.setViewportSize({ width: 1440, height: 900 })
    await switchTo.getByRole('button', { name: 'Cards' }).click()
    await card.waitFor()
    t.equal(new URL(page.url()).search, '?view=cards')
    await page.goto('/')
    await card.waitFor()
    t.strictSame(errors, [])
  }
)

const BELOW_A_BANNER = `/integrators/${NOTABLE.partner}${NORTHWIND}`

t.test('“Create New Project” is in sight, also below the banner of an integrator', async (t) => {
  for (const [username, path] of [
    ['partner.admin', NORTHWIND],
    ['global.admin', BELOW_A_BANNER]
  ] as const) {
    const { page } = await open(username, path, DESK)
    const button = page.getByRole('button', { name: 'Create New Project' })
    await button.waitFor()
    await calm(page)
    const { bottom, height } = await button.evaluate((node) => ({
      bottom: node.getBoundingClientRect().bottom,
      height: innerHeight
    }))
    t.ok(bottom <= height, `${username}: ${bottom} of ${height} px`)
  }
})
