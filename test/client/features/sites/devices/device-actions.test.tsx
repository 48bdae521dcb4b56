import '../../../../support/client/dom.ts'
import assert from 'node:assert/strict'
import { act, fireEvent, waitFor, within } from '@testing-library/react'
import t from 'tap'
import { type Customer, customer, DEVICES, HERE, MANAGEMENT } from '../../../../support/client/customer.ts'
import { setDisplay, textsOf } from '../../../../support/client/dom.ts'
import { device, problem } from '../../../../support/client/gateway.ts'
import { chooseAction } from '../../../../support/client/gestures.ts'
import { openPortal, type Portal } from '../../../../support/client/portal.tsx'

const DEVICE_1 = `${MANAGEMENT}/devices/d-1`

const writes = (portal: Portal) =>
  portal.gateway.calls
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path, body }) => ({ method, path, body }))
const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } })
/** Waits for an entry of the project list. */
const waitForEntry = (portal: Portal, line: string) =>
  waitFor(() => assert.ok(textsOf(portal.container.querySelectorAll('.project-entry')).includes(line)))
const isDisabled = (element: HTMLElement) => element.getAttribute('aria-disabled') === 'true'

function chooseProject({ dialog, project }: Awaited<ReturnType<typeof openEdit>>, name: string) {
  type(project, name)
  fireEvent.click(dialog.getByRole('option', { name }))
}

async function openEdit(portal: Portal) {
  await chooseAction(portal, 'AHU-1', 'Edit Details')
  const dialog = within(await portal.findByRole('dialog', { name: 'Edit Details' }))
  return {
    dialog,
    name: dialog.getByRole('textbox', { name: 'Device name' }),
    location: dialog.getByRole('textbox', { name: 'Location' }),
    project: dialog.getByRole('combobox', { name: 'Project' }),
    save: dialog.getByRole('button', { name: 'Save' })
  }
}

t.test('“Usage Metrics” of a device without the service shows why it is disabled', async (t) => {
  const state = customer()
  state.devices[0] = device(1, { subscriptions: [] })
  const portal = openPortal(t, HERE, state.answers)
  fireEvent.click(await portal.findByRole('button', { name: 'Actions for AHU-1' }))
  const item = portal.getByRole('menuitem', { name: /Usage Metrics/ })
  t.ok(isDisabled(item))
  t.match(item.textContent, 'No Data Services subscription')
})

t.test('“Save” is disabled until a field changes and all fields are valid', async (t) => {
  const portal = openPortal(t, HERE, customer().answers)
  const { dialog, name, location, save } = await openEdit(portal)
  t.ok(isDisabled(save))
  const cases: [field: HTMLElement, text: string, problem: string | null][] = [
    [name, '', 'Enter a device name.'],
    [name, '   ', 'Enter a device name.'],
    [name, 'a<b', 'Symbols like *,<,>,/ are not allowed.'],
    [name, 'x'.repeat(51), 'Maximum allowed characters is 50'],
    [name, 'x'.repeat(50), null],
    [name, 'AHU-1 ', null],
    [location, '', 'Enter a location.'],
    [location, 'x'.repeat(51), 'Maximum allowed characters is 50'],
    [location, 'Roof, east & west', null]
  ]
  for (const [field, text, problem] of cases) {
    type(field, text)
    const unchanged = text.trim() === 'AHU-1'
    t.equal(isDisabled(save), problem !== null || unchanged, `'${text.slice(0, 12)}'`)
    if (problem) dialog.getByText(problem)
  }
  type(name, 'a*')
  fireEvent.keyDown(name, { key: 'Enter' })
  t.same(writes(portal), [])
})

