import '../../../../support/client/dom.ts'
import assert from 'node:assert/strict'
import { act, fireEvent, waitFor, within } from '@testing-library/react'
import t from 'tap'
import type { Alarm } from '#shared/answers/alarms.ts'
import { alarmRecord } from '../../../../support/client/alarm-record.ts'
import { customer, DEVICES } from '../../../../support/client/customer.ts'
import { setDisplay, textsOf } from '../../../../support/client/dom.ts'
import {
  type Answers,
  bootstrap,
  type Call,
  pageOf,
  problem,
  projectList
} from '../../../../support/client/gateway.ts'
import { holdTimeouts } from '../../../../support/client/held-timeouts.ts'
import { alarmsEvent, EVENTS, liveStreams } from '../../../../support/client/live-streams.ts'
import { withoutCode } from '../../../../support/client/missing-code.ts'
import { openPortal, type Portal } from '../../../../support/client/portal.tsx'
import { savedFiles } from '../../../../support/client/saved-files.ts'

const ALARMS = '/api/portal/v1/customers/9/alarms'

const alarm = (number: number, rest: Partial<Alarm> = {}): Alarm =>
  alarmRecord(`a-${number}`, {
    timestamp: new Date(Date.UTC(2026, 2, 1, 0, 0, number)).toISOString(),
    sourceName: `Source ${number}`,
    ...rest
  })

const isActive = ({ sourceState }: Alarm) => sourceState !== 'normal'
const isOpen = ({ ackState }: Alarm) => ackState !== 'acked'
const SHOWN: Record<string, (alarm: Alarm) => boolean> = {
  action: (shown) => isActive(shown) || isOpen(shown),
  active: isActive,
  unacked: isOpen,
  all: () => true
}

/** Answers pages of the alarms, or all as lines, the newest first. @param total the total that each page reports */
function alarms(all: Alarm[], total?: number): Answers {
  const list = ({ query, headers }: Call) => {
    const matches = all
      .filter(SHOWN[query.get('show') ?? 'action'] ?? (() => false))
      .sort((a, b) => b.timestamp.localeCompare(a.timestamp))
    if (headers.get('accept') === 'application/x-ndjson')
      return new Response(matches.map((match) => `${JSON.stringify(match)}\n`).join(''))
    const [number, size] = [Number(query.get('page')), Number(query.get('size'))]
    return {
      items: matches.slice(number * size, (number + 1) * size),
      page: pageOf(total ?? matches.length, number, size)
    }
  }
  return { ...customer().answers, [ALARMS]: list }
}

t.test('does not export an empty list or too many alarms for a file, and shows the reason', async (t) => {
  for (const [total, reason] of [
    [5_001, 'Narrow the filters to 5,000 alarms'],
    [0, 'There is nothing to export']
  ] as const) {
    const portal = openPortal(t, '/customers/9/alarms?show=all', alarms(total ? [alarm(1)] : [], total))
    const button = await portal.findByRole('button', { name: 'Export CSV' })
    await waitFor(() => assert.equal(button.title, reason))
    t.equal(button.getAttribute('aria-disabled'), 'true')
    const searchCalls = portal.callsTo(ALARMS).length
    fireEvent.click(button)
    t.equal(portal.callsTo(ALARMS).length, searchCalls)
    portal.unmount()
  }
})

t.test('“Needs action” ignores the time range; a range shows how many alarms are older', async (t) => {
  const searchAnswer = ({ query }: Call) => {
    const page = pageOf(query.has('startTime') ? 2 : 5)
    return { items: [alarm(1), alarm(2)], page }
  }
  const portal = openPortal(t, '/customers/9/alarms?show=all&range=7d', {
    ...alarms([alarm(1)]),
    [ALARMS]: searchAnswer
  })
  await portal.findByRole('radio', { name: /^Needs action ?any time ?\d+$/ })
  await portal.findByRole('radio', { name: /^All ?last 7 days ?2$/ })
  fireEvent.click(await portal.findByRole('button', { name: '3 older' }))
  await portal.findByRole('radio', { name: /^All ?any time ?5$/ })
  t.notOk(portal.queryByText(/older$/))
  t.notMatch(portal.address(), 'range')
})

