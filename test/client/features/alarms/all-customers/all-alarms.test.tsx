import '../../../../support/client/dom.ts'
import assert from 'node:assert/strict'
import { act, fireEvent, waitFor, within } from '@testing-library/react'
import t, { type Test } from 'tap'
import type { AlarmOfCustomer, OrganizationAlarms } from '#shared/answers/portal.ts'
import { alarmRecord } from '../../../../support/client/alarm-record.ts'
import { customer } from '../../../../support/client/customer.ts'
import {
  type Call,
  card,
  device,
  NOW,
  pageOf,
  problem,
  projectList,
  user
} from '../../../../support/client/gateway.ts'
import { setHidden } from '../../../../support/client/gestures.ts'
import { alarmsEvent, EVENTS, liveStreams } from '../../../../support/client/live-streams.ts'
import { openPortal, type Portal } from '../../../../support/client/portal.tsx'

const ALARMS = '/api/portal/v1/organizations/1/alarms'
const BATCH = '/api/v1/control/devices/commands/acknowledgeAlarmBatch'
const commandOf = (deviceId: string) => `/api/v1/control/devices/${deviceId}/commands/acknowledgeAlarm`

const customerOf = (id: string) => {
  const { orgName, scope } = card(id)
  return { id, orgName, scope }
}

function alarm(uuid: string, customerId: string, rest: Partial<AlarmOfCustomer> = {}): AlarmOfCustomer {
  return {
    ...alarmRecord(uuid, { sourceName: `Source ${uuid}`, deviceId: `d-${uuid}` }),
    customer: customerOf(customerId),
    device: { deviceUuid: `uuid-${uuid}`, deviceName: `Device ${uuid}`, projectName: 'Tower' },
    ...rest
  }
}

/** Answers pages of the alarms. */
function listOf(alarms: AlarmOfCustomer[], rest: Partial<OrganizationAlarms> = {}) {
  return ({ query }: Call): OrganizationAlarms => {
    const [number, size] = [Number(query.get('page') ?? 0), Number(query.get('size') ?? 15)]
    const alarmsByCustomer = Map.groupBy(alarms, ({ customer }) => customer.id)
    const totals =
      rest.totals ??
      [...alarmsByCustomer].map(([id, own]) => ({
        customer: customerOf(id),
        count: own.length,
        active: own.filter(({ sourceState }) => sourceState !== 'normal').length,
        unacked: own.filter(({ ackState }) => ackState !== 'acked').length,
        readAt: NOW
      }))
    return {
      items: alarms.slice(number * size, (number + 1) * size),
      page: pageOf(alarms.length, number, size),
      counts: {
        action: totals.reduce((sum, { count }) => sum + count, 0),
        active: totals.reduce((sum, { active }) => sum + active, 0),
        unacked: totals.reduce((sum, { unacked }) => sum + unacked, 0),
        unackedIsMinimum: totals.some(({ active }) => active > 100)
      },
      totals,
      partial: [],
      readAt: NOW,
      ...rest
    }
  }
}

function openAlarms(t: Test, alarms: AlarmOfCustomer[], answers: object = {}) {
  return openPortal(t, '/alarms', { [ALARMS]: listOf(alarms), ...answers })
}

t.test('people whose roles do not include alarms do not get the list', async (t) => {
  const operator = user('nds_operator', '/organizations/1')
  const portal = openPortal(t, '/alarms', {}, { user: operator })
  await portal.findByRole('heading', { name: 'Access denied' })
  t.notOk(portal.queryByRole('link', { name: /^Alarms/ }))
})

