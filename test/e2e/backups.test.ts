import type { Page } from 'playwright-core'
import t from 'tap'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { startPortal } from '#test/support/portal.ts'
import { openAs, startBrowser } from '../support/browser/browser.ts'
import { savedList, totalOf } from '../support/browser/downloads.ts'

const browser = await startBrowser(t)
const startedMs = Date.now()
// Time stands still at the stations: in the hours in which they are backed up, another backup begins or ends every minute.
const portal = await startPortal(t, { sandbox: { clock: () => startedMs } })
const BACKUPS = `/customers/${NOTABLE.northwind}/savedbackups`
const API = `/api/v1/recover/customers/${NOTABLE.northwind}/backups`

interface Backup {
  id: string
  retained: boolean
  status: string
  backupDate: string
  hostId: string
}

const admin = await portal.as('partner.admin')
async function listed(query = ''): Promise<Backup[]> {
  const answer = await admin.json<{ _embedded: { backups: Backup[] } }>(`${API}?${query}`)
  return answer._embedded.backups
}

/** Of the first page of the list one that may be fetched and deleted; which ones can depends on the hour. */
async function openOne(): Promise<Backup> {
  const backups = await listed('size=15')
  const one = backups.find(({ status, retained }) => status === 'COMPLETE' && !retained)
  if (!one) throw new Error('none of the newest backups is complete')
  return one
}

/** By the device and the time. */
const rowOf = (page: Page, { backupDate, hostId }: Backup) =>
  page
    .getByRole('row')
    .filter({ has: page.locator(`time[datetime="${backupDate}"]`) })
    .filter({ hasText: hostId })
const menuOf = (page: Page, one: Backup) =>
  rowOf(page, one).getByRole('button', { name: /^Actions for backup/ })

t.test('a customer user sees backups and can do nothing with them', async (t) => {
  const { page, errors } = await openAs(browser, portal, 'customer.user', BACKUPS)
  await page.getByRole('rowheader').first().waitFor()
  t.equal(await page.getByRole('checkbox', { name: /^Select/ }).count(), 0)
  t.equal(await page.getByRole('button', { name: /^Actions for/ }).count(), 0)
  t.strictSame(errors, [])
})

