// The menu of the device page opens the dialogs of the device list, with the same permissions.
import '../../../support/client/dom.ts'
import assert from 'node:assert/strict'
import { fireEvent, waitFor, within } from '@testing-library/react'
import t, { type Test } from 'tap'
import { type RealRole, ROLES, rolesAllowing } from '#shared/permissions.ts'
import { customer, DEVICES, MANAGEMENT } from '../../../support/client/customer.ts'
import { textsOf } from '../../../support/client/dom.ts'
import { pageOf, problem, user } from '../../../support/client/gateway.ts'
import { chooseAction } from '../../../support/client/gestures.ts'
import { openPortal, type Portal } from '../../../support/client/portal.tsx'

const HERE = '/customers/9/devicedetails?deviceUuid=uuid-1'
const DEVICE = `${MANAGEMENT}/devices/d-1`

function openDevice(t: Test, role: RealRole = 'partner_admin') {
  const state = customer()
  state.answers['/api/v1/entitymodel/customers/9/pointNames'] = { page: pageOf(0) }
  const portal = openPortal(t, HERE, state.answers, { user: user(role, '/organizations/1') })
  return { portal, state }
}

const heading = (portal: Portal) => portal.getByRole('heading', { level: 1 }).textContent

for (const { name: role } of ROLES.filter(({ name }) => name !== 'global_admin'))
  t.test(`the menu has the actions that ${role} may do`, async (t) => {
    const { portal } = openDevice(t, role)
    fireEvent.click(await portal.findByRole('button', { name: 'Actions for AHU-1' }))
    const may = (action: Parameters<typeof rolesAllowing>[0]) => rolesAllowing(action).includes(role)
    const expected = [
      ...(may('devices:edit') ? ['Edit Details'] : []),
      ...(may('devices:move') ? ['Change Project'] : []),
      ...(may('devices:register') ? ['Re-registration'] : []),
      'Usage Metrics',
      ...(may('devices:delete') ? ['Delete'] : [])
    ]
    t.same(textsOf(portal.getAllByRole('menuitem')), expected)
  })

t.test('a refused deletion stays on the page and offers “Retry”', async (t) => {
  const { portal, state } = openDevice(t)
  state.refusals.set(`DELETE ${DEVICE}`, () => problem(500))
  await chooseAction(portal, 'AHU-1', 'Delete')
  const dialog = within(await portal.findByRole('alertdialog', { name: 'Delete Device?' }))
  fireEvent.change(dialog.getByRole('textbox'), { target: { value: 'AHU-1' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Delete Device' }))
  await portal.findByText('Failed to delete AHU-1')
  t.equal(portal.address(), HERE)
  t.equal(heading(portal), 'AHU-1')
  state.refusals.clear()
  fireEvent.click(portal.getByRole('button', { name: 'Retry' }))
  await waitFor(() => assert.equal(portal.router.state.location.pathname, '/customers/9'))
  await portal.findByRole('link', { name: 'AHU-2' })
})

t.test('a deletion leads to the project and does not request the device again', async (t) => {
  const { portal } = openDevice(t)
  await chooseAction(portal, 'AHU-1', 'Delete')
  const dialog = within(await portal.findByRole('alertdialog', { name: 'Delete Device?' }))
  fireEvent.change(dialog.getByRole('textbox'), { target: { value: 'AHU-1' } })
  const calls = portal.callsTo(`${DEVICES}/uuid-1`).length
  fireEvent.click(dialog.getByRole('button', { name: 'Delete Device' }))
  await portal.findByText('Device Deleted')
  await waitFor(() => assert.equal(portal.address(), '/customers/9?project=p-1'))
  await portal.findByRole('link', { name: 'AHU-2' })
  t.notOk(portal.queryByRole('link', { name: 'AHU-1' }))
  t.equal(portal.callsTo(`${DEVICES}/uuid-1`).length, calls)
})

t.test('shows a new name before the answer, and the old name after a refusal', async (t) => {
  const { portal, state } = openDevice(t)
  const rename = async (name: string) => {
    await chooseAction(portal, 'AHU-1', 'Edit Details')
    const dialog = within(await portal.findByRole('dialog', { name: 'Edit Details' }))
    fireEvent.change(dialog.getByRole('textbox', { name: 'Device name' }), { target: { value: name } })
    fireEvent.click(dialog.getByRole('button', { name: 'Save' }))
  }
  state.refusals.set(`PATCH ${DEVICE}`, () => problem(500))
  await rename('AHU-9')
  await portal.findByText('Failed to update device name')
  await waitFor(() => assert.equal(heading(portal), 'AHU-1'))
  let answer = (_: unknown) => {}
  state.refusals.set(`PATCH ${DEVICE}`, () => new Promise((resolve) => (answer = resolve)))
  await rename('AHU-7')
  await waitFor(() => assert.equal(heading(portal), 'AHU-7'))
  state.refusals.clear()
  answer({})
  await portal.findByText('Device name updated.')
  await waitFor(() => assert.equal(heading(portal), 'AHU-1', 'the upstream did not rename the device'))
})
