import t from 'tap'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { startPortal } from '#test/support/portal.ts'
import { openAs, startBrowser } from '../support/browser/browser.ts'
import { calm } from '../support/browser/calm.ts'

const browser = await startBrowser(t)
const portal = await startPortal(t)
const PAGE = '/registerdevice'

t.test('a code that is too short or too long is not looked up; an unknown one is said to be', async (t) => {
  const { page, answers } = await openAs(browser, portal, 'partner.admin', PAGE)
  const code = page.getByRole('textbox', { name: 'Registration code' })
  for (const text of ['ONE0000', 'ONE000001']) {
    await code.fill(text)
    await page.getByText('Enter the whole code to see its licenses.').waitFor()
  }
  await code.fill('OLD00001')
  await page.getByText(/not known, was used already or has expired/).waitFor()
  await code.fill('NONE0001')
  await page
    .getByText('No license information found. Please contact the sales team to purchase a license')
    .waitFor()
  portal.sandbox.faults.set('devicemanagement', '500')
  await code.fill('ONE00002')
  await page.getByText('Sorry, not able to fetch license information right now, Please try again.').waitFor()
  portal.sandbox.faults.clear('devicemanagement')
  await page.getByRole('button', { name: 'Retry' }).click()
  await page.getByText(/^License Niagara-.* selected$/).waitFor()
  const lookedUp = answers.flatMap((answer) => answer.url().split('/registration/')[1] ?? [])
  t.strictSame(lookedUp, ['OLD00001', 'NONE0001', 'ONE00002', 'ONE00002'])
})

t.test('a device is registered with a project that is created on the way', async (t) => {
  const { page, errors } = await openAs(browser, portal, 'partner.admin', PAGE)
  await page.getByRole('textbox', { name: 'Registration code' }).fill('three-001')
  const licenses = page.getByRole('radio')
  await licenses.nth(2).waitFor()
  t.equal(await licenses.count(), 3)
  const widths = await page
    .locator('.license')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width))
  t.equal(new Set(widths).size, 1, 'their cards are of one width')
  await licenses.first().check()
  await page.getByText('Still needed: a project, a device name, a location').waitFor()
  await page.getByRole('button', { name: 'Create project' }).click()
  await page.getByRole('textbox', { name: 'New project' }).fill('Annex, Level 2')
  await page.getByRole('button', { name: 'Create project' }).click()
  await page.getByText("Project 'Annex, Level 2' created successfully.").waitFor()
  await page.getByRole('textbox', { name: 'Device name' }).fill('AHU-Annex')
  await page.getByRole('textbox', { name: 'Location' }).fill('Roof / east')
  await page.getByText('Symbols like *,<,>,/ are not allowed.').waitFor()
  await page.getByRole('textbox', { name: 'Location' }).fill('Roof, east')
  await page.getByRole('button', { name: 'Register', exact: true }).click()
  await page.getByText('AHU-Annex is registered').waitFor()
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByText('Register Device').waitFor()
  await page.getByRole('button', { name: 'Register another' }).click()
  t.equal(await page.getByRole('textbox', { name: 'Registration code' }).inputValue(), '')
  t.equal(await page.getByRole('textbox', { name: 'Location' }).inputValue(), 'Roof, east', 'the place stays')
  t.strictSame(
    errors.filter((text) => !text.includes('404')),
    []
  )
})

t.test('a license that is taken meanwhile, and a code that runs out, keep everything else', async (t) => {
  const { page } = await openAs(
    browser,
    portal,
    'partner.admin',
    `${PAGE}?customerId=${NOTABLE.northwind}&deviceName=Pump-7&location=Cellar`
  )
  await page.getByRole('textbox', { name: 'Registration code' }).fill('ONE00007')
  await page.getByRole('combobox', { name: 'Project' }).click()
  await page.getByRole('option').first().click()
  const register = page.getByRole('button', { name: 'Register', exact: true })
  const answerWith = (status: number) =>
    page.route('**/devicemanagement/registration', (route) =>
      route.fulfill({ status, contentType: 'application/problem+json', body: `{"status":${status}}` })
    )
  await answerWith(409)
  await register.click()
  await page.getByText(/may have been taken meanwhile/).waitFor()
  await page.unroute('**/devicemanagement/registration')
  const placed = async () => ({
    customer: await page.getByRole('combobox', { name: 'Customer' }).inputValue(),
    project: await page.getByRole('combobox', { name: 'Project' }).inputValue(),
    deviceName: await page.getByRole('textbox', { name: 'Device name' }).inputValue(),
    location: await page.getByRole('textbox', { name: 'Location' }).inputValue()
  })
  await calm(page)
  const before = await placed()
  t.match(before, { project: /./, deviceName: 'Pump-7', location: 'Cellar' })
  // It was valid when it was typed, and is not any more when the last button is pressed.
  const use = portal.sandbox.state.registrationCodes.get('ONE00007')
  if (use) use.firstMs -= 15 * 60_000
  const answered = page.waitForResponse('**/devicemanagement/registration')
  await register.click()
  t.equal((await answered).status(), 404)
  await page.getByText(/not known, was used already or has expired/).waitFor()
  t.strictSame(await placed(), before, 'everything else stays')
  await page.getByRole('textbox', { name: 'Registration code' }).fill('ONE00008')
  await register.click()
  await page.getByText('Pump-7 is registered').waitFor()
  t.pass()
})

t.test('the link opens the page with the placement filled in', async (t) => {
  const { page } = await openAs(browser, portal, 'partner.admin', PAGE)
  await page.getByRole('textbox', { name: 'Device name' }).fill('Chiller, 2')
  await page.getByRole('button', { name: 'Show link' }).click()
  await page.getByRole('img', { name: /^QR code of/ }).waitFor()
  const link = await page.locator('.link-panel .mono').textContent()
  const other = await openAs(
    browser,
    portal,
    'partner.admin',
    `${link?.slice(portal.url.length)}&user_code=one00021`
  )
  t.equal(await other.page.getByRole('textbox', { name: 'Device name' }).inputValue(), 'Chiller, 2')
  t.equal(await other.page.getByRole('textbox', { name: 'Registration code' }).inputValue(), 'ONE00021')
})
