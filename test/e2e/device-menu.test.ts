// What can be done with a device on its own page.
import t from 'tap'
import { startPortal } from '#test/helper.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { startBrowser } from './browser.ts'
import { deviceOf, devicePath, NORTHWIND, personsOf } from './support/data-screens.ts'

const browser = await startBrowser(t)
const portal = await startPortal(t)
const open = personsOf(browser, portal)
const device = deviceOf(portal, 'chiller')
const actions = { name: `Actions for ${device.deviceName}` }

t.test('whoever may not change a device sees its usage, and is refused by the gateway', async (t) => {
  for (const username of ['customer.user', 'nds.operator']) {
    const { page } = await open(username, devicePath(device))
    await page.getByRole('button', actions).click()
    t.strictSame(await page.getByRole('menuitem').allInnerTexts(), ['Usage Metrics'], username)
    const person = await portal.as(username)
    const refused = await person.call(`/api/v2/management/devices/${device.id}`, {
      method: 'DELETE',
      headers: { 'x-customer-id': NOTABLE.northwind }
    })
    t.equal(refused.status, 403, username)
  }
})

t.test('by keys alone: open, go through, close, and the focus is back', async (t) => {
  const { page } = await open('partner.admin', devicePath(device))
  await page.getByRole('button', actions).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('c')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Move 1 device' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.waitForFunction(() => document.activeElement?.textContent?.startsWith('Actions'))
  t.pass()
})

t.test('a device is renamed, moved and deleted, and its project shows', async (t) => {
  const { page, errors } = await open('partner.admin', devicePath(device))
  const choose = async (name: string) => {
    await page
      .getByRole('button', { name: /^Actions for/ })
      .and(page.locator('.title-actions *'))
      .click()
    await page.getByRole('menuitem', { name }).click()
  }
  await choose('Edit Details')
  await page.getByLabel('Device name').fill('Chiller on its way')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Chiller on its way' }).waitFor()
  await page.getByText('Device name updated.').waitFor()
  t.equal(portal.sandbox.state.devices.get(device.id)?.deviceName, 'Chiller on its way')

  await choose('Change Project')
  const dialog = page.getByRole('dialog', { name: 'Move 1 device' })
  const [other] = portal.sandbox.state.projects
    .of(NOTABLE.northwind)
    .filter(({ id }) => id !== portal.sandbox.state.devices.get(device.id)?.projectId)
  if (!other) throw new Error('there is one project only')
  await dialog.getByLabel('To project').selectOption(other.id)
  await dialog.getByRole('button', { name: 'Move 1 device' }).click()
  const result = page.getByRole('dialog', { name: 'Moving 1 device' })
  await result.getByText('1 of 1 done').waitFor()
  await result.getByRole('button', { name: 'Close' }).last().click()
  await page.getByRole('link', { name: other.projectName, exact: true }).waitFor()

  await choose('Delete Device')
  const question = page.getByRole('alertdialog', { name: 'Delete Device?' })
  await question.getByRole('textbox').fill('Chiller on its way')
  await question.getByRole('button', { name: 'Delete Device' }).click()
  await page.getByText('Device Deleted').waitFor()
  await page.waitForURL((url) => url.pathname === NORTHWIND && url.searchParams.get('project') === other.id)
  t.equal(portal.sandbox.state.devices.get(device.id), undefined)
  t.strictSame(errors, [])
})
