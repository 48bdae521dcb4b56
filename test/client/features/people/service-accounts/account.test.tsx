import '../../../../support/client/dom.ts'
import assert from 'node:assert/strict'
import { fireEvent, waitFor, within } from '@testing-library/react'
import t from 'tap'
import { MANAGEMENT } from '../../../../support/client/customer.ts'
import { textsOf } from '../../../../support/client/dom.ts'
import {
  type Answers,
  type Call,
  CUSTOMERS,
  customersOf,
  NOW,
  pageOf,
  problem,
  user
} from '../../../../support/client/gateway.ts'
import { openPortal } from '../../../../support/client/portal.tsx'
import { ROLE_LIST, roleRecord } from '../../../../support/client/users.ts'

const HERE = '/customers/9/serviceaccount'
const ACCOUNT = `${MANAGEMENT}/serviceAccounts/sa-1`
const SECRET = `${ACCOUNT}/secret`
const ROLE_ASSIGNMENTS = `${ACCOUNT}/roleAssignments`
const accountRecord = (rest: object = {}) => ({
  id: 'sa-1',
  serviceName: 'Carbon Report',
  description: '',
  clientId: 'client-1',
  secretExpiration: NOW,
  createdDate: NOW,
  createdBy: 'Maria Ruiz',
  roleAssignments: [roleRecord('ra-1', 'customer_user', '/organizations/1/customers/9')],
  ...rest
})
const newSecret = {
  clientId: 'client-1',
  secret: 'a secret of many characters',
  expiration: '2026-05-30T23:59:59Z'
}

function answersFor(account: object): Answers {
  return {
    [ACCOUNT]: account,
    [SECRET]: newSecret,
    [`${MANAGEMENT}/serviceAccounts`]: account,
    [`${MANAGEMENT}/organizations/9/serviceAccounts`]: {
      _embedded: { serviceAccounts: [account] },
      page: pageOf(1)
    },
    [`${MANAGEMENT}/organizations/9/auditLogs`]: { page: pageOf(0) },
    [`${MANAGEMENT}/organizations/1`]: { id: '1', orgName: 'Brightwater Controls' },
    [`${MANAGEMENT}/roles`]: ROLE_LIST,
    '/api/v1/charts-and-reports/9/reports': { page: pageOf(0) },
    [CUSTOMERS]: customersOf('9', '10')
  }
}

t.test('the page of an account reports a missing secret, and can generate a secret', async (t) => {
  const account = accountRecord({ serviceName: 'Half made', secretExpiration: null })
  const portal = openPortal(t, `${HERE}/create`, { ...answersFor(account), [SECRET]: problem(503) })
  fireEvent.change(await portal.findByLabelText('Name'), { target: { value: 'Half made' } })
  fireEvent.click(portal.getByRole('radio', { name: /^User/ }))
  fireEvent.click(portal.getByRole('button', { name: 'Create' }))
  await portal.findByText('Account created; secret could not be generated.')
  portal.gateway.answers[SECRET] = newSecret
  fireEvent.click(await portal.findByRole('button', { name: 'Generate secret' }))
  const question = within(portal.getByRole('alertdialog', { name: 'Generate a secret of Half made?' }))
  fireEvent.click(question.getByRole('button', { name: 'Generate secret' }))
  const dialog = await portal.findByRole('dialog', { name: 'Secret of Half made' })
  t.equal((within(dialog).getByLabelText('Secret') as HTMLInputElement).value, newSecret.secret)
  portal.getByText('Account created; secret could not be generated.')
  fireEvent.click(within(dialog).getByRole('checkbox', { name: 'I have stored the secret' }))
  fireEvent.click(within(dialog).getByRole('button', { name: 'Close' }))
  await waitFor(() => assert.ok(portal.queryByText(/^Account created/) === null))
  t.equal(portal.router.state.location.state, null, 'also after a reload')
})

t.test('a secret whose answer was lost may have replaced the old one', async (t) => {
  let account = accountRecord()
  const portal = openPortal(t, `${HERE}/sa-1`, {
    ...answersFor(account),
    [ACCOUNT]: () => account,
    [SECRET]: () => {
      account = accountRecord({ secretExpiration: '2026-05-30T23:59:59Z' })
      return problem(504)
    }
  })
  fireEvent.click(await portal.findByRole('button', { name: 'Regenerate secret' }))
  const dialog = within(portal.getByRole('alertdialog', { name: 'Regenerate the secret of Carbon Report?' }))
  fireEvent.change(dialog.getByLabelText('Type “Carbon Report” to confirm'), {
    target: { value: 'Carbon Report' }
  })
  fireEvent.click(dialog.getByRole('button', { name: 'Regenerate secret' }))
  t.match(
    (await dialog.findByRole('alert')).textContent,
    /The secret may have been changed anyway; then the previous one no longer works\. Try again/
  )
  await portal.findByText('30-May-2026')
})

