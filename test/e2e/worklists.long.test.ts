// Worklists over all customers in the browser: from the start page to the file, and from a number to its rows.
import t from 'tap'
import type { AttentionList } from '#shared/answers/portal.ts'
import type { Worklists } from '#shared/answers/worklists.ts'
import { calls } from '#shared/calls.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { browserTest } from '../support/browser/browser.ts'
import { calm } from '../support/browser/calm.ts'
import { savedList, totalOf } from '../support/browser/downloads.ts'
import { complete } from '../support/scenes/organization.ts'

const startedMs = Date.now()
const { portal, open } = await browserTest(t, { sandbox: { clock: () => startedMs } })
const person = await portal.as('partner.admin')
const servicesOf = (query: object) =>
  person.json<Worklists['services']>(
    calls.organizationList(NOTABLE.partner, 'worklists/services', { size: 1, ...query })
  )
const countsOf = () => person.json<AttentionList>(calls.attention(NOTABLE.partner))

// Customers change places while their counts arrive.
await complete(person, calls.attention(NOTABLE.partner), 120_000)
await complete(person, calls.organizationList(NOTABLE.partner, 'worklists/services', { size: 1 }), 120_000)

t.test('services that end in 30 days, of all customers: two clicks to the file', async (t) => {
  const { page } = await open('partner.admin', '/', { width: 1440 })
  await page.getByRole('link', { name: 'All devices with a service that ends within 30 days' }).click()
  await page.locator('tbody tr').first().waitFor()
  await calm(page)
  const { page: expected } = await servicesOf({ days: 30 })
  t.equal(await totalOf(page), expected.totalElements)
  const { name, rows } = await savedList(page)
  t.match(name, /^services-/)
  t.equal(rows.length, expected.totalElements)
  t.ok(new Set(rows.map((row) => row.split(',')[0])).size > 30, 'of most customers')
})

t.test('a number leads to its rows, and a row to its device', async (t) => {
  const { page } = await open('partner.admin', '/', { width: 1440 })
  const northwind = (await countsOf()).items.find(({ id }) => id === NOTABLE.northwind)
  const count = northwind?.counts.servicesEnded?.count
  await page
    .getByRole('link', {
      name: new RegExp(`^Northwind Hospitals: ${count} devices? with a service that has ended`)
    })
    .click()
  await page.getByText(`Northwind Hospitals · ${count} devices`).waitFor()
  const device = page.locator('tbody tr').first().getByRole('rowheader').getByRole('link')
  const deviceName = await device.textContent()
  await device.click()
  await page.getByRole('heading', { level: 1, name: deviceName ?? '' }).waitFor()
  t.match(new URL(page.url()).pathname, `/customers/${NOTABLE.northwind}/devicedetails`)
})

t.test('devices of all customers: found by a word of the customer and a word of the device', async (t) => {
  const { page } = await open('partner.admin', '/', { width: 390 })
  await page
    .getByRole('navigation', { name: 'Lists of all customers' })
    .getByRole('link', { name: 'Devices' })
    .click()
  await page.getByRole('heading', { level: 1, name: 'Devices' }).waitFor()
  const tab = page
    .getByRole('navigation', { name: 'Lists of all customers' })
    .getByRole('link', { name: 'Devices' })
  const { x, width } = (await tab.boundingBox()) ?? { x: 0, width: 0 }
  t.ok(x >= 0 && x + width <= 390, 'the tab of the page is in view')
  await page.getByRole('searchbox').fill('northwind chiller')
  await page
    .getByText(/^Chiller/)
    .first()
    .waitFor()
  t.match(await page.locator('.list-card li').first().textContent(), /Chiller.*Northwind Hospitals/)
})
