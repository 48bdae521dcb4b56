import t from 'tap'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { browserTest, choose, fillSignIn, signInAt, visit } from '../../support/browser/browser.ts'

const { browser, portal } = await browserTest(t)
const NORTHWIND = `/customers/${NOTABLE.northwind}`

t.test('an unexpected callback shows an error page that leads to sign-in', async (t) => {
  const { page, errors } = await visit(browser, portal)
  await page.goto('/callback?code=stolen&state=unknown')
  await page.getByRole('heading', { name: 'Sign-in did not finish' }).waitFor()
  await page.getByRole('link', { name: 'Try again' }).click()
  await fillSignIn(page, 'customer.admin')
  await page.getByRole('heading', { level: 1, name: 'Northwind Hospitals' }).waitFor()
  t.strictSame(errors, [])
})

t.test('a person signs in, arrives at the address they opened, and signs out', async (t) => {
  const { page, context } = await signInAt(browser, portal, 'customer.admin', `${NORTHWIND}?q=chiller`)
  await page.getByRole('heading', { level: 1, name: 'Northwind Hospitals' }).waitFor()
  t.equal(page.url(), `${portal.url}${NORTHWIND}?q=chiller`)
  await choose(page, /Carla Almeida/, 'Log out')
  await page.getByRole('heading', { name: 'You signed out' }).waitFor()
  t.notOk((await context.cookies(portal.url)).some(({ name }) => name === 'portal'))
  await page.goto(NORTHWIND)
  await page.getByLabel('User name').waitFor()
  t.match(page.url(), portal.sandbox.issuer)
})