t.test('shows each alarm with its customer and device', async (t) => {
  const portal = openAlarms(t, [alarm('a', '7'), alarm('b', '9', { device: null })])
  const first = within(await portal.findByRole('row', { name: /Source a(?!nd)/ }))
  t.equal(first.getByRole('link', { name: 'Customer 7' }).getAttribute('href'), '/customers/7')
  t.equal(
    first.getByRole('link', { name: 'Device a' }).getAttribute('href'),
    '/customers/7/devicedetails?deviceUuid=uuid-a'
  )
  const withoutDevice = within(portal.getByRole('row', { name: /Source b/ }))
  t.ok(withoutDevice.getByRole('link', { name: 'Customer 9' }))
})

t.test('names customers that could not be read, and leads to the older alarms of a customer', async (t) => {
  const totals = [{ customer: customerOf('7'), count: 164, active: 120, unacked: 110, readAt: NOW }]
  const partial = ['9', '10', '11', '12'].map(customerOf)
  const portal = openAlarms(t, [], { [ALARMS]: listOf([alarm('a', '7')], { totals, partial }) })
  await portal.findByText(
    '4 customers of 5 not read or late: Customer 9, Customer 10, Customer 11 and 1 more.'
  )
  t.equal(portal.getByRole('link', { name: '64 older' }).getAttribute('href'), '/customers/7/alarms')
  portal.getByRole('radio', { name: /^Unacknowledged ?any time ?110\+$/ })
})

t.test('without alarms, names customers that could not be read, also if the list is filtered', async (t) => {
  const portal = openAlarms(t, [], { [ALARMS]: listOf([], { partial: [customerOf('9')] }) })
  await portal.findByRole('heading', { name: 'No alarms need action so far' })
  portal.getByText('1 customer of 1 not read or late: Customer 9.')
  await act(() => portal.router.navigate('/alarms?customer=9'))
  await portal.findByRole('heading', { name: 'No alarms match these filters so far' })
  portal.getByText('1 customer of 1 not read or late: Customer 9.')
  await act(() => portal.router.navigate('/alarms?customer=10'))
  await portal.findByRole('heading', { name: 'No alarms match these filters' })
})

t.test('asks for the most urgent band first', async (t) => {
  const portal = openAlarms(t, [alarm('a', '7')])
  await portal.findByRole('row', { name: /Source a(?!nd)/ })
  // The number in the header is asked without an order.
  const first = portal.callsTo(ALARMS).find(({ query }) => query.has('sort'))
  t.match(Object.fromEntries(first?.query ?? []), { sort: 'band', order: 'asc' })
})

t.test('presets have the numbers of all customers, and limit the list', async (t) => {
  const alarms = [
    alarm('a', '7'),
    alarm('b', '9', { sourceState: 'normal' }),
    alarm('c', '9', { ackState: 'acked' })
  ]
  const portal = openAlarms(t, alarms)
  await portal.findByRole('radio', { name: /^Needs action ?any time ?3$/ })
  portal.getByRole('radio', { name: /^Active ?any time ?2$/ })
  fireEvent.click(portal.getByRole('radio', { name: /^Unacknowledged ?any time ?2$/ }))
  await waitFor(() => assert.equal(portal.callsTo(ALARMS).at(-1)?.query.get('show'), 'unacked'))
})

t.test('says how many alarms of all customers are left to acknowledge', async (t) => {
  const alarms = [alarm('a', '7'), alarm('b', '9')]
  const acknowledgeOne = () => {
    alarms[0] = { ...alarms[0], ackState: 'acked' } as AlarmOfCustomer
    return {}
  }
  const portal = openAlarms(t, alarms, { [commandOf('d-a')]: acknowledgeOne })
  fireEvent.click(await portal.findByRole('button', { name: /^Acknowledge alarm Source a/ }))
  await portal.findByText(/^1 of 2 left to acknowledge\./)
})

t.test('alarms of a customer that is read after the page was opened join the rows', async (t) => {
  let alarms = [alarm('a', '7')]
  const live = liveStreams()
  const portal = openAlarms(t, [], { [ALARMS]: (call: Call) => listOf(alarms)(call), [EVENTS]: live.open })
  await portal.findByText('Source a')
  alarms = [alarm('a', '7'), alarm('b', '9', { timestamp: '2026-01-01T00:00:00.000Z' })]
  const stream = await live.at(0)
  act(() => stream.send(alarmsEvent('first'), alarmsEvent('second')))
  await portal.findByText('Source b')
})