t.test('a backup that has vanished is said where it was to be downloaded', async (t) => {
  const { page } = await openAs(browser, portal, 'partner.admin', BACKUPS)
  const one = await openOne()
  const menu = menuOf(page, one)
  await menu.waitFor()
  await admin.call(`${API}/${one.id}`, { method: 'DELETE' })
  await menu.click()
  await page.getByRole('menuitem', { name: 'Download' }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByText(/passphrase/).waitFor()
  await dialog.getByRole('button', { name: 'Download' }).click()
  await dialog.getByText('This backup is no longer there. Somebody may have deleted it.').waitFor()
  t.pass()
})

t.test('a backup is downloaded with its name, and no address with a token', async (t) => {
  const { page } = await openAs(browser, portal, 'customer.admin', BACKUPS)
  const one = await openOne()
  await rowOf(page, one)
    .getByRole('button', { name: /^Download backup/ })
    .click()
  const coming = page.waitForEvent('download')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Download' }).click()
  const file = await coming
  t.match(file.suggestedFilename(), /\.dist$/)
  t.equal(new URL(file.url()).origin, portal.url)
  t.notMatch(file.url(), /token|secret|bearer/i)
  t.equal(await file.failure(), null)
  const audited = portal.sandbox.state.audit.filter(
    ({ action, resource }) => action === 'BACKUP_DOWNLOADED' && resource.id === one.id
  )
  t.equal(audited.length, 1, 'one download, one entry')
})

t.test('a note is written, a backup locked, and a locked one is not deleted', async (t) => {
  const { page, errors } = await openAs(browser, portal, 'partner.admin', BACKUPS)
  const one = await openOne()
  const row = rowOf(page, one)
  const menu = menuOf(page, one)
  await menu.click()
  await page.getByRole('menuitem', { name: 'Edit note' }).click()
  const dialog = page.getByRole('dialog')
  const note = dialog.getByRole('textbox', { name: 'Note' })
  await note.fill('x'.repeat(301))
  await dialog.getByText('Maximum allowed characters is 300').waitFor()
  await note.fill('At 14:05, before the pump (<5 kW) was changed. 50%?')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await row.getByText('At 14:05, before the pump (<5 kW) was changed. 50%?').waitFor()

  await menu.click()
  await page.getByRole('menuitem', { name: 'Lock', exact: true }).click()
  await row.getByText('Locked').waitFor()
  await menu.click()
  t.equal(await page.getByRole('menuitem', { name: /Delete/ }).getAttribute('aria-disabled'), 'true')
  await page.getByRole('menuitem', { name: 'Unlock', exact: true }).click()
  await row.getByText('Locked').waitFor({ state: 'detached' })
  t.strictSame(errors, [])
})

t.test(
  'several are deleted once it was typed; one that was locked meanwhile stays and says why',
  async (t) => {
    const [first, second] = (await listed('retained=false&page=1&size=15')) as [Backup, Backup]
    const { page } = await openAs(browser, portal, 'partner.admin', `${BACKUPS}?locked=false&page=2`)
    for (const one of [first, second]) await rowOf(page, one).getByRole('checkbox').check()
    await admin.call(`${API}/${second.id}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: '{"retained":true}'
    })
    await page.getByRole('button', { name: 'Delete 2', exact: true }).click()
    const dialog = page.getByRole('alertdialog')
    const confirm = dialog.getByRole('button', { name: 'Delete 2 backups' })
    t.equal(await confirm.getAttribute('aria-disabled'), 'true')
    await dialog.getByRole('textbox').fill('delete 2')
    await page.keyboard.press('Enter')
    await dialog.getByText(/locked or changed meanwhile/).waitFor()
    await rowOf(page, first).waitFor({ state: 'detached' })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    t.pass()
  }
)

t.test('the list is saved as a file, with all its pages', async (t) => {
  const { page, errors } = await openAs(browser, portal, 'partner.admin', `${BACKUPS}?kind=SCHEDULED`)
  const { name, heading, rows } = await savedList(page)
  t.match(name, /^backups-\d{4}-\d\d-\d\d\.csv$/)
  t.match(heading, 'Taken,Device,Station,')
  t.equal(rows.length, await totalOf(page))
  t.ok(rows.length > (await page.getByRole('rowheader').count()), 'more than show')
  t.strictSame(errors, [])
})

t.test('the heads of columns stay in view while one reads on', async (t) => {
  const { page } = await openAs(browser, portal, 'partner.admin', BACKUPS)
  await page.setViewportSize({ width: 1440, height: 500 })
  await page.getByRole('rowheader').first().waitFor()
  const top = () =>
    page
      .getByRole('columnheader', { name: 'Device' })
      .evaluate((one) => Math.round(one.getBoundingClientRect().top))
  await page.mouse.wheel(0, 700)
  await page.waitForFunction(() => window.scrollY >= 600)
  t.equal(await top(), 56, 'below the header')
})

t.test('backups of a project are those of its devices', async (t) => {
  const [one] = await listed()
  const { state } = portal.sandbox
  const { projectId = '' } = [...state.devices.values()].find(({ hostId }) => hostId === one?.hostId) ?? {}
  const name = state.projects.get(projectId)?.projectName ?? ''
  const { page } = await openAs(browser, portal, 'partner.user', BACKUPS)
  await page.getByRole('combobox', { name: 'Project' }).fill(name)
  await page.getByRole('listbox', { name: 'Project' }).getByRole('option', { name, exact: true }).click()
  await page.waitForURL(new RegExp(`project=${projectId}`))
  const inProject = await listed(`projectId=${projectId}&size=1000`)
  const count = inProject.length
  await page.getByText(`1–${Math.min(count, 15)} of ${count.toLocaleString('en')}`, { exact: true }).waitFor()
  const hosts = new Set(
    state.devices.of(NOTABLE.northwind).flatMap((each) => (each.projectId === projectId ? [each.hostId] : []))
  )
  for (const row of await page
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
    .allTextContents())
    t.ok([...hosts].some((host) => row.includes(host)) || row.startsWith('Taken'), row)
})

t.test('filters stand in the address, and none that matches says so', async (t) => {
  const { page } = await openAs(
    browser,
    portal,
    'partner.user',
    `${BACKUPS}?kind=MANUAL&from=2000-01-01&to=2000-01-02`
  )
  await page.getByText('No backups match these filters').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('rowheader').first().waitFor()
  await page.getByLabel('Kind', { exact: true }).selectOption('SCHEDULED')
  await page.waitForURL(/kind=SCHEDULED/)
  await page.getByRole('switch', { name: /without a backup in 30 days/ }).click()
  await page.waitForURL(/missing=yes/)
  await page.getByText(/of .* with Recover/).waitFor()
  t.pass()
})
