import '../../../../support/client/dom.ts'
import assert from 'node:assert/strict'
import { fireEvent, waitFor } from '@testing-library/react'
import t, { type Test } from 'tap'
import { customer, DEVICES, HERE, PROJECTS } from '../../../../support/client/customer.ts'
import { CUSTOMERS, card, pageOf, problem, projectList } from '../../../../support/client/gateway.ts'
import { openPortal } from '../../../../support/client/portal.tsx'

const LOOK_UP = '/api/v2/devicemanagement/registration/ABCD2345'
const REGISTER = '/api/v2/devicemanagement/registration'
const CUSTOMER_LIST = { items: [card('9', { orgName: 'Northwind' })], page: pageOf(1) }
const ADDRESS = '/registerdevice?customerId=9&deviceName=AHU-7&location=Roof'

const license = (number: number) => ({
  licenseId: `lic-${number}`,
  niagaraLicenseId: `Niagara-${number}`,
  customerName: 'Northwind'
})

async function openPage(t: Test, licenses = [license(1)]) {
  const answer = Promise.withResolvers<object>()
  const portal = openPortal(t, ADDRESS, {
    [PROJECTS]: customer().answers[PROJECTS],
    [CUSTOMERS]: CUSTOMER_LIST,
    [LOOK_UP]: () => answer.promise
  })
  const codeField = await portal.findByRole('textbox', { name: 'Registration code' })
  codeField.focus()
  fireEvent.change(codeField, { target: { value: 'abcd2345' } })
  await waitFor(() => assert.equal(portal.callsTo(LOOK_UP).length, 1))
  return { portal, codeField, answerLicenses: () => answer.resolve({ licenses }) }
}

t.test('licenses that arrive late do not move the focus', async (t) => {
  const { portal, answerLicenses } = await openPage(t)
  const project = portal.getByRole('combobox', { name: 'Project' })
  project.focus()
  fireEvent.click(project)
  await portal.findByRole('option', { name: 'Tower' })
  answerLicenses()
  await portal.findByText('The only license, Niagara-1, is selected.')
  t.ok(document.activeElement === project)
  t.equal(project.getAttribute('aria-expanded'), 'true')
})

t.test('takes customer and project from the address', async (t) => {
  const noDevices = { [DEVICES]: { items: [], page: pageOf(0), partial: [] } }
  const portal = openPortal(t, `${HERE}?project=p-2`, { ...customer({ garage: 0 }).answers, ...noDevices })
  await portal.findByRole('heading', { name: 'No Devices Registered' })
  const links = portal.getAllByRole('link', { name: 'Register Device' })
  t.equal(links.length, 2)
  for (const link of links) t.equal(link.getAttribute('href'), '/registerdevice?customerId=9&projectId=p-2')
  fireEvent.click(links[0] as HTMLElement)
  const textOf = (name: string) => (portal.getByRole('combobox', { name }) as HTMLInputElement).value
  await portal.findByText('Still needed: the code, a license, a device name, a location')
  await waitFor(() => assert.deepEqual([textOf('Customer'), textOf('Project')], ['Northwind', 'Garage']))
  t.match(portal.getByRole('region', { name: '4. Review' }).textContent, 'CustomerNorthwindProjectGarage')
})

t.test('choosing one of several licenses keeps the focus', async (t) => {
  const { portal, answerLicenses } = await openPage(t, [license(1), license(2)])
  answerLicenses()
  const [firstLicense] = await portal.findAllByRole('radio')
  firstLicense?.focus()
  fireEvent.click(firstLicense as HTMLElement)
  await portal.findByText('Still needed: a project')
  t.ok(document.activeElement === firstLicense)
})

t.test('moves the focus from the code to the next step', async (t) => {
  const { portal, answerLicenses } = await openPage(t)
  answerLicenses()
  const nextHeading = portal.getByRole('heading', { name: '3. Placement' })
  await waitFor(() => assert.ok(document.activeElement === nextHeading))
})

t.test('a code of nine characters is refused without another call', async (t) => {
  const { portal, codeField } = await openPage(t)
  fireEvent.change(codeField, { target: { value: 'ABCD23456' } })
  await portal.findByText('A code has 8 letters or digits.')
  t.equal(portal.callsTo(LOOK_UP).length, 1)
})

const registered = { id: 'd-9', deviceUuid: 'uuid-9', systemGuid: 'guid-9' }

function openForm(t: Test, address: string, licenses: object[]) {
  const portal = openPortal(t, address, {
    ...customer().answers,
    [CUSTOMERS]: CUSTOMER_LIST,
    [LOOK_UP]: { licenses },
    [REGISTER]: registered
  })
  const field = (name: string, role: 'textbox' | 'combobox' = 'textbox') =>
    portal.getByRole(role, { name }) as HTMLInputElement
  return {
    ...portal,
    field,
    type: (name: string, value: string) => fireEvent.change(field(name), { target: { value } }),
    press: (name: string) => fireEvent.click(portal.getByRole('button', { name })),
    formValues: () => [
      field('Customer', 'combobox').value,
      field('Project', 'combobox').value,
      field('Device name').value,
      field('Location').value
    ]
  }
}

