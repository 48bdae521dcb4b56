import '../../../../support/client/dom.ts'
import assert from 'node:assert/strict'
import { act, fireEvent, waitFor, within } from '@testing-library/react'
import t from 'tap'
import { toasts } from '#client/ui/state/toasts.ts'
import { ROLES } from '#shared/permissions.ts'
import {
  customer,
  DEVICES,
  duplicate,
  HERE,
  MANAGEMENT,
  PROJECTS
} from '../../../../support/client/customer.ts'
import { textsOf } from '../../../../support/client/dom.ts'
import { problem, user } from '../../../../support/client/gateway.ts'
import { openPortal, type Portal } from '../../../../support/client/portal.tsx'

const writeCalls = (portal: Portal, method: string) =>
  portal.gateway.calls.filter((call) => call.method === method && call.path.startsWith(MANAGEMENT))
const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } })
const nameField = (portal: Portal) => portal.findByRole('textbox', { name: 'Project name' })
const createButton = (portal: Portal) =>
  within(portal.getByRole('dialog')).getByRole('button', { name: 'Create' })
const list = (portal: Portal) => within(portal.getByRole('region', { name: 'Projects' }))

async function openForm(portal: Portal): Promise<HTMLElement> {
  fireEvent.click(await portal.findByRole('button', { name: 'Create New Project' }))
  return nameField(portal)
}

async function startRename(portal: Portal, name = 'Garage'): Promise<HTMLElement> {
  fireEvent.click(await portal.findByRole('button', { name: `Rename ${name}` }))
  return portal.findByRole('textbox', { name: `New name of ${name}` })
}

t.test('roles that may not change projects and devices are not offered changes', async (t) => {
  for (const { name: role } of ROLES.filter(({ name }) => !/global_admin|partner_admin/.test(name))) {
    const scope = role.startsWith('customer') ? '/organizations/1/customers/9' : '/organizations/1'
    const person = { user: user(role, scope) }
    const portal = openPortal(t, `${HERE}?retryProjectName=New`, customer().answers, person)
    await portal.findByText('AHU-1')
    for (const name of [/Create New Project/, /^Rename/, /^Delete/, /Move to project/])
      t.notOk(portal.queryByRole('button', { name }), `${role}: ${name}`)
    t.notOk(portal.queryByRole('dialog'), `${role}: no form`)
    t.equal(portal.address(), HERE, `${role}: no name in the address`)
    t.notOk(portal.queryByRole('link', { name: 'Service Accounts' }))
    fireEvent.click(portal.getByRole('button', { name: 'Actions for AHU-1' }))
    t.same(textsOf(portal.getAllByRole('menuitem')), ['Usage Metrics'], role)
    portal.unmount()
  }
})

t.test('a project name needs 1 to 50 allowed characters', async (t) => {
  const portal = openPortal(t, HERE, customer().answers)
  const field = await openForm(portal)
  const cases: [name: string, problem: string | null, creates: boolean][] = [
    ['', null, false],
    ['   ', null, false],
    ['a*b', 'Symbols like *,<,>,/ are not allowed.', false],
    ['x'.repeat(51), 'Maximum allowed characters is 50', false],
    ['x'.repeat(50), null, true],
    ['é', null, true]
  ]
  for (const [name, problem, creates] of cases) {
    type(field, name)
    t.equal(createButton(portal).getAttribute('aria-disabled'), String(!creates), `'${name.slice(0, 9)}'`)
    t.equal(field.getAttribute('aria-invalid'), problem === null ? null : 'true')
    if (problem !== null) portal.getByText(problem)
    if (!creates) fireEvent.keyDown(field, { key: 'Enter' })
  }
  t.same(writeCalls(portal, 'POST'), [])
})

t.test('creates a project, shows a message and lists the project', async (t) => {
  const portal = openPortal(t, HERE, customer().answers)
  type(await openForm(portal), ' Annex & Co. ')
  fireEvent.click(createButton(portal))
  await portal.findByText("Project 'Annex & Co.' created successfully.")
  t.notOk(portal.queryByRole('dialog'))
  await list(portal).findByRole('link', { name: /Annex & Co\./ })
  const [call] = writeCalls(portal, 'POST')
  t.equal(call?.path, '/api/v2/management/projects')
  t.same(call?.body, {
    projectName: 'Annex & Co.',
    customer: '/organizations/9',
    partner: '/organizations/1'
  })
  t.equal(call?.headers.get('x-customer-id'), '9')
})

