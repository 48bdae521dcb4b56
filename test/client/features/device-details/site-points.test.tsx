// The page of the points of all devices of a customer.
import '../../../support/client/dom.ts'
import assert from 'node:assert/strict'
import { fireEvent, waitFor, within } from '@testing-library/react'
import t from 'tap'
import type { SitePoint, SitePoints } from '#shared/answers/site-points.ts'
import { setDisplay, textsOf } from '../../../support/client/dom.ts'
import { type Answers, type Call, device, NOW, pageOf, problem } from '../../../support/client/gateway.ts'
import { holdTimeouts } from '../../../support/client/held-timeouts.ts'
import { pointModel } from '../../../support/client/points.ts'
import { openPortal } from '../../../support/client/portal.tsx'
import { savedFiles } from '../../../support/client/saved-files.ts'

const VALUES = '/api/portal/v1/customers/9/points/values'
const HERE = '/customers/9/points'

function sitePoint(number: number, value: number | null, rest: Partial<SitePoint> = {}): SitePoint {
  const { subscriptions: _, ...fields } = device(number)
  const outValue = value === null ? ' {down}' : `${value} {ok}`
  return {
    point: {
      ...pointModel(number, {
        displayName: 'Supply Temp',
        outValue,
        facets: { units: '°C', writable: true }
      }),
      systemGuid: `guid-${number}`
    },
    device: fields,
    number: value,
    text: null,
    units: '°C',
    flags: value === null ? ['down'] : [],
    isValid: value !== null,
    fromMedian: value === null ? null : value - 20,
    readAt: NOW,
    noticedAt: NOW,
    ...rest
  }
}

const overridden = (number: number) => {
  const { point, ...rest } = sitePoint(number, 21)
  const text = '21.0 {overridden} @ 8'
  return { ...rest, point: { ...point, outValue: text }, flags: ['overridden'] }
}

const siteAnswer = (items: SitePoint[], rest: Partial<SitePoints> = {}): SitePoints => ({
  items,
  page: pageOf(items.length, 0, 15),
  devices: { total: 5, read: 3, withoutService: 2, failed: 0 },
  points: { read: 9, total: 9 },
  names: [
    { name: 'Supply Temp', count: 3 },
    { name: 'Supply Fan', count: 2 }
  ],
  exceptions: 1,
  statuses: [{ flag: 'ok', count: 2 }],
  summary: {
    numbers: [{ units: '°C', count: 2, lowest: 20, median: 20, highest: 30, spread: 1 }],
    states: []
  },
  partial: [],
  isReading: false,
  readAt: NOW,
  ...rest
})
const noLive = Object.fromEntries(
  [1, 2, 3].map((number) => [`/api/v1/control/devices/d-${number}/commands/read`, []])
)
const open = (t: Parameters<typeof openPortal>[0], path: string, answer: unknown, rest: Answers = {}) =>
  openPortal(t, path, { ...noLive, [VALUES]: answer, ...rest })

t.test('shows an error with “Refresh”', async (t) => {
  const portal = open(t, HERE, problem(502))
  await portal.findByRole('alert')
  portal.gateway.answers[VALUES] = siteAnswer([sitePoint(1, 20)])
  fireEvent.click(portal.getByRole('button', { name: 'Refresh' }))
  await portal.findByRole('rowheader')
})

t.test('says how much has been read, and asks again until everything has', async (t) => {
  const reading = {
    devices: { total: 5, read: 0, withoutService: 2, failed: 0 },
    points: { read: 1000, total: 9000 },
    isReading: true,
    readAt: null
  }
  let calls = 0
  const portal = open(t, HERE, () => {
    calls += 1
    return calls === 1 ? siteAnswer([], reading) : siteAnswer([sitePoint(1, 20)])
  })
  await portal.findByText(/1,000 of 9,000 points read, 2 devices have no Data Services$/)
  await portal.findByRole('heading', { name: 'Reading the points' })
  await portal.findByText(/3 of 5 devices read, 2 have no Data Services/)
  t.equal(calls, 2)
})

t.test('does not say that nothing matches the filters while points are being read', async (t) => {
  const answer = siteAnswer([], { isReading: true, readAt: null })
  const portal = open(t, `${HERE}?status=down`, answer)
  await portal.findByRole('heading', { name: 'Reading the points' })
  fireEvent.click(portal.getByRole('tab', { name: /^Exceptions/ }))
  await portal.findByRole('heading', { name: 'No exceptions so far' })
  t.notOk(portal.queryByRole('heading', { name: /match/ }))
})

