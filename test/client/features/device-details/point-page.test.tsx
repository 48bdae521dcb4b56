import '../../../support/client/dom.ts'
import assert from 'node:assert/strict'
import { fireEvent, waitFor, within } from '@testing-library/react'
import t, { type Test } from 'tap'
import type { Alarm } from '#shared/answers/alarms.ts'
import { alarmRecord } from '../../../support/client/alarm-record.ts'
import { textsOf } from '../../../support/client/dom.ts'
import { type Answers, type Call, device, pageOf, problem, user } from '../../../support/client/gateway.ts'
import { pointModel, pointPage } from '../../../support/client/points.ts'
import { openPortal, type Portal } from '../../../support/client/portal.tsx'

// uPlot dispatches an event of this class when it loads.
Object.assign(globalThis, { CustomEvent: window.CustomEvent })

const DEVICE = '/api/portal/v1/customers/9/devices/uuid-1'
const POINTS = '/api/v1/entitymodel/customers/9/pointNames'
const ALARMS = '/api/portal/v1/customers/9/alarms'
const WITHOUT_POINT = '/customers/9/devicedetails/pointdetails?deviceUuid=uuid-1'
const HERE = `${WITHOUT_POINT}&cloudId=c-1`

const model = pointModel(1, { displayName: 'Supply Temp', tags: { telemetryId: 't-1', dataType: 'Numeric' } })
const alarm = (number: number, rest: Partial<Alarm> = {}) =>
  alarmRecord(`a-${number}`, { sourceName: 'Supply Temp', messageText: `Too warm ${number}`, ...rest })
const listOf = (alarms: object[], total = alarms.length) => ({
  items: alarms,
  page: pageOf(total, 0, 25)
})
const answers: Answers = {
  [DEVICE]: device(1),
  [POINTS]: pointPage([model]),
  '/api/v1/control/devices/d-1/commands/read': [],
  [ALARMS]: listOf([])
}
const cardOf = async (portal: Portal) => within(await portal.findByRole('region', { name: 'Recent alarms' }))
const openPoint = (t: Test, alarms: unknown) => openPortal(t, HERE, { ...answers, [ALARMS]: alarms })

t.test('shows an error with “Retry” when alarms cannot be loaded', async (t) => {
  const portal = openPoint(t, problem(504))
  const card = await cardOf(portal)
  t.match((await card.findByRole('alert')).textContent, /^Network Connectivity Failed\./)
  portal.gateway.answers[ALARMS] = listOf([alarm(1)])
  fireEvent.click(card.getByRole('button', { name: 'Retry' }))
  await card.findByRole('link', { name: 'Too warm 1' })
})

t.test('lists the last five alarms of the point, each with a link to the alarm', async (t) => {
  const otherName = alarm(1, { sourceName: 'Supply Temp Setpoint' })
  const sameName = alarm(2, { alarmData: { cloudId: 'c-2' } })
  const oldName = alarm(3, { sourceName: 'Old name', alarmData: { cloudId: 'c-1' }, sourceState: 'normal' })
  const newAlarms = [4, 5, 6, 7, 8].map((number) => alarm(number))
  const portal = openPoint(t, listOf([otherName, sameName, oldName, ...newAlarms]))
  const card = await cardOf(portal)
  await card.findByText('Too warm 3')
  const links = card.getAllByRole('link').slice(1)
  t.same(
    textsOf(links),
    [3, 4, 5, 6, 7].map((number) => `Too warm ${number}`)
  )
  card.getByText('Normal')
  t.equal(
    links[0]?.getAttribute('href'),
    '/customers/9/devicedetails?tab=alarms&deviceUuid=uuid-1&show=all&range=all&q=Supply+Temp&alarm=a-3&at=2026-03-01T12%3A00%3A00Z'
  )
  const [call] = portal.callsTo(ALARMS)
  t.match(Object.fromEntries(call?.query ?? []), {
    show: 'all',
    systemGuid: 'guid-1',
    keyword: 'Supply Temp',
    sort: 'timestamp',
    order: 'desc',
    page: '0'
  })
})

t.test('fetches at most four pages to find alarms of the point', async (t) => {
  const otherAlarms = Array.from({ length: 25 }, (_, index) =>
    alarm(index, { sourceName: 'Supply Temp Setpoint' })
  )
  const page = ({ query }: Call) => listOf(query.get('page') === '2' ? [alarm(77)] : otherAlarms, 2250)
  const portal = openPoint(t, page)
  await (await cardOf(portal)).findByText('Too warm 77')
  t.equal(portal.callsTo(ALARMS).length, 4)
})

for (const [role, mayWrite] of [
  ['partner_user', false],
  ['nds_operator', true]
] as const)
  t.test(`${role} sees alarms, and may ${mayWrite ? '' : 'not '}write`, async (t) => {
    const portal = openPortal(t, HERE, answers, { user: user(role, '/organizations/1') })
    await (await cardOf(portal)).findByText('No alarms of this point are kept.')
    t.equal(portal.queryByRole('button', { name: 'Write' }) !== null, mayWrite)
    t.equal(portal.queryByRole('button', { name: 'Clear override' }) !== null, mayWrite)
  })

t.test('opens the last point of the device if the address names no point', async (t) => {
  const firstVisit = openPortal(t, HERE, answers)
  await firstVisit.findByRole('heading', { level: 1, name: 'Supply Temp' })
  await waitFor(() => assert.equal(localStorage.getItem('portal.point.u-1.9.uuid-1'), '"c-1"'))
  firstVisit.unmount()
  const portal = openPortal(t, WITHOUT_POINT, answers)
  await portal.findByRole('heading', { level: 1, name: 'Supply Temp' })
  await waitFor(() => assert.equal(portal.address(), HERE))
})

t.test('fetches no points of a device without Data Services', async (t) => {
  const portal = openPortal(t, HERE, { ...answers, [DEVICE]: device(1, { subscriptions: [] }) })
  await portal.findByRole('heading', { name: 'Data Services is not active on this device' })
  portal.getByText('No Data Services subscription.')
  t.equal(portal.callsTo(POINTS).length + portal.callsTo(ALARMS).length, 0)
})

for (const [status, mayRetry] of [
  [403, false],
  [429, true]
] as const)
  t.test(`a write refused with ${status} shows why, ${mayRetry ? 'with' : 'without'} a retry`, async (t) => {
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