t.test('the message of a refused creation links to the form with the name', async (t) => {
  const state = customer()
  const failures: [answer: () => Response, text: string][] = [
    [duplicate, 'Project already exists. Choose different name'],
    [() => problem(500), 'Failed to create project'],
    [() => problem(503), 'Failed to create project']
  ]
  const portal = openPortal(t, `${HERE}?sort=hostId`, state.answers)
  type(await openForm(portal), 'Tower')
  for (const [answer, text] of failures) {
    state.refusals.set(`POST ${MANAGEMENT}/projects`, answer)
    fireEvent.keyDown(await nameField(portal), { key: 'Enter' })
    // The form closes after the message has come, which then moves from the form to the page.
    await waitFor(() => assert.ok(portal.queryByRole('dialog') === null))
    const message = portal.getByText(text).closest('.toast') as HTMLElement
    const retry = within(message).getByRole('link', { name: 'Retry' })
    t.equal(retry.getAttribute('href'), `${HERE}?sort=hostId&retryProjectName=Tower`)
    fireEvent.click(retry)
    t.equal(((await nameField(portal)) as HTMLInputElement).value, 'Tower')
    await waitFor(() => assert.equal(portal.address(), `${HERE}?sort=hostId`))
  }
})

t.test('a link with a name opens the form for a customer without projects', async (t) => {
  const state = customer({ tower: 0, garage: 0 })
  state.projects = []
  const portal = openPortal(t, `${HERE}?retryProjectName=New%20%26%20old`, state.answers)
  const field = (await nameField(portal)) as HTMLInputElement
  t.equal(field.value, 'New & old')
  fireEvent.click(createButton(portal))
  await portal.findByText("Project 'New & old' created successfully.")
  await portal.findByRole('heading', { name: 'Projects (1)' })
})

t.test('the empty state has a button to create a project', async (t) => {
  const state = customer({ tower: 0, garage: 0 })
  state.projects = []
  const portal = openPortal(t, HERE, state.answers)
  fireEvent.click(await portal.findByRole('button', { name: 'Create' }))
  await nameField(portal)
})

t.test('a global admin creates a project for the integrator in the address', async (t) => {
  const admin = user('global_admin', '/', { userType: 'INTERNAL', organizationId: null })
  const integrators = { organizations: [{ id: '1', orgName: 'Brightwater Controls' }] }
  const path = `${MANAGEMENT}/organizations/search/findByIsTechViewEnabled`
  const answers = { ...customer().answers, [path]: { _embedded: integrators } }
  const portal = openPortal(t, `/integrators/1${HERE}`, answers, { user: admin })
  type(await openForm(portal), 'New')
  fireEvent.click(createButton(portal))
  await portal.findByText("Project 'New' created successfully.")
  t.match(writeCalls(portal, 'POST')[0]?.body, { partner: '/organizations/1' })
})

t.test('Enter saves a new name, shows the name everywhere at once and returns the focus', async (t) => {
  const state = customer()
  const portal = openPortal(t, HERE, state.answers)
  await portal.findByText('1–4 of 4')
  const gate = Promise.withResolvers<void>()
  const rename = state.answers[`${MANAGEMENT}/projects/p-2`] as (call: unknown) => unknown
  portal.gateway.answers[`${MANAGEMENT}/projects/p-2`] = async (call: unknown) => {
    await gate.promise
    return rename(call)
  }
  const field = await startRename(portal)
  type(field, 'Parking')
  fireEvent.keyDown(field, { key: 'Enter' })
  await list(portal).findByRole('link', { name: /Parking/ })
  const table = within(portal.getByRole('table'))
  await table.findByText('Parking')
  await waitFor(() => assert.equal(document.activeElement?.getAttribute('aria-label'), 'Rename Parking'))
  gate.resolve()
  await portal.findByText("Project name 'Parking' updated successfully.")
  t.same(
    writeCalls(portal, 'PATCH').map(({ path, body }) => [path, body]),
    [[`${MANAGEMENT}/projects/p-2`, { projectName: 'Parking' }]]
  )
})

t.test('leaving the field saves only a changed name', async (t) => {
  const portal = openPortal(t, HERE, customer().answers)
  fireEvent.blur(await startRename(portal))
  t.notOk(portal.queryByRole('textbox', { name: /New name/ }))
  t.same(writeCalls(portal, 'PATCH'), [])
  const field = await startRename(portal)
  type(field, 'Deck')
  fireEvent.blur(field)
  await portal.findByText("Project name 'Deck' updated successfully.")
})

t.test('Escape keeps the old name', async (t) => {
  const portal = openPortal(t, HERE, customer().answers)
  const field = await startRename(portal)
  type(field, 'Deck')
  fireEvent.keyDown(field, { key: 'Escape' })
  await list(portal).findByRole('link', { name: /Garage/ })
  await waitFor(() => assert.equal(document.activeElement?.getAttribute('aria-label'), 'Rename Garage'))
  t.same(writeCalls(portal, 'PATCH'), [])
})