t.test('says that there are no exceptions only if all devices are read and statuses are known', async (t) => {
  const answers: [title: string, rest: Partial<SitePoints>, text: string | RegExp][] = [
    ['No exceptions', {}, 'The status of 2 points is OK.'],
    [
      'No exceptions among the points that were read',
      {
        devices: { total: 40, read: 37, withoutService: 0, failed: 3 },
        partial: [1, 2, 3].map((number) => ({
          deviceUuid: `uuid-${number}`,
          deviceName: `AHU-${number}`,
          reason: 'failed'
        }))
      },
      '37 of 40 devices read, 3 failed and will be read again.'
    ],
    ['No exceptions among the points that were read', { statuses: [] }, /^3 of 5 devices read, .*\.$/],
    [
      'No exceptions among the points that were read',
      { devices: { total: 5, read: 0, withoutService: 5, failed: 0 }, statuses: [] },
      '0 of 5 devices read, 5 have no Data Services.'
    ]
  ]
  for (const [title, rest, text] of answers) {
    const portal = open(t, `${HERE}?tab=exceptions`, siteAnswer([], { exceptions: 0, ...rest }))
    await portal.findByRole('heading', { name: title })
    portal.getByText(text)
    portal.unmount()
  }
})

t.test('shows no rows of the other tab, and no count of one project as that of the customer', async (t) => {
  const portal = open(
    t,
    `${HERE}?project=p-1`,
    ({ query }: Call) =>
      query.get('status') === 'exception' ? problem(502) : siteAnswer([sitePoint(1, 20)], { exceptions: 7 }),
    { '/api/portal/v1/customers/9/devices': { items: [], page: pageOf(0), partial: [] } }
  )
  await portal.findByRole('rowheader')
  fireEvent.click(portal.getByRole('tab', { name: /^Exceptions/ }))
  await portal.findByRole('alert')
  t.notOk(portal.queryByRole('rowheader'))
  fireEvent.click(
    within(portal.getByRole('navigation', { name: 'Breadcrumb' })).getByRole('link', { name: 'Northwind' })
  )
  t.equal((await portal.findByRole('link', { name: /^Points/ })).textContent, 'Points')
})

t.test('names devices that could not be read', async (t) => {
  const portal = open(
    t,
    HERE,
    siteAnswer([sitePoint(1, 20)], {
      devices: { total: 5, read: 1, withoutService: 2, failed: 2 },
      partial: [
        { deviceUuid: 'uuid-2', deviceName: 'AHU-2', reason: 'failed' },
        { deviceUuid: 'uuid-3', deviceName: 'AHU-3', reason: 'failed' }
      ]
    })
  )
  await portal.findByText(/The points of AHU-2 and 1 other device could not be read/)
  portal.getByText(/2 failed and will be read again/)
})

t.test('shows a point of all devices with its distance from the median, the farthest first', async (t) => {
  const items = [sitePoint(1, 30), sitePoint(2, 20), sitePoint(3, null)]
  const portal = open(t, `${HERE}?name=Supply+Temp`, siteAnswer(items))
  const farthest = await portal.findByText('+10')
  t.equal(farthest.getAttribute('data-tone'), 'danger')
  portal.getByText('20 to 30 °C, median 20')
  portal.getByRole('columnheader', { name: '20 to 30 °C' })
  const [call] = portal.callsTo(VALUES)
  t.match(Object.fromEntries(call?.query ?? []), {
    name: 'Supply Temp',
    match: 'equals',
    sort: 'fromMedian',
    order: 'desc',
    page: '0',
    size: '15'
  })
})

t.test('chooses a name, or a part of one', async (t) => {
  const portal = open(t, HERE, siteAnswer([sitePoint(1, 20)]))
  await portal.findByRole('rowheader')
  const field = portal.getByRole('combobox', { name: 'Point' })
  const options = () => textsOf(within(portal.getByRole('listbox', { name: 'Point' })).getAllByRole('option'))
  fireEvent.click(field)
  t.same(options(), ['Supply Temp · 3', 'Supply Fan · 2'])
  fireEvent.change(field, { target: { value: 'fan' } })
  t.same(options(), ['Contains “fan” · 2', 'Supply Fan · 2'])
  fireEvent.click(portal.getByRole('option', { name: /^Contains/ }))
  await waitFor(() => assert.equal(portal.address(), `${HERE}?name=fan&match=contains`))
  t.match(portal.callsTo(VALUES).at(-1)?.query.toString(), /name=fan&match=contains/)
})

