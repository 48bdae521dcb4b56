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

t.test(
  'a desk shows the customers as a list, a smaller screen as cards, until the person chooses',
  async (t) => {
    const { page, errors } = await open('partner.admin')
    const table = page.getByRole('table', { name: 'Customers' })
    const card = page.locator('.customer-card').first()
    const switchTo = page.getByRole('group', { name: 'Show customers as' })
    for (const width of [1440, 1024]) {
      await page.setViewportSize({ width, height: 900 })
      await table.waitFor()
    }
    await page.setViewportSize({ width: 1023, height: 900 })
    await card.waitFor()
    await switchTo.getByRole('button', { name: 'List' }).click()
    await table.waitFor()
    await page.setViewportSize({ width: 767, height: 900 })
    await card.waitFor()
    t.equal(await switchTo.count(), 0)
    await page.setViewportSize({ width: 1440, height: 900 })
    await switchTo.getByRole('button', { name: 'Cards' }).click()
    await card.waitFor()
    t.equal(new URL(page.url()).search, '?view=cards')
    await page.goto('/')
    await card.waitFor()
    t.strictSame(errors, [])
  }
)
