import t from 'tap'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { startPortal } from '#test/support/portal.ts'
import { fillSignIn, openAs, signInAt, startBrowser, visit } from '../support/browser/browser.ts'

const browser = await startBrowser(t)
const portal = await startPortal(t)

const NORTHWIND = `/customers/${NOTABLE.northwind}`

t.test('a callback that nobody asked for leads to a page with a way on', async (t) => {
  const { page, errors } = await visit(browser, portal)
  await page.goto('/callback?code=stolen&state=unknown')
  await page.getByRole('heading', { name: 'Sign-in did not finish' }).waitFor()
  await page.getByRole('link', { name: 'Try again' }).click()
  await fillSignIn(page, 'customer.admin')
  await page.getByRole('heading', { name: 'Northwind Hospitals' }).waitFor()
  t.strictSame(errors, [])
})

t.test(
  'somebody with several customers lands on their list, and other customers lead back to it',
  async (t) => {
    const { page, errors } = await openAs(browser, portal, 'customer.multi')
    await page.getByText('ALL CUSTOMERS', { exact: true }).waitFor()
    const cards = page.getByText(/\d+ Projects \| \d+ Devices/)
    await cards.nth(2).waitFor()
    t.equal(await cards.count(), 3)
    await page.goto(NORTHWIND)
    await page.getByText('ALL CUSTOMERS', { exact: true }).waitFor()
    t.equal(new URL(page.url()).pathname, '/')
    t.strictSame(errors, [])
  }
)

t.test('a global admin chooses an integrator and sees its customers', async (t) => {
  const { page, errors } = await openAs(browser, portal, 'global.admin')
  await page.goto(`/integrators/${NOTABLE.partner}`)
  await page.getByRole('heading', { level: 1, name: 'Meridian Building Controls' }).waitFor()
  await page.getByRole('link', { name: /Northwind Hospitals/ }).click()
  await page.getByRole('heading', { level: 1, name: 'Northwind Hospitals' }).waitFor()
  t.equal(new URL(page.url()).pathname, `/integrators/${NOTABLE.partner}${NORTHWIND}`)
  t.strictSame(errors, [])
})

t.test('a partner sees more customers on the way down, to all 45', async (t) => {
  const { page, errors } = await openAs(browser, portal, 'partner.admin')
  const cards = page.getByText(/\d+ Projects? \| [\d,]+ Devices?/)
  await cards.first().waitFor()
  await page.waitForFunction(() => {
    const shown = document.querySelectorAll('.customer-cards > li')
    shown[shown.length - 1]?.scrollIntoView({ block: 'end' })
    window.scrollBy(0, 400)
    return shown.length >= 45
  })
  t.equal(await cards.count(), 45)
  t.strictSame(errors, [])
})

// Twenty, with the cookies that they take, are the gateway's own test.
t.test('five tabs sign in at once, and each gets in', async (t) => {
  const { context } = await visit(browser, portal)
  const pages = await Promise.all(Array.from({ length: 5 }, () => context.newPage()))
  await Promise.all(pages.map((page) => page.goto('/auth/login')))
  await Promise.all(pages.map((page) => fillSignIn(page, 'customer.admin')))
  const arrivals = pages.map(async (page) => {
    const heading = page.getByRole('heading', {
      level: 1,
      name: /^(?:Northwind Hospitals|Sign-in did not finish|Portal could not start)$/
    })
    return `${await heading.textContent()} at ${new URL(page.url()).pathname}`
  })
  t.strictSame(await Promise.all(arrivals), Array(5).fill(`Northwind Hospitals at ${NORTHWIND}`))
  await context.close()
})

t.test('after signing out the portal asks to sign in again', async (t) => {
  const { page, context } = await signInAt(browser, portal, 'customer.admin')
  await page.getByRole('button', { name: /Carla Almeida/ }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.getByRole('heading', { name: 'You signed out' }).waitFor()
  t.notOk((await context.cookies(portal.url)).some(({ name }) => name === 'portal'))
  await page.goto(NORTHWIND)
  await page.getByLabel('User name').waitFor()
  t.match(page.url(), portal.sandbox.issuer)
})