t.test('gives no number of points with a part of a name if not all names are known', async (t) => {
  const names = Array.from({ length: 500 }, (_, index) => ({ name: `Fan ${index + 1}`, count: 2 }))
  const portal = open(t, HERE, siteAnswer([sitePoint(1, 20)], { names }))
  await portal.findByRole('rowheader')
  fireEvent.change(portal.getByRole('combobox', { name: 'Point' }), { target: { value: 'fan 500' } })
  const options = within(portal.getByRole('listbox', { name: 'Point' })).getAllByRole('option')
  t.same(textsOf(options), ['Contains “fan 500”', 'Fan 500 · 2'])
})

t.test('shows the live value of the rows, with the distance that follows from it', async (t) => {
  const live = [{ cloudId: 'c-1', value: 24, status: 'alarm', timestamp: NOW }]
  const portal = open(t, `${HERE}?name=Supply+Temp`, siteAnswer([sitePoint(1, 30)]), {
    '/api/v1/control/devices/d-1/commands/read': live
  })
  await portal.findByText('24 °C')
  portal.getByText('+4')
  portal.getByText('Alarm')
})

t.test('the file has numbers as numbers, and states as their texts', async (t) => {
  const files = savedFiles(t)
  const fan = pointModel(2, {
    displayName: 'Supply Fan',
    outValue: 'true {ok}',
    tags: { dataType: 'Boolean', trueText: 'Running', slotPath: 'slot:/fan' }
  })
  const items = [
    sitePoint(1, -5.2),
    sitePoint(2, null, {
      point: { ...fan, systemGuid: 'guid-2' },
      text: 'Running',
      units: '',
      flags: [],
      isValid: true
    })
  ]
  const portal = open(t, HERE, siteAnswer(items))
  await portal.findAllByRole('rowheader')
  fireEvent.click(portal.getByRole('button', { name: 'Export CSV' }))
  await portal.findByText('2 values saved.')
  const [[, blob] = []] = files
  const [, first, second] = ((await blob?.text()) ?? '').split('\r\n')
  t.match(first, ',Supply Temp,-5.2,')
  t.match(second, /,Supply Fan,Running,.*,slot:\/fan,uuid-2,c-2$/)
})

t.test('selects points for a chart', async (t) => {
  const portal = open(t, `${HERE}?name=Supply+Temp`, siteAnswer([sitePoint(1, 30), sitePoint(2, 20)]), {
    '/api/portal/v1/customers/9/devices/uuid-1': problem(503),
    '/api/portal/v1/customers/9/devices/uuid-2': problem(503)
  })
  await portal.findAllByRole('rowheader')
  for (const name of ['AHU-1', 'AHU-2'])
    fireEvent.click(portal.getByRole('checkbox', { name: `Select Supply Temp of ${name}` }))
  fireEvent.click(portal.getByRole('button', { name: 'Add to chart (2/10)' }))
  await waitFor(() =>
    assert.match(portal.address(), /devicedetails\/history\?.*points=uuid-1%7Ec-1%2Cuuid-2%7Ec-2/)
  )
})