t.test('a new alarm waits below the rows', async (t) => {
  let alarms = [alarm('a', '7')]
  const live = liveStreams()
  const portal = openAlarms(t, [], { [ALARMS]: (call: Call) => listOf(alarms)(call), [EVENTS]: live.open })
  await portal.findByText('Source a')
  alarms = [alarm('b', '7', { timestamp: NOW }), alarm('a', '7')]
  const stream = await live.at(0)
  act(() => stream.send(alarmsEvent('first'), alarmsEvent('second')))
  const offer = await portal.findByRole('button', { name: '1 new · show' })
  t.ok(offer.compareDocumentPosition(portal.getByRole('table')) & Node.DOCUMENT_POSITION_PRECEDING)
  t.notOk(portal.queryByText('Source b'))
  fireEvent.click(offer)
  await portal.findByText('Source b')
})

t.test('one click acknowledges an alarm at its customer', async (t) => {
  const portal = openAlarms(t, [alarm('a', '7')], { [commandOf('d-a')]: {} })
  fireEvent.click(await portal.findByRole('button', { name: /^Acknowledge alarm Source a/ }))
  await waitFor(() => assert.equal(portal.callsTo(commandOf('d-a')).length, 1))
  t.equal(portal.callsTo(commandOf('d-a'))[0]?.headers.get('x-customer-id'), '7')
  await portal.findByText('Ack pending')
})

t.test('offers no acknowledgement where the role at the customer does not allow it', async (t) => {
  const viewer = user('partner_user', '/organizations/1')
  const portal = openPortal(t, '/alarms', { [ALARMS]: listOf([alarm('a', '7')]) }, { user: viewer })
  await portal.findByText('Source a')
  t.notOk(portal.queryByRole('button', { name: /^Acknowledge alarm/ }))
  t.notOk(portal.queryByRole('checkbox', { name: /^Select/ }))
})

t.test('selects all alarms of all pages, and sends one call for each customer', async (t) => {
  const alarms = Array.from({ length: 40 }, (_, index) =>
    alarm(`a${index}`, index % 2 === 0 ? '7' : '9', index < 4 ? { ackState: 'acked' } : {})
  )
  const portal = openAlarms(t, alarms, {
    [BATCH]: ({ body }: Call) =>
      (body as { deviceId: string }[]).map(({ deviceId }) => ({ deviceId, status: 'OK' }))
  })
  await portal.findByText('Source a0')
  fireEvent.click(portal.getByRole('checkbox', { name: /^Select all/ }))
  fireEvent.click(await portal.findByRole('button', { name: 'Select all 36 that can be acknowledged' }))
  fireEvent.click(await portal.findByRole('button', { name: 'Acknowledge 36' }))
  fireEvent.click(await portal.findByRole('button', { name: 'Acknowledge 36 alarms' }))
  await waitFor(() => assert.equal(portal.callsTo(BATCH).length, 2))
  const sent = portal
    .callsTo(BATCH)
    .map(({ headers, body }) => [headers.get('x-customer-id'), (body as []).length])
  t.strictSame(sent, [
    ['7', 18],
    ['9', 18]
  ])
})

