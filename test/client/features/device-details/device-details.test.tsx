import '../../../support/client/dom.ts'
import assert from 'node:assert/strict'
import { act, fireEvent, waitFor, within } from '@testing-library/react'
import t from 'tap'
import { ROLES, rolesAllowing } from '#shared/permissions.ts'
import { alarmRecord } from '../../../support/client/alarm-record.ts'
import { customer, DEVICES } from '../../../support/client/customer.ts'
import { setDisplay, textsOf } from '../../../support/client/dom.ts'
import {
  type Answers,
  bootstrap,
  type Call,
  device,
  NOW,
  pageOf,
  problem,
  user
} from '../../../support/client/gateway.ts'
import { chooseAction } from '../../../support/client/gestures.ts'
import { holdTimeouts } from '../../../support/client/held-timeouts.ts'
import { pointModel, pointPage } from '../../../support/client/points.ts'
import { openPortal, type Portal } from '../../../support/client/portal.tsx'

const DEVICE = `${DEVICES}/uuid-1`
const POINTS = '/api/v1/entitymodel/customers/9/pointNames'
const READ = '/api/v1/control/devices/d-1/commands/read'
const WRITE = '/api/v1/control/devices/d-1/commands/write'
const CLEAR = '/api/v1/control/devices/d-1/commands/clear'
const COUNT = '/api/v1/alarms/customers/9/devices/d-1/alarms/count'
const ALARMS = '/api/portal/v1/customers/9/alarms'
const HERE = '/customers/9/devicedetails?deviceUuid=uuid-1'

const model = (number: number, rest: object = {}) =>
  pointModel(number, {
    facets: { writable: true, precision: 1, min: 10, max: 30 },
    tags: { telemetryId: `t-${number}`, dataType: 'Numeric', units: '°C', historyName: `/a/${number}` },
    ...rest
  })
const answers: Answers = {
  ...customer({ tower: 2, garage: 0 }).answers,
  [POINTS]: pointPage([model(1), model(2, { outValue: '1.0 {unackedAlarm,alarm,down}' })]),
  [READ]: [{ cloudId: 'c-1', value: 21.26, status: 'overridden', timestamp: NOW }],
  [COUNT]: { count: 3 },
  [ALARMS]: { items: [], page: pageOf(0) }
}

for (const { name: role } of ROLES.filter(({ name }) => name !== 'global_admin')) {
  const mayWrite = rolesAllowing('live:write').includes(role)
  t.test(`${role} may ${mayWrite ? '' : 'not '}write to a point`, async (t) => {
    const portal = openPortal(t, HERE, answers, { user: user(role, '/organizations/1') })
    fireEvent.click(await portal.findByRole('button', { name: 'Actions for Point 1' }))
    t.equal(portal.queryByRole('menuitem', { name: 'Write' }) !== null, mayWrite)
    t.equal(portal.queryByRole('menuitem', { name: 'Clear override' }) !== null, mayWrite)
    portal.getByRole('link', { name: 'History' })
    portal.getByRole('switch', { name: 'Live values' })
  })
}

t.test('shows live values with their units, and status flags in the order of Niagara', async (t) => {
  const portal = openPortal(t, HERE, answers)
  const row = (name: string) => portal.getByRole('row', { name: new RegExp(name) })
  await portal.findByText('21.3 °C')
  within(row('Point 1')).getByText('Overridden')
  t.same(textsOf(row('Point 2').querySelectorAll('.badge')), ['Down', 'Alarm', 'Unacked alarm'])
  const [call] = portal.callsTo(READ)
  t.equal(call?.headers.get('x-customer-id'), '9')
  await portal.findByRole('tab', { name: /^Alarms ?3$/ })
})

t.test('names the first end of a service that has several subscriptions', async (t) => {
  const term = (days: number) => ({
    offeringCode: 'NDS',
    startDate: '2026-01-01T00:00:00Z',
    endDate: new Date(Date.parse(NOW) + days * 86_400_000).toISOString()
  })
  const portal = openPortal(t, HERE, {
    ...answers,
    [DEVICE]: device(1, { subscriptions: [term(300), term(5)] })
  })
  const services = await portal.findByRole('list', { name: 'Services', hidden: true })
  t.match(services.textContent, /Data Services.*until 06-Mar-2026.*5 d/)
})

