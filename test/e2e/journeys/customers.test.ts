import t from 'tap'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { browserTest } from '../../support/browser/browser.ts'

const { open } = await browserTest(t)
const NORTHWIND = `/customers/${NOTABLE.northwind}`

t.test('a partner searches the customers and opens one', async (t) => {
  const { page, errors } = await open('partner.admin')
  const rows = page.getByRole('rowheader')
  await rows.nth(1).waitFor()
  await page.getByRole('searchbox', { name: 'Search customers' }).fill('northwind')
  await rows.nth(1).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Northwind Hospitals', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Northwind Hospitals' }).waitFor()
  t.equal(new URL(page.url()).pathname, NORTHWIND)
  t.strictSame(errors, [])
})

t.test('a global admin chooses an integrator and opens one of its customers', async (t) => {
  const { page, errors } = await open('global.admin', `/integrators/${NOTABLE.partner}`)
  await page.getByRole('heading', { level: 1, name: 'Meridian Building Controls' }).waitFor()
  const link = page.getByRole('link', { name: 'Northwind Hospitals', exact: true })
  // As for a person, the rows stay where they are once the pointer has reached the list.
  await link.hover()
  await link.click()
  await page.getByRole('heading', { level: 1, name: 'Northwind Hospitals' }).waitFor()
  t.equal(new URL(page.url()).pathname, `/integrators/${NOTABLE.partner}${NORTHWIND}`)
  t.strictSame(errors, [])
})
