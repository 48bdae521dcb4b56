import t from 'tap'
import { startPortal } from '#test/helper.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { violations, WIDTHS } from './accessibility.ts'
import { openAs, startBrowser } from './browser.ts'

const browser = await startBrowser(t)
const portal = await startPortal(t)
const EXPORTS = '/api/v1/egress/exports'

t.test('a customer user sees exports, and can neither start nor fetch one', async (t) => {
  const { page } = await openAs(browser, portal, 'customer.user', '/exports')
  await page.getByRole('rowheader').first().waitFor()
  t.equal(await page.getByRole('button', { name: 'New export' }).count(), 0)
  t.equal(await page.getByRole('button', { name: /^Actions for/ }).count(), 0)
  const person = await portal.as('customer.user')
  const list = await person.json<{ _embedded: { exports: { id: string }[] } }>(
    `${EXPORTS}?customerId=${NOTABLE.northwind}&status=READY`
  )
  const path = `${EXPORTS}/${list._embedded.exports[0]?.id}`
  t.equal((await person.call(`${path}/download?customerId=${NOTABLE.northwind}`)).status, 403)
  const headers = { 'x-customer-id': NOTABLE.northwind }
  t.equal((await person.call(path, { method: 'DELETE', headers })).status, 403)
  t.equal((await person.call(`${path}/cancel`, { method: 'POST', headers })).status, 403)
})

t.test('who works with devices only has no exports', async (t) => {
  for (const username of ['nds.operator', 'niagara.remote']) {
    const person = await portal.as(username)
    t.equal((await person.call(`${EXPORTS}?organizationId=${NOTABLE.partner}`)).status, 403, username)
  }
})

t.test('a global admin chooses an integrator first', async (t) => {
  const { page } = await openAs(browser, portal, 'global.admin', '/exports')
  await page.getByRole('heading', { name: 'Choose an integrator', level: 1 }).waitFor()
  t.pass()
})

t.test('an export is started with its points, and told when it is ready', async (t) => {
  const { page, errors } = await openAs(browser, portal, 'customer.admin', '/exports')
  await page.getByRole('button', { name: 'New export' }).click()
  const dialog = page.getByRole('dialog')
  const start = dialog.getByRole('button', { name: 'Start export' })
  t.equal(await start.getAttribute('aria-disabled'), 'true')
  await dialog.getByText('Still needed: a name, a customer, a point').waitFor()
  await dialog.getByLabel('Name').fill('Ward <1>')
  await dialog.getByText('Symbols like *,<,>,/ are not allowed.').waitFor()
  await dialog.getByLabel('Name').fill('Ward temperatures, week')
  await dialog.getByRole('combobox', { name: 'Customer' }).fill('North')
  await dialog.getByRole('option', { name: /Northwind/ }).click()
  await dialog.getByRole('combobox', { name: 'Device' }).fill('AHU')
  await dialog.getByRole('option', { name: /AHU/ }).first().click()
  const points = dialog.locator('.point-list').getByRole('checkbox')
  await points.nth(1).check()
  await points.nth(2).check()
  await dialog.getByText(/About [\d,]+ rows of 2 points/).waitFor()
  await dialog.getByLabel('From', { exact: true }).fill('2026-11-20')
  await dialog.getByLabel('To', { exact: true }).fill('2026-11-10')
  await dialog.getByText('The range ends before it begins.').waitFor()
  await dialog.getByLabel('From', { exact: true }).fill('2026-11-10')
  await start.click()
  await page.getByText('Export “Ward temperatures, week” started.').waitFor()
  const row = page.getByRole('row', { name: /Ward temperatures, week/ })
  await row.getByText(/Queued|Running/).waitFor()
  await page.getByText('Export “Ward temperatures, week” is ready.').waitFor({ timeout: 60_000 })
  await row.getByText('Ready').waitFor()

  await row.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Download' }).click()
  const coming = page.waitForEvent('download')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Download' }).click()
  const file = await coming
  t.match(file.suggestedFilename(), /^Ward temperatures, week\.csv$/)
  t.equal(await file.failure(), null)
  t.strictSame(errors, [])
})

t.test('a running export is stopped; one that has ended meanwhile says so', async (t) => {
  const { page } = await openAs(browser, portal, 'partner.admin', '/exports')
  const row = page
    .getByRole('row')
    .filter({ hasText: /Running/ })
    .first()
  await row.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Stop' }).click()
  await page.route('**/cancel', (route) =>
    route.fulfill({ status: 409, contentType: 'application/problem+json', body: '{"status":409}' })
  )
  const dialog = page.getByRole('alertdialog')
  await dialog.getByRole('button', { name: 'Stop export' }).click()
  await dialog.getByText(/has changed meanwhile/).waitFor()
  await page.unroute('**/cancel')
  await dialog.getByRole('button', { name: 'Stop export' }).click()
  await page.getByText(/^Export “.*” stopped\.$/).waitFor()
  t.pass()
})

t.test('an expired one offers to be run again, with what it was made of', async (t) => {
  const { page } = await openAs(browser, portal, 'partner.admin', '/exports?status=EXPIRED')
  const row = page.getByRole('row').nth(1)
  await row.getByRole('button', { name: /^Actions for/ }).click()
  t.equal(await page.getByRole('menuitem', { name: /Download/ }).getAttribute('aria-disabled'), 'true')
  await page.getByRole('menuitem', { name: 'Run again' }).click()
  const dialog = page.getByRole('dialog')
  t.equal(await dialog.getByRole('button', { name: 'Start export' }).getAttribute('aria-disabled'), 'false')
  await dialog.getByRole('list', { name: 'Chosen points' }).waitFor()
})

t.test('axe finds nothing, in every look and with the dialogs open', async (t) => {
  for (const width of WIDTHS) {
    const { page, context } = await openAs(browser, portal, 'partner.admin', '/exports', { width })
    await page.locator('.badge', { hasText: 'Ready' }).first().waitFor()
    t.strictSame(await violations(page), [], `the list, at ${width}`)
    await page.getByRole('button', { name: 'New export' }).click()
    await page.getByRole('dialog').getByLabel('Name').waitFor()
    t.strictSame(await violations(page), [], `a new export, at ${width}`)
    await context.close()
  }
})