t.test('a tablet shows points in a table and filters in a sheet', async (t) => {
  setDisplay({ wide: false, tablet: true })
  const portal = openPortal(t, HERE, answers)
  const table = await portal.findByRole('table', { name: 'Points of AHU-1' })
  await within(table).findByText('21.3 °C')
  within(table).getByRole('rowheader', { name: 'Point 1' })
  portal.getByRole('button', { name: 'Filter and sort' })
})

t.test('keeps the last values, with a notice, when live values cannot be read', async (t) => {
  const portal = openPortal(t, HERE, { ...answers, [READ]: problem(503) })
  await portal.findByText(/Live values cannot be read now/)
  portal.getByText('20.0 °C')
  portal.gateway.answers[READ] = answers[READ]
  fireEvent.click(portal.getByRole('button', { name: 'Retry' }))
  await portal.findByText('21.3 °C')
  t.notOk(portal.queryByText(/cannot be read now/))
})

t.test('a device without points shows a message', async (t) => {
  const portal = openPortal(t, HERE, { ...answers, [POINTS]: { page: pageOf(0) } })
  await portal.findByRole('heading', { name: 'No points published by this device' })
})

async function openWriteDialog(portal: Portal) {
  await portal.findByText('21.3 °C')
  await chooseAction(portal, 'Point 1', 'Write')
  const dialog = within(portal.getByRole('dialog', { name: 'Write Point 1' }))
  const field = dialog.getByLabelText('New value')
  return {
    ...dialog,
    field,
    type: (value: string) => fireEvent.change(field, { target: { value } }),
    writeButton: () => dialog.getByRole('button', { name: 'Write' })
  }
}

t.test('a value above the limit cannot be written', async (t) => {
  const portal = openPortal(t, HERE, { ...answers, [WRITE]: [{ cloudId: 'c-1', status: 'OK' }] })
  const dialog = await openWriteDialog(portal)
  dialog.type('31')
  dialog.getByText('The highest value is 30 °C.')
  t.equal(dialog.writeButton().getAttribute('aria-disabled'), 'true')
  fireEvent.click(dialog.writeButton())
  fireEvent.keyDown(dialog.field, { key: 'Enter' })
  t.equal(portal.callsTo(WRITE).length, 0)
})

for (const [name, status, undoName, undone] of [
  ['the value that it replaced', 'overridden', 'Write Point 1', [{ cloudId: 'c-1', value: 21.3 }]],
  ['the device’s own value', 'ok', 'Clear the override of Point 1?', [{ cloudId: 'c-1' }]]
] as const)
  t.test(`after a write, the dialog offers ${name} again, after the same question`, async (t) => {
    let value = 21.3
    let now: string = status
    const portal = openPortal(t, HERE, {
      ...answers,
      [READ]: () => [{ cloudId: 'c-1', value, status: now, timestamp: NOW }],
      [WRITE]: ({ body }: Call) => {
        value = (body as { points: [{ value: number }] }).points[0].value
        now = 'overridden'
        return [{ cloudId: 'c-1', status: 'OK' }]
      },
      [CLEAR]: () => [{ cloudId: 'c-1', status: 'OK' }]
    })
    const dialog = await openWriteDialog(portal)
    const readBackWaits = holdTimeouts(t, [2_000])
    dialog.type('25')
    fireEvent.click(dialog.writeButton())
    await dialog.findByText(/Reading back/)
    await readBackWaits.end()
    fireEvent.click(await dialog.findByRole('button', { name: 'Undo (21.3 °C)' }))
    const isClear = status === 'ok'
    const undo = within(await portal.findByRole(isClear ? 'alertdialog' : 'dialog', { name: undoName }))
    t.equal(portal.callsTo(WRITE).length, 1, 'asks first')
    fireEvent.click(undo.getByRole('button', { name: isClear ? 'Clear override' : 'Write' }))
    const path = isClear ? CLEAR : WRITE
    await waitFor(() => assert.equal(portal.callsTo(path).length, isClear ? 1 : 2))
    t.match(portal.callsTo(path).at(-1)?.body, { points: undone })
  })