t.test('sends a few hundred at a time, stops between two calls, and offers the rest again', async (t) => {
  const alarms = Array.from({ length: 450 }, (_, index) => alarm(`a${index}`, '7'))
  const answers: (() => void)[] = []
  const portal = openAlarms(t, alarms, {
    [BATCH]: ({ body }: Call) =>
      new Promise((resolve) =>
        answers.push(() =>
          resolve((body as { deviceId: string }[]).map(({ deviceId }) => ({ deviceId, status: 'OK' })))
        )
      )
  })
  await portal.findByText('Source a0')
  fireEvent.click(portal.getByRole('checkbox', { name: /^Select all/ }))
  fireEvent.click(await portal.findByRole('button', { name: 'Select all 450 that can be acknowledged' }))
  fireEvent.click(await portal.findByRole('button', { name: 'Acknowledge 450' }))
  fireEvent.click(await portal.findByRole('button', { name: 'Acknowledge 450 alarms' }))
  await waitFor(() => assert.equal(answers.length, 1))
  await portal.findByText('0 of 450 sent')
  act(() => answers[0]?.())
  await portal.findByText('200 of 450 sent')
  fireEvent.click(portal.getByRole('button', { name: 'Stop' }))
  act(() => answers[1]?.())
  await portal.findByText('400 alarms sent. 50 alarms not sent yet.')
  t.equal(portal.callsTo(BATCH).length, 2)
  t.ok(portal.getByRole('button', { name: 'Try 50 alarms again' }))
})

t.test('asks before the page is left while several alarms are being sent', async (t) => {
  let answer = (_outcomes: unknown) => {}
  const portal = openAlarms(t, [alarm('a', '7'), alarm('b', '7')], {
    [BATCH]: () =>
      new Promise((resolve) => {
        answer = resolve
      })
  })
  await portal.findByText('Source a')
  fireEvent.click(portal.getByRole('checkbox', { name: /^Select all/ }))
  fireEvent.click(await portal.findByRole('button', { name: 'Acknowledge 2' }))
  fireEvent.click(await portal.findByRole('button', { name: 'Acknowledge 2 alarms' }))
  await waitFor(() => assert.equal(portal.callsTo(BATCH).length, 1))
  await act(() => portal.router.navigate('/nowhere'))
  const question = await portal.findByRole('alertdialog', { name: 'Leave while alarms are being sent?' })
  fireEvent.click(within(question).getByRole('button', { name: 'Stay' }))
  act(() =>
    answer([
      { deviceId: 'd-a', status: 'OK' },
      { deviceId: 'd-b', status: 'FAILED', error: 'The device is busy.' }
    ])
  )
  await portal.findByText(/The device is busy\./)
  await act(() => portal.router.navigate('/nowhere'))
  await portal.findByRole('heading', { level: 1, name: 'Page Not Found' })
  t.equal(portal.callsTo(BATCH).length, 1)
})

t.test('opens the details of an alarm with the rights at its customer', async (t) => {
  const portal = openAlarms(t, [alarm('a', '7')], {
    '/api/portal/v1/customers/7/projects': projectList(),
    '/api/portal/v1/customers/7/devices/uuid-a': { ...device(1), location: 'Basement B2' },
    '/api/v1/entitymodel/customers/7/pointNames': problem(404)
  })
  fireEvent.click(await portal.findByRole('button', { name: 'Source a' }))
  const drawer = within(await portal.findByRole('complementary', { name: 'Source a' }))
  t.ok(drawer.getByRole('button', { name: 'Acknowledge' }))
  t.match(portal.address(), 'alarm=a')
  t.equal(drawer.getByRole('link', { name: 'Customer 7' }).getAttribute('href'), '/customers/7')
  t.ok(drawer.getByRole('link', { name: 'Device a' }))
  await drawer.findByText('· Tower · Basement B2')
  t.equal(portal.getByRole('row', { current: true }).querySelector('.source')?.textContent, 'Source a')
})

const ALARMS_OF_7 = '/api/portal/v1/customers/7/alarms'
const detailsOf7 = {
  '/api/portal/v1/customers/7/projects': projectList(),
  '/api/portal/v1/customers/7/devices/uuid-a': device(1),
  '/api/v1/entitymodel/customers/7/pointNames': problem(404)
}