const focusedName = () => {
  const { activeElement } = document
  return activeElement?.getAttribute('aria-label') ?? activeElement?.textContent ?? ''
}
const findEntry = async (portal: Portal, name: RegExp) => {
  await portal.findByRole('region', { name: 'Projects' })
  return list(portal).findByRole('link', { name })
}
const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key })

t.test('the project list is one tab stop; arrow keys, Home and End move in it', async (t) => {
  const portal = openPortal(t, `${HERE}?project=p-2`, customer().answers)
  const chosenEntry = await findEntry(portal, /^Garage/)
  const tabStops = () =>
    [...portal.container.querySelectorAll<HTMLElement>('.project-entries :is(a, button)')]
      .filter(({ tabIndex }) => tabIndex === 0)
      .map(({ textContent }) => textContent)
  t.same(tabStops(), ['Garage1 device'], 'the chosen project')
  act(() => chosenEntry.focus())
  const moves: [key: string, target: string][] = [
    ['ArrowRight', 'Rename Garage'],
    ['ArrowRight', 'Delete Garage'],
    ['ArrowRight', 'Delete Garage'],
    ['ArrowLeft', 'Rename Garage'],
    ['ArrowLeft', 'Garage1 device'],
    ['ArrowLeft', 'Garage1 device'],
    ['Home', 'All Projects4 devices'],
    ['ArrowUp', 'All Projects4 devices'],
    ['End', 'Tower3 devices'],
    ['ArrowDown', 'Tower3 devices'],
    ['ArrowRight', 'Rename Tower'],
    ['ArrowUp', 'Garage1 device'],
    ['ArrowDown', 'Tower3 devices']
  ]
  for (const [key, target] of moves) {
    press(key)
    t.equal(focusedName(), target, `${key} leads to ${target}`)
  }
  t.same(tabStops(), ['Tower3 devices'], 'the last focused project')
})

t.test('F2 renames the focused project, and Delete deletes it', async (t) => {
  const portal = openPortal(t, HERE, customer({ garage: 0 }).answers)
  const tower = await findEntry(portal, /^Tower/)
  act(() => tower.focus())
  press('Delete')
  t.equal(focusedName(), 'Delete Tower', 'its tooltip says why a project with devices stays')
  t.notOk(portal.queryByRole('alertdialog'))
  const garage = await findEntry(portal, /^Garage/)
  act(() => garage.focus())
  press('F2')
  const field = await portal.findByRole('textbox', { name: 'New name of Garage' })
  press('ArrowDown')
  t.ok(document.activeElement === field, 'the field keeps its own arrow keys')
  press('Escape')
  await waitFor(() => assert.equal(focusedName(), 'Rename Garage'))
  press('Delete')
  await portal.findByRole('alertdialog', { name: 'Delete Project?' })
})

t.test('an invalid name stays in the field with the reason', async (t) => {
  const portal = openPortal(t, HERE, customer().answers)
  const field = await startRename(portal)
  const cases: [name: string, problem: string][] = [
    ['x'.repeat(51), 'Maximum allowed characters is 50'],
    ['a/b', 'Symbols like *,<,>,/ are not allowed.']
  ]
  for (const [name, problem] of cases) {
    type(field, name)
    fireEvent.keyDown(field, { key: 'Enter' })
    fireEvent.blur(field)
    t.equal(portal.getByText(problem).getAttribute('data-shown'), 'true')
    t.equal((field as HTMLInputElement).value, name)
  }
  type(field, 'x'.repeat(50))
  t.notOk(portal.queryByText(/Maximum allowed/))
  fireEvent.keyDown(field, { key: 'Enter' })
  await portal.findByText(`Project name '${'x'.repeat(50)}' updated successfully.`)
})

t.test('a refused name stays in the field with the reason; Escape restores the old name', async (t) => {
  const state = customer()
  const portal = openPortal(t, HERE, state.answers)
  const failures: [answer: () => Response, text: string][] = [
    [duplicate, 'Project already exists. Choose different name.'],
    [() => problem(500), 'Failed to update the project name.']
  ]
  for (const [answer, text] of failures) {
    state.refusals.set(`PATCH ${MANAGEMENT}/projects/p-2`, answer)
    const field = await startRename(portal)
    type(field, 'Tower')
    fireEvent.keyDown(field, { key: 'Enter' })
    await portal.findByText(text)
    const retryField = await portal.findByDisplayValue('Tower')
    portal.getByText('Not saved. Try again or change the name.')
    fireEvent.keyDown(retryField, { key: 'Escape' })
    await list(portal).findByRole('link', { name: /Garage/ })
  }
})

