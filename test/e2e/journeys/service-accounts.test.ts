import t from 'tap'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { browserTest } from '../../support/browser/browser.ts'
import { NORTHWIND } from '../../support/browser/data-screens.ts'
import { contentOf } from '../../support/browser/downloads.ts'

const { portal, open } = await browserTest(t)

t.test('a service account is created, and its secret shows until the user confirms storing it', async (t) => {
  const { page, errors } = await open('partner.admin', `${NORTHWIND}/serviceaccount`)
  await page.getByRole('link', { name: 'Create service account' }).click()
  const createButton = page.getByRole('button', { name: 'Create' })
  const name = page.getByLabel('Name', { exact: true })
  await name.fill('Night <bot>')
  await page.getByText('Symbols like *,<,>,/ are not allowed.').waitFor()
  t.equal(await createButton.getAttribute('aria-disabled'), 'true')
  await name.fill('Night bot')
  await page.getByLabel('Description').fill('Reads meters.')
  await page.getByRole('radio', { name: 'Custom' }).check()
  await page.getByRole('checkbox', { name: 'User for Northwind Hospitals' }).check()
  await page.getByRole('checkbox', { name: 'NDS operator for Alder University' }).check()
  await page.getByLabel('Secret expires').selectOption('30')
  await createButton.click()

  const dialog = page.getByRole('dialog', { name: 'Secret of Night bot' })
  const secret = await dialog.getByLabel('Secret', { exact: true }).inputValue()
  t.ok(secret.length > 30)
  for (let press = 0; press < 3; press += 1) await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'Close' }).click({ force: true })
  t.equal(await dialog.getByLabel('Secret', { exact: true }).inputValue(), secret, 'the dialog stays open')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Download .txt' }).click()
  ])
  t.match((await contentOf(download)).toString(), secret)
  await dialog.getByRole('checkbox', { name: 'I have stored the secret' }).check()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('heading', { level: 1, name: 'Night bot' }).waitFor()

  const account = portal.sandbox.state.serviceAccounts
    .of(NOTABLE.northwind)
    .find(({ serviceName }) => serviceName === 'Night bot')
  const organization = `/organizations/${NOTABLE.partner}/customers`
  t.strictSame(account?.roleAssignments.map(({ roleName, scope }) => `${roleName} at ${scope}`).sort(), [
    `custom at ${organization}/${NOTABLE.northwind}`,
    `customer_user at ${organization}/${NOTABLE.northwind}`,
    `nds_operator at ${organization}/${NOTABLE.multi[0]}`
  ])
  t.strictSame(errors, [])
})