t.test('“Needs action” of a device is its own number, not the live one of the customer', async (t) => {
  const live = liveStreams()
  const portal = openPortal(t, '/customers/9/alarms', {
    ...alarms([alarm(1)]),
    [ALARMS]: ({ query }: Call) => ({ items: [alarm(1)], page: pageOf(query.has('systemGuid') ? 2 : 5) }),
    [EVENTS]: live.open
  })
  await portal.findByText('Source 1')
  const stream = await live.at(0)
  stream.send(alarmsEvent('tag-1', { count: 40 }))
  await portal.findByRole('radio', { name: /^Needs action ?any time ?40$/ })
  await act(() => portal.router.navigate('/customers/9/alarms?device=guid-1&deviceName=AHU-1'))
  await portal.findByRole('radio', { name: /^Needs action ?any time ?2$/ })
})

t.test('filters by a class whose name contains a comma', async (t) => {
  const critical = 'HVAC, 100% critical'
  const portal = openPortal(t, '/customers/9/alarms', alarms([alarm(1, { alarmClass: critical })]))
  await portal.findByText('Source 1')
  fireEvent.click(portal.getByRole('button', { name: 'Filters' }))
  fireEvent.click(portal.getByRole('button', { name: 'Class' }))
  fireEvent.click(portal.getByRole('checkbox', { name: critical }))
  await portal.findByRole('button', { name: `Remove filter Class: ${critical}` })
  t.ok((portal.getByRole('checkbox', { name: critical }) as HTMLInputElement).checked)
  const searchedClasses = () =>
    portal.callsTo(ALARMS).map(({ query }) => query.getAll('alarmClasses').join('|'))
  await waitFor(() => assert.ok(searchedClasses().includes(critical)))
})

t.test('shows the details of an alarm without a chart if its code does not load', async (t) => {
  const { failedCount } = withoutCode(t, 'alarm-chart.tsx')
  const portal = openPortal(t, '/customers/9/alarms', alarms([alarm(1)]))
  fireEvent.click(await portal.findByRole('button', { name: 'Source 1' }))
  const details = within(await portal.findByRole('complementary', { name: 'Source 1' }))
  await waitFor(() => assert.equal(failedCount(), 1))
  await details.findByText('No notes yet.')
  portal.getByRole('row', { name: /Source 1/ })
})

t.test('a tablet shows device and project in a table, and details beside the table', async (t) => {
  setDisplay({ wide: false, tablet: true })
  const portal = openPortal(t, '/customers/9/alarms?show=all', alarms([alarm(1)]))
  const row = await portal.findByRole('row', { name: /Source 1/ })
  await waitFor(() => assert.match(row.textContent ?? '', /100 ?High.*AHU-1.*Tower/s))
  const headers = textsOf(portal.getAllByRole('columnheader'))
  t.strictSame(headers.filter(Boolean).slice(0, 4), ['Priority', 'Source and message', 'State', 'Device'])
  fireEvent.click(portal.getByRole('button', { name: 'Source 1' }))
  portal.getByRole('complementary', { name: 'Source 1' })
  portal.getByRole('button', { name: 'Filter and sort' })
})

t.test(
  'a link without a time says how many of the newest alarms were searched, one with a time that it is gone',
  async (t) => {
    const portal = openPortal(t, '/customers/9/alarms?alarm=nowhere', alarms([alarm(1)]))
    await portal.findByText('The alarm of this link is not among the newest 1,000 alarms of the customer.')
    await act(() => portal.router.navigate('/customers/9/alarms?alarm=nowhere&at=2026-03-01T00:00:00.000Z'))
    await portal.findByText('The alarm of this link is not kept any more.')
  }
)

t.test('a link to an alarm of a device searches only the alarms of the device', async (t) => {
  const gone = alarm(1, { sourceState: 'normal', ackState: 'acked', normalTime: null, ackTime: null })
  const portal = openPortal(
    t,
    `/customers/9/devicedetails?tab=alarms&deviceUuid=uuid-1&alarm=${gone.uuid}`,
    alarms([gone])
  )
  await portal.findByText('It needs no action any more: normal and acknowledged.')
  const search = portal
    .callsTo(ALARMS)
    .find(({ headers }) => headers.get('accept') === 'application/x-ndjson')
  t.equal(search?.query.get('systemGuid'), 'guid-1')
})