t.test('after a write to a Boolean point, undo writes the state that it replaced', async (t) => {
  let value = true
  const fan = model(1, { tags: { dataType: 'Boolean', trueText: 'Running', falseText: 'Off' } })
  const portal = openPortal(t, HERE, {
    ...answers,
    [POINTS]: pointPage([fan]),
    [READ]: () => [{ cloudId: 'c-1', value, status: 'overridden', timestamp: NOW }],
    [WRITE]: ({ body }: Call) => {
      value = (body as { points: [{ value: boolean }] }).points[0].value
      return [{ cloudId: 'c-1', status: 'OK' }]
    }
  })
  await portal.findByText('Running')
  await chooseAction(portal, 'Point 1', 'Write')
  const dialog = within(portal.getByRole('dialog', { name: 'Write Point 1' }))
  const readBackWaits = holdTimeouts(t, [2_000])
  fireEvent.change(dialog.getByLabelText('New value'), { target: { value: 'false' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Write' }))
  await dialog.findByText(/Reading back/)
  await readBackWaits.end()
  fireEvent.click(await dialog.findByRole('button', { name: 'Undo (Running)' }))
  const undo = within(portal.getByRole('dialog', { name: 'Write Point 1' }))
  t.equal((undo.getByLabelText('New value') as HTMLSelectElement).value, 'true')
  fireEvent.click(undo.getByRole('button', { name: 'Write' }))
  await waitFor(() => assert.equal(portal.callsTo(WRITE).length, 2))
  t.match(portal.callsTo(WRITE).at(-1)?.body, { points: [{ cloudId: 'c-1', value: true }] })
})

t.test('a write that the device refuses shows the device’s reason', async (t) => {
  const refusal = { cloudId: 'c-1', status: 'FAILED', error: 'the device is offline' }
  const portal = openPortal(t, HERE, { ...answers, [WRITE]: [refusal] })
  const dialog = await openWriteDialog(portal)
  dialog.type('30')
  fireEvent.keyDown(dialog.field, { key: 'Enter' })
  t.equal((await dialog.findByRole('alert')).textContent, 'The device refused: the device is offline.')
})

t.test('a write without an answer is verified by readings before the result shows', async (t) => {
  const portal = openPortal(t, HERE, { ...answers, [WRITE]: problem(504) })
  const dialog = await openWriteDialog(portal)
  const readBackWaits = holdTimeouts(t, [2_000, 3_000, 5_000])
  const readings = () =>
    portal.callsTo(READ).filter(({ body }) => (body as { cloudIds: string[] }).cloudIds.length === 1)
  dialog.type('25')
  fireEvent.click(dialog.writeButton())
  await dialog.findByText(/^The answer was lost\. Reading back/)
  t.notOk(dialog.queryByRole('alert'))
  for (const reading of [1, 2, 3]) {
    await readBackWaits.end()
    await waitFor(() => assert.equal(readings().length, reading))
  }
  const text =
    /^Not confirmed: the device still reads 21\.3 °C\. The answer was lost\. The device may still do it\./
  await dialog.findByText(text)

  fireEvent.click(dialog.getByRole('button', { name: 'Retry' }))
  await waitFor(() => assert.equal(portal.callsTo(WRITE).length, 2))
  portal.gateway.answers[READ] = [{ cloudId: 'c-1', value: 25, status: 'overridden', timestamp: NOW }]
  await readBackWaits.end()
  await dialog.findByText('Confirmed: the device reads 25.0 °C.')
  t.match(dialog.getByText('Now').textContent, 'Now 25.0 °C')
})

t.test('a point that cannot be read back does not confirm that its override is cleared', async (t) => {
  const portal = openPortal(t, HERE, { ...answers, [CLEAR]: [{ cloudId: 'c-1', status: 'OK' }] })
  await portal.findByText('21.3 °C')
  await chooseAction(portal, 'Point 1', 'Clear override')
  const dialog = within(portal.getByRole('alertdialog', { name: 'Clear the override of Point 1?' }))
  const readBackWaits = holdTimeouts(t, [2_000, 3_000, 5_000])
  const readings = () =>
    portal.callsTo(READ).filter(({ body }) => (body as { cloudIds: string[] }).cloudIds.length === 1)
  portal.gateway.answers[READ] = [{ cloudId: 'c-1', value: null, status: '', error: 'no such point' }]
  fireEvent.click(dialog.getByRole('button', { name: 'Clear override' }))
  await dialog.findByText(/Reading back/)
  for (const reading of [1, 2, 3]) {
    await readBackWaits.end()
    await waitFor(() => assert.equal(readings().length, reading))
  }
  await dialog.findByText(/^Not confirmed: the device could not be read\./)
})

t.test('shows when Data Services ended, and sends no request to the device', async (t) => {
  const endedNds = { offeringCode: 'NDS', startDate: '2025-01-01T00:00:00Z', endDate: '2026-02-01T12:00:00Z' }
  const portal = openPortal(t, HERE, { ...answers, [DEVICE]: device(1, { subscriptions: [endedNds] }) })
  await portal.findByRole('heading', { name: 'Data Services is not active on this device' })
  portal.getByText('Subscription ended 01-Feb-2026.')
  t.equal(portal.callsTo(POINTS).length + portal.callsTo(READ).length + portal.callsTo(COUNT).length, 0)
})

t.test('shows points, live values, writing and alarms while subscriptions cannot be read', async (t) => {
  const unread = device(1, { subscriptions: [], partial: ['subscriptions'] })
  const portal = openPortal(t, HERE, { ...answers, [DEVICE]: unread })
  await portal.findByText('21.3 °C')
  await portal.findByRole('tab', { name: /^Alarms ?3$/ })
  fireEvent.click(portal.getByRole('button', { name: 'Actions for Point 1' }))
  portal.getByRole('menuitem', { name: 'Write' })
  portal.getByText('Subscriptions could not be read. Which services are active is not known.')
  t.notOk(portal.queryByText(/not active|No Data Services/))
  portal.gateway.answers[DEVICE] = device(1)
  fireEvent.click(portal.getByRole('button', { name: 'Retry' }))
  await waitFor(() => assert.ok(!portal.queryByText(/could not be read/)))
})

t.test('opens the device of the last visit if the address names no device', async (t) => {
  localStorage.setItem('portal.device.u-1.9', JSON.stringify('uuid-1'))
  const portal = openPortal(t, '/customers/9/devicedetails?tab=alarms', answers)
  await portal.findByRole('heading', { level: 1, name: 'AHU-1' })
  await waitFor(() =>
    assert.equal(portal.address(), '/customers/9/devicedetails?tab=alarms&deviceUuid=uuid-1')
  )
  t.equal(portal.getByRole('tab', { name: /Alarms/ }).getAttribute('aria-selected'), 'true')
})

t.test('links to the next device of the project and keeps the tab', async (t) => {
  const portal = openPortal(t, `${HERE}&tab=alarms`, answers)
  const nextLink = await portal.findByRole('link', { name: 'Next device: AHU-2' })
  t.equal(nextLink.getAttribute('href'), '/customers/9/devicedetails?tab=alarms&deviceUuid=uuid-2')
  t.notOk(portal.queryByRole('link', { name: /Previous device/ }))
})

t.test('going back to a device shows its own alarms, none of which is selected', async (t) => {
  const alarms = ({ query }: Call) => {
    const systemGuid = query.get('systemGuid') ?? ''
    return { items: [alarmRecord(systemGuid, { systemGuid })], page: pageOf(1) }
  }
  const countOfSecond = COUNT.replace('d-1', 'd-2')
  const portal = openPortal(t, `${HERE}&tab=alarms`, {
    ...answers,
    [ALARMS]: alarms,
    [countOfSecond]: { count: 1 }
  })
  await portal.findByText('Source guid-1')
  fireEvent.click(await portal.findByRole('link', { name: 'Next device: AHU-2' }))
  fireEvent.click(await portal.findByRole('checkbox', { name: /^Select alarm Source guid-2/ }))
  portal.getByRole('region', { name: 'Selected alarms' })
  await act(() => portal.router.navigate(-1))
  await portal.findByText('Source guid-1')
  t.notOk(portal.queryByText('Source guid-2'))
  t.notOk(portal.queryByRole('region', { name: 'Selected alarms' }))
})

t.test('asks before an edit is lost to the page of the device before', async (t) => {
  const portal = openPortal(t, `${HERE}&tab=alarms`, {
    ...answers,
    [COUNT.replace('d-1', 'd-2')]: { count: 0 }
  })
  fireEvent.click(await portal.findByRole('link', { name: 'Next device: AHU-2' }))
  await chooseAction(portal, 'AHU-2', 'Edit Details')
  const dialog = within(await portal.findByRole('dialog', { name: 'Edit Details' }))
  const name = dialog.getByRole<HTMLInputElement>('textbox', { name: 'Device name' })
  fireEvent.change(name, { target: { value: 'Fan' } })
  await act(() => portal.router.navigate(-1))
  const question = within(await portal.findByRole('alertdialog', { name: 'Leave without saving?' }))
  fireEvent.click(question.getByRole('button', { name: 'Stay' }))
  t.match(portal.address(), /uuid-2/)
  t.equal(name.value, 'Fan')
})

t.test('has no link to histories when history charting is off', async (t) => {
  const flags = { ...bootstrap().flags, enableHistoryCharting: false }
  const portal = openPortal(t, HERE, answers, { flags })
  await portal.findByText('Point 1')
  t.notOk(portal.queryByRole('link', { name: 'History' }))
})