t.test('after a lost answer, the reload shows the new name, and the field stays closed', async (t) => {
  const state = customer()
  state.refusals.set(`PATCH ${MANAGEMENT}/projects/p-2`, () => {
    state.projects = state.projects.map((project) =>
      project.id === 'p-2' ? { ...project, projectName: 'Parking' } : project
    )
    return problem(504)
  })
  const portal = openPortal(t, HERE, state.answers)
  const field = await startRename(portal)
  type(field, 'Parking')
  fireEvent.keyDown(field, { key: 'Enter' })
  await portal.findByText('Failed to update the project name.')
  await list(portal).findByRole('link', { name: /Parking/ })
  t.notOk(portal.queryByRole('textbox', { name: /New name/ }))
})

t.test('“Undo” restores the old project name', async (t) => {
  const portal = openPortal(t, HERE, customer().answers)
  const field = await startRename(portal)
  type(field, 'Parking')
  fireEvent.keyDown(field, { key: 'Enter' })
  fireEvent.click(await portal.findByRole('button', { name: 'Undo' }))
  await portal.findByText("Renaming undone: the project is called 'Garage' again.")
  t.notOk(portal.queryByRole('button', { name: 'Undo' }))
  await list(portal).findByRole('link', { name: /Garage/ })
  t.same(
    writeCalls(portal, 'PATCH').map(({ body }) => body),
    [{ projectName: 'Parking' }, { projectName: 'Garage' }]
  )
})

t.test('a project with devices cannot be deleted and shows the reason', async (t) => {
  const portal = openPortal(t, HERE, customer().answers)
  const button = await portal.findByRole('button', { name: 'Delete Garage' })
  t.equal(button.getAttribute('aria-disabled'), 'true')
  const reason = document.getElementById(button.getAttribute('aria-describedby') ?? '')
  t.equal(reason?.textContent, 'It has a device. Move or delete it first.')
  fireEvent.click(button)
  t.notOk(portal.queryByRole('alertdialog'))
})

t.test('deletes a project after a confirmation', async (t) => {
  const portal = openPortal(t, HERE, customer({ garage: 0 }).answers)
  fireEvent.click(await portal.findByRole('button', { name: 'Delete Garage' }))
  const dialog = within(await portal.findByRole('alertdialog', { name: 'Delete Project?' }))
  fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
  t.same(writeCalls(portal, 'DELETE'), [])
  fireEvent.click(portal.getByRole('button', { name: 'Delete Garage' }))
  fireEvent.click(await portal.findByRole('button', { name: 'Delete Project' }))
  await portal.findByText("Project 'Garage' deleted successfully.")
  t.notOk(list(portal).queryByRole('link', { name: /Garage/ }))
  t.same(
    writeCalls(portal, 'DELETE').map(({ path }) => path),
    [`${MANAGEMENT}/projects/p-2`]
  )
})

t.test('deleting an empty project in its device table shows all devices', async (t) => {
  const portal = openPortal(t, `${HERE}?project=p-2`, customer({ garage: 0 }).answers)
  await portal.findByRole('heading', { name: 'No Devices Registered' })
  fireEvent.click(portal.getByText('Delete Project'))
  const dialog = within(await portal.findByRole('alertdialog', { name: 'Delete Project?' }))
  fireEvent.click(dialog.getByRole('button', { name: 'Delete Project' }))
  await portal.findByText("Project 'Garage' deleted successfully.")
  await portal.findByText('AHU-1')
  t.equal(portal.address(), HERE)
})

t.test('a dismissed message keeps its “Retry” link in the recent messages', async (t) => {
  const state = customer()
  state.refusals.set(`POST ${MANAGEMENT}/projects`, () => problem(500))
  const portal = openPortal(t, HERE, state.answers)
  type(await openForm(portal), 'Kept')
  fireEvent.click(createButton(portal))
  await portal.findByText('Failed to create project')
  fireEvent.click(portal.getAllByRole('button', { name: 'Dismiss message' })[0] as HTMLElement)
  t.match(toasts.read().recent[0], {
    text: 'Failed to create project',
    action: { label: 'Retry', to: `${HERE}?retryProjectName=Kept` }
  })
})

t.test('creating a project reloads projects and devices', async (t) => {
  const portal = openPortal(t, HERE, customer().answers)
  await portal.findByText('AHU-1')
  const callCounts = [PROJECTS, DEVICES].map((path) => portal.callsTo(path).length)
  type(await openForm(portal), 'New')
  fireEvent.click(createButton(portal))
  await waitFor(() =>
    assert.deepEqual(
      [PROJECTS, DEVICES].map((path) => portal.callsTo(path).length),
      callCounts.map((calls) => calls + 1)
    )
  )
})