t.test('a link opens an alarm that is not in the list, and says since when it needs no action', async (t) => {
  const gone = alarmRecord('gone', {
    sourceState: 'normal',
    ackState: 'acked',
    normalTime: '2026-03-01T10:00:00.000Z',
    ackTime: '2026-03-01T11:30:00.000Z',
    user: 'Ann'
  })
  const portal = openPortal(t, `/alarms?alarm=gone&at=${gone.timestamp}&of=7`, {
    ...detailsOf7,
    [ALARMS]: listOf([alarm('a', '7')]),
    [ALARMS_OF_7]: () => new Response(`${JSON.stringify(gone)}\n`),
    '/api/portal/v1/customers/7/devices': { items: [], page: pageOf(0), partial: [] }
  })
  const drawer = within(await portal.findByRole('complementary', { name: 'Source gone' }))
  await drawer.findByText(/It needs no action any more: normal and acknowledged since/)
  t.ok(drawer.getByRole('link', { name: 'Customer 7' }))
  t.match(Object.fromEntries(portal.callsTo(ALARMS_OF_7)[0]?.query ?? []), {
    show: 'all',
    startTime: '2026-03-01T11:59:59.000Z',
    sort: 'timestamp',
    order: 'asc'
  })
})

t.test('a link without a customer opens an alarm of a later page', async (t) => {
  const alarms = Array.from({ length: 20 }, (_, index) => alarm(`a${index}`, '7'))
  const portal = openPortal(t, '/alarms?alarm=a17', {
    ...detailsOf7,
    [ALARMS]: listOf(alarms),
    [ALARMS_OF_7]: () => new Response(`${JSON.stringify(alarms[17])}\n`),
    '/api/portal/v1/customers/7/devices/uuid-a17': device(1),
    '/api/portal/v1/customers/7/devices': { items: [], page: pageOf(0), partial: [] }
  })
  await portal.findByRole('complementary', { name: 'Source a17' })
  await waitFor(() => assert.match(portal.address(), /of=7/))
})

t.test(
  'a link without a customer searches all customers, and says if none of them has the alarm',
  async (t) => {
    const gone = alarmRecord('gone', {
      sourceState: 'normal',
      ackState: 'acked',
      normalTime: '2026-03-01T10:00:00.000Z',
      ackTime: '2026-03-01T11:30:00.000Z'
    })
    const portal = openPortal(t, '/alarms?alarm=gone', {
      ...detailsOf7,
      [ALARMS]: listOf([alarm('a', '8')], { partial: [customerOf('7')] }),
      [ALARMS_OF_7]: () => new Response(`${JSON.stringify(gone)}\n`),
      '/api/portal/v1/customers/8/alarms': () => new Response(''),
      '/api/portal/v1/customers/7/devices': { items: [], page: pageOf(0), partial: [] }
    })
    const drawer = within(await portal.findByRole('complementary', { name: 'Source gone' }))
    drawer.getByText(/It needs no action any more: normal and acknowledged since/)
    drawer.getByRole('link', { name: 'Customer 7' })
    await waitFor(() => assert.match(portal.address(), /of=7/))
    t.ok(portal.getByRole('complementary', { name: 'Source gone' }), 'stays open with the complete address')
    await act(() => portal.router.navigate('/alarms?alarm=nowhere'))
    await portal.findByText('The alarm of this link is not among the newest 1,000 alarms of any customer.')
    fireEvent.click(portal.getByRole('button', { name: 'Close' }))
    t.notMatch(portal.address(), 'nowhere')
  }
)

t.test(
  'says that a customer could not be searched for the alarm of a link, and searches again',
  async (t) => {
    let isAway = true
    const portal = openPortal(t, '/alarms?alarm=b', {
      ...detailsOf7,
      [ALARMS]: listOf([alarm('a', '7')]),
      [ALARMS_OF_7]: () =>
        isAway
          ? problem(502)
          : new Response(`${JSON.stringify(alarmRecord('b', { sourceName: 'Source b' }))}\n`),
      '/api/portal/v1/customers/7/devices': { items: [], page: pageOf(0), partial: [] }
    })
    const notice = await portal.findByText(/The alarm of this link could not be read/)
    isAway = false
    fireEvent.click(within(notice.parentElement as HTMLElement).getByRole('button', { name: 'Retry' }))
    await portal.findByRole('complementary', { name: 'Source b' })
  }
)