t.test('acknowledging several alarms clears their selection, and the last row has the focus', async (t) => {
  const command = '/api/v1/control/devices/d-1/commands/acknowledgeAlarm'
  const answers = { ...alarms([alarm(1), alarm(2)]), [command]: {} }
  const portal = openPortal(t, '/customers/9/alarms', answers)
  fireEvent.click(await portal.findByRole('checkbox', { name: 'Select all rows shown' }))
  portal.getByRole('button', { name: 'Acknowledge 2' }).focus()
  fireEvent.click(portal.getByRole('button', { name: 'Acknowledge 2' }))
  fireEvent.click(await portal.findByRole('button', { name: 'Acknowledge 2 alarms' }))
  await waitFor(() => assert.ok(!portal.queryByRole('region', { name: 'Selected alarms' })))
  t.match(document.activeElement?.getAttribute('aria-label'), /^Select alarm Source 1/)
  t.match(portal.callsTo(command)[0]?.body, { alarmUuids: ['a-2', 'a-1'] })
})

t.test('the alarms of another customer start without a selection', async (t) => {
  const scope = '/organizations/1/customers/10'
  const portal = openPortal(t, '/customers/9/alarms', {
    ...alarms([alarm(1)]),
    '/api/portal/v1/customers/10/projects': projectList({ customer: { id: '10', orgName: 'South', scope } }),
    '/api/portal/v1/customers/10/devices': { items: [], page: pageOf(0), partial: [] },
    '/api/portal/v1/customers/10/alarms': { items: [alarm(2)], page: pageOf(1) }
  })
  fireEvent.click(await portal.findByRole('checkbox', { name: /^Select alarm Source 1/ }))
  portal.getByRole('region', { name: 'Selected alarms' })
  await act(() => portal.router.navigate('/customers/10/alarms'))
  await portal.findByText('Source 2')
  t.notOk(portal.queryByRole('region', { name: 'Selected alarms' }))
})

/** A gateway whose devices acknowledge at once. All alarms are older than the page. */
function acknowledging(all: Alarm[]): Answers {
  return {
    ...alarms(all),
    '/api/v1/control/devices/d-1/commands/acknowledgeAlarm': ({ body }: Call) => {
      const { alarmUuids } = body as { alarmUuids: string[] }
      for (const one of all) if (alarmUuids.includes(one.uuid)) one.ackState = 'acked'
      return {}
    }
  }
}

async function acknowledgePage(portal: Portal) {
  fireEvent.click(await portal.findByRole('checkbox', { name: 'Select all rows shown' }))
  fireEvent.click(await portal.findByRole('button', { name: /^Acknowledge \d+$/ }))
  fireEvent.click(await portal.findByRole('button', { name: /^Acknowledge \d+ alarms$/ }))
}

t.test('says how many are left to acknowledge, and shows only these', async (t) => {
  const all = Array.from({ length: 20 }, (_, index) => alarm(19 - index))
  const portal = openPortal(t, '/customers/9/alarms', acknowledging(all))
  await portal.findByRole('radio', { name: /^Unacknowledged ?any time ?20$/ })
  t.notOk(portal.queryByText(/left to acknowledge/))
  await acknowledgePage(portal)
  await portal.findByText(/^5 of 20 left to acknowledge\./)
  portal.getByText('1–15 of 20', { exact: false })
  t.ok(portal.getByText('Source 19'), 'an active alarm still needs action')
  fireEvent.click(portal.getByRole('button', { name: 'Show only these' }))
  await portal.findByText('Source 4')
  await waitFor(() => assert.ok(!portal.queryByText('Source 19')))
  portal.getByText(/^5 of 20 left to acknowledge\./)
})

t.test(
  'acknowledged alarms that are back to normal stay in place, and the next page skips no alarm',
  async (t) => {
    const all = Array.from({ length: 40 }, (_, index) =>
      alarm(39 - index, { sourceState: index < 10 ? 'normal' : 'fault' })
    )
    const portal = openPortal(t, '/customers/9/alarms', acknowledging(all))
    await portal.findByText('Source 39')
    await acknowledgePage(portal)
    await portal.findByRole('button', { name: 'Show the next 10' })
    const first = await portal.findByRole('row', { name: /Source 39/ })
    await waitFor(() => assert.match(first.textContent ?? '', /Acked/))
    t.notOk(portal.queryByRole('button', { name: /^Acknowledge alarm Source 39/ }))
    const shownSources = () =>
      portal.getAllByRole('button', { name: /^Source \d+$/ }).map((one) => one.textContent)
    fireEvent.click(portal.getByRole('button', { name: 'Next page' }))
    await portal.findByText('Source 15')
    const numbers = (from: number, to: number) =>
      Array.from({ length: from - to + 1 }, (_, index) => `Source ${from - index}`)
    t.strictSame(shownSources(), numbers(24, 15))
    fireEvent.click(portal.getByRole('button', { name: 'Next page' }))
    await portal.findByText('Source 0')
    t.strictSame(shownSources(), numbers(14, 0))
  }
)

