import t from 'tap'
import { startPortal } from '#test/helper.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { openAs, startBrowser } from './browser.ts'

const browser = await startBrowser(t)
const portal = await startPortal(t)
const M = '/api/v2/management'
const ORGANIZATION = `/organizations/${NOTABLE.partner}`
const NORTHWIND = `${ORGANIZATION}/customers/${NOTABLE.northwind}`
const { users } = portal.sandbox.state

/** What was sent upstream for a person's roles, the latest last. */
const rolesSent = (userId: string) =>
  portal.sandbox.calls
    .filter(({ method, url }) => method === 'PATCH' && url.startsWith(`${M}/users/${userId}/roleAssignments`))
    .map(({ body }) => body)
const rolesOf = (userId: string) =>
  users.get(userId)?.roleAssignments.map(({ roleName, scope }) => `${roleName} at ${scope}`)

t.beforeEach(() => portal.sandbox.faults.clear())

t.test('why somebody can do something is at most three clicks away', async (t) => {
  const { page } = await openAs(browser, portal, 'partner.admin', '/users?q=Cosmo')
  await page.getByRole('link', { name: 'Cosmo Ulrich' }).click()
  const row = page.getByRole('row', { name: /Acknowledge and edit alarms/ })
  await row.waitFor()
  t.match(await row.textContent(), /Allowed.*Customer admin, assigned at/)
  await page.getByRole('combobox', { name: 'At' }).click()
  await page.getByRole('option', { name: 'Grand Harbour Hotels' }).click()
  t.match(await row.textContent(), /Not allowed/)
})

t.test('access is changed by pointer: preview, the lines, and the body that they are', async (t) => {
  const { page, errors } = await openAs(browser, portal, 'partner.admin', '/users/u-custom-user')
  await page.getByRole('button', { name: 'Manage access' }).click()
  await page.getByRole('radio', { name: 'Standard' }).check()
  await page.getByRole('checkbox', { name: /NDS operator/ }).check()
  await page
    .getByText(/changed/)
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Save…' }).click()
  const dialog = page.getByRole('alertdialog')
  const lines = await dialog.getByRole('listitem').allTextContents()
  t.equal(lines.filter((line) => line.startsWith('+')).length, 2)
  t.equal(lines.filter((line) => line.startsWith('−')).length, 3)
  t.equal(lines.filter((line) => line.includes('narrower scope')).length, 2, 'what is replaced is said')
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Access of Cosmo Ulrich changed.').first().waitFor()
  t.match(rolesSent('u-custom-user').at(-1), {
    create: [{ role: '/roles/7', scope: ORGANIZATION }],
    update: [{ id: 'ra-u-custom-user-1', role: '/roles/3', scope: ORGANIZATION }],
    delete: ['ra-u-custom-user-2', 'ra-u-custom-user-3']
  })
  t.strictSame(rolesOf('u-custom-user')?.sort(), [
    `nds_operator at ${ORGANIZATION}`,
    `partner_user at ${ORGANIZATION}`
  ])
  t.strictSame(errors, [])
})

t.test('access is changed by keyboard alone', async (t) => {
  const { page } = await openAs(
    browser,
    portal,
    'customer.admin',
    `/users/u-customer-user/customer/${NOTABLE.northwind}`
  )
  const tabTo = async (name: RegExp) => {
    for (let step = 0; step < 40; step += 1) {
      await page.keyboard.press('Tab')
      const focused = await page.evaluate(() => {
        const element = document.activeElement as HTMLInputElement | null
        return element?.labels?.[0]?.textContent ?? element?.textContent ?? ''
      })
      if (name.test(focused)) return
    }
    throw new Error(`${name} is not to be reached`)
  }
  await page.getByRole('radio', { name: 'Standard' }).waitFor()
  await tabTo(/^Standard/)
  await tabTo(/^NDS operator/)
  await page.keyboard.press('Space')
  await tabTo(/^Save…/)
  await page.keyboard.press('Enter')
  await page.getByRole('alertdialog').waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('Access of Chen Ueda changed.').first().waitFor()
  t.strictSame(rolesOf('u-customer-user'), [`customer_user at ${NORTHWIND}`, `nds_operator at ${NORTHWIND}`])
})

