import t from 'tap'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { browserTest, refuse } from '../support/browser/browser.ts'

const { portal, open } = await browserTest(t)
const ACCOUNTS = `/customers/${NOTABLE.northwind}/serviceaccount`
const { serviceAccounts } = portal.sandbox.state

const accountNamed = (name: string) =>
  serviceAccounts.of(NOTABLE.northwind).find(({ serviceName }) => serviceName === name)

t.test('the page of an account reports a missing secret, and can generate a secret', async (t) => {
  const { page } = await open('partner.admin', `${ACCOUNTS}/create`)
  await page.getByLabel('Name', { exact: true }).fill('Half made')
  await page.getByRole('radio', { name: 'User' }).check()
  await refuse(page, '**/secret', 503)
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByText('Account created; secret could not be generated.').waitFor()
  await page.unroute('**/secret')
  await page.getByRole('button', { name: 'Generate secret' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Generate secret' }).click()
  await page.getByRole('dialog', { name: 'Secret of Half made' }).waitFor()
  t.ok(accountNamed('Half made')?.secretExpiration)
})

t.test('the portal asks before leaving a new account whose secret is not stored', async (t) => {
  const { page } = await open('partner.admin', ACCOUNTS)
  const question = (name: string) => page.getByRole('alertdialog', { name })
  await page.getByRole('link', { name: 'Create service account' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Left behind')
  await page.getByRole('link', { name: 'Saved Reports' }).click()
  await question('Leave without creating the service account?').getByRole('button', { name: 'Stay' }).click()
  await page.getByRole('radio', { name: 'User' }).check()
  await page.getByRole('button', { name: 'Create' }).click()
  const secret = page.getByRole('dialog', { name: 'Secret of Left behind' })
  await secret.waitFor()
  await page.evaluate(() => history.back())
  await question('Leave without storing the secret?').getByRole('button', { name: 'Stay' }).click()
  await secret.getByRole('checkbox', { name: 'I have stored the secret' }).check()
  await page.evaluate(() => history.back())
  await page.getByRole('heading', { level: 1, name: 'Service Accounts' }).waitFor()
  t.ok(accountNamed('Left behind'))
})

t.test('an account is renamed, gets other access, and is deleted after typing its name', async (t) => {
  const account = accountNamed('Carbon Report')
  const { page, errors } = await open('partner.admin', `${ACCOUNTS}/${account?.id}`)
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Carbon Account')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Carbon Account' }).waitFor()
  const [assignment] = account?.roleAssignments ?? []
  const newRole = assignment?.roleName === 'nds_operator' ? 'User' : 'NDS operator'
  await page.getByRole('button', { name: 'Change access' }).click()
  await page.getByRole('radio', { name: newRole }).check()
  await page.getByRole('button', { name: 'Save…' }).click()
  const lines = page.getByRole('alertdialog').getByRole('listitem')
  await lines.first().waitFor()
  t.equal(await lines.count(), 2)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Access of Carbon Account changed.').first().waitFor()
  t.equal(account?.roleAssignments[0]?.roleName, newRole === 'User' ? 'customer_user' : 'nds_operator')

  await page.getByRole('button', { name: 'Delete service account' }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByRole('button', { name: 'Delete service account' }).click({ force: true })
  t.ok(accountNamed('Carbon Account'))
  await dialog.getByLabel('Type “Carbon Account” to confirm').fill('Carbon Account')
  await dialog.getByRole('button', { name: 'Delete service account' }).click()
  await page.getByText('Service account Carbon Account deleted.').first().waitFor()
  t.notOk(accountNamed('Carbon Account'))
  await page.waitForURL(/serviceaccount$/)
  t.strictSame(errors, [])
})
