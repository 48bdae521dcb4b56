import type { Locator } from 'playwright-core'
import t from 'tap'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { startPortal } from '#test/support/portal.ts'
import { openAs, startBrowser } from '../support/browser/browser.ts'
import { contentOf } from '../support/browser/downloads.ts'

const browser = await startBrowser(t)
const portal = await startPortal(t)
const M = '/api/v2/management'
const HERE = `/customers/${NOTABLE.northwind}/serviceaccount`
const ORGANIZATION = `/organizations/${NOTABLE.partner}`
const NORTHWIND = `${ORGANIZATION}/customers/${NOTABLE.northwind}`
const { serviceAccounts } = portal.sandbox.state

const named = (name: string) =>
  serviceAccounts.of(NOTABLE.northwind).find(({ serviceName }) => serviceName === name)

t.test('an account that is another customer’s, or nobody’s, is not there', async (t) => {
  const { page } = await openAs(browser, portal, 'partner.admin', `${HERE}/sa-unknown`)
  await page.getByRole('heading', { name: 'Page Not Found' }).waitFor()
  const other = [...serviceAccounts.values()].find(({ customerId }) => customerId !== NOTABLE.northwind)
  await page.goto(`${HERE}/${other?.id}`)
  await page.getByRole('heading', { name: 'Page Not Found' }).waitFor()
  t.pass()
})

t.test('the list tells which secrets end, and is filtered, sorted and saved', async (t) => {
  const { page, errors } = await openAs(browser, portal, 'partner.admin', HERE)
  await page.getByText(/secrets have ended or will end within 30 days/).waitFor()
  await page.getByRole('button', { name: 'Show them' }).click()
  await page.getByText('Secret: ≤ 30 days').waitFor()
  t.match(page.url(), /secret=expired%2Csoon/)
  const cells = await page.locator('tbody td:nth-child(5)').allTextContents()
  t.ok(
    cells.every((text) => /Expired|day/.test(text)),
    cells.join()
  )
  t.match(cells[0], /Expired/, 'what ends first comes first')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click()
  ])
  const file = (await contentOf(download)).toString()
  t.equal(file.trim().split('\r\n').length, 1 + (await page.getByRole('rowheader').count()))
  await page.getByRole('button', { name: 'Clear all' }).click()
  await page.getByRole('searchbox').fill('lobby')
  await page.getByText('1–1 of 1', { exact: true }).waitFor()
  t.equal(await page.getByRole('rowheader').textContent(), 'Energy Dashboard')
  t.strictSame(errors, [])
})

t.test(
  'an account is made by pointer: bad texts are said, the secret is shown once and stays until stored',
  async (t) => {
    const { page, errors } = await openAs(browser, portal, 'partner.admin', HERE)
    await page.getByRole('link', { name: 'Create service account' }).click()
    const create = page.getByRole('button', { name: 'Create' })
    await page.getByLabel('Name', { exact: true }).fill('Night <bot>')
    await page.getByText('Symbols like *,<,>,/ are not allowed.').waitFor()
    t.equal(await create.getAttribute('aria-disabled'), 'true')
    await page.getByLabel('Name', { exact: true }).fill('N'.repeat(51))
    await page.getByText('Maximum allowed characters is 50').waitFor()
    await page.getByLabel('Name', { exact: true }).fill('Night bot')
    await page.getByLabel('Description').fill('d'.repeat(301))
    await page.getByText('Maximum allowed characters is 300').waitFor()
    await page.getByLabel('Description').fill('Reads meters.')
    await page.getByRole('radio', { name: 'Custom' }).check()
    const cutOff = (locator: Locator) =>
      locator.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
    t.equal(await cutOff(page.locator('.scope-picker-region')), 0, 'every role shows without scrolling')
    await page.getByRole('checkbox', { name: 'User for Northwind Hospitals' }).check()
    await page.getByRole('checkbox', { name: 'NDS operator for Alder University' }).check()
    await page.getByLabel('Secret expires').selectOption('30')

    await page.route(`**${M}/serviceAccounts`, (route) =>
      route.fulfill({ status: 503, contentType: 'application/problem+json', body: '{"status":503}' })
    )
    await create.click()
    await page.getByText(/Network Connectivity Failed.*The service account was not created\./).waitFor()
    await page.unroute(`**${M}/serviceAccounts`)
    await create.click()
    const dialog = page.getByRole('dialog', { name: 'Secret of Night bot' })
    const secret = await dialog.getByLabel('Secret', { exact: true }).inputValue()
    t.equal(await cutOff(dialog.getByLabel('Secret', { exact: true })), 0, 'all of the secret shows')
    t.ok(secret.length > 30)
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      const kept = await dialog.getByLabel('Secret', { exact: true }).inputValue()
      t.equal(kept, secret, 'turning the phone does not lose it')
    }
    for (let press = 0; press < 3; press += 1) await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'Close' }).click({ force: true })
    t.equal(await dialog.isVisible(), true, 'it does not go before it is stored')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Download .txt' }).click()
    ])
    t.match((await contentOf(download)).toString(), secret)
    await dialog.getByRole('checkbox', { name: 'I have stored the secret' }).check()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('heading', { level: 1, name: 'Night bot' }).waitFor()
    t.match(
      named('Night bot')
        ?.roleAssignments.map(({ roleName, scope }) => `${roleName} ${scope}`)
        .sort(),
      [
        `custom ${NORTHWIND}`,
        `customer_user ${NORTHWIND}`,
        new RegExp(`nds_operator ${ORGANIZATION}/customers/c-`)
      ]
    )
    t.strictSame(
      errors.filter((text) => !text.includes('503')),
      []
    )
  }
)