t.test('an account whose answer was lost may have been created', async (t) => {
  const portal = openPortal(t, `${HERE}/create`, {
    ...answersFor(accountRecord()),
    [`${MANAGEMENT}/serviceAccounts`]: problem(504)
  })
  fireEvent.change(await portal.findByLabelText('Name'), { target: { value: 'Twice' } })
  fireEvent.click(portal.getByRole('radio', { name: /^User/ }))
  fireEvent.click(portal.getByRole('button', { name: 'Create' }))
  t.match((await portal.findByRole('alert')).textContent, /The service account may have been created anyway/)
})

t.test('a new account’s secret whose answer was lost may have been generated', async (t) => {
  const account = accountRecord({ secretExpiration: null })
  const portal = openPortal(t, `${HERE}/create`, { ...answersFor(account), [SECRET]: problem(504) })
  fireEvent.change(await portal.findByLabelText('Name'), { target: { value: 'Carbon Report' } })
  fireEvent.click(portal.getByRole('radio', { name: /^User/ }))
  fireEvent.click(portal.getByRole('button', { name: 'Create' }))
  await portal.findByText('Account created; secret may have been generated, but its answer was lost.')
  t.pass()
})

t.test('asks before a new account is lost', async (t) => {
  const portal = openPortal(t, `${HERE}/create`, answersFor(accountRecord()))
  fireEvent.change(await portal.findByLabelText('Name'), { target: { value: 'Left behind' } })
  fireEvent.click(portal.getByRole('link', { name: 'Saved Reports' }))
  const question = await portal.findByRole('alertdialog', {
    name: 'Leave without creating the service account?'
  })
  fireEvent.click(within(question).getByRole('button', { name: 'Stay' }))
  t.equal(portal.address(), `${HERE}/create`)
  t.equal((portal.getByLabelText('Name') as HTMLInputElement).value, 'Left behind')
  await portal.router.navigate(`${HERE}/sa-1`)
  await portal.findByRole('alertdialog', { name: 'Leave without creating the service account?' })
})

t.test('the audit log of an account opens at the integrator that a global admin has chosen', async (t) => {
  const organizations = [{ id: '1', orgName: 'Brightwater Controls' }]
  const portal = openPortal(
    t,
    `/integrators/1${HERE}/sa-1`,
    {
      ...answersFor(accountRecord()),
      [`${MANAGEMENT}/organizations/search/findByIsTechViewEnabled`]: { _embedded: { organizations } }
    },
    { user: user('global_admin', '/', { userType: 'INTERNAL', organizationId: null }) }
  )
  const activity = within(await portal.findByRole('region', { name: 'Activity' }))
  const address = new URL(
    activity.getByRole('link', { name: 'Audit log' }).getAttribute('href') ?? '',
    location.href
  )
  t.match(Object.fromEntries(address.searchParams), {
    resourceId: 'sa-1',
    customerId: '9',
    organizationId: '1'
  })
})

t.test('asks before a secret is lost that is not stored', async (t) => {
  const portal = openPortal(t, HERE, answersFor(accountRecord()))
  fireEvent.click(await portal.findByRole('link', { name: 'Create service account' }))
  fireEvent.change(await portal.findByLabelText('Name'), { target: { value: 'Carbon Report' } })
  fireEvent.click(portal.getByRole('radio', { name: /^User/ }))
  fireEvent.click(portal.getByRole('button', { name: 'Create' }))
  const secret = within(await portal.findByRole('dialog', { name: 'Secret of Carbon Report' }))
  await portal.router.navigate(-1)
  const question = await portal.findByRole('alertdialog', { name: 'Leave without storing the secret?' })
  fireEvent.click(within(question).getByRole('button', { name: 'Stay' }))
  fireEvent.click(secret.getByRole('checkbox', { name: 'I have stored the secret' }))
  await portal.router.navigate(-1)
  await portal.findByRole('heading', { level: 1, name: 'Service Accounts' })
  t.pass()
})

t.test('asks before a secret is lost that is being generated', async (t) => {
  let answer = (_secret: object) => {}
  const portal = openPortal(t, HERE, {
    ...answersFor(accountRecord()),
    [SECRET]: () =>
      new Promise((resolve) => {
        answer = resolve
      })
  })
  fireEvent.click(await portal.findByRole('link', { name: 'Carbon Report' }))
  fireEvent.click(await portal.findByRole('button', { name: 'Regenerate secret' }))
  const dialog = within(portal.getByRole('alertdialog', { name: 'Regenerate the secret of Carbon Report?' }))
  fireEvent.change(dialog.getByLabelText('Type “Carbon Report” to confirm'), {
    target: { value: 'Carbon Report' }
  })
  fireEvent.click(dialog.getByRole('button', { name: 'Regenerate secret' }))
  await waitFor(() => assert.equal(portal.callsTo(SECRET).length, 1))
  await portal.router.navigate(-1)
  const question = await portal.findByRole('alertdialog', { name: 'Leave while this is being sent?' })
  fireEvent.click(within(question).getByRole('button', { name: 'Stay' }))
  answer(newSecret)
  await portal.findByRole('dialog', { name: 'Secret of Carbon Report' })
  t.match(portal.address(), /sa-1$/)
})