for (const [what, fields] of [
  ['name', { name: 'Fan' }],
  ['location', { location: 'Roof' }],
  ['name and location', { name: 'Fan', location: 'Roof' }]
] as [what: string, fields: { name?: string; location?: string }][]) {
  t.test(`saves only the changed ${what}, shows the change, and undoes it`, async (t) => {
    const portal = openPortal(t, HERE, customer().answers)
    const edit = await openEdit(portal)
    if (fields.name) type(edit.name, ` ${fields.name} `)
    if (fields.location) type(edit.location, fields.location)
    fireEvent.click(edit.save)
    await portal.findByText(`Device ${what} updated.`)
    const { name, location } = fields
    t.same(writes(portal), [
      {
        method: 'PATCH',
        path: DEVICE_1,
        body: { ...(name ? { deviceName: name } : {}), ...(location ? { location } : {}) }
      }
    ])
    if (name) await portal.findByRole('link', { name })
    if (location) await within(portal.getByRole('table')).findByText(location)
    fireEvent.click(portal.getByRole('button', { name: 'Undo' }))
    await portal.findByText('Change undone: the device is as it was.')
    t.same(writes(portal)[1]?.body, {
      ...(name ? { deviceName: 'AHU-1' } : {}),
      ...(location ? { location: 'Level 1' } : {})
    })
    t.notOk(portal.queryByRole('button', { name: 'Undo' }))
  })

  t.test(`after a refusal, the dialog keeps the ${what} and offers “Retry”`, async (t) => {
    const state = customer()
    state.refusals.set(`PATCH ${DEVICE_1}`, () => problem(503))
    const portal = openPortal(t, HERE, state.answers)
    const edit = await openEdit(portal)
    if (fields.name) type(edit.name, fields.name)
    if (fields.location) type(edit.location, fields.location)
    fireEvent.click(edit.save)
    const alert = await edit.dialog.findByRole('alert')
    t.equal(
      alert.textContent,
      `Failed to update device ${what}. Network Connectivity Failed. Unable to get the details.`
    )
    await portal.findByRole('link', { name: 'AHU-1', hidden: true })
    t.equal((edit.name as HTMLInputElement).value, fields.name ?? 'AHU-1')
    t.equal((edit.location as HTMLInputElement).value, fields.location ?? 'Level 1')
    state.refusals.clear()
    fireEvent.click(edit.dialog.getByRole('button', { name: 'Retry' }))
    await portal.findByText(`Device ${what} updated.`)
    t.notOk(portal.queryByRole('dialog'))
  })
}

async function chooseGarage(portal: Portal) {
  const edit = await openEdit(portal)
  chooseProject(edit, 'Garage')
  fireEvent.click(edit.save)
  return within(await portal.findByRole('alertdialog', { name: 'Change Project?' }))
}

t.test('asks for confirmation of a move; “Cancel” also closes the edit dialog', async (t) => {
  const portal = openPortal(t, HERE, customer().answers)
  const dialog = await chooseGarage(portal)
  dialog.getByText('Garage')
  fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
  t.notOk(portal.queryByRole('alertdialog'))
  t.notOk(portal.queryByRole('dialog'))
  t.same(writes(portal), [])
})

t.test('shows the new project and counts of a moved device before the gateway answers', async (t) => {
  const state = customer()
  const gate = Promise.withResolvers<void>()
  const move = state.answers[DEVICE_1] as (call: unknown) => unknown
  state.answers[DEVICE_1] = async (call: unknown) => {
    await gate.promise
    return move(call)
  }
  const portal = openPortal(t, HERE, state.answers)
  const dialog = await chooseGarage(portal)
  fireEvent.click(dialog.getByRole('button', { name: 'Change Project' }))
  await waitForEntry(portal, 'Garage2 devices')
  await waitForEntry(portal, 'Tower2 devices')
  const table = within(portal.getByRole('table'))
  await waitFor(() => assert.equal(table.getAllByText('Garage').length, 2))
  gate.resolve()
  await portal.findByText("Device moved to project 'Garage'.")
  t.same(writes(portal)[0]?.body, { project: '/projects/p-2' })
})

t.test('the dialog names the device by its host ID', async (t) => {
  const portal = openPortal(t, HERE, customer().answers)
  await openEdit(portal)
  const dialog = portal.getByRole('dialog', { name: 'Edit Details' })
  const about = document.getElementById(dialog.getAttribute('aria-describedby') ?? '')
  t.equal(about?.textContent, 'AHU-1 · Qnx-1')
})

t.test('“Retry” is “Save” again once a field changes', async (t) => {
  const state = customer()
  state.refusals.set(`PATCH ${DEVICE_1}`, () => problem(500))
  const portal = openPortal(t, HERE, state.answers)
  const { dialog, name, save } = await openEdit(portal)
  type(name, 'Fan')
  fireEvent.click(save)
  await dialog.findByRole('button', { name: 'Retry' })
  type(name, 'Fan 2')
  dialog.getByRole('button', { name: 'Save' })
  dialog.getByText('Failed to update device name')
  t.pass()
})