t.test(
  'an opened alarm that leaves the list stays open, and then says that it needs no action',
  async (t) => {
    const answers: (() => void)[] = []
    const acked = alarmRecord('a', {
      sourceState: 'normal',
      ackState: 'acked',
      normalTime: '2026-03-01T10:00:00.000Z',
      ackTime: null
    })
    const all = [alarm('a', '7'), alarm('b', '7')]
    const portal = openPortal(t, '/alarms', {
      ...detailsOf7,
      [ALARMS]: listOf(all),
      '/api/portal/v1/customers/7/devices': { items: [], page: pageOf(0), partial: [] },
      [ALARMS_OF_7]: () =>
        new Promise((resolve) => answers.push(() => resolve(new Response(`${JSON.stringify(acked)}\n`))))
    })
    fireEvent.click(await portal.findByRole('button', { name: 'Source a' }))
    const drawer = await portal.findByRole('complementary', { name: 'Source a' })
    all.shift()
    fireEvent.click(portal.getByRole('radio', { name: /^Active/ }))
    await waitFor(() => assert.equal(answers.length, 1))
    t.ok(drawer.isConnected)
    act(() => answers[0]?.())
    await within(drawer).findByText(/needs no action any more: normal and acknowledged since/)
    t.ok(drawer.isConnected, 'the details have kept the focus and the place')
  }
)

t.test('says live only while no alarms are late, and otherwise since when, also at the header', async (t) => {
  const live = liveStreams()
  const portal = openAlarms(t, [alarm('a', '9')], { [EVENTS]: live.open })
  const stream = await live.at(0)
  act(() => stream.send(alarmsEvent('tag')))
  await portal.findByText('live')
  act(() =>
    stream.send(alarmsEvent('tag', { delayedSince: new Date(Date.parse(NOW) - 60_000).toISOString() }))
  )
  await portal.findByText(/^Late since \d\d:\d\d$/)
  t.notOk(portal.queryByText('live'))
  await portal.findByRole('link', { name: /^Alarms of all customers, 1 alarm to act on, late for/ })
  act(() => stream.send(alarmsEvent('tag')))
  await portal.findByText('live')
  await portal.findByRole('link', { name: 'Alarms of all customers, 1 alarm to act on' })
})

t.test('after a tick the next tick has the focus, and no tick is lost while others are sent', async (t) => {
  const answers: (() => void)[] = []
  const slow = () => new Promise((resolve) => answers.push(() => resolve({})))
  const alarms = ['a', 'b', 'c'].map((uuid) => alarm(uuid, '7'))
  const portal = openAlarms(
    t,
    alarms,
    Object.fromEntries(['a', 'b', 'c'].map((id) => [commandOf(`d-${id}`), slow]))
  )
  const tick = (uuid: string) =>
    portal.findByRole('button', { name: new RegExp(`^Acknowledge alarm Source ${uuid}`) })
  const press = async (uuid: string) => {
    const button = await tick(uuid)
    button.focus()
    fireEvent.click(button)
  }
  const focusedName = () => document.activeElement?.getAttribute('aria-label') ?? ''
  await press('a')
  t.match(focusedName(), /^Acknowledge alarm Source b/)
  await press('b')
  t.match(focusedName(), /^Acknowledge alarm Source c/)
  await waitFor(() => assert.equal(answers.length, 2))
  t.equal((await portal.findAllByText('Ack pending')).length, 2)
  await press('c')
  await waitFor(() => assert.equal(answers.length, 3))
})

