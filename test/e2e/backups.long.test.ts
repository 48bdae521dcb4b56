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
  deviceName: string
}

const admin = await portal.as('partner.admin')
async function unlockedBackup(): Promise<Backup> {
  const answer = await admin.json<{ _embedded: { backups: Backup[] } }>(`${API}?size=15`)
  const backup = answer._embedded.backups.find(({ status, retained }) => status === 'COMPLETE' && !retained)
  if (!backup) throw new Error('no backup of the first page is complete')
  return backup
}

const rowOf = (page: Page, { backupDate, deviceName }: Backup) =>
  page
    .getByRole('row')
    .filter({ has: page.locator(`time[datetime="${backupDate}"]`) })
    .filter({ has: page.getByRole('link', { name: deviceName, exact: true }) })

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