t.test('a failed move leads back to the edit dialog; “Retry” does not ask again', async (t) => {
  const state = customer()
  state.refusals.set(`PATCH ${DEVICE_1}`, () => problem(500))
  const portal = openPortal(t, HERE, state.answers)
  const edit = await openEdit(portal)
  type(edit.location, 'Roof')
  chooseProject(edit, 'Garage')
  fireEvent.click(edit.save)
  fireEvent.click(await portal.findByRole('button', { name: 'Change Project' }))
  const dialog = within(await portal.findByRole('dialog', { name: 'Edit Details' }))
  await dialog.findByText('Failed to update device')
  t.equal((dialog.getByRole('textbox', { name: 'Location' }) as HTMLInputElement).value, 'Roof')
  t.equal((dialog.getByRole('combobox', { name: 'Project' }) as HTMLInputElement).value, 'Garage')
  state.refusals.clear()
  fireEvent.click(dialog.getByRole('button', { name: 'Retry' }))
  await portal.findByText("Device moved to project 'Garage'. Device location updated.")
  t.notOk(portal.queryByRole('dialog'))
})

t.test('a failure after leaving the page shows as a message with “Retry”', async (t) => {
  const state = customer()
  let answer = (_: unknown) => {}
  state.refusals.set(`PATCH ${DEVICE_1}`, () => new Promise((resolve) => (answer = resolve)))
  const portal = openPortal(t, HERE, state.answers)
  const { name, save } = await openEdit(portal)
  type(name, 'Fan')
  fireEvent.click(save)
  await waitFor(() => assert.equal(writes(portal).length, 1))
  await act(() => portal.router.navigate('/nowhere'))
  const question = within(await portal.findByRole('alertdialog', { name: 'Leave while this is being sent?' }))
  fireEvent.click(question.getByRole('button', { name: 'Leave' }))
  await portal.findByRole('heading', { level: 1, name: 'Page Not Found' })
  answer(problem(500))
  await portal.findByText('Failed to update device name')
  state.refusals.clear()
  fireEvent.click(portal.getByRole('button', { name: 'Retry' }))
  await portal.findByText('Device name updated.')
})

t.test('a conflict shows in the dialog and reloads the devices', async (t) => {
  const state = customer()
  state.refusals.set(`PATCH ${DEVICE_1}`, () => problem(409))
  const portal = openPortal(t, HERE, state.answers)
  const edit = await openEdit(portal)
  type(edit.name, 'Fan')
  state.devices[0] = device(1, { deviceName: 'AHU-1 of a colleague' })
  fireEvent.click(edit.save)
  const alert = await edit.dialog.findByRole('alert')
  t.equal(
    alert.textContent,
    'Failed to update device name. Data Conflict found. Unable to complete the request due to a conflict.'
  )
  await portal.findByRole('link', { name: 'AHU-1 of a colleague', hidden: true })
})

const withDeletedDevice = () => {
  const state = customer()
  for (const method of ['PATCH', 'DELETE']) state.refusals.set(`${method} ${DEVICE_1}`, () => problem(404))
  state.answers[`${DEVICES}/uuid-1`] = problem(404)
  return state
}
const DELETED_TEXT = 'AHU-1 no longer exists: it was deleted elsewhere.'

t.test('editing a device deleted elsewhere shows a message and removes the device', async (t) => {
  const state = withDeletedDevice()
  const portal = openPortal(t, HERE, state.answers)
  const edit = await openEdit(portal)
  type(edit.location, 'Roof')
  state.devices = state.devices.slice(1)
  fireEvent.click(edit.save)
  await portal.findByText(DELETED_TEXT)
  await waitFor(() => assert.ok(portal.queryByRole('link', { name: 'AHU-1' }) === null))
  t.notOk(portal.queryByRole('button', { name: 'Retry' }))
})

t.test('a move to a deleted project keeps the device in the list', async (t) => {
  const state = withDeletedDevice()
  state.answers[`${DEVICES}/uuid-1`] = device(1)
  const portal = openPortal(t, HERE, state.answers)
  const move = await chooseGarage(portal)
  fireEvent.click(move.getByRole('button', { name: 'Change Project' }))
  await portal.findByText('Failed to move device')
  await portal.findByRole('link', { name: 'AHU-1' })
})

t.test('editing a device without a project requires a project', async (t) => {
  const state = customer()
  state.devices[0] = device(1, { projectId: null, projectName: null })
  const portal = openPortal(t, HERE, state.answers)
  const edit = await openEdit(portal)
  type(edit.location, 'Roof')
  t.ok(isDisabled(edit.save))
  edit.dialog.getByText('Choose a project.')
  chooseProject(edit, 'Garage')
  t.notOk(isDisabled(edit.save))
})

const withoutServices = (state: Customer) => {
  state.devices[0] = device(1, { subscriptions: [] })
  return state
}

