import type { Locator, Page } from 'playwright-core'
import t from 'tap'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { browserTest } from '../../support/browser/browser.ts'
import { deviceOf, NORTHWIND, pointOf } from '../../support/browser/data-screens.ts'
import { goTo } from '../../support/browser/walk.ts'
import { eventually } from '../../support/eventually.ts'

const { portal, open } = await browserTest(t)
const device = deviceOf(portal, 'airHandler')
const deviceAt = `${NORTHWIND}/devicedetails?deviceUuid=${device.deviceUuid}`
const point = pointOf(device, 'Supply Air Temp Setpoint')
const pointAt = `${NORTHWIND}/devicedetails/pointdetails?deviceUuid=${device.deviceUuid}&cloudId=${point.cloudId}`

const button = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first()
const item = (menu: RegExp, name: string) => async (page: Page) => {
  await button(menu)(page).click()
  return page.getByRole('menuitem', { name, exact: true })
}

const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: at } = document
    return at === document.body ? 'nothing' : (at?.getAttribute('aria-label') ?? at?.textContent ?? '')
  })

const DIALOGS: [path: string, name: string, opener: (page: Page) => Locator | Promise<Locator>][] = [
  [NORTHWIND, 'New Project', button('Create New Project')],
  [NORTHWIND, 'Edit Details', item(/^Actions for AHU-1\b/, 'Edit Details')],
  ['/users?q=Peter', 'Remove access', item(/^Actions for Peter/, 'Remove access')],
  ['/users/u-partner-user?edit=1', 'Copy access', button('Copy access from…')],
  ['/exports?status=READY', 'Download', button(/^Download /)],
  [`${NORTHWIND}/savedbackups?locked=false`, 'Note on the backup', item(/^Actions for backup/, 'Edit note')],
  [`${NORTHWIND}/alarms?show=unacked&range=all`, 'Note on', item(/^Actions for alarm/, 'Add note')],
  [deviceAt, 'Edit Details', item(/^Actions for AHU/, 'Edit Details')],
  [pointAt, 'Write', button('Write')],
  [NORTHWIND, 'Jump to', button('Search devices, customers…')],
  [NORTHWIND, 'Configure Notifications', item(/Paula Andersson/, 'Configure Notifications')]
]

t.test('a dialog takes the focus, and gives it back to its opener', async (t) => {
  const { page, errors } = await open('partner.admin', '/reports')
  let at = ''
  for (const [path, title, opener] of DIALOGS) {
    if (path !== at) await goTo(page, path)
    at = path
    const what = await opener(page)
    await what.click()
    const dialog = page.locator('dialog[open]')
    await dialog.waitFor()
    t.ok(await dialog.evaluate((one) => one.contains(document.activeElement)), `${title}: in the dialog`)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    t.not(await focused(page), 'nothing', `${title}: returned`)
    t.not(await page.evaluate(() => document.activeElement?.tagName), 'H1', `${title}: to its opener`)
  }
  t.strictSame(errors, [])
})

const LINKS: [path: string, link: (page: Page) => Locator, heading: RegExp][] = [
  [NORTHWIND, (page) => page.getByRole('link', { name: 'AHU-1', exact: true }).first(), /^AHU-1$/],
  [NORTHWIND, (page) => page.getByRole('link', { name: 'Service Accounts' }), /^Service Accounts$/],
  [NORTHWIND, (page) => page.getByRole('link', { name: 'Alarms', exact: true }).first(), /^Alarms$/],
  [deviceAt, (page) => page.getByRole('link', { name: 'Battery Voltage', exact: true }), /^Battery Voltage$/],
  [
    '/users?q=Peter',
    (page) => page.getByRole('link', { name: 'Peter Umarov', exact: true }),
    /^Peter Umarov$/
  ],
  ['/users/u-partner-user', (page) => page.getByRole('link', { name: 'View activity' }), /^Audit Log$/],
  ['/reports', (page) => page.getByRole('link', { name: 'Register Device' }), /^Register Device$/],
  [
    `/users/u-partner-user/customer/${NOTABLE.northwind}`,
    (page) => page.getByRole('button', { name: 'Back', exact: true }),
    /^Peter Umarov$/
  ]
]

t.test('a navigation and the way back focus the heading of the page', async (t) => {
  const { page, errors } = await open('partner.admin', '/reports')
  let at = ''
  for (const [path, link, heading] of LINKS) {
    if (path !== at) await goTo(page, path)
    at = path
    const start = page.getByRole('heading', { level: 1 })
    await start.filter({ hasNotText: /^Loading$/ }).waitFor()
    const from = await start.innerText()
    await link(page).click()
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
    t.ok(await eventually(async () => heading.test(await focused(page))), `to ${heading}`)
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: from }).waitFor()
    t.ok(await eventually(async () => (await focused(page)).includes(from)), `back to ${from}`)
  }
  t.strictSame(errors, [])
})

t.test('a control that disappears moves the focus to its neighbour', async (t) => {
  const { page } = await open('partner.admin', '/users/u-partner-user')
  await page.getByRole('button', { name: 'Manage access' }).click()
  await page.getByRole('button', { name: 'Save…' }).waitFor()
  t.ok(await eventually(async () => (await focused(page)) === 'Access level'))
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await page.getByRole('button', { name: 'Manage access' }).waitFor()
  t.ok(await eventually(async () => (await focused(page)) === 'Manage access'))

  // The menu that opened the dialog goes with its row.
  await page.goto('/exports?status=FAILED')
  const rows = page.getByRole('rowheader')
  await rows.first().waitFor()
  const before = await page.locator('.pager-range').innerText()
  await (await item(/^Actions for/, 'Delete')(page)).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete export' }).click()
  await page.waitForFunction((text) => document.querySelector('.pager-range')?.textContent !== text, before)
  t.not(await focused(page), 'nothing')
})