t.test('renames an account', async (t) => {
  let account = accountRecord()
  const answer = ({ method, body }: Call) => {
    if (method === 'PATCH') account = { ...account, ...(body as object) }
    return account
  }
  const portal = openPortal(t, `${HERE}/sa-1`, { ...answersFor(account), [ACCOUNT]: answer })
  fireEvent.click(await portal.findByRole('button', { name: 'Edit' }))
  const dialog = within(portal.getByRole('dialog', { name: 'Edit service account' }))
  fireEvent.change(dialog.getByLabelText('Name'), { target: { value: 'Carbon Account' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }))
  await portal.findByRole('heading', { level: 1, name: 'Carbon Account' })
  t.pass()
})

t.test('changes the access of an account as listed in the confirmation', async (t) => {
  const portal = openPortal(t, `${HERE}/sa-1`, {
    ...answersFor(accountRecord()),
    [ROLE_ASSIGNMENTS]: accountRecord()
  })
  fireEvent.click(await portal.findByRole('button', { name: 'Change access' }))
  fireEvent.click(portal.getByRole('radio', { name: /^NDS operator/ }))
  fireEvent.click(portal.getByRole('button', { name: 'Save…' }))
  const dialog = within(portal.getByRole('alertdialog'))
  t.strictSame(textsOf(dialog.getAllByRole('listitem')), [
    '−Remove Customer user at Customer 9',
    '+Add NDS operator at Customer 9'
  ])
  fireEvent.click(dialog.getByRole('button', { name: 'Save changes' }))
  await portal.findByText('Access of Carbon Report changed.')
  t.strictSame(portal.callsTo(ROLE_ASSIGNMENTS)[0]?.body, {
    create: [],
    update: [{ id: 'ra-1', role: '/roles/7', scope: '/organizations/1/customers/9' }],
    delete: []
  })
})

t.test('a change of access whose answer was lost offers to reload the account', async (t) => {
  let account = accountRecord()
  const portal = openPortal(t, `${HERE}/sa-1`, {
    ...answersFor(account),
    [ACCOUNT]: () => account,
    [ROLE_ASSIGNMENTS]: () => {
      account = accountRecord({
        roleAssignments: [roleRecord('ra-1', 'nds_operator', '/organizations/1/customers/9')]
      })
      return problem(504)
    }
  })
  fireEvent.click(await portal.findByRole('button', { name: 'Change access' }))
  fireEvent.click(portal.getByRole('radio', { name: /^NDS operator/ }))
  fireEvent.click(portal.getByRole('button', { name: 'Save…' }))
  const dialog = within(portal.getByRole('alertdialog'))
  fireEvent.click(dialog.getByRole('button', { name: 'Save changes' }))
  t.match((await dialog.findByRole('alert')).textContent, /The change may have been made anyway\./)
  fireEvent.click(dialog.getByRole('button', { name: 'Reload' }))
  await waitFor(() =>
    assert.equal(portal.getByRole('button', { name: 'Reset' }).getAttribute('aria-disabled'), 'true')
  )
})

t.test('the draft of the access of one account does not move to another', async (t) => {
  const other = accountRecord({ id: 'sa-2', serviceName: 'Night Export' })
  const portal = openPortal(t, `${HERE}/sa-1`, {
    ...answersFor(accountRecord()),
    [`${MANAGEMENT}/serviceAccounts/sa-2`]: other
  })
  await portal.findByRole('heading', { level: 1, name: 'Carbon Report' })
  await portal.router.navigate(`${HERE}/sa-2`)
  await portal.findByRole('heading', { level: 1, name: 'Night Export' })
  fireEvent.click(await portal.findByRole('button', { name: 'Change access' }))
  await portal.findByRole('button', { name: 'Reset' })
  await portal.router.navigate(-1)
  await portal.findByRole('heading', { level: 1, name: 'Carbon Report' })
  await portal.findByRole('button', { name: 'Change access' })
  t.notOk(portal.queryByRole('button', { name: 'Reset' }))
})

t.test('deletes an account only after its name is typed', async (t) => {
  const portal = openPortal(t, `${HERE}/sa-1`, {
    ...answersFor(accountRecord()),
    [ACCOUNT]: ({ method }: Call) =>
      method === 'DELETE' ? new Response(null, { status: 204 }) : accountRecord()
  })
  const deletions = () => portal.callsTo(ACCOUNT).filter(({ method }) => method === 'DELETE').length
  fireEvent.click(await portal.findByRole('button', { name: 'Delete service account' }))
  const dialog = within(portal.getByRole('alertdialog', { name: 'Delete the service account?' }))
  const confirm = dialog.getByRole('button', { name: 'Delete service account' })
  fireEvent.click(confirm)
  t.equal(deletions(), 0)
  fireEvent.change(dialog.getByLabelText('Type “Carbon Report” to confirm'), {
    target: { value: 'Carbon Report' }
  })
  fireEvent.click(confirm)
  await portal.findByText('Service account Carbon Report deleted.')
  t.equal(deletions(), 1)
  t.equal(portal.address(), HERE)
})