t.test(
  'a secret that cannot be made after the account was is said on its page, and made there',
  async (t) => {
    const { page } = await openAs(browser, portal, 'partner.admin', `${HERE}/create`)
    await page.getByLabel('Name', { exact: true }).fill('Half made')
    await page.getByRole('radio', { name: 'User' }).check()
    await page.route('**/secret', (route) =>
      route.fulfill({ status: 503, contentType: 'application/problem+json', body: '{"status":503}' })
    )
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText('Account created; secret could not be generated.').waitFor()
    await page.unroute('**/secret')
    await page.getByRole('button', { name: 'Generate secret' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Generate secret' }).click()
    await page.getByRole('dialog', { name: 'Secret of Half made' }).waitFor()
    t.ok(named('Half made')?.secretExpiration)
  }
)

t.test('whoever leaves in between saves the new account first, or takes it back', async (t) => {
  const { page } = await openAs(browser, portal, 'partner.admin', `${HERE}/create`)
  const ask = page.getByRole('alertdialog', { name: 'Save your changes?' })
  const leave = () => page.getByRole('link', { name: 'Saved Reports' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Left behind')
  await leave()
  await ask.getByText('It cannot be saved yet: Choose the access.').waitFor()
  t.equal(await ask.getByRole('button', { name: 'Save' }).getAttribute('aria-disabled'), 'true')
  await ask.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('radio', { name: 'User' }).check()
  await leave()
  await ask.getByRole('button', { name: 'Save' }).click()
  const secret = page.getByRole('dialog', { name: 'Secret of Left behind' })
  await secret.getByRole('checkbox', { name: 'I have stored the secret' }).check()
  await secret.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('heading', { level: 1, name: 'Saved Reports' }).waitFor()
  t.ok(named('Left behind'))

  await page.goto(HERE)
  await page.getByRole('link', { name: 'Create service account' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Taken back')
  await page.getByRole('radio', { name: 'User' }).check()
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('dialog', { name: 'Secret of Taken back' }).waitFor()
  await page.evaluate(() => history.back())
  await ask.getByText('Save keeps the account, Discard deletes it.').waitFor()
  await page.route('**/serviceAccounts/*', (route) => route.fulfill({ status: 503 }))
  await ask.getByRole('button', { name: 'Discard' }).click()
  await ask.getByText('A problem occurred while discarding.').waitFor()
  t.ok(named('Taken back'))
  await page.unroute('**/serviceAccounts/*')
  await ask.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('heading', { level: 1, name: 'Service Accounts' }).waitFor()
  t.notOk(named('Taken back'))
})

t.test('from a notification straight to the button, and by keyboard to a new secret', async (t) => {
  const account = named('Fault Detection')
  const { page } = await openAs(browser, portal, 'partner.admin', `${HERE}/${account?.id}?focus=secret`)
  await page.waitForFunction(() => document.activeElement?.textContent === 'Regenerate secret')
  await page.keyboard.press('Enter')
  await page.getByText('The current secret stops working immediately.').waitFor()
  await page.keyboard.type('Fault detectio')
  await page.keyboard.press('Enter')
  t.equal(await page.getByRole('alertdialog').isVisible(), true, 'not before the whole name')
  await page.getByLabel('Type “Fault Detection” to confirm').fill('Fault Detection')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Secret of Fault Detection' }).waitFor()
  const stored = page.getByRole('checkbox', { name: 'I have stored the secret' })
  await stored.focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page
    .getByRole('heading', { name: 'Active' })
    .or(page.getByText('Active', { exact: true }))
    .first()
    .waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Add the end to a calendar' }).click()
  ])
  const entry = (await contentOf(download)).toString().replaceAll('\r\n ', '')
  t.match(entry, /BEGIN:VEVENT[\s\S]*focus=secret/)
})

t.test('texts and access are changed, and an account is deleted by its name', async (t) => {
  const account = named('Carbon Report')
  const { page, errors } = await openAs(browser, portal, 'partner.admin', `${HERE}/${account?.id}`)
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Carbon Account')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Carbon Account' }).waitFor()
  const [held] = account?.roleAssignments ?? []
  const other = held?.roleName === 'nds_operator' ? 'User' : 'NDS operator'
  await page.getByRole('button', { name: 'Change access' }).click()
  await page.getByRole('radio', { name: other }).check()
  await page.getByRole('button', { name: 'Save…' }).click()
  const lines = page.getByRole('alertdialog').getByRole('listitem')
  await lines.first().waitFor()
  t.equal(await lines.count(), 2)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Access of Carbon Account changed.').first().waitFor()
  t.equal(account?.roleAssignments[0]?.roleName, other === 'User' ? 'customer_user' : 'nds_operator')

  await page.getByRole('button', { name: 'Delete service account' }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByRole('button', { name: 'Delete service account' }).click({ force: true })
  t.ok(named('Carbon Account'))
  await dialog.getByLabel('Type “Carbon Account” to confirm').fill('Carbon Account')
  await dialog.getByRole('button', { name: 'Delete service account' }).click()
  await page.getByText('Service account Carbon Account deleted.').first().waitFor()
  t.notOk(named('Carbon Account'))
  await page.waitForURL(/serviceaccount$/)
  t.strictSame(errors, [])
})

t.test('a global admin reaches them under the integrator', async (t) => {
  const at = `/integrators/${NOTABLE.partner}${HERE}`
  const { page, errors } = await openAs(browser, portal, 'global.admin', at)
  await page.getByRole('link', { name: 'Energy Dashboard' }).click()
  await page.getByRole('heading', { level: 1, name: 'Energy Dashboard' }).waitFor()
  t.ok(new URL(page.url()).pathname.startsWith(`${at}/sa-`))
  t.strictSame(errors, [])
})
