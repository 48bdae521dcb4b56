import '../../support/client/dom.ts'
import assert from 'node:assert/strict'
import { fireEvent, waitFor, within } from '@testing-library/react'
import t from 'tap'
import { customer, DEVICES, HERE } from '../../support/client/customer.ts'
import { setDisplay } from '../../support/client/dom.ts'
import { device, pageOf } from '../../support/client/gateway.ts'
import { openPortal, type Portal } from '../../support/client/portal.tsx'

const { answers } = customer({ tower: 25, garage: 0 })

t.beforeEach(() => setDisplay({ wide: false }))

t.test('a button loads the next ten devices and focuses the first new device', async (t) => {
  const portal = openPortal(t, HERE, answers)
  await portal.findByText('AHU-10')
  t.notOk(portal.queryByText('AHU-11'))
  fireEvent.click(portal.getByRole('button', { name: 'Load next 10' }))
  await portal.findByText('AHU-20')
  await waitFor(() => assert.equal(document.activeElement?.textContent, 'AHU-11'))
  fireEvent.click(await portal.findByRole('button', { name: 'Load next 10' }))
  await portal.findByText('AHU-25')
  t.notOk(portal.queryByRole('button', { name: 'Load next 10' }))
  t.same(
    portal.callsTo(DEVICES).map(({ query }) => `${query.get('page')} of ${query.get('size')}`),
    ['0 of 10', '1 of 10', '2 of 10']
  )
})

t.test('the details of a device show its host ID, project and services', async (t) => {
  const portal = openPortal(t, HERE, answers)
  const opener = await portal.findByRole('button', { name: 'Details of AHU-2' })
  t.notOk(portal.queryByText('Qnx-2'))
  fireEvent.click(opener)
  portal.getByText('Qnx-2')
  t.same(
    portal.getAllByRole('link', { name: /for AHU-2/ }).map((link) => link.getAttribute('href')),
    [
      `${HERE}/devicedetails?tab=alarms&deviceUuid=uuid-2`,
      `${HERE}/devicedetails/history?deviceUuid=uuid-2`,
      'https://remote.example/guid-2',
      `${HERE}/savedbackups?deviceUuid=uuid-2`
    ]
  )
  fireEvent.click(portal.getByRole('button', { name: 'Next device' }))
  await portal.findByRole('dialog', { name: 'AHU-3' })
  t.notOk(portal.queryByText('Qnx-2'))
})

t.test('a service that is not available shows the reason', async (t) => {
  const oneDevice = { items: [device(1, { subscriptions: [] })], page: pageOf(1), partial: [] }
  const portal = openPortal(t, HERE, { ...answers, [DEVICES]: oneDevice })
  fireEvent.click(await portal.findByRole('button', { name: 'Details of AHU-1' }))
  portal.getByText('No Remote subscription')
  t.equal(portal.getByRole('link', { name: /Remote/ }).getAttribute('aria-disabled'), 'true')
})

async function openProjects(portal: Portal) {
  fireEvent.click(portal.getByRole('button', { name: 'Filter and sort' }))
  fireEvent.click(await portal.findByRole('button', { name: /^Filter by project/ }))
  return portal.findByRole('dialog', { name: 'Projects (2)' })
}

t.test('the project filter opens a dialog, which closes after a choice', async (t) => {
  const portal = openPortal(t, HERE, answers)
  await portal.findByText('AHU-1')
  const dialog = within(await openProjects(portal))
  fireEvent.click(await dialog.findByRole('link', { name: /Garage/ }))
  await waitFor(() => assert.ok(portal.queryByRole('dialog', { name: 'Projects (2)' }) === null))
  t.equal(portal.address(), `${HERE}?project=p-2`)
  fireEvent.click(await portal.findByRole('button', { name: 'Apply' }))
  await waitFor(() => assert.ok(portal.queryByRole('dialog') === null))
  fireEvent.click(await portal.findByRole('button', { name: 'Remove filter Garage' }))
  await waitFor(() => assert.equal(portal.address(), HERE))
})

t.test('a screen that becomes wide shows the table', async (t) => {
  const portal = openPortal(t, HERE, answers)
  await portal.findByText('AHU-1')
  t.notOk(portal.queryByRole('table'))
  setDisplay({ wide: true })
  await portal.findByRole('table', { name: 'Devices' })
})
