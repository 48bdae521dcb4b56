import type { Page } from 'playwright-core'
import t from 'tap'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { browserTest } from '../support/browser/browser.ts'

const startedMs = Date.now()
// At night backups begin and end every minute, so the clock of the sandbox is stopped.
const { portal, open } = await browserTest(t, { sandbox: { clock: () => startedMs } })
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
async function listBackups(query = ''): Promise<Backup[]> {
  const answer = await admin.json<{ _embedded: { backups: Backup[] } }>(`${API}?${query}`)
  return answer._embedded.backups
}

async function unlockedBackup(): Promise<Backup> {
  const backups = await listBackups('size=15')
  const backup = backups.find(({ status, retained }) => status === 'COMPLETE' && !retained)
  if (!backup) throw new Error('no backup of the first page is complete')
  return backup
}

const rowOf = (page: Page, { backupDate, hostId }: Backup) =>
  page
    .getByRole('row')
    .filter({ has: page.locator(`time[datetime="${backupDate}"]`) })
    .filter({ hasText: hostId })
const menuOf = (page: Page, backup: Backup) =>
  rowOf(page, backup).getByRole('button', { name: /^Actions for backup/ })

t.test('a download has the name of the backup, and its address contains no token', async (t) => {
  const { page } = await open('customer.admin', BACKUPS)
  const backup = await unlockedBackup()
  await rowOf(page, backup)
    .getByRole('button', { name: /^Download backup/ })
    .click()
  const download = page.waitForEvent('download')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Download' }).click()
  const file = await download
  t.match(file.suggestedFilename(), /\.dist$/)
  t.equal(new URL(file.url()).origin, portal.url)
  t.notMatch(file.url(), /token|secret|bearer/i)
  t.equal(await file.failure(), null)
  const auditEntries = portal.sandbox.state.audit.filter(
    ({ action, resource }) => action === 'BACKUP_DOWNLOADED' && resource.id === backup.id
  )
  t.equal(auditEntries.length, 1, 'one entry in the audit log')
})

t.test('a backup can get a note, and cannot be deleted while locked', async (t) => {
  const { page, errors } = await open('partner.admin', BACKUPS)
  const backup = await unlockedBackup()
  const row = rowOf(page, backup)
  const menu = menuOf(page, backup)
  await menu.click()
  await page.getByRole('menuitem', { name: 'Edit note' }).click()
  const dialog = page.getByRole('dialog')
  const note = dialog.getByRole('textbox', { name: 'Note' })
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
  'several backups are deleted after a typed confirmation; a backup locked meanwhile stays, and a message says why',
  async (t) => {
    const [first, second] = (await listBackups('retained=false&page=1&size=15')) as [Backup, Backup]
    const { page } = await open('partner.admin', `${BACKUPS}?locked=false&page=2`)
    for (const backup of [first, second]) await rowOf(page, backup).getByRole('checkbox').check()
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
