import type { Locator, Page } from 'playwright-core'
import t from 'tap'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { browserTest } from '../../support/browser/browser.ts'
import { deviceOf, NORTHWIND, pointOf } from '../../support/browser/data-screens.ts'
import { goTo } from '../../support/browser/walk.ts'
import { eventually } from '../../support/eventually.ts'

const { portal, open } = await browserTest(t)
const device = deviceOf(portal, 'airHandler')
const deviceUrl = `${NORTHWIND}/devicedetails?deviceUuid=${device.deviceUuid}`
const point = pointOf(device, 'Supply Air Temp Setpoint')
const pointUrl = `${NORTHWIND}/devicedetails/pointdetails?deviceUuid=${device.deviceUuid}&cloudId=${point.cloudId}`

const button = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first()
const item = (menu: RegExp, name: string) => async (page: Page) => {
  await button(menu)(page).click()
  return page.getByRole('menuitem', { name, exact: true })
}

const focusText = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: node } = document
    return node === document.body ? 'nothing' : (node?.getAttribute('aria-label') ?? node?.textContent ?? '')
  })

const DIALOGS: [path: string, name: string, opener: (page: Page) => Locator | Promise<Locator>][] = [
  [NORTHWIND, 'New Project', button('Create New Project')],
  [NORTHWIND, 'Edit Details', item(/^Actions for AHU-1\b/, 'Edit Details')],
  ['/users?q=Peter', 'Remove access', item(/^Actions for Peter/, 'Remove access')],
  ['/users/u-partner-user?edit=1', 'Copy access', button('Copy access from…')],
  ['/exports?status=READY', 'Download', button(/^Download /)],
  [`${NORTHWIND}/savedbackups?locked=false`, 'Note on the backup', item(/^Actions for backup/, 'Edit note')],
  [`${NORTHWIND}/alarms?show=unacked&range=all`, 'Note on', item(/^Actions for alarm/, 'Add note')],
  [deviceUrl, 'Edit Details', item(/^Actions for AHU/, 'Edit Details')],
  [pointUrl, 'Write', button('Write')],
  [NORTHWIND, 'Jump to', button('Search devices, customers…')],
  [NORTHWIND, 'Configure Notifications', item(/Paula Andersson/, 'Configure Notifications')]
]

t.test('a dialog takes the focus, and closing returns the focus to its opener', async (t) => {
  const { page, errors } = await open('partner.admin', '/reports')
  let currentPath = ''
  for (const [path, title, opener] of DIALOGS) {
    if (path !== currentPath) await goTo(page, path)
    currentPath = path
    const openerElement = await opener(page)
    await openerElement.click()
    const dialog = page.locator('dialog[open]')
    await dialog.waitFor()
    t.ok(await dialog.evaluate((node) => node.contains(document.activeElement)), `${title}: gets the focus`)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    t.not(await focusText(page), 'nothing', `${title}: the focus is not lost`)
    t.not(
      await page.evaluate(() => document.activeElement?.tagName),
      'H1',
      `${title}: focus is not on the h1`
    )
  }
  t.strictSame(errors, [])
})

const LINKS: [path: string, link: (page: Page) => Locator, heading: RegExp][] = [
  [NORTHWIND, (page) => page.getByRole('link', { name: 'AHU-1', exact: true }).first(), /^AHU-1$/],
  [NORTHWIND, (page) => page.getByRole('link', { name: 'Service Accounts' }), /^Service Accounts$/],
  [NORTHWIND, (page) => page.getByRole('link', { name: /^Alarms, / }).first(), /^Alarms$/],
  [
    deviceUrl,
    (page) => page.getByRole('link', { name: 'Battery Voltage', exact: true }),
    /^Battery Voltage$/
  ],
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

t.test('forward and back navigation focus the heading of the page', async (t) => {
  const { page, errors } = await open('partner.admin', '/reports')
  let currentPath = ''
  for (const [path, link, heading] of LINKS) {
    if (path !== currentPath) await goTo(page, path)
    currentPath = path
    const startHeading = page.getByRole('heading', { level: 1 })
    await startHeading.filter({ hasNotText: /^Loading$/ }).waitFor()
    const startText = await startHeading.innerText()
    await link(page).click()
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
    t.ok(await eventually(async () => heading.test(await focusText(page))), `to ${heading}`)
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: startText }).waitFor()
    t.ok(await eventually(async () => (await focusText(page)).includes(startText)), `back to ${startText}`)
  }
  t.strictSame(errors, [])
})

t.test('the focus moves to a neighbour when its control disappears', async (t) => {
  const { page } = await open('partner.admin', '/users/u-partner-user')
  await page.getByRole('button', { name: 'Manage access' }).click()
  await page.getByRole('button', { name: 'Save…' }).waitFor()
  t.ok(await eventually(async () => (await focusText(page)) === 'Access level'))
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await page.getByRole('button', { name: 'Manage access' }).waitFor()
  t.ok(await eventually(async () => (await focusText(page)) === 'Manage access'))

  // Deleting the row also removes the menu that opened the dialog.
  await page.goto('/exports?status=FAILED')
  const rows = page.getByRole('rowheader')
  await rows.first().waitFor()
  const oldRange = await page.locator('.pager-range').innerText()
  await (await item(/^Actions for/, 'Delete')(page)).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete export' }).click()
  await page.waitForFunction((text) => document.querySelector('.pager-range')?.textContent !== text, oldRange)
  t.not(await focusText(page), 'nothing')
})
