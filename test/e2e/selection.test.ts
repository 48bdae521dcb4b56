// What can be done with ticked rows stands at the foot of what one sees: no row moves for it, and none stays behind it.
import type { Page } from 'playwright-core'
import t from 'tap'
import { startPortal } from '#test/support/portal.ts'
import { openAs, startBrowser } from '../support/browser/browser.ts'
import { calm } from '../support/browser/calm.ts'
import { NORTHWIND } from '../support/browser/data-screens.ts'
import { eventually } from '../support/eventually.ts'

const browser = await startBrowser(t)
// No alarm goes off and no backup ends between two looks.
const startedMs = Date.now()
const portal = await startPortal(t, { sandbox: { clock: () => startedMs } })

const LISTS = [
  { name: 'devices', path: NORTHWIND },
  { name: 'alarms', path: `${NORTHWIND}/alarms?show=all&range=all` },
  { name: 'backups', path: `${NORTHWIND}/savedbackups?locked=false` }
]
const LOOKS = [
  { width: 1440, touch: false },
  { width: 820, touch: true },
  { width: 390, touch: true }
]

const ROWS = 'main :is(tbody tr, .row-card, .device-card)'
const topsOf = (page: Page) =>
  page
    .locator(ROWS)
    .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().top + window.scrollY))

for (const { name, path } of LISTS)
  for (const { width, touch } of LOOKS)
    t.test(`a ticked row of ${name} moves no row, at ${width} px`, async (t) => {
      const { page, errors } = await openAs(browser, portal, 'partner.admin', path, {
        width,
        touch,
        reduced: true
      })
      const boxes = page.locator(ROWS).getByRole('checkbox', { name: /^Select / })
      await boxes.first().waitFor()
      await calm(page)
      const before = await topsOf(page)
      await boxes.first().check()
      const bar = page.getByRole('region', { name: `Selected ${name}` })
      const clear = bar.getByRole('button', { name: 'Clear selection' })
      await clear.waitFor()
      await calm(page)
      t.strictSame(await topsOf(page), before)
      t.match(await bar.getByRole('status').innerText(), /^1 selected/)
      const place = async () => {
        const box = await bar.boundingBox()
        if (!box) throw new Error('the bar is not to be seen')
        return { top: box.y, bottom: box.y + box.height }
      }
      t.ok((await place()).bottom <= 900, 'it is in sight where the list is longer than that')

      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
      const last = page.locator(ROWS).last()
      t.ok(
        await eventually(async () => {
          const row = await last.boundingBox()
          return row !== null && row.y + row.height <= (await place()).top + 1
        }),
        'the last row is above it'
      )

      await boxes.last().focus()
      const reached = async () => {
        await page.keyboard.press('Tab')
        return bar.evaluate((one) => one.contains(document.activeElement))
      }
      t.ok(await eventually(reached), 'the keyboard comes to it after the rows')
      await clear.click()
      await clear.waitFor({ state: 'detached' })
      t.strictSame(await topsOf(page), before)
      t.strictSame(errors, [])
    })

t.test('what has the focus is not under the bar, and a forced palette sets the bar apart', async (t) => {
  const { page } = await openAs(browser, portal, 'partner.admin', LISTS[1]?.path, { width: 1280 })
  await page.emulateMedia({ forcedColors: 'active' })
  await page
    .getByRole('checkbox', { name: /^Select alarm/ })
    .first()
    .check()
  const bar = page.getByRole('region', { name: 'Selected alarms' })
  await bar.getByRole('button', { name: 'Clear selection' }).waitFor()
  const hidden: string[] = []
  for (let step = 0; !(await bar.evaluate((one) => one.contains(document.activeElement))); step += 1) {
    if (step > 160) throw new Error('the bar is not reached')
    await page.keyboard.press('Tab')
    const under = await page.evaluate(() => {
      const at = document.activeElement as HTMLElement
      const { left, right, top, bottom } = at.getBoundingClientRect()
      const seen = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
      return seen && (at.contains(seen) || seen.contains(at)) ? null : (at.ariaLabel ?? at.innerText)
    })
    if (under !== null) hidden.push(under)
  }
  t.strictSame(hidden, [])
  const { border, ground } = await bar.locator('..').evaluate((foot) => {
    const style = getComputedStyle(foot)
    return { border: style.borderTopWidth, ground: style.backgroundColor }
  })
  t.equal(border, '1px')
  t.not(ground, 'rgba(0, 0, 0, 0)')
})
