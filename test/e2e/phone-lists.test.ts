// On a phone a list begins early: above it stand the search and, behind one button, filters and order.
import t from 'tap'
import { startPortal } from '#test/support/portal.ts'
import { openAs, startBrowser } from '../support/browser/browser.ts'
import { calm } from '../support/browser/calm.ts'
import { NORTHWIND } from '../support/browser/data-screens.ts'

const browser = await startBrowser(t)
// No alarm goes off and no backup ends between two looks.
const startedMs = Date.now()
const portal = await startPortal(t, { sandbox: { clock: () => startedMs } })

/** Header and title end at some 160 px; the notice above backups takes 80, tabs and choices 56. */
const LISTS: [path: string, first: string, mostPx: number][] = [
  [NORTHWIND, '.device-card', 240],
  [`${NORTHWIND}/alarms`, '.row-card', 310],
  [`${NORTHWIND}/savedbackups`, '.row-card', 350],
  [`${NORTHWIND}/savedbackups?locked=false`, '.row-card', 410],
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
    t.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390, 'nothing sideways')
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

const FILTERED = [`${NORTHWIND}/alarms`, `${NORTHWIND}/savedbackups`, '/exports', '/users']

t.test('above a table a filter is named by what it is set to, in a sheet by its label', async (t) => {
  const { page } = await openAs(browser, portal, 'partner.admin', '/auditlog?range=custom')
  const seen = (place: string) =>
    page
      .locator(`${place} :is(.form-field, .combobox) > label`)
      .evaluateAll((labels) =>
        labels.map((label) => [label.textContent, getComputedStyle(label).clipPath === 'none'] as const)
      )
  const shown = (labels: (readonly [string | null, boolean])[]) =>
    labels.flatMap(([text, visible]) => (visible ? [text] : []))
  await page.locator('.toolbar .form-field').first().waitFor()
  t.strictSame(shown(await seen('.toolbar >')), ['From', 'To'], 'days name nothing')
  for (const path of FILTERED) {
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.goto(path)
    await page.locator('.toolbar .form-field').first().waitFor()
    await calm(page)
    const names = await page
      .locator('.toolbar :is(select, [role=combobox])')
      .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).labels?.[0]?.textContent))
    t.ok(names.length > 1 && names.every(Boolean), `${path}: ${names}`)
    t.strictSame(
      shown(await seen('.toolbar')).filter((name) => name !== 'From' && name !== 'To'),
      [],
      path
    )
    await page.setViewportSize({ width: 390, height: 900 })
    await page.getByRole('button', { name: 'Filter and sort' }).click()
    await page.getByRole('dialog', { name: 'Filter and sort' }).waitFor()
    const labels = await seen('dialog')
    t.ok(labels.length > names.length, path)
    t.strictSame(
      shown(labels),
      labels.map(([text]) => text),
      path
    )
  }
})
