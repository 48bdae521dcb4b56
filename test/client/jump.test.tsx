import './dom.ts'
import assert from 'node:assert/strict'
import { fireEvent, waitFor, within } from '@testing-library/react'
import t from 'tap'
import { pagesFor, targetsNamed } from '#client/lib/jump-targets.ts'
import { customer, DEVICES, HERE } from './customer.ts'
import { bootstrap, card, problem, user } from './gateway.ts'
import { openPortal } from './portal.tsx'

type Portal = ReturnType<typeof openPortal>

const CUSTOMERS = '/api/portal/v1/organizations/1/customers'
const cards = {
  items: [card('9', { orgName: 'Northwind' }), card('8', { orgName: 'Northgate' })],
  page: { number: 0, size: 6, totalPages: 1, totalElements: 2 }
}

async function open(portal: Portal, key: object = { ctrlKey: true }) {
  await portal.findByRole('button', { name: 'Jump to…' })
  await waitFor(() => {
    fireEvent.keyDown(document.body, { key: 'k', ...key })
    portal.getByRole('dialog', { name: 'Jump to' })
  })
  const dialog = within(portal.getByRole('dialog', { name: 'Jump to' }))
  return { dialog, field: dialog.getByRole('combobox') }
}

const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } })

t.test('pages are those that the person may open', async (t) => {
  const names = (role: Parameters<typeof user>[0], userType: 'PARTNER' | 'CUSTOMER') =>
    pagesFor(bootstrap({ user: user(role, '/organizations/1', { userType }) }), {
      organizationId: null,
      customer: null
    }).map(({ name }) => name)
  t.same(names('customer_user', 'CUSTOMER'), ['Home', 'Saved Reports', 'Audit Log', 'Saved Exports'])
  t.same(names('partner_admin', 'PARTNER').slice(-1), ['Register Device'])
  t.ok(names('customer_admin', 'CUSTOMER').includes('Users & Roles'))
  const admin = bootstrap({ user: user('global_admin', '/', { userType: 'INTERNAL' }) })
  t.same(
    pagesFor(admin, { organizationId: null, customer: null }).map(({ to }) => to),
    ['/'],
    'a global admin chooses an integrator first'
  )
})

t.test('a name is found by its words in any order', async (t) => {
  const targets = [{ name: 'Saved Reports' }, { name: 'Audit Log' }]
  t.same(targetsNamed(targets, 'REP sav'), [{ name: 'Saved Reports' }])
  t.same(targetsNamed(targets, 'zebra'), [])
  t.same(targetsNamed(targets, ' '), targets)
})

t.test('K alone, and K while a dialog is open, open nothing', async (t) => {
  const portal = openPortal(t, HERE, customer().answers)
  await portal.findByText('AHU-1')
  fireEvent.keyDown(document.body, { key: 'k' })
  fireEvent.click(portal.getByRole('button', { name: 'Create New Project' }))
  await portal.findByRole('dialog', { name: 'New Project' })
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true })
  t.equal(portal.queryByRole('dialog', { name: 'Jump to' }), null)
})

t.test('on a customer page its devices and projects are found, and Enter goes there', async (t) => {
  const there = { [`${HERE.replace('/customers', '/api/portal/v1/customers')}/devices/uuid-2`]: problem(404) }
  const portal = openPortal(t, HERE, { ...customer().answers, [CUSTOMERS]: cards, ...there })
  const { dialog, field } = await open(portal, { metaKey: true })
  type(field, 'AHU-2')
  const device = await dialog.findByRole('option', { name: /AHU-2/ })
  t.equal(field.getAttribute('aria-activedescendant'), device.id)
  fireEvent.keyDown(field, { key: 'Enter' })
  await waitFor(() => assert.equal(portal.address(), `${HERE}/devicedetails?deviceUuid=uuid-2`))
})

t.test('from elsewhere: another customer is searched once it is chosen', async (t) => {
  const portal = openPortal(t, '/', { ...customer().answers, [CUSTOMERS]: cards })
  const { dialog, field } = await open(portal)
  type(field, 'north')
  const inside = (await dialog.findAllByRole('option', { name: /Northwind/ })).at(-1) as HTMLElement
  fireEvent.click(inside)
  await dialog.findByText('Projects and devices of Northwind')
  type(field, 'gar')
  fireEvent.click(await dialog.findByRole('option', { name: /Garage/ }))
  await waitFor(() => assert.equal(portal.address(), `${HERE}?project=p-2`))
})

t.test('where the devices cannot be searched, the rest is found, and a retry brings them', async (t) => {
  const there = customer()
  const portal = openPortal(t, HERE, { ...there.answers, [CUSTOMERS]: cards })
  await portal.findByText('AHU-1')
  let asked = 0
  there.refusals.set(`GET ${DEVICES}`, () => {
    asked += 1
    return problem(500)
  })
  const { dialog, field } = await open(portal)
  type(field, 'tower')
  await dialog.findByText(/Some of it could not be searched/)
  t.ok(await dialog.findByRole('option', { name: /Tower/ }), 'its projects are found all the same')
  const before = asked
  there.refusals.clear()
  fireEvent.click(dialog.getByRole('button', { name: 'Retry' }))
  // Compared as a boolean: the difference of an element and null takes minutes to be worked out.
  await waitFor(() => assert.ok(dialog.queryByText(/Some of it could not be searched/) === null))
  t.ok(before <= 3, `it was asked ${before} times`)
})
