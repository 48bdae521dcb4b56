import '../../../../support/client/dom.ts'
import assert from 'node:assert/strict'
import { fireEvent, waitFor } from '@testing-library/react'
import t, { type Test } from 'tap'
import { customer, DEVICES, HERE, PROJECTS } from '../../../../support/client/customer.ts'
import { CUSTOMERS, card, pageOf } from '../../../../support/client/gateway.ts'
import { openPortal } from '../../../../support/client/portal.tsx'

const LOOK_UP = '/api/v2/devicemanagement/registration/ABCD2345'
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
    [CUSTOMERS]: { items: [card('9', { orgName: 'Northwind' })], page: pageOf(1) },
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
  t.equal(document.activeElement, project)
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
  t.equal(document.activeElement, firstLicense)
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
