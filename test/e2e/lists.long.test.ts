// What lists have in common: the bar of selected rows, sticky headings, the height of rows, files.
import type { Page } from 'playwright-core'
import t from 'tap'
import type { AttentionList } from '#shared/attention.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { backupsOf } from '#test/sandbox/simulation/backups.ts'
import { startPortal } from '#test/support/portal.ts'
import { openAs, startBrowser } from '../support/browser/browser.ts'
import { calm } from '../support/browser/calm.ts'
import { NORTHWIND } from '../support/browser/data-screens.ts'
import { contentOf, savedList, totalOf } from '../support/browser/downloads.ts'
import { goTo } from '../support/browser/walk.ts'
import { eventually } from '../support/eventually.ts'

const browser = await startBrowser(t)
// Alarms and backups stay the same between two looks.
const startedMs = Date.now()
const portal = await startPortal(t, { sandbox: { clock: () => startedMs } })
// The counts of a customer include devices without a backup.
const { state } = portal.sandbox
for (const device of state.devices.of(NOTABLE.northwind).slice(0, 30))
  for (const { id } of backupsOf(device, state.clock())) state.backupChanges.set(id, { isDeleted: true })

/** Tables and both kinds of cards. */
const SELECTIONS = [
  { name: 'devices', path: NORTHWIND, width: 1440 },
  { name: 'devices', path: NORTHWIND, width: 390 },
  { name: 'alarms', path: `${NORTHWIND}/alarms?show=all&range=all`, width: 820 },
  { name: 'backups', path: `${NORTHWIND}/savedbackups?locked=false`, width: 390 }
]

const ROWS = 'main :is(tbody tr, .row-card, .device-card)'
const topsOf = (page: Page) =>
  page
    .locator(ROWS)
    .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().top + window.scrollY))

for (const { name, path, width } of SELECTIONS)
  t.test(`a selected row of ${name} moves no row, at ${width} px`, async (t) => {
    const { page, errors } = await openAs(browser, portal, 'partner.admin', path, {
      width,
      touch: width < 1024,
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
      if (!box) throw new Error('the bar is hidden')
      return { top: box.y, bottom: box.y + box.height }
    }
    t.ok((await place()).bottom <= 900, 'the bar is in view')

    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    const last = page.locator(ROWS).last()
    t.ok(
      await eventually(async () => {
        const row = await last.boundingBox()
        return row !== null && row.y + row.height <= (await place()).top + 1
      }),
      'the last row ends above the bar'
    )

    await boxes.last().focus()
    const reached = async () => {
      await page.keyboard.press('Tab')
      return bar.evaluate((one) => one.contains(document.activeElement))
    }
    t.ok(await eventually(reached), 'Tab reaches the bar after the rows')
    await clear.click()
    await clear.waitFor({ state: 'detached' })
    t.strictSame(await topsOf(page), before)
    t.strictSame(errors, [])
  })

t.test('the bar of selected rows hides no focused element, and has a border in forced colours', async (t) => {
  const { page } = await openAs(browser, portal, 'partner.admin', `${NORTHWIND}/alarms?show=all&range=all`, {
    width: 1280
  })
  await page.emulateMedia({ forcedColors: 'active' })
  await page
    .getByRole('checkbox', { name: /^Select alarm/ })
    .first()
    .check()
  const bar = page.getByRole('region', { name: 'Selected alarms' })
  await bar.getByRole('button', { name: 'Clear selection' }).waitFor()
  const hidden: string[] = []
  for (let step = 0; !(await bar.evaluate((one) => one.contains(document.activeElement))); step += 1) {
    if (step > 160) throw new Error('Tab does not reach the bar')
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

t.test('the headings of columns stay in view while the page scrolls', async (t) => {
  const { page } = await openAs(browser, portal, 'partner.admin', `${NORTHWIND}/savedbackups`)
  await page.setViewportSize({ width: 1440, height: 500 })
  await page.getByRole('rowheader').first().waitFor()
  await calm(page)
  await page.mouse.move(700, 300)
  await page.mouse.wheel(0, 700)
  await page.waitForFunction(() => window.scrollY >= 600)
  const heading = await page.getByRole('columnheader', { name: 'Device' }).boundingBox()
  t.ok(heading && heading.y >= 0 && heading.y < 100)
})

const FILES: [name: string, path: string][] = [
  ['exports', '/exports?status=READY'],
  ['backups', `${NORTHWIND}/savedbackups?kind=SCHEDULED`],
  ['reports', '/reports?kind=relative'],
  ['users', '/users?role=partner_admin%2Ccustomer_admin'],
  ['service-accounts', `${NORTHWIND}/serviceaccount?secret=expired%2Csoon`]
]

t.test('a list is saved as a file with all rows of its filter', async (t) => {
  const { page, errors } = await openAs(browser, portal, 'partner.admin', '/')
  for (const [name, path] of FILES) {
    await goTo(page, path)
    await page.getByRole('rowheader').first().waitFor()
    await calm(page)
    const file = await savedList(page)
    t.match(file.name, new RegExp(`^${name}-.*\\d{4}-\\d\\d-\\d\\d\\.csv$`))
    t.equal(file.rows.length, await totalOf(page), name)
  }
  t.strictSame(errors, [])
})

t.test('the audit log is saved as CSV and as JSON', async (t) => {
  const { page } = await openAs(browser, portal, 'partner.user', '/auditlog?range=30d&outcome=DENIED')
  await page.getByRole('list', { name: 'Entries' }).waitFor()
  for (const [item, ending] of [
    ['As CSV', /\.csv$/],
    ['As JSON', /\.json$/]
  ] as const) {
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: item }).click()
    ])
    t.match(file.suggestedFilename(), ending)
    t.ok((await contentOf(file)).length > 0)
  }
})

t.test('each count of a customer links to a list of as many', async (t) => {
  const person = await portal.as('partner.admin')
  const path = `/api/portal/v1/organizations/${NOTABLE.partner}/attention`
  await eventually(async () => (await person.json<AttentionList>(path)).partial.length === 0, 300_000)

  const { page, errors } = await openAs(browser, portal, 'partner.admin', '/')
  const card = page.getByRole('list', { name: 'What needs attention at Northwind Hospitals' })
  await card.waitFor()
  const chips = (await card.getByRole('link').allInnerTexts()).map((text) => text.replace(/\s+/g, ' '))
  t.equal(chips.length, 6)
  for (const chip of chips) {
    const [, label = '', number = ''] = /^(\D+) ([\d,]+)/.exec(chip) ?? []
    await card.getByRole('link', { name: new RegExp(`^${label} ${number}`) }).click()
    const shown =
      label === 'No backup'
        ? page.getByText(new RegExp(`^${number} devices? of `))
        : page.getByText(new RegExp(`^1–\\d+ of ${number}$`))
    await shown.waitFor()
    t.pass(chip)
    await page.goBack()
    await card.waitFor()
  }
  t.strictSame(errors, [])
})