t.test('acknowledges a single alarm without a confirmation dialog', async (t) => {
  const command = '/api/v1/control/devices/d-1/commands/acknowledgeAlarm'
  const portal = openPortal(t, '/customers/9/alarms', { ...alarms([alarm(1)]), [command]: {} })
  fireEvent.click(await portal.findByRole('button', { name: /^Actions for alarm Source 1/ }))
  fireEvent.click(await portal.findByRole('menuitem', { name: 'Acknowledge' }))
  await portal.findByText(/^1 alarm sent for acknowledgement\./)
  t.notOk(portal.queryByRole('alertdialog'))
})

t.test('acknowledges a single selected alarm without a confirmation dialog', async (t) => {
  const command = '/api/v1/control/devices/d-1/commands/acknowledgeAlarm'
  const portal = openPortal(t, '/customers/9/alarms', { ...alarms([alarm(1), alarm(2)]), [command]: {} })
  fireEvent.click(await portal.findByRole('checkbox', { name: /^Select alarm Source 1/ }))
  portal.getByRole('button', { name: 'Acknowledge 1' }).focus()
  fireEvent.click(portal.getByRole('button', { name: 'Acknowledge 1' }))
  await portal.findByText(/^1 alarm sent for acknowledgement\./)
  t.notOk(portal.queryByRole('alertdialog'))
  t.notOk(portal.queryByRole('region', { name: 'Selected alarms' }))
  t.match(document.activeElement?.getAttribute('aria-label'), /^Select alarm Source 1/)
})

t.test('alarms whose device refuses stay unacknowledged, and a retry acknowledges them', async (t) => {
  const batch = '/api/v1/control/devices/commands/acknowledgeAlarmBatch'
  const command = '/api/v1/control/devices/d-2/commands/acknowledgeAlarm'
  const ofSecondDevice = { deviceId: 'd-2', systemGuid: 'guid-2' }
  const portal = openPortal(t, '/customers/9/alarms', {
    ...alarms([alarm(1), alarm(2), alarm(3, ofSecondDevice), alarm(4, ofSecondDevice)]),
    [batch]: [
      { deviceId: 'd-1', status: 'OK' },
      { deviceId: 'd-2', status: 'FAILED', error: 'The device is offline' }
    ],
    [command]: problem(409, { detail: 'The device is still offline' })
  })
  // The results name devices, whose names load after the alarms.
  await portal.findAllByRole('link', { name: /^AHU-2/ })
  fireEvent.click(portal.getByRole('checkbox', { name: 'Select all rows shown' }))
  portal.getByText('4 selected, 4 can be acknowledged')
  fireEvent.click(portal.getByRole('button', { name: 'Acknowledge 4' }))
  fireEvent.click(await portal.findByRole('button', { name: 'Acknowledge 4 alarms' }))
  const dialog = within(portal.getByRole('alertdialog'))
  const refused = async (reason: string) =>
    dialog.findByText(
      (_text, node) => node?.tagName === 'LI' && node.textContent === `AHU-2, Tower (2 alarms): ${reason}`
    )
  await refused('The device is offline')
  dialog.getByText('2 alarms sent. 1 device refused:')
  t.equal(portal.getAllByText('Ack pending').length, 2)

  fireEvent.click(dialog.getByRole('button', { name: 'Try 2 alarms again' }))
  await refused('The device is still offline')
  portal.gateway.answers[command] = {}
  fireEvent.click(dialog.getByRole('button', { name: 'Try 2 alarms again' }))
  await portal.findByText(/^2 alarms sent for acknowledgement\./)
  for (const { body } of portal.callsTo(command)) t.match(body, { alarmUuids: ['a-4', 'a-3'] })
})

t.test('an acknowledgement that cannot be sent leaves the alarm unacknowledged', async (t) => {
  const command = '/api/v1/control/devices/d-1/commands/acknowledgeAlarm'
  const portal = openPortal(t, '/customers/9/alarms', { ...alarms([alarm(1)]), [command]: problem(503) })
  fireEvent.click(await portal.findByRole('button', { name: /^Actions for alarm Source 1/ }))
  fireEvent.click(await portal.findByRole('menuitem', { name: 'Acknowledge' }))
  const dialog = within(
    await portal.findByRole('alertdialog', { name: 'Acknowledge the alarm of Source 1?' })
  )
  t.match(dialog.getByRole('alert').textContent, /^Network Connectivity Failed.* Nothing was acknowledged\.$/)
  within(portal.getByRole('row', { name: /Source 1/ })).getByText('Unacked')
})

