import t from 'tap'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { startPortal } from '#test/support/portal.ts'
import { openAs, startBrowser } from '../support/browser/browser.ts'
import { calm } from '../support/browser/calm.ts'

const browser = await startBrowser(t)
const portal = await startPortal(t)
const NORTHWIND = `/customers/${NOTABLE.northwind}`

t.test('the page of the devices is remembered, by a reload and by who comes back', async (t) => {
  const { page, errors } = await openAs(browser, portal, 'customer.admin', NORTHWIND)
  const first = page.getByRole('rowheader').first()
  const range = (text: string) => page.getByText(text, { exact: true }).waitFor()
  await range('1–15 of 1,240')
  await page.getByRole('button', { name: 'Host ID', exact: true }).click()
  await page.locator('th[aria-sort=ascending]').filter({ hasText: 'Host ID' }).waitFor()
  // The next page is that after the one which shows.
  await page.getByRole('button', { name: 'Next page' }).click()
  await range('16–30 of 1,240')
  await page.getByRole('button', { name: 'Next page' }).click()
  await range('31–45 of 1,240')
  const third = await first.textContent()
  await page.reload()
  await range('31–45 of 1,240')
  t.equal(await first.textContent(), third, 'a reload shows the same page')
  await page.goto(NORTHWIND)
  await range('31–45 of 1,240')
  t.strictSame(errors, [])
})

t.test('on a phone, rows expand, more load by a button, and projects open in a dialog', async (t) => {
  const { page, errors } = await openAs(browser, portal, 'customer.admin', NORTHWIND, { width: 390 })
  await page.getByRole('button', { name: 'Load next 10' }).click()
  await page.waitForFunction(() => document.querySelectorAll('.device-card').length === 20)
  const card = page.locator('.device-card').first()
  await card.getByRole('button', { name: /^Details of/ }).click()
  for (const field of ['Host ID', 'Project', 'Services'])
    await card.getByText(field, { exact: true }).waitFor()
  const [id, copy] = await card.locator('.host-id > *').evaluateAll((both) =>
    both.map((one) => {
      const { left, right } = one.getBoundingClientRect()
      return { left, right, cutOff: one.scrollWidth - one.clientWidth }
    })
  )
  t.ok(id && copy && id.right <= copy.left && id.cutOff === 0, 'all of the host id shows beside its button')
  await page.getByRole('button', { name: 'Filter and sort' }).click()
  await page.getByRole('button', { name: /^Filter by project/ }).click()
  const dialog = page.getByRole('dialog', { name: /^Projects/ })
  await dialog.getByRole('searchbox', { name: 'Search Project' }).fill('Central Plant')
  await dialog
    .getByRole('link', { name: /Central Plant/ })
    .first()
    .click()
  await page.waitForFunction(() => document.querySelectorAll('.device-card').length === 10)
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  t.ok(overflow <= 0, `no sideways scrolling (${overflow})`)
  t.strictSame(errors, [])
})

t.test(
  'rows have one line and one height, and on a desk all of a page shows without scrolling',
  async (t) => {
    const { page } = await openAs(browser, portal, 'partner.admin', NORTHWIND)
    const finger = (await openAs(browser, portal, 'partner.admin', NORTHWIND, { touch: true })).page
    const cases = [
      { on: page, width: 1440, height: 900, rows: 15, high: 36, whole: true },
      { on: page, width: 1280, height: 800, rows: 15, high: 36, whole: false },
      { on: page, width: 2560, height: 1440, rows: 15, high: 36, whole: true },
      { on: finger, width: 1180, height: 820, rows: 10, high: 45, whole: true },
      { on: finger, width: 1366, height: 1024, rows: 10, high: 45, whole: true },
      { on: finger, width: 820, height: 1180, rows: 10, high: 45, whole: true }
    ]
    for (const { on, width, height, rows, high, whole } of cases) {
      await on.setViewportSize({ width, height })
      await on.getByText(`1–${rows} of 1,240`, { exact: true }).waitFor()
      await calm(on)
      const met = await on.evaluate(() => {
        const boxes = (selector: string) =>
          [...document.querySelectorAll(selector)].map((one) => one.getBoundingClientRect())
        const hosts = [...document.querySelectorAll('.host-id .mono')]
        return {
          heights: [...new Set(boxes('.devices tbody tr').map((box) => Math.round(box.height)))],
          bottom: Math.round(innerHeight - (boxes('.pager')[0]?.bottom ?? 0)),
          cut: hosts.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length,
          right: innerWidth - (boxes('.devices')[0]?.right ?? 0)
        }
      })
      const at = `${width}×${height}`
      t.strictSame(met.heights, [high], `${at}: heights of rows`)
      t.equal(met.cut, 0, `${at}: host ids are whole`)
      t.equal(met.bottom >= 0, whole, `${at}: the pager ends ${met.bottom} px above the end`)
      t.ok(met.right <= 20, `${at}: the whole width is used`)
    }
  }
)