t.test('deleting a device without services does not require its name', async (t) => {
  const portal = openPortal(t, HERE, withoutServices(customer()).answers)
  fireEvent.click(await portal.findByRole('button', { name: 'Delete AHU-1' }))
  let dialog = within(await portal.findByRole('alertdialog', { name: 'Delete Device?' }))
  fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
  t.same(writes(portal), [])
  fireEvent.click(portal.getByRole('button', { name: 'Delete AHU-1' }))
  dialog = within(await portal.findByRole('alertdialog', { name: 'Delete Device?' }))
  t.notOk(dialog.queryByRole('textbox'))
  fireEvent.click(dialog.getByRole('button', { name: 'Delete Device' }))
  await portal.findByText('Device Deleted')
  t.notOk(portal.queryByRole('link', { name: 'AHU-1' }))
  t.same(writes(portal), [{ method: 'DELETE', path: DEVICE_1, body: undefined }])
  await waitForEntry(portal, 'Tower2 devices')
})

t.test('deleting a device with services requires its name', async (t) => {
  const portal = openPortal(t, HERE, customer().answers)
  fireEvent.click(await portal.findByRole('button', { name: 'Delete AHU-1' }))
  const dialog = within(await portal.findByRole('alertdialog', { name: 'Delete Device?' }))
  dialog.getByText('It still has services: Data Services, Remote, Recover.')
  const confirm = dialog.getByRole('button', { name: 'Delete Device' })
  const field = dialog.getByRole('textbox', { name: 'Type “AHU-1” to confirm' })
  for (const text of ['', 'AHU', 'ahu-1', 'AHU-12']) {
    type(field, text)
    fireEvent.keyDown(field, { key: 'Enter' })
    fireEvent.click(confirm)
    t.ok(isDisabled(confirm), `'${text}' is not enough`)
  }
  t.same(writes(portal), [])
  type(field, 'AHU-1')
  fireEvent.keyDown(field, { key: 'Enter' })
  await portal.findByText('Device Deleted')
})

t.test('a refused deletion restores the device and offers “Retry”', async (t) => {
  const state = withoutServices(customer())
  state.refusals.set(`DELETE ${DEVICE_1}`, () => problem(500))
  const portal = openPortal(t, HERE, state.answers)
  fireEvent.click(await portal.findByRole('button', { name: 'Delete AHU-1' }))
  fireEvent.click(await portal.findByRole('button', { name: 'Delete Device' }))
  await portal.findByText('Failed to delete AHU-1')
  await portal.findByRole('link', { name: 'AHU-1' })
  state.refusals.clear()
  fireEvent.click(portal.getByRole('button', { name: 'Retry' }))
  await portal.findByText('Device Deleted')
})

t.test('“Retry” after a lost answer succeeds if the device is already deleted', async (t) => {
  const state = withoutServices(customer())
  state.refusals.set(`DELETE ${DEVICE_1}`, () => {
    state.devices = state.devices.slice(1)
    state.refusals.set(`DELETE ${DEVICE_1}`, () => problem(404))
    return problem(504)
  })
  const portal = openPortal(t, HERE, state.answers)
  fireEvent.click(await portal.findByRole('button', { name: 'Delete AHU-1' }))
  fireEvent.click(await portal.findByRole('button', { name: 'Delete Device' }))
  await portal.findByText('Failed to delete AHU-1')
  fireEvent.click(portal.getByRole('button', { name: 'Retry' }))
  await portal.findByText('Device Deleted')
  t.notOk(portal.queryByText(DELETED_TEXT))
  await waitForEntry(portal, 'Tower2 devices')
})

t.test('copies the host ID', async (t) => {
  const copiedTexts: string[] = []
  Object.defineProperty(window.navigator, 'clipboard', {
    configurable: true,
    value: { writeText: async (text: string) => void copiedTexts.push(text) }
  })
  Object.defineProperty(globalThis.navigator, 'clipboard', {
    configurable: true,
    value: window.navigator.clipboard
  })
  const portal = openPortal(t, HERE, customer().answers)
  fireEvent.click(await portal.findByRole('button', { name: 'Copy host ID of AHU-2' }))
  await portal.findByText('Copied')
  t.same(copiedTexts, ['Qnx-2'])
})

t.test('on a small screen, the details have the actions of the menu', async (t) => {
  setDisplay({ wide: false })
  const portal = openPortal(t, HERE, customer().answers)
  fireEvent.click(await portal.findByRole('button', { name: 'Details of AHU-1' }))
  for (const name of [/^Re-registration/, /^Usage Metrics/]) portal.getByRole('button', { name })
  fireEvent.click(portal.getByRole('button', { name: /^Edit Details/ }))
  await portal.findByRole('dialog', { name: 'Edit Details' })
  fireEvent.click(portal.getByRole('button', { name: 'Delete' }))
  await portal.findByRole('alertdialog', { name: 'Delete Device?' })
  t.pass()
})