async function openNote(portal: Portal, source: string) {
  fireEvent.click(await portal.findByRole('button', { name: new RegExp(`^Actions for alarm ${source}`) }))
  fireEvent.click(await portal.findByRole('menuitem', { name: 'Add note' }))
  const dialog = within(await portal.findByRole('dialog', { name: `Note on the alarm of ${source}` }))
  const type = (text: string) => fireEvent.change(dialog.getByLabelText('Note'), { target: { value: text } })
  return { ...dialog, type, add: () => fireEvent.click(dialog.getByRole('button', { name: 'Add note' })) }
}

t.test('a late refusal leaves the note that somebody is writing, and offers “Retry”', async (t) => {
  const command = '/api/v1/control/devices/d-1/commands/acknowledgeAlarm'
  const answer = Promise.withResolvers()
  const portal = openPortal(t, '/customers/9/alarms', {
    ...alarms([alarm(1), alarm(2)]),
    [command]: () => answer.promise
  })
  fireEvent.click(await portal.findByRole('button', { name: /^Acknowledge alarm Source 1/ }))
  const note = await openNote(portal, 'Source 2')
  note.type('Filter ordered')
  answer.resolve(problem(409, { detail: 'The device is offline' }))
  await portal.findByText('Failed to acknowledge the alarm of Source 1. AHU-1: The device is offline')
  t.equal((note.getByLabelText('Note') as HTMLTextAreaElement).value, 'Filter ordered')
  fireEvent.click(note.getByRole('button', { name: 'Cancel' }))
  portal.gateway.answers[command] = {}
  fireEvent.click(portal.getByRole('button', { name: 'Retry' }))
  await portal.findByText(/^1 alarm sent for acknowledgement\./)
  for (const { body } of portal.callsTo(command)) t.match(body, { alarmUuids: ['a-1'] })
})

t.test('a note that fails after its page was left can be sent again', async (t) => {
  const command = '/api/v1/control/devices/d-1/commands/editAlarmData'
  const answer = Promise.withResolvers()
  const portal = openPortal(t, '/customers/9/alarms', {
    ...alarms([alarm(1)]),
    [command]: () => answer.promise
  })
  const note = await openNote(portal, 'Source 1')
  note.type('Filter ordered')
  note.add()
  await waitFor(() => assert.equal(portal.callsTo(command).length, 1))
  await act(() => portal.router.navigate('/customers/9'))
  answer.resolve(problem(409, { detail: 'The device is offline' }))
  await portal.findByText('Failed to add the note on the alarm of Source 1. AHU-1: The device is offline')
  portal.gateway.answers[command] = {}
  fireEvent.click(portal.getByRole('button', { name: 'Retry' }))
  await portal.findByText('Note added.')
  t.match(portal.callsTo(command)[1]?.body, { alarms: [{ uuid: 'a-1', notes: 'Filter ordered' }] })
})

t.test(
  'an acknowledgement without an answer can be repeated after a minute, and ends with the device’s confirmation',
  async (t) => {
    const command = '/api/v1/control/devices/d-1/commands/acknowledgeAlarm'
    const checks = holdTimeouts(t, [3_000, 10_000, 30_000])
    let answers = alarms([alarm(1)])
    const portal = openPortal(t, '/customers/9/alarms?show=all&range=all', {
      ...answers,
      [ALARMS]: (call: Call) => (answers[ALARMS] as (call: Call) => unknown)(call),
      [command]: problem(504)
    })
    const row = within(await portal.findByRole('row', { name: /Source 1/ }))
    fireEvent.click(row.getByRole('button', { name: /^Actions for alarm/ }))
    fireEvent.click(await portal.findByRole('menuitem', { name: 'Acknowledge' }))
    await portal.findByText(/^The answer was lost\./)
    row.getByText('Ack pending')

    const realNow = performance.now.bind(performance)
    t.intercept(performance, 'now', { value: () => realNow() + 60_000 })
    await checks.end()
    fireEvent.click(await row.findByRole('button', { name: /^Retry/ }))
    row.getByText('Ack pending')
    await waitFor(() => assert.equal(portal.callsTo(command).length, 2))
    answers = alarms([alarm(1, { ackState: 'acked' })])
    await checks.end()
    await row.findByText('Acked')
    t.equal(portal.callsTo(command).length, 2)
  }
)