t.test('registers a device in a new project', async (t) => {
  const form = openForm(t, '/registerdevice', [license(1), license(2), license(3)])
  await form.findByRole('textbox', { name: 'Registration code' })
  form.type('Registration code', 'abcd-2345')
  const licenses = await form.findAllByRole('radio')
  t.equal(licenses.length, 3)
  fireEvent.click(licenses[0] as HTMLElement)
  await form.findByText('Still needed: a project, a device name, a location')
  form.press('Create project')
  form.type('Project name', 'Annex, Level 2')
  form.press('Create')
  await form.findByText("Project 'Annex, Level 2' created successfully.")
  form.type('Device name', 'AHU-Annex')
  form.type('Location', 'Roof / east')
  form.getByText('Symbols like *,<,>,/ are not allowed.')
  form.type('Location', 'Roof, east')
  await waitFor(() =>
    assert.deepEqual(form.formValues(), ['Northwind', 'Annex, Level 2', 'AHU-Annex', 'Roof, east'])
  )
  form.press('Register')
  await form.findByRole('heading', { name: 'AHU-Annex is registered' })
  t.match(form.getByRole('navigation', { name: 'Breadcrumb' }).textContent, 'Register Device')
  t.strictSame(form.callsTo(REGISTER)[0]?.body, {
    userCode: 'ABCD2345',
    licenseId: 'lic-1',
    deviceName: 'AHU-Annex',
    location: 'Roof, east',
    customer: '/organizations/9',
    project: '/projects/p-3'
  })
})

t.test('another device starts without code and name, and in the same place', async (t) => {
  const form = openForm(t, `${ADDRESS}&projectId=p-1`, [license(1)])
  await form.findByRole('textbox', { name: 'Registration code' })
  form.type('Registration code', 'abcd2345')
  await form.findByText('The only license, Niagara-1, is selected.')
  form.press('Register')
  await form.findByRole('heading', { name: 'AHU-7 is registered' })
  form.press('Register another')
  t.equal(form.field('Registration code').value, '')
  await waitFor(() => assert.deepEqual(form.formValues(), ['Northwind', 'Tower', '', 'Roof']))
})

for (const [what, status, message] of [
  ['the license is taken', 409, /may have been taken meanwhile/],
  ['the code has expired', 404, /is unknown, was already used or has expired/]
] as const)
  t.test(`the form keeps its other values if ${what}`, async (t) => {
    const form = openForm(t, `${ADDRESS}&projectId=p-1`, [license(1)])
    form.gateway.answers[REGISTER] = problem(status)
    form.gateway.answers[LOOK_UP.replace('ABCD', 'EFGH')] = { licenses: [license(2)] }
    await form.findByRole('textbox', { name: 'Registration code' })
    form.type('Registration code', 'abcd2345')
    await form.findByText('The only license, Niagara-1, is selected.')
    const values = ['Northwind', 'Tower', 'AHU-7', 'Roof']
    await waitFor(() => assert.deepEqual(form.formValues(), values))
    form.press('Register')
    await form.findByText(message)
    t.strictSame(form.formValues(), values)

    form.gateway.answers[REGISTER] = registered
    form.type('Registration code', 'efgh2345')
    await form.findByText('The only license, Niagara-2, is selected.')
    form.press('Register')
    await form.findByRole('heading', { name: 'AHU-7 is registered' })
    t.match(form.callsTo(REGISTER).at(-1)?.body, { userCode: 'EFGH2345', licenseId: 'lic-2' })
  })

t.test('a project that was deleted meanwhile is missing, and the code stays', async (t) => {
  const form = openForm(t, `${ADDRESS}&projectId=p-1`, [license(1)])
  await form.findByRole('textbox', { name: 'Registration code' })
  form.type('Registration code', 'abcd2345')
  await form.findByText('The only license, Niagara-1, is selected.')
  await waitFor(() => assert.equal(form.field('Project', 'combobox').value, 'Tower'))
  const projects = projectList().projects.filter(({ id }) => id !== 'p-1')
  Object.assign(form.gateway.answers, { [PROJECTS]: projectList({ projects }), [REGISTER]: problem(404) })
  form.press('Register')
  await form.findByText('Still needed: a project')
  t.notOk(form.queryByText(/is unknown, was already used or has expired/))

  form.gateway.answers[REGISTER] = registered
  fireEvent.click(form.field('Project', 'combobox'))
  fireEvent.click(await form.findByRole('option', { name: 'Garage' }))
  form.press('Register')
  await form.findByRole('heading', { name: 'AHU-7 is registered' })
  t.match(form.callsTo(REGISTER).at(-1)?.body, { userCode: 'ABCD2345', project: '/projects/p-2' })
})

t.test('a project of the address that the customer does not have is missing', async (t) => {
  const form = openForm(t, `${ADDRESS}&projectId=p-9`, [license(1)])
  await form.findByRole('textbox', { name: 'Registration code' })
  form.type('Registration code', 'abcd2345')
  await form.findByText('Still needed: a project')
  t.pass()
})

t.test('after a lost answer, the page says that the device may be registered', async (t) => {
  const form = openForm(t, `${ADDRESS}&projectId=p-1`, [license(1)])
  await form.findByRole('textbox', { name: 'Registration code' })
  form.type('Registration code', 'abcd2345')
  await form.findByText('The only license, Niagara-1, is selected.')
  await waitFor(() => assert.equal(form.field('Project', 'combobox').value, 'Tower'))
  const reads = form.callsTo(PROJECTS).length
  form.gateway.answers[REGISTER] = problem(504)
  form.press('Register')
  await form.findByText(
    "Network Connectivity Failed. Unable to get the details. The device may have been registered anyway. Look at the customer's devices before you try again."
  )
  await waitFor(() => assert.equal(form.callsTo(PROJECTS).length, reads + 1))

  form.gateway.answers[REGISTER] = problem(404)
  form.press('Register')
  await form.findByText(
    "This code is unknown, was already used or has expired. Your first try may have registered the device: look at the customer's devices."
  )
  form.type('Registration code', 'abcd234')
  form.type('Registration code', 'abcd2345')
  form.press('Register')
  await form.findByText(/Your first try may have registered the device/)
  t.equal(form.callsTo(REGISTER).length, 3)
})
