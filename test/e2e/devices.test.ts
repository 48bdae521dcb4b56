import t from 'tap'
import { startPortal } from '#test/helper.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { openAs, startBrowser } from './browser.ts'

const browser = await startBrowser(t)
const portal = await startPortal(t)
const NORTHWIND = `/customers/${NOTABLE.northwind}`
const SEARCH = 'Name, host ID, project, location'

t.test('an unknown customer is a page that says so', async (t) => {
  const { page } = await openAs(browser, portal, 'partner.admin', '/customers/c-unknown')
  await page.getByRole('heading', { name: 'Page Not Found' }).waitFor()
  await page.getByText('/customers/c-unknown').waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Home' }).last().click()
  await page.getByText('ALL CUSTOMERS', { exact: true }).waitFor()
  t.pass()
})

t.test(
  'customer.admin finds a device by search, sorts, pages, reloads and finds the page remembered',
  async (t) => {
    const { page, errors } = await openAs(browser, portal, 'customer.admin', NORTHWIND)
    const names = page.getByRole('rowheader')
    const range = (text: string) => page.getByText(text, { exact: true }).waitFor()
    await range('1–15 of 1,240')
    t.equal(await names.count(), 15)

    await page.getByRole('searchbox', { name: SEARCH }).fill('CHILL er 2')
    await page.waitForFunction(() =>
      [...document.querySelectorAll('tbody th')].every((cell) => cell.textContent?.includes('Chiller 2'))
    )
    await page.getByRole('searchbox', { name: SEARCH }).press('Escape')
    await range('1–15 of 1,240')

    const first = async () => (await names.first().textContent()) ?? ''
    const ascending = await first()
    await page.getByRole('button', { name: 'Device' }).click()
    await page.locator('th[aria-sort=descending]').waitFor()
    await page.waitForFunction(
      (before) => document.querySelector('tbody th')?.textContent !== before,
      ascending
    )
    await page.getByRole('button', { name: 'Host ID', exact: true }).click()
    t.equal(await page.locator('th[aria-sort=ascending]').textContent(), 'Host ID')

    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByRole('button', { name: 'Next page' }).click()
    await range('31–45 of 1,240')
    const third = await first()
    await page.reload()
    await range('31–45 of 1,240')
    t.equal(await first(), third, 'a reload shows the same page')
    await page.goto(NORTHWIND)
    await range('31–45 of 1,240')
    t.strictSame(errors, [])
  }
)

t.test('a project narrows the devices and is remembered', async (t) => {
  const { page, errors } = await openAs(browser, portal, 'customer.user', NORTHWIND)
  await page.getByRole('searchbox', { name: 'Search Project' }).fill('central pl')
  await page
    .getByRole('link', { name: /Central Plant/ })
    .first()
    .click()
  await page.getByText(/^1–15 of \d\d$/).waitFor()
  await page.goto(NORTHWIND)
  await page.getByText(/^1–15 of \d\d$/).waitFor()
  t.match(page.url(), /project=/)
  t.strictSame(errors, [])
})

t.test('a search that cannot match says why and offers to go on without those characters', async (t) => {
  const { page } = await openAs(browser, portal, 'customer.admin', NORTHWIND)
  await page.getByRole('searchbox', { name: SEARCH }).fill('chil*ler')
  await page
    .getByText(/can.t use|cannot use|characters/i)
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Search without them' }).click()
  await page.getByRole('rowheader').first().waitFor()
  t.equal(await page.getByRole('searchbox', { name: SEARCH }).inputValue(), 'chiller')
  t.match(await page.getByRole('rowheader').first().textContent(), /chiller/i)
})

t.test('a customer without projects, and a project without devices, say so', async (t) => {
  const { page } = await openAs(browser, portal, 'partner.user', `/customers/${NOTABLE.withoutProjects}`)
  await page.getByText('No data available. This customer has no projects yet').waitFor()
  await page.goto(`/customers/${NOTABLE.withoutDevices}`)
  await page.getByText('No Devices Registered').waitFor()
  await page.getByText('Go to the devices registration page to generate a registration link').waitFor()
  t.pass()
})

t.test('an upstream that is down loses nothing on screen and offers to refresh', async (t) => {
  const { page } = await openAs(browser, portal, 'customer.admin', NORTHWIND)
  await page.getByText('1–15 of 1,240', { exact: true }).waitFor()
  await page.route('**/api/portal/v1/customers/*/devices*', (route) =>
    route.fulfill({ status: 503, contentType: 'application/problem+json', body: '{"status":503}' })
  )
  await page.getByRole('button', { name: 'Next page' }).click()
  await page.getByText('Network Connectivity Failed').first().waitFor()
  t.equal(await page.getByRole('rowheader').count(), 15)
  await page.unroute('**/api/portal/v1/customers/*/devices*')
  await page
    .getByRole('button', { name: /Refresh|Retry/ })
    .first()
    .click()
  await page.getByText('16–30 of 1,240', { exact: true }).waitFor()
})

t.test('a first load that fails shows an error panel, and Refresh gets on', async (t) => {
  const { page } = await openAs(browser, portal, 'partner.admin')
  portal.sandbox.faults.set('management', '503')
  await page.goto(`/customers/${NOTABLE.multi[2]}`)
  await page.getByText('Network Connectivity Failed').first().waitFor()
  portal.sandbox.faults.clear()
  await page.getByRole('button', { name: 'Refresh' }).first().click()
  await page.getByRole('rowheader').first().waitFor()
  t.ok((await page.getByRole('rowheader').count()) > 0)
})

t.test('subscriptions that cannot be loaded are said to be missing', async (t) => {
  const { page } = await openAs(browser, portal, 'partner.admin', '/')
  portal.sandbox.faults.set('subscription', '503')
  await page.goto(`/customers/${NOTABLE.multi[1]}`)
  await page.getByText('Subscriptions could not be loaded. Service links may be incomplete.').waitFor()
  portal.sandbox.faults.clear()
  t.pass()
})

t.test('on a phone, rows expand, more load by a button, and projects open in a dialog', async (t) => {
  const { page, errors } = await openAs(browser, portal, 'customer.admin', NORTHWIND, { width: 390 })
  await page.getByRole('button', { name: 'Load next 10' }).click()
  await page.waitForFunction(() => document.querySelectorAll('.device-card').length === 20)
  await page
    .getByRole('button', { name: /^Details of/ })
    .first()
    .click()
  for (const field of ['Host ID', 'Project', 'Services'])
    await page.getByText(field, { exact: true }).waitFor()
  await page
    .getByRole('button', { name: /project/i })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('searchbox', { name: 'Search Project' }).fill('Central Plant')
  await dialog
    .getByRole('link', { name: /Central Plant/ })
    .first()
    .click()
  await page.waitForFunction(() => document.querySelectorAll('.device-card').length === 10)
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  t.ok(overflow <= 0, `no sideways scrolling (${overflow})`)
  t.strictSame(errors, [])
})