t.test('a card on a phone shows device, project, state, priority and age', async (t) => {
  setDisplay({ wide: false })
  const portal = openPortal(t, '/customers/9/alarms?show=all', alarms([alarm(1)]))
  const card = (await portal.findByRole('button', { name: 'Source 1' })).closest('li')
  await waitFor(() => assert.match(card?.textContent ?? '', /AHU-1.*Tower/s))
  t.match(card?.textContent, /High.*Offnormal.*12 h ago$/s)
})

t.test('exports every page in the order of the list', async (t) => {
  const files = savedFiles(t)
  const all = [
    ...Array.from({ length: 1_001 }, (_, index) => alarm(index)),
    alarm(2_000, {
      sourceState: 'normal',
      sourceName: '=1+1',
      notes: [{ text: 'Seen', user: 'Ann', time: '' }]
    }),
    alarm(3_000, { sourceState: 'normal', ackState: 'acked' })
  ]
  const portal = openPortal(t, '/customers/9/alarms', alarms(all))
  const button = await portal.findByRole('button', { name: 'Export CSV' })
  await waitFor(() => assert.notEqual(button.getAttribute('aria-disabled'), 'true'))
  fireEvent.click(button)
  await portal.findByText('1,002 alarms saved.')
  const [[name, file] = []] = files
  t.match(name, /^alarms-\d{4}-\d\d-\d\d\.csv$/)
  const lines = ((await file?.text()) ?? '').trimEnd().split('\r\n')
  t.equal(lines.length, 1_003)
  t.match(
    lines[1],
    /^2026-03-01T00:33:20\.000Z,100,High,'=1\+1,Normal,Unacked,High,AHU-1,Tower,HVAC,.*Ann: Seen,a-2000$/
  )
  t.match(lines.at(-1), /,a-0$/)
})

for (const [ending, normalTime, to] of [
  ['1 h after its end', '2026-03-01T10:00:00Z', /^2026-03-01T11:00Z$/],
  ['the present while the alarm is active', null, /^2026-03-01T12:0/]
] as const)
  t.test(`opens the history from 1 h before the alarm to ${ending}`, async (t) => {
    const alarmFields = { timestamp: '2026-03-01T05:00:00Z', normalTime, alarmData: { cloudId: 'c-5' } }
    // Without the device, the history page loads no points.
    const answers = { ...alarms([alarm(7, alarmFields)]), [`${DEVICES}/uuid-1`]: problem(404) }
    const portal = openPortal(t, '/customers/9/alarms?show=all', answers)
    fireEvent.click(await portal.findByRole('button', { name: /^Actions for alarm Source 7/ }))
    const item = await portal.findByRole('menuitem', { name: /^Open history/ })
    await waitFor(() => assert.notEqual(item.getAttribute('aria-disabled'), 'true'))
    fireEvent.click(item)
    await waitFor(() => assert.match(portal.address(), /history/))
    const address = new URL(portal.address(), 'http://localhost')
    t.equal(address.pathname, '/customers/9/devicedetails/history')
    t.equal(address.searchParams.get('deviceUuid'), 'uuid-1')
    t.match(address.searchParams.get('points'), 'c-5')
    t.equal(address.searchParams.get('from'), '2026-03-01T04:00Z')
    t.match(address.searchParams.get('to'), to)
  })

t.test('offers no history of an alarm when history charting is off', async (t) => {
  const flags = { ...bootstrap().flags, enableHistoryCharting: false }
  const portal = openPortal(t, '/customers/9/alarms', alarms([alarm(1)]), { flags })
  fireEvent.click(await portal.findByRole('button', { name: 'Source 1' }))
  const details = within(await portal.findByRole('complementary', { name: 'Source 1' }))
  await details.findByRole('link', { name: 'AHU-1' })
  t.notOk(details.queryByRole('link', { name: 'Open history' }))
  fireEvent.click(portal.getByRole('button', { name: /^Actions for alarm Source 1/ }))
  await portal.findByRole('menuitem', { name: 'Details' })
  t.notOk(portal.queryByRole('menuitem', { name: /^Open history/ }))
})
