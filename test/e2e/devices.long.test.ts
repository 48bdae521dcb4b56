import t from 'tap'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { browserTest, refuse, says, unexpected } from '../support/browser/browser.ts'
import { calm } from '../support/browser/calm.ts'
import { NORTHWIND } from '../support/browser/data-screens.ts'

const { portal, open } = await browserTest(t)
const PAGE = '/registerdevice'
const LONG_NAME = 'Supply Air Handling Unit 12-NW'
// Rename before the first call, because the gateway caches its answer.
for (const device of portal.sandbox.state.devices.of(NOTABLE.northwind)) device.deviceName = LONG_NAME

t.test('a device is registered in a new project', async (t) => {
  const { page, errors } = await open('partner.admin', PAGE)
  await page.getByRole('textbox', { name: 'Registration code' }).fill('three-001')
  const licenses = page.getByRole('radio')
  await licenses.nth(2).waitFor()
  t.equal(await licenses.count(), 3)
  await licenses.first().check()
  await page.getByText('Still needed: a project, a device name, a location').waitFor()
  await page.getByRole('button', { name: 'Create project' }).click()
  await page.getByRole('textbox', { name: 'Project name' }).fill('Annex, Level 2')
  await says(page, "Project 'Annex, Level 2' created successfully.", () =>
    page.getByRole('button', { name: 'Create', exact: true }).click()
  )
  await page.getByRole('textbox', { name: 'Device name' }).fill('AHU-Annex')
  await page.getByRole('textbox', { name: 'Location' }).fill('Roof / east')
  await page.getByText('Symbols like *,<,>,/ are not allowed.').waitFor()
  await page.getByRole('textbox', { name: 'Location' }).fill('Roof, east')
  await page.getByRole('button', { name: 'Register', exact: true }).click()
  await page.getByText('AHU-Annex is registered').waitFor()
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByText('Register Device').waitFor()
  await page.getByRole('button', { name: 'Register another' }).click()
  t.equal(await page.getByRole('textbox', { name: 'Registration code' }).inputValue(), '')
  t.equal(
    await page.getByRole('textbox', { name: 'Location' }).inputValue(),
    'Roof, east',
    'keeps the location'
  )
  t.strictSame(unexpected(errors, '404'), [])
})

t.test('the form keeps its other values if the license is taken or the code has expired', async (t) => {
  const { page } = await open(
    'partner.admin',
    `${PAGE}?customerId=${NOTABLE.northwind}&deviceName=Pump-7&location=Cellar`
  )
  await page.getByRole('textbox', { name: 'Registration code' }).fill('ONE00007')
  await page.getByRole('combobox', { name: 'Project' }).click()
  await page.getByRole('option').first().click()
  const register = page.getByRole('button', { name: 'Register', exact: true })
  await refuse(page, '**/devicemanagement/registration', 409)
  await register.click()
  await page.getByText(/may have been taken meanwhile/).waitFor()
  await page.unroute('**/devicemanagement/registration')
  const formValues = async () => ({
    customer: await page.getByRole('combobox', { name: 'Customer' }).inputValue(),
    project: await page.getByRole('combobox', { name: 'Project' }).inputValue(),
    deviceName: await page.getByRole('textbox', { name: 'Device name' }).inputValue(),
    location: await page.getByRole('textbox', { name: 'Location' }).inputValue()
  })
  await calm(page)
  const valuesBefore = await formValues()
  t.match(valuesBefore, { project: /./, deviceName: 'Pump-7', location: 'Cellar' })
  // The code expires between typing and registering.
  const codeUse = portal.sandbox.state.registrationCodes.get('ONE00007')
  if (codeUse) codeUse.firstMs -= 15 * 60_000
  const response = page.waitForResponse('**/devicemanagement/registration')
  await register.click()
  t.equal((await response).status(), 404)
  await page.getByText(/is unknown, was already used or has expired/).waitFor()
  t.strictSame(await formValues(), valuesBefore, 'keeps the rest of the form')
  await page.getByRole('textbox', { name: 'Registration code' }).fill('ONE00008')
  await register.click()
  await page.getByText('Pump-7 is registered').waitFor()
  t.pass()
})

t.test('at 1280 px no device name of 30 characters is cut, and the search is 240 px wide', async (t) => {
  const { page } = await open('partner.admin', `${NORTHWIND}?expires=0`)
  await page.setViewportSize({ width: 1280, height: 860 })
  await calm(page)
  const names = page.locator('.devices tbody th').filter({ hasText: LONG_NAME })
  t.equal(await names.count(), 15)
  const cutTexts = await names.evaluateAll((cells) =>
    cells
      .flatMap((cell) => [cell, ...cell.querySelectorAll('*')])
      .filter((node) => node.scrollWidth > node.clientWidth + 1 && node.clientWidth > 1)
      .map((node) => node.textContent)
  )
  t.strictSame(cutTexts, [])
  const searchBox = await page.locator('.devices').getByRole('searchbox').boundingBox()
  t.ok((searchBox?.width ?? 0) >= 240, `${searchBox?.width} px`)
  await page.setViewportSize({ width: 1440, height: 900 })
  const createBox = await page.getByRole('button', { name: 'Create New Project' }).boundingBox()
  t.ok(createBox && createBox.y + createBox.height <= 900)
})

t.test('on a phone the start page has two rows of tools, 44 px high', async (t) => {
  const { page } = await open('partner.admin', '/', { width: 390, touch: true })
  await calm(page)
  const tools = page.locator('.customers-tools').locator('input, button, select')
  const boxes = await tools.evaluateAll((nodes) => nodes.map((node) => node.getBoundingClientRect().toJSON()))
  t.equal(new Set(boxes.map(({ y }) => y)).size, 2)
  t.strictSame(
    boxes.filter(({ width, height }) => width < 44 || height < 44),
    []
  )
})
