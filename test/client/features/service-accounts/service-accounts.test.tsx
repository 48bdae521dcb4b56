import '../../../support/client/dom.ts'
import { fireEvent, waitFor } from '@testing-library/react'
import t from 'tap'
import { bootstrap, NOW, never, problem, projectList, user } from '../../../support/client/gateway.ts'
import { openPortal } from '../../../support/client/portal.tsx'

const M = '/api/v2/management'
const HERE = '/customers/9/serviceaccount'
const CUSTOMER = '/api/portal/v1/customers/9/projects'
const ACCOUNTS = `${M}/organizations/9/serviceAccounts`
const DAY_MS = 86_400_000
const inDays = (days: number) => new Date(Date.parse(NOW) + days * DAY_MS).toISOString()

const account = (number: number, secretExpiration: string | null) => ({
  id: `sa-${number}`,
  serviceName: `Account ${number}`,
  description: '',
  clientId: `client-${number}`,
  secretExpiration,
  roleAssignments: [{ id: `ra-${number}`, scope: '/organizations/1/customers/9', roleName: 'customer_user' }]
})
const listOf = (accounts: object[]) => ({
  _embedded: { serviceAccounts: accounts },
  page: { number: 0, size: 1000, totalPages: 1, totalElements: accounts.length }
})
const accounts = [null, inDays(-1), inDays(7), inDays(8), inDays(30), inDays(31)].map((ends, index) =>
  account(index, ends)
)
const answers = {
  [CUSTOMER]: projectList(),
  [ACCOUNTS]: listOf(accounts)
}
type Portal = ReturnType<typeof openPortal>
const shown = (portal: Portal) => portal.getAllByRole('rowheader').map((cell) => cell.textContent)

t.test('announces that accounts are loading', async (t) => {
  const portal = openPortal(t, HERE, { ...answers, [ACCOUNTS]: never })
  await portal.findByText('Loading service accounts')
})

t.test('a failed list shows an error', async (t) => {
  const failing = openPortal(t, HERE, { ...answers, [ACCOUNTS]: problem(503) })
  await failing.findByRole('heading', { name: 'Network Connectivity Failed' })
})

t.test('an empty list explains service accounts', async (t) => {
  const portal = openPortal(t, HERE, { ...answers, [ACCOUNTS]: listOf([]) })
  await portal.findByText("Create one to let other software read this customer's data.")
})

t.test('a search without a match says so', async (t) => {
  const filtered = openPortal(t, `${HERE}?q=zebra`, { ...answers, [ACCOUNTS]: listOf([]) })
  await filtered.findByRole('heading', { name: 'No service accounts match “zebra”' })
})

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
  t.equal(portal.queryByText('31 days'), null)
  portal.getByText('4 secrets expired or will expire within 30 days.', { exact: false })
})

t.test('sorts by expiry without a call, accounts without a secret last', async (t) => {
  const portal = openPortal(t, HERE, answers)
  await portal.findByText('Account 1')
  const button = () => portal.getByRole('button', { name: 'Secret expires' })
  fireEvent.click(button())
  await portal.findByText('Account 1')
  const ascending = ['1', '2', '3', '4', '5', '0'].map((number) => `Account ${number}`)
  await waitUntil(() => shown(portal).join() === ascending.join())
  fireEvent.click(button())
  const descending = ['5', '4', '3', '2', '1', '0'].map((number) => `Account ${number}`)
  await waitUntil(() => shown(portal).join() === descending.join())
  t.equal(portal.callsTo(ACCOUNTS).length, 1)
})

t.test('filters by expiry from the address', async (t) => {
  const portal = openPortal(t, `${HERE}?secret=soon`, answers)
  await portal.findByText('Account 2')
  t.strictSame(shown(portal), ['Account 2', 'Account 3', 'Account 4'])
})

t.test('hides a customer of another integrator', async (t) => {
  const elsewhere = projectList()
  elsewhere.customer.scope = '/organizations/2/customers/9'
  const portal = openPortal(t, HERE, { ...answers, [CUSTOMER]: elsewhere })
  await portal.findByRole('heading', { name: 'Page Not Found' })
})

t.test('a customer admin finds no page and makes no call', async (t) => {
  const customerAdmin = user('customer_admin', '/organizations/1/customers/9')
  const other = openPortal(t, HERE, {
    ...answers,
    '/api/portal/v1/bootstrap': bootstrap({ user: customerAdmin })
  })
  await other.findByRole('heading', { name: 'Page Not Found' })
  t.equal(other.callsTo(ACCOUNTS).length, 0)
})

async function waitUntil(holds: () => boolean): Promise<void> {
  await waitFor(() => {
    if (!holds()) throw new Error('not yet')
  })
}
