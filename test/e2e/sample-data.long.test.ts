import t from 'tap'
import { USAGE_WITHOUT_GRAPH } from '#server/usage-metrics.ts'
import { NOTABLE, NOTABLE_PEOPLE } from '#test/sandbox/seed/notable.ts'
import { browserTest } from '../support/browser/browser.ts'
import { calm } from '../support/browser/calm.ts'
import { deviceOf, devicePath, NORTHWIND } from '../support/browser/data-screens.ts'

const { portal, open } = await browserTest(t)
const chiller = deviceOf(portal, 'chiller')

t.test('the sample data have a last admin, who can neither be lowered nor removed', async (t) => {
  const person = `/users/${NOTABLE_PEOPLE.lastAdmin}`
  const { page } = await open('partner.admin', `${person}/customer/${NOTABLE.withOneAdmin}`)
  const reason = 'The last Customer admin at Kestrel Tower: add another admin first.'
  await page.getByText(reason).first().waitFor()
  t.ok(await page.getByRole('radio', { name: 'Admin', exact: true }).isChecked())
  for (const role of ['No role at this customer', 'Standard', 'No access'])
    t.equal(await page.getByRole('radio', { name: role }).isDisabled(), true, role)
  await page.goto(person)
  await page.getByRole('button', { name: 'Remove access' }).click()
  await page.getByRole('alertdialog').getByText('Eleni Diallo is the last Customer admin').waitFor()
})

t.test('the sample data have a subscription that is too short for a graph', async () => {
  const { page } = await open('customer.user', `${NORTHWIND}/dataservice?deviceUuid=${chiller.deviceUuid}`)
  await page.getByText(USAGE_WITHOUT_GRAPH).waitFor()
})

t.test('the sample data have a device whose first ten points can be charted', async (t) => {
  const { page, errors } = await open('customer.user', devicePath(chiller))
  const choices = page.getByRole('checkbox', { name: /^Select (?!all)/ })
  await choices.first().waitFor()
  for (let index = 0; index < 10; index++) await choices.nth(index).check()
  await page.getByRole('button', { name: 'Add to chart (10/10)' }).click()
  const summaries = page.getByRole('tabpanel', { name: 'Summary' }).locator('tbody tr')
  await summaries.nth(9).waitFor()
  await calm(page)
  for (const summary of await summaries.allInnerTexts()) t.match(summary, /\d (?:starts|changes)|of [\d,]+/)
  t.strictSame(errors, [])
})