t.test('a key acknowledges the selection, and in the details the open alarm', async (t) => {
  const portal = openAlarms(t, [alarm('a', '7'), alarm('b', '7')], { ...detailsOf7, [commandOf('d-a')]: {} })
  fireEvent.click(await portal.findByRole('checkbox', { name: 'Select all rows shown' }))
  fireEvent.keyDown(portal.getByRole('searchbox'), { key: 'a' })
  t.notOk(portal.queryByRole('alertdialog'), 'a letter in the search is text')
  fireEvent.keyDown(portal.getByRole('checkbox', { name: 'Select all rows shown' }), { key: 'a' })
  const dialog = within(await portal.findByRole('alertdialog', { name: 'Acknowledge 2 alarms?' }))
  fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
  fireEvent.click(portal.getByRole('button', { name: 'Source a' }))
  const details = await portal.findByRole('complementary', { name: 'Source a' })
  await within(details).findByRole('button', { name: 'Acknowledge' })
  fireEvent.keyDown(details, { key: 'a' })
  await waitFor(() => assert.equal(portal.callsTo(commandOf('d-a')).length, 1))
})

t.test('keeps the focus in the details after “Acknowledge”, so that their keys work on', async (t) => {
  const portal = openAlarms(t, [alarm('a', '7'), alarm('b', '7')], {
    ...detailsOf7,
    '/api/portal/v1/customers/7/devices/uuid-b': device(2),
    [commandOf('d-a')]: {}
  })
  fireEvent.click(await portal.findByRole('button', { name: 'Source a' }))
  const details = within(await portal.findByRole('complementary', { name: 'Source a' }))
  const button = await details.findByRole('button', { name: 'Acknowledge' })
  button.focus()
  fireEvent.click(button)
  await waitFor(() => assert.ok(!button.isConnected))
  const heading = details.getByRole('heading', { level: 2, name: 'Source a' })
  t.equal(document.activeElement?.textContent, 'Source a')
  fireEvent.keyDown(heading, { key: 'ArrowDown' })
  await portal.findByRole('complementary', { name: 'Source b' })
})

t.test('a note is there at once, and is taken back with its text if the device refuses it', async (t) => {
  const edit = '/api/v1/control/devices/d-a/commands/editAlarmData'
  let answer: (answer: unknown) => void = () => {}
  const alarms = [alarm('a', '7')]
  const portal = openAlarms(t, alarms, {
    ...detailsOf7,
    [ALARMS]: (call: Call) => listOf(alarms)(call),
    [edit]: () => new Promise((resolve) => (answer = resolve))
  })
  fireEvent.click(await portal.findByRole('button', { name: 'Source a' }))
  const drawer = within(await portal.findByRole('complementary', { name: 'Source a' }))
  const write = async (text: string, label: string) => {
    const dialog = within(await portal.findByRole('dialog'))
    fireEvent.change(dialog.getByRole('textbox', { name: 'Note' }), { target: { value: text } })
    fireEvent.click(dialog.getByRole('button', { name: label }))
  }
  fireEvent.click(await drawer.findByRole('button', { name: 'Add note' }))
  await write('Called the supplier', 'Add note')
  await drawer.findByText('Called the supplier')
  drawer.getByText(/sending…/)
  await waitFor(() => assert.equal(portal.callsTo(edit).length, 1))
  act(() => answer(problem(409, { detail: 'The device is offline' })))
  const again = within(await portal.findByRole('dialog'))
  again.getByText(/The device is offline/)
  t.equal((again.getByRole('textbox', { name: 'Note' }) as HTMLTextAreaElement).value, 'Called the supplier')
  t.notOk(drawer.queryByText('Called the supplier'))
  await write('Called the supplier twice', 'Try again')
  await drawer.findByText('Called the supplier twice')
  await waitFor(() => assert.equal(portal.callsTo(edit).length, 2))
  act(() => answer({}))
  await drawer.findByText(/sent to the device/)
  const note = { text: 'Called the supplier twice', user: 'Ann', time: NOW }
  alarms[0] = { ...alarms[0], notes: [note] } as AlarmOfCustomer
  fireEvent.click(portal.getByRole('button', { name: 'Refresh the list' }))
  await waitFor(() => assert.ok(!drawer.queryByText(/sent to the device/)))
  t.equal(drawer.getAllByText('Called the supplier twice').length, 1)
})

