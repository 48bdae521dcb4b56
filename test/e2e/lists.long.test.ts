import t from 'tap'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { backupsOf } from '#test/sandbox/simulation/backups.ts'
import { browserTest } from '../support/browser/browser.ts'
import { calm } from '../support/browser/calm.ts'
import { NORTHWIND } from '../support/browser/data-screens.ts'
import { savedList, totalOf } from '../support/browser/downloads.ts'
import { goTo } from '../support/browser/walk.ts'
import { complete, organizationPath } from '../support/scenes/organization.ts'

// A stopped clock keeps alarms and backups from changing between two reads.
const startedMs = Date.now()
const { portal, open } = await browserTest(t, { sandbox: { clock: () => startedMs } })
// Delete the backups of 30 devices, so that the counts include devices without a backup.
const { state } = portal.sandbox
for (const device of state.devices.of(NOTABLE.northwind).slice(0, 30))
  for (const { id } of backupsOf(device, state.clock())) state.backupChanges.set(id, { isDeleted: true })

const LONG_TEXT = 'every letter of this long text stays in the field while it is searched for again and again'

for (const name of ['Search Project', 'Device, Host ID, Project, Location'])
  t.test(`fast typing loses no letter in “${name}”`, async (t) => {
    const { page } = await open('partner.admin', NORTHWIND)
    await calm(page)
    const field = page.getByRole('searchbox', { name })
    await field.focus()
    await page.keyboard.type(LONG_TEXT, { delay: 12 })
    t.equal(await field.inputValue(), LONG_TEXT)
    await calm(page)
    t.equal(await field.inputValue(), LONG_TEXT)
  })

t.test('the bar of selected rows hides no focused element, and has a border in forced colours', async (t) => {
  const { page } = await open('partner.admin', `${NORTHWIND}/alarms?show=all&range=all`, {
    width: 1280
  })
  await page.emulateMedia({ forcedColors: 'active' })
  await page
    .getByRole('checkbox', { name: /^Select alarm/ })
    .first()
    .check()
  const bar = page.getByRole('region', { name: 'Selected alarms' })
  await bar.getByRole('button', { name: 'Clear selection' }).waitFor()
  const hiddenLabels: string[] = []
  for (let step = 0; !(await bar.evaluate((node) => node.contains(document.activeElement))); step += 1) {
    if (step > 160) throw new Error('Tab does not reach the bar')
    await page.keyboard.press('Tab')
    const hiddenLabel = await page.evaluate(() => {
      const node = document.activeElement as HTMLElement
      const { left, right, top, bottom } = node.getBoundingClientRect()
      const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
      return hit && (node.contains(hit) || hit.contains(node)) ? null : (node.ariaLabel ?? node.innerText)
    })
    if (hiddenLabel !== null) hiddenLabels.push(hiddenLabel)
  }
  t.strictSame(hiddenLabels, [])
  const { border, background } = await bar.locator('..').evaluate((foot) => {
    const style = getComputedStyle(foot)
    return { border: style.borderTopWidth, background: style.backgroundColor }
  })
  t.equal(border, '1px')
  t.not(background, 'rgba(0, 0, 0, 0)')
})

const FILES: [name: string, path: string][] = [
  ['exports', '/exports?status=READY'],
  ['backups', `${NORTHWIND}/savedbackups?kind=SCHEDULED`],
  ['points', `${NORTHWIND}/points?name=Supply+Air+Temp`],
  ['reports', '/reports?kind=relative'],
  ['users', '/users?role=partner_admin%2Ccustomer_admin'],
  ['service-accounts', `${NORTHWIND}/serviceaccount?secret=expired%2Csoon`]
]

t.test('a list is saved as a file with all rows that match the filter', async (t) => {
  const { page, errors } = await open('partner.admin', '/')
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

t.test('each count of a customer links to a list with that many rows', async (t) => {
  const person = await portal.as('partner.admin')
  await complete(person, organizationPath('attention', NOTABLE.partner), 300_000)

  const { page, errors } = await open('partner.admin', '/')
  const row = page.getByRole('row', { name: /^Northwind Hospitals/ })
  await row.waitFor()
  const links = await row.getByRole('link', { name: /^Northwind Hospitals: / }).all()
  const names = await Promise.all(links.map(async (link) => (await link.getAttribute('aria-label')) ?? ''))
  t.equal(names.length, 6)
  for (const name of names) {
    const [, number = ''] = /: ([\d,]+)/.exec(name) ?? []
    await row.getByRole('link', { name, exact: true }).click()
    // A device may have several services.
    const listSize = name.includes('with a service')
      ? page.getByText(new RegExp(` · ${number} devices?$`))
      : page.getByText(new RegExp(`^1–\\d+ of ${number}$`))
    await listSize.waitFor()
    t.pass(name)
    await page.goBack()
    await row.waitFor()
  }
  t.strictSame(errors, [])
})
