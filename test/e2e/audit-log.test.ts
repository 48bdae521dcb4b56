import t from 'tap'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { startPortal } from '#test/support/portal.ts'
import { openAs, startBrowser } from '../support/browser/browser.ts'
import { calm } from '../support/browser/calm.ts'
import { eventually } from '../support/eventually.ts'

const browser = await startBrowser(t)
const portal = await startPortal(t)
const LOG = '/auditlog?range=30d'
/** What the frame around every page asks for when it has the time, and what it asks again and again. */
const TWICE_A_MINUTE = '/api/portal/v1/me'
const LATE = [/\/inapp\?/, /\/userInvitations$/, /\/organizations\/100$/, /TECH_SUPPORT_ENABLED/]

t.test('who moved a device is found by clicking, with what it was before', async (t) => {
  const { page, errors } = await openAs(browser, portal, 'partner.admin', LOG)
  await page.getByRole('button', { name: 'Action', exact: true }).click()
  await page.getByRole('checkbox', { name: 'Device moved', exact: true }).click()
  await page.waitForURL(/action=DEVICE_MOVED/)
  await page.keyboard.press('Escape')
  await calm(page)
  const entry = page.getByRole('listitem').filter({ hasText: 'moved device' }).first()
  await entry.getByRole('button', { name: /^Details/ }).click()
  await entry.getByRole('row', { name: /projectName/ }).waitFor()
  await entry.getByRole('button', { name: /^Only what/ }).click()
  await page.waitForURL(/actorId=/)
  await page
    .getByRole('list', { name: 'Filters' })
    .getByText(/^Who: /)
    .waitFor()
  t.strictSame(errors, [])
})

t.test('a change made in the portal is told, and one of something deleted still reads', async (t) => {
  const admin = await portal.as('partner.admin')
  const backups = `/api/v1/recover/customers/${NOTABLE.northwind}/backups`
  const list = await admin.json<{ _embedded: { backups: { id: string; deviceName: string }[] } }>(
    `${backups}?retained=false`
  )
  const [one] = list._embedded.backups
  await admin.call(`${backups}/${one?.id}`, { method: 'DELETE' })
  // Others of devices with the same name may have been deleted this day.
  const { page } = await openAs(browser, portal, 'partner.admin', `/auditlog?resourceId=${one?.id}`)
  await page
    .getByRole('list', { name: 'Entries' })
    .getByRole('listitem')
    .filter({ hasText: `deleted a backup of ${one?.deviceName}` })
    .waitFor()
  t.pass()
})

t.test('a change of a filter, and of the page, is one request', async (t) => {
  const { page, answers } = await openAs(browser, portal, 'partner.admin', LOG)
  await page.getByText(/^1–25 of /).waitFor()
  await eventually(() => LATE.every((part) => answers.some((answer) => part.test(answer.url()))))
  await calm(page)
  const paths = () => answers.map((answer) => new URL(answer.url()).pathname)
  const asked = () => paths().filter((path) => path.startsWith('/api/') && path !== TWICE_A_MINUTE).length
  const before = asked()
  const changes: [work: () => Promise<unknown>, where: RegExp][] = [
    [() => page.getByRole('button', { name: 'Next page' }).click(), /page=2/],
    [() => page.getByLabel('Outcome', { exact: true }).selectOption('SUCCESS'), /outcome=SUCCESS/],
    [() => page.getByLabel('Object', { exact: true }).selectOption('USER'), /type=USER/],
    [() => page.getByLabel('Time', { exact: true }).selectOption('7d'), /range=7d/]
  ]
  for (const [work, where] of changes) {
    const answered = page.waitForResponse(/\/auditLogs\?/)
    await work()
    await page.waitForURL(where)
    await (await answered).finished()
    await page.locator('.audit-rows[aria-busy="false"]').waitFor()
  }
  t.equal(asked(), before + changes.length)
})

t.test('the filtered log is saved as CSV and JSON', async (t) => {
  const { page } = await openAs(browser, portal, 'partner.user', `${LOG}&outcome=DENIED`)
  await page.getByRole('list', { name: 'Entries' }).waitFor()
  for (const [item, ending] of [
    ['As CSV', /\.csv$/],
    ['As JSON', /\.json$/]
  ] as const) {
    const coming = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    await page.getByRole('menuitem', { name: item }).click()
    t.match((await coming).suggestedFilename(), ending)
  }
})