t.test('counts exceptions, and clears several overrides with one confirmation', async (t) => {
  const faulty = sitePoint(3, 5, { flags: ['fault'] })
  const items = [
    overridden(1),
    overridden(2),
    { ...faulty, point: { ...faulty.point, outValue: '5 {fault}' } }
  ]
  const cleared: Call[] = []
  const command = (call: Call) => {
    cleared.push(call)
    return [{ cloudId: 'c-1', status: 'OK' }]
  }
  const portal = open(t, `${HERE}?tab=exceptions`, siteAnswer(items, { exceptions: 3 }), {
    '/api/v1/control/devices/d-1/commands/clear': command,
    '/api/v1/control/devices/d-2/commands/clear': problem(403)
  })
  await portal.findAllByRole('rowheader')
  t.match(portal.callsTo(VALUES)[0]?.query.toString(), /status=exception&sort=status&order=asc/)
  t.equal(portal.getByRole('tab', { name: /^Exceptions/ }).textContent, 'Exceptions3')
  t.equal(portal.getAllByText('at 8').length, 2)
  fireEvent.click(portal.getByRole('checkbox', { name: /^Select all/ }))
  fireEvent.click(portal.getByRole('button', { name: 'Clear 2 overrides' }))
  const dialog = within(portal.getByRole('alertdialog', { name: 'Clear 2 overrides?' }))
  t.same(textsOf(dialog.getAllByRole('listitem')), ['Supply Temp on AHU-1', 'Supply Temp on AHU-2'])
  const readBackWaits = holdTimeouts(t, [2_000])
  fireEvent.click(dialog.getByRole('button', { name: 'Clear 2 overrides' }))
  await dialog.findByText(/Reading back the value/)
  await dialog.findByText(/The command was refused/)
  t.match(cleared[0]?.body, { points: [{ cloudId: 'c-1' }] })
  fireEvent.click(dialog.getByText('Close'))
  dialog.getByText(/Reading back the value/)
  portal.gateway.answers['/api/v1/control/devices/d-1/commands/read'] = [
    { cloudId: 'c-1', value: 21, status: 'ok', timestamp: NOW }
  ]
  await readBackWaits.end()
  await dialog.findByText('1 of 2 cleared')
  t.equal(document.activeElement?.textContent, 'Clear 2 overrides?', 'its button is gone')
  fireEvent.click(dialog.getByText('Close'))
  t.notOk(portal.queryByRole('alertdialog'))
})

t.test('without one name, each row names its point and its device', async (t) => {
  const portal = open(t, HERE, siteAnswer([sitePoint(1, 20)]))
  const name = within(await portal.findByRole('rowheader')).getByRole('link', { name: 'Supply Temp' })
  t.match(name.getAttribute('href'), /pointdetails\?/)
  t.match(
    portal.getByRole('link', { name: 'AHU-1' }).getAttribute('href'),
    /devicedetails\?deviceUuid=uuid-1/
  )
})

t.test('the columns that a person chose for one point do not hide the names of all points', async (t) => {
  const portal = open(t, `${HERE}?name=Supply+Temp`, siteAnswer([sitePoint(1, 20)]))
  await portal.findByRole('rowheader')
  t.notOk(portal.queryByRole('columnheader', { name: 'Point' }))
  fireEvent.click(portal.getByRole('button', { name: 'Columns' }))
  fireEvent.click(portal.getByRole('checkbox', { name: 'Project' }))
  fireEvent.click(portal.getByRole('button', { name: 'Clear point' }))
  await portal.findByRole('columnheader', { name: 'Point' })
  t.notOk(portal.queryByRole('columnheader', { name: 'Project' }))
})

t.test('the page of a customer shows the number of exceptions once it is known', async (t) => {
  const portal = open(t, HERE, siteAnswer([sitePoint(1, 20)], { exceptions: 37 }), {
    '/api/portal/v1/customers/9/devices': { items: [], page: pageOf(0), partial: [] }
  })
  await portal.findByRole('rowheader')
  fireEvent.click(
    within(portal.getByRole('navigation', { name: 'Breadcrumb' })).getByRole('link', { name: 'Northwind' })
  )
  await portal.findByRole('link', { name: 'Points (37 exceptions)' })
})

t.test('the card of a phone names the project, as devices of several projects have one name', async (t) => {
  setDisplay({ wide: false })
  t.teardown(() => setDisplay({ wide: true }))
  const portal = open(t, `${HERE}?name=Supply+Temp`, siteAnswer([sitePoint(1, 20)]))
  const cards = await portal.findByRole('list', { name: 'Points' })
  t.match(cards.querySelector('.row-card-facts')?.textContent, /Project: /)
})

t.test('the card of a phone names the point, unless all have one name', async (t) => {
  setDisplay({ wide: false })
  t.teardown(() => setDisplay({ wide: true }))
  const portal = open(t, HERE, siteAnswer([sitePoint(1, 20)]))
  const cards = await portal.findByRole('list', { name: 'Points' })
  within(cards).getByRole('link', { name: 'Supply Temp' })
  t.match(cards.querySelector('.row-card-facts')?.textContent, /Device: AHU-1/)
})