const editOf = (deviceId: string) => `/api/v1/control/devices/${deviceId}/commands/editAlarmData`

async function writeNote(portal: Portal, button: HTMLElement) {
  fireEvent.click(button)
  const dialog = within(await portal.findByRole('dialog'))
  fireEvent.change(dialog.getByRole('textbox', { name: 'Note' }), { target: { value: 'Called' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Add note' }))
}

t.test('a note whose answer is lost stays, and is not offered again', async (t) => {
  const portal = openAlarms(t, [alarm('a', '7')], { ...detailsOf7, [editOf('d-a')]: problem(504) })
  fireEvent.click(await portal.findByRole('button', { name: 'Source a' }))
  const drawer = within(await portal.findByRole('complementary', { name: 'Source a' }))
  await writeNote(portal, await drawer.findByRole('button', { name: 'Add note' }))
  await drawer.findByText(/not confirmed yet/)
  drawer.getByText('Called')
  await portal.findByText('The answer was lost. The alarm shows the note once the device has it.')
  t.notOk(portal.queryByRole('dialog'))
})

t.test('a note that one device refuses and whose answer another loses is offered for one', async (t) => {
  const portal = openAlarms(t, [alarm('a', '7'), alarm('b', '7')], {
    ...detailsOf7,
    [editOf('d-a')]: problem(504),
    [editOf('d-b')]: problem(409, { detail: 'The device is offline' })
  })
  fireEvent.click(await portal.findByRole('checkbox', { name: 'Select all rows shown' }))
  await writeNote(portal, portal.getByRole('button', { name: 'Add note' }))
  const again = within(await portal.findByRole('dialog', { name: 'Note on the alarm of Source b' }))
  again.getByText(/The device is offline/)
  await portal.findByText('The answer was lost. The alarm shows the note once the device has it.')
  portal.gateway.answers[editOf('d-b')] = {}
  fireEvent.click(again.getByRole('button', { name: 'Try again' }))
  await portal.findByText('Note added.')
  t.equal(portal.callsTo(editOf('d-a')).length, 1)
  fireEvent.click(portal.getByRole('button', { name: 'Source a' }))
  const drawer = within(await portal.findByRole('complementary', { name: 'Source a' }))
  await drawer.findByText(/not confirmed yet/)
})

t.test(
  'the button in the header has the number of all customers, and of one customer on its pages',
  async (t) => {
    const alarms = [alarm('a', '7'), alarm('b', '7'), alarm('c', '9')]
    const portal = openPortal(t, '/', { ...customer().answers, [ALARMS]: listOf(alarms) })
    const ofAll = await portal.findByRole('link', { name: 'Alarms of all customers, 3 alarms to act on' })
    t.equal(ofAll.getAttribute('href'), '/alarms')
    await act(() => portal.router.navigate('/customers/9'))
    const ofOne = await portal.findByRole('link', { name: 'Alarms, 1 alarm to act on' })
    t.equal(ofOne.getAttribute('href'), '/customers/9/alarms')
  }
)

t.test('the title has the number while the page is hidden', async (t) => {
  const portal = openPortal(t, '/', { [ALARMS]: listOf([alarm('a', '7')]) })
  await portal.findByRole('link', { name: 'Alarms of all customers, 1 alarm to act on' })
  t.notMatch(document.title, '(1)')
  await setHidden(true)
  t.match(document.title, /^\(1\) /)
  await setHidden(false)
  t.notMatch(document.title, '(1)')
})