t.test('one does not take away one’s own admin role, nor the last one of a customer', async (t) => {
  const { page } = await openAs(
    browser,
    portal,
    'customer.admin',
    `/users/u-customer-admin/customer/${NOTABLE.northwind}`
  )
  const standard = page.getByRole('radio', { name: 'Standard' })
  await standard.waitFor()
  t.equal(await standard.getAttribute('aria-disabled'), 'true')
  await page.getByText('You cannot take away your own admin role. Ask another admin.').first().waitFor()
  await standard.click({ force: true })
  t.equal(await page.getByRole('radio', { name: 'Admin' }).isChecked(), true)

  for (const user of users.values())
    if (user.id !== 'u-customer-admin')
      user.roleAssignments = user.roleAssignments.filter(
        ({ roleNumber, scope }) => roleNumber !== 4 || scope !== NORTHWIND
      )
  const partner = await openAs(
    browser,
    portal,
    'partner.admin',
    `/users/u-customer-admin/customer/${NOTABLE.northwind}`
  )
  await partner.page
    .getByText('The last Customer admin at Northwind Hospitals: appoint another one first.')
    .first()
    .waitFor()
  t.equal(await partner.page.getByRole('radio', { name: 'Standard' }).getAttribute('aria-disabled'), 'true')
})

t.test('a conflict and a refusal are said in the dialog, and nothing typed is lost', async (t) => {
  const { page } = await openAs(
    browser,
    portal,
    'partner.admin',
    `/users/u-partner-user/customer/${NOTABLE.northwind}`
  )
  const path = `**${M}/users/u-partner-user/roleAssignments`
  const answer = (status: number, detail: string, code?: string) =>
    page.route(path, (route) =>
      route.fulfill({
        status,
        contentType: 'application/problem+json',
        body: JSON.stringify({ status, title: 'Refused', detail, code, requestId: '1' })
      })
    )
  await page.getByRole('radio', { name: 'Admin' }).check()
  await page.getByRole('button', { name: 'Save…' }).click()
  const dialog = page.getByRole('alertdialog')
  await answer(403, 'The role customer_admin is above your own.')
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await dialog.getByText('The role customer_admin is above your own. Nothing was changed.').waitFor()
  await page.unroute(path)
  await answer(409, 'Changed meanwhile.')
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await dialog.getByText(/Data Conflict found/).waitFor()
  await dialog.getByRole('button', { name: 'Reload' }).click()
  t.equal(await page.getByRole('radio', { name: 'Admin' }).isChecked(), true, 'the choice is kept')
  await page.unroute(path)

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link').first().click()
  await page.getByRole('heading', { name: 'Save your changes?' }).waitFor()
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByText('ALL CUSTOMERS', { exact: true }).waitFor()
})

t.test('a role with an unknown number is told as such and left alone', async (t) => {
  users.get('u-niagara-remote')?.roleAssignments.push({
    id: 'ra-odd',
    scope: ORGANIZATION,
    roleNumber: 42,
    roleName: 'mystery'
  })
  const { page } = await openAs(browser, portal, 'partner.admin', '/users/u-niagara-remote')
  await page.getByText(/\(mystery\) is not known to the portal/).waitFor()
  const person = await portal.as('partner.admin')
  const answer = await person.call(`${M}/users/u-niagara-remote/roleAssignments`, {
    method: 'PATCH',
    body: JSON.stringify({ create: [{ role: '/roles/42', scope: ORGANIZATION }] }),
    headers: { 'content-type': 'application/json' }
  })
  t.equal(answer.status, 400)
})

t.test('access is copied from another user, as far as it may be given', async (t) => {
  const { page } = await openAs(browser, portal, 'partner.admin', '/users/u-nds-operator?edit=1')
  await page.getByRole('button', { name: 'Copy access from…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('searchbox').fill('Peter Umarov')
  await dialog.getByRole('radio', { name: /Peter Umarov/ }).check()
  await dialog.getByRole('button', { name: 'Copy', exact: true }).click()
  t.equal(await page.getByRole('checkbox', { name: /Partner user/ }).isChecked(), true)
  await page.getByRole('button', { name: 'Save…' }).click()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Access of Nadia Okafor changed.').first().waitFor()
  t.strictSame(rolesOf('u-nds-operator'), [`partner_user at ${ORGANIZATION}`])
})
