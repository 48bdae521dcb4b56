import '../../../support/client/dom.ts'
import assert from 'node:assert/strict'
import { fireEvent, waitFor, within } from '@testing-library/react'
import t from 'tap'
import {
  type Answers,
  bootstrap,
  type Call,
  device,
  NOW,
  problem,
  projectList,
  user
} from '../../../support/client/gateway.ts'
import { pointModel, pointPage } from '../../../support/client/points.ts'
import { openPortal } from '../../../support/client/portal.tsx'

// uPlot dispatches an event of this class when it loads.
Object.assign(globalThis, { CustomEvent: window.CustomEvent })

const DEVICE = '/api/portal/v1/customers/9/devices/uuid-1'
const POINTS = '/api/v1/entitymodel/customers/9/pointNames'
const ALARMS = '/api/v1/alarms/customers/9/alarms:search'
const BARE = '/customers/9/devicedetails/pointdetails?deviceUuid=uuid-1'
const HERE = `${BARE}&cloudId=c-1`

const model = pointModel(1, { displayName: 'Supply Temp', tags: { telemetryId: 't-1', dataType: 'Numeric' } })
const alarm = (number: number, rest: object = {}) => ({
  uuid: `a-${number}`,
  deviceId: 'd-1',
  systemGuid: 'guid-1',
  timestamp: NOW,
  sourceName: 'Supply Temp',
  sourceState: 'offnormal',
  ackState: 'unacked',
  ackRequired: true,
  priority: 10,
  alarmClass: 'HVAC',
  messageText: `Too warm ${number}`,
  normalTime: null,
  ackTime: null,
  user: null,
  notes: [],
  lastUpdate: NOW,
  ...rest
})
const listOf = (alarms: object[], page: object = {}) => ({
  _embedded: { alarms },
  page: { number: 0, size: 25, totalPages: 1, totalElements: alarms.length, ...page }
})
const answers: Answers = {
  '/api/portal/v1/customers/9/projects': projectList(),
  [DEVICE]: device(1),
  [POINTS]: pointPage([model]),
  '/api/v1/control/devices/d-1/commands/read': [],
  [ALARMS]: listOf([])
}
type Test = Parameters<typeof openPortal>[0]
type Portal = ReturnType<typeof openPortal>
const cardOf = async (portal: Portal) => within(await portal.findByRole('region', { name: 'Recent alarms' }))
const open = (t: Test, alarms: unknown) => openPortal(t, HERE, { ...answers, [ALARMS]: alarms })

t.test('shows an error with Retry when alarms cannot be loaded', async (t) => {
  const portal = open(t, problem(504))
  const card = await cardOf(portal)
  t.match((await card.findByRole('alert')).textContent, /^Network Connectivity Failed\./)
  portal.gateway.answers[ALARMS] = listOf([alarm(1)])
  fireEvent.click(card.getByRole('button', { name: 'Retry' }))
  await card.findByRole('link', { name: 'Too warm 1' })
})

t.test('lists the last five alarms of this point, each with a link to itself', async (t) => {
  const ofAnother = alarm(1, { sourceName: 'Supply Temp Setpoint' })
  const sameName = alarm(2, { alarmData: { cloudId: 'c-2' } })
  const renamed = alarm(3, { sourceName: 'Old name', alarmData: { cloudId: 'c-1' }, sourceState: 'normal' })
  const rest = [4, 5, 6, 7, 8].map((number) => alarm(number))
  const portal = open(t, listOf([ofAnother, sameName, renamed, ...rest]))
  const card = await cardOf(portal)
  await card.findByText('Too warm 3')
  const links = card.getAllByRole('link').slice(1)
  t.same(
    links.map((link) => link.textContent),
    [3, 4, 5, 6, 7].map((number) => `Too warm ${number}`)
  )
  card.getByText('Normal')
  t.equal(
    links[0]?.getAttribute('href'),
    '/customers/9/devicedetails?tab=alarms&deviceUuid=uuid-1&show=all&range=all&q=Supply+Temp&alarm=a-3'
  )
  const [call] = portal.callsTo(ALARMS)
  t.match(call?.body, { systemGuids: ['guid-1'], keyword: 'Supply Temp' })
  t.match(Object.fromEntries(call?.query ?? []), { sortBy: 'timestamp', sortDir: 'desc', page: '0' })
})

t.test('searches four pages of other alarms at most', async (t) => {
  const others = Array.from({ length: 25 }, (_, index) =>
    alarm(index, { sourceName: 'Supply Temp Setpoint' })
  )
  const page = ({ query }: Call) =>
    listOf(query.get('page') === '2' ? [alarm(77)] : others, { totalPages: 90, totalElements: 2250 })
  const portal = open(t, page)
  await (await cardOf(portal)).findByText('Too warm 77')
  t.equal(portal.callsTo(ALARMS).length, 4)
})

for (const [role, writes] of [
  ['partner_user', false],
  ['nds_operator', true]
] as const)
  t.test(`${role}: alarms, and ${writes ? '' : 'no '}writing`, async (t) => {
    const portal = openPortal(t, HERE, {
      ...answers,
      '/api/portal/v1/bootstrap': bootstrap({ user: user(role, '/organizations/1') })
    })
    await (await cardOf(portal)).findByText('No alarms of this point are kept.')
    t.equal(portal.queryByRole('button', { name: 'Write' }) !== null, writes)
    t.equal(portal.queryByRole('button', { name: 'Clear override' }) !== null, writes)
  })

t.test('opens the last point of the device if the address names none', async (t) => {
  const first = openPortal(t, HERE, answers)
  await first.findByRole('heading', { level: 1, name: 'Supply Temp' })
  await waitFor(() => assert.equal(localStorage.getItem('portal.point.u-1.9.uuid-1'), '"c-1"'))
  first.unmount()
  const portal = openPortal(t, BARE, answers)
  await portal.findByRole('heading', { level: 1, name: 'Supply Temp' })
  await waitFor(() => assert.equal(portal.address(), HERE))
})

t.test('requests no point of a device without Data Services', async (t) => {
  const portal = openPortal(t, HERE, { ...answers, [DEVICE]: device(1, { subscriptions: [] }) })
  await portal.findByRole('heading', { name: 'Data Services is not active on this device' })
  portal.getByText('No Data Services subscription.')
  t.equal(portal.callsTo(POINTS).length + portal.callsTo(ALARMS).length, 0)
})

for (const [status, mayRetry] of [
  [403, false],
  [429, true]
] as const)
  t.test(`a write refused with ${status} says why, ${mayRetry ? 'with' : 'without'} a retry`, async (t) => {
    const detail = `This is why ${status}.`
    const portal = openPortal(t, HERE, {
      ...answers,
      '/api/v1/control/devices/d-1/commands/write': () => problem(status, { detail })
    })
    fireEvent.click(await portal.findByRole('button', { name: 'Write' }))
    const dialog = within(await portal.findByRole('dialog', { name: 'Write Supply Temp' }))
    fireEvent.change(dialog.getByLabelText('New value'), { target: { value: '21' } })
    fireEvent.click(dialog.getByRole('button', { name: 'Write' }))
    const alert = await dialog.findByRole('alert')
    t.equal(alert.textContent, `The command was refused. ${detail}`)
    t.equal(dialog.queryByRole('button', { name: 'Write' }) !== null, mayRetry)
  })
