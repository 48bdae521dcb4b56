import '../../../../support/client/dom.ts'
import assert from 'node:assert/strict'
import { fireEvent, waitFor } from '@testing-library/react'
import t from 'tap'
import { textsOf } from '../../../../support/client/dom.ts'
import { projectList } from '../../../../support/client/gateway.ts'
import { openPortal, type Portal } from '../../../../support/client/portal.tsx'
import { accountRecord, inDays, listOf } from '../../../../support/client/records.ts'
import { roleRecord } from '../../../../support/client/users.ts'

const HERE = '/customers/9/serviceaccount'
const CUSTOMER = '/api/portal/v1/customers/9/projects'
const ACCOUNTS = '/api/v2/management/organizations/9/serviceAccounts'
const accounts = [null, inDays(-1), inDays(7), inDays(8), inDays(30), inDays(31)].map((expiration, index) =>
  accountRecord(index, { secretExpiration: expiration })
)
const answers = { [ACCOUNTS]: listOf('serviceAccounts', accounts) }
const shownNames = (portal: Portal) => textsOf(portal.getAllByRole('rowheader'))
const accountNames = (...numbers: number[]) => numbers.map((number) => `Account ${number}`)

t.test('loads all accounts at once and shows how soon secrets expire', async (t) => {
  const portal = openPortal(t, HERE, answers)
  await portal.findByText('Account 1')
  t.match(Object.fromEntries(portal.callsTo(ACCOUNTS)[0]?.query ?? []), { size: '1000' })
  for (const [text, tone] of [
    ['Expired', 'danger'],
    ['7 days', 'danger'],
    ['8 days', 'warn'],
    ['30 days', 'warn'],
    ['No secret', 'plain']
  ] as const)
    t.ok(portal.getByText(text).className.includes(tone), text)
  t.notOk(portal.queryByText('31 days'))
  portal.getByText('4 secrets expired or will expire within 30 days.', { exact: false })
})

t.test('sorts by expiry without another call; accounts without a secret come last', async (t) => {
  const portal = openPortal(t, HERE, answers)
  await portal.findByText('Account 1')
  const button = () => portal.getByRole('button', { name: 'Secret expires' })
  fireEvent.click(button())
  await waitFor(() => assert.deepEqual(shownNames(portal), accountNames(1, 2, 3, 4, 5, 0)))
  fireEvent.click(button())
  await waitFor(() => assert.deepEqual(shownNames(portal), accountNames(5, 4, 3, 2, 1, 0)))
  t.equal(portal.callsTo(ACCOUNTS).length, 1)
})

t.test('the address filters by expiry', async (t) => {
  const portal = openPortal(t, `${HERE}?secret=soon`, answers)
  await portal.findByText('Account 2')
  t.strictSame(shownNames(portal), accountNames(2, 3, 4))
})

t.test('does not show a customer of another integrator', async (t) => {
  const foreignList = projectList()
  foreignList.customer.scope = '/organizations/2/customers/9'
  const portal = openPortal(t, HERE, { ...answers, [CUSTOMER]: foreignList })
  await portal.findByRole('heading', { name: 'Page Not Found' })
})

t.test('finds accounts by each role that an account may have, named as in the list', async (t) => {
  const roles = ['customer_user', 'nds_operator', 'partner_user'] as const
  const records = roles.map((role, index) =>
    accountRecord(index, {
      roleAssignments: [
        roleRecord(`ra-${index}`, role, `/organizations/1${role === 'partner_user' ? '' : '/customers/9'}`)
      ]
    })
  )
  const portal = openPortal(t, HERE, { [ACCOUNTS]: listOf('serviceAccounts', records) })
  await portal.findByText('Account 0')
  fireEvent.click(portal.getByRole('button', { name: 'Role' }))
  fireEvent.click(portal.getByRole('checkbox', { name: 'Partner user' }))
  await waitFor(() => assert.deepEqual(shownNames(portal), accountNames(2)))
})
