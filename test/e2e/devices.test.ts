import t from 'tap'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { startPortal } from '#test/support/portal.ts'
import { openAs, startBrowser } from '../support/browser/browser.ts'
import { calm } from '../support/browser/calm.ts'
import { goTo } from '../support/browser/walk.ts'

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
    await page.getByRole('columnheader').getByRole('button', { name: 'Device' }).click()
    await page.locator('th[aria-sort=descending]').waitFor()
    await page.waitForFunction(
      (before) => document.querySelector('tbody th')?.textContent !== before,
      ascending
    )
    await page.getByRole('button', { name: 'Host ID', exact: true }).click()
    t.equal(await page.locator('th[aria-sort=ascending]').textContent(), 'Host ID')

    // The next page is that after the one which shows.
    await page.getByRole('button', { name: 'Next page' }).click()
    await range('16–30 of 1,240')
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
  await goTo(page, `/customers/${NOTABLE.withoutDevices}`)
  await page.getByText('No Devices Registered').waitFor()
  await page.getByText('Go to the devices registration page to generate a registration link').waitFor()
  t.pass()
})

t.test('an upstream that is down loses nothing on screen and offers to refresh', async (t) => {
  const { page } = await openAs(browser, portal, 'customer.admin', NORTHWIND)
  await page.getByText('1–15 of 1,240', { exact: true }).waitFor()
  // A 503 would be asked again without the button.
  await page.route('**/api/portal/v1/customers/*/devices*', (route) =>
    route.fulfill({ status: 500, contentType: 'application/problem+json', body: '{"status":500}' })
  )
  await page.getByRole('button', { name: 'Next page' }).click()
  await page.getByText('Something went wrong').first().waitFor()
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
  // Not the whole API: who somebody is may be due to be read again, and is not asked again at once.
  await page.route('**/api/portal/v1/customers/*/projects', (route) =>
    route.fulfill({ status: 500, contentType: 'application/problem+json', body: '{"status":500}' })
  )
  await goTo(page, `/customers/${NOTABLE.multi[2]}`)
  await page.getByText('Something went wrong').first().waitFor()
  await page.unroute('**/api/portal/v1/customers/*/projects')
  await page.getByRole('button', { name: 'Refresh' }).first().click()
  await page.getByRole('rowheader').first().waitFor()
  t.ok((await page.getByRole('rowheader').count()) > 0)
})

t.test('subscriptions that cannot be loaded are said to be missing', async (t) => {
  const { page } = await openAs(browser, portal, 'partner.admin', '/')
  portal.sandbox.faults.set('subscription', '503')
  await goTo(page, `/customers/${NOTABLE.multi[1]}`)
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
  const [id, copy] = await page.locator('.host-id > *').evaluateAll((both) =>
    both.map((one) => {
      const { left, right } = one.getBoundingClientRect()
      return { left, right, cutOff: one.scrollWidth - one.clientWidth }
    })
  )
  t.ok(id && copy && id.right <= copy.left && id.cutOff === 0, 'all of the host id shows beside its button')
  await page.getByRole('button', { name: 'Filter and sort' }).click()
  await page.getByRole('button', { name: /^Filter by project/ }).click()
  const dialog = page.getByRole('dialog', { name: /^Projects/ })
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

t.test(
  'rows have one line and one height, and on a desk all of a page shows without scrolling',
  async (t) => {
    const { page } = await openAs(browser, portal, 'partner.admin', NORTHWIND)
    const finger = (await openAs(browser, portal, 'partner.admin', NORTHWIND, { touch: true })).page
    const cases = [
      { on: page, width: 1440, height: 900, rows: 15, high: 36, whole: true },
      { on: page, width: 1280, height: 800, rows: 15, high: 36, whole: false },
      { on: page, width: 2560, height: 1440, rows: 15, high: 36, whole: true },
      { on: finger, width: 1180, height: 820, rows: 10, high: 45, whole: true },
      { on: finger, width: 1366, height: 1024, rows: 10, high: 45, whole: true },
      { on: finger, width: 820, height: 1180, rows: 10, high: 45, whole: true }
    ]
    for (const { on, width, height, rows, high, whole } of cases) {
      await on.setViewportSize({ width, height })
      await on.getByText(`1–${rows} of 1,240`, { exact: true }).waitFor()
      await calm(on)
      const met = await on.evaluate(() => {
        const boxes = (selector: string) =>
          [...document.querySelectorAll(selector)].map((one) => one.getBoundingClientRect())
        const hosts = [...document.querySelectorAll('.host-id .mono')]
        return {
          heights: [...new Set(boxes('.devices tbody tr').map((box) => Math.round(box.height)))],
          bottom: Math.round(innerHeight - (boxes('.pager')[0]?.bottom ?? 0)),
          cut: hosts.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length,
          right: innerWidth - (boxes('.devices')[0]?.right ?? 0)
        }
      })
      const at = `${width}×${height}`
      t.strictSame(met.heights, [high], `${at}: heights of rows`)
      t.equal(met.cut, 0, `${at}: host ids are whole`)
      t.equal(met.bottom >= 0, whole, `${at}: the pager ends ${met.bottom} px above the end`)
      t.ok(met.right <= 20, `${at}: the whole width is used`)
    }
  }
)
