import '../../../support/client/dom.ts'
import assert from 'node:assert/strict'
import { fireEvent, waitFor, within } from '@testing-library/react'
import t from 'tap'
import { pageTargets, pointTarget, targetsNamed, wordsBeyond } from '#client/app/jump/jump-targets.ts'
import { noteRecent, recentTargets } from '#client/app/jump/recent-targets.ts'
import { pointOf } from '#client/features/points/point.ts'
import type { PointModel } from '#shared/answers/points.ts'
import type { FoundDevice } from '#shared/entities.ts'
import { customer, DEVICES, HERE } from '../../../support/client/customer.ts'
import {
  type Answer,
  bootstrap,
  type Call,
  card,
  device,
  never,
  problem,
  projectList,
  user
} from '../../../support/client/gateway.ts'
import { openPortal } from '../../../support/client/portal.tsx'

type Portal = ReturnType<typeof openPortal>

const CUSTOMERS = '/api/portal/v1/organizations/1/customers'
const cards = {
  items: [card('9', { orgName: 'Northwind' }), card('8', { orgName: 'Northgate' })],
  page: { number: 0, size: 6, totalPages: 1, totalElements: 2 }
}

const SEARCH = '/api/portal/v1/organizations/1/search'
const POINTS = '/api/portal/v1/customers/9/points'
const ALARMS = '/api/portal/v1/customers/9/alarms'
const READ = '/api/v1/control/devices/d-1/commands/read'

const lines = (...steps: object[]) =>
  new Response(steps.map((step) => `${JSON.stringify(step)}\n`).join(''), {
    headers: { 'content-type': 'application/x-ndjson' }
  })
const step = (items: FoundDevice[], read: number, of: number, partial: object[] = []) => ({
  items,
  total: items.length,
  customers: { read, of },
  partial
})
const elsewhere = (number: number, match: FoundDevice['match'], customerId = '8'): FoundDevice => {
  const { subscriptions: _, ...fields } = device(number)
  const { id, orgName, scope } = card(customerId, { orgName: 'Northgate' })
  return { match, device: fields, customer: { id, orgName, scope } }
}

const model = (rest: object = {}): PointModel => ({
  cloudId: 'c-1',
  displayName: 'Supply Air Temp',
  systemGuid: 'guid-1',
  outValue: '21.5 {ok}',
  facets: { writable: true, units: '°C', precision: 1 },
  tags: { telemetryId: 't-1', historyName: '/a/b', dataType: 'Numeric', slotPath: 'slot:/Drivers/x' },
  ...rest
})
const { subscriptions: _, ...ahu1 } = device(1)
const found = (...models: PointModel[]) => ({
  items: models.map((point) => ({ foundBy: 'pointNames', point, device: ahu1 })),
  totals: {},
  partial: []
})
const nothing = { items: [], page: { number: 0, size: 6, totalPages: 0, totalElements: 0 } }

function scene(more: Record<string, Answer> = {}) {
  const there = customer()
  const answers = {
    ...there.answers,
    [CUSTOMERS]: nothing,
    [SEARCH]: () => lines(step([], 2, 2)),
    [POINTS]: found(),
    [ALARMS]: nothing,
    ...more
  }
  return { there, answers }
}

async function open(portal: Portal, key: object = { ctrlKey: true }) {
  await portal.findByRole('button', { name: 'Search devices, customers…' })
  await waitFor(() => {
    fireEvent.keyDown(document.body, { key: 'k', ...key })
    portal.getByRole('dialog', { name: 'Jump to' })
  })
  const dialog = within(portal.getByRole('dialog', { name: 'Jump to' }))
  return { dialog, field: dialog.getByRole('combobox') }
}

const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } })

t.test('a customer offers the pages that the person may open', async (t) => {
  const names = (role: Parameters<typeof user>[0]) =>
    pageTargets([], bootstrap({ user: user(role, '/organizations/1') }), {
      path: HERE,
      name: 'Northwind'
    }).map(({ name }) => name)
  t.same(names('nds_operator'), ['Projects and devices', 'Alarms', 'Data Service'])
  t.same(names('partner_admin').slice(-2), ['Saved Backups', 'Service Accounts'])
})

t.test('finds a name by its words in any order', async (t) => {
  const targets = [{ name: 'Saved Reports' }, { name: 'Audit Log' }]
  t.same(targetsNamed(targets, 'REP sav'), [{ name: 'Saved Reports' }])
  t.same(targetsNamed(targets, 'zebra'), [])
  t.same(targetsNamed(targets, ' '), targets)
})

t.test('removes the words of the searched customer’s name from the search for its devices', async (t) => {
  t.equal(wordsBeyond('NORTH ahu  harbour', 'Northwind'), 'ahu harbour')
  t.equal(wordsBeyond('north', 'Northwind'), 'north', 'all of them may be meant otherwise')
})

t.test('K alone, and K while a dialog is open, open nothing', async (t) => {
  const portal = openPortal(t, HERE, customer().answers)
  await portal.findByText('AHU-1')
  fireEvent.keyDown(document.body, { key: 'k' })
  fireEvent.click(portal.getByRole('button', { name: 'Create New Project' }))
  await portal.findByRole('dialog', { name: 'New Project' })
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true })
  t.equal(portal.queryByRole('dialog', { name: 'Jump to' }), null)
})

t.test('a point offers its chart if it is recorded, and writing if the person may write', async (t) => {
  const names = (rights: { chart: boolean; write: boolean }, rest: object = {}) =>
    pointTarget({ point: pointOf(model(rest)), device: ahu1 }, HERE, rights).actions?.map(({ name }) => name)
  t.same(names({ chart: false, write: false }), [])
  t.same(names({ chart: true, write: false }), ['Chart'])
  t.same(names({ chart: true, write: true }), ['Chart', 'Write'])
  t.same(names({ chart: true, write: true }, { facets: { writable: false } }), ['Chart'])
  t.same(names({ chart: true, write: true }, { tags: { dataType: 'Numeric' } }), ['Write'], 'not recorded')
})

t.test('keeps the last customers, devices and points, each once', async (t) => {
  t.teardown(() => localStorage.clear())
  const names = (address = '/') => recentTargets('u-1', address).map(({ name }) => name)
  for (const address of ['/', '/auditlog', `${HERE}/alarms`, `${HERE}/devicedetails`, '/integrators/1'])
    noteRecent('u-1', address, 'Some page')
  t.same(names(), [])
  noteRecent('u-1', `${HERE}?q=ahu&page=2`, 'Northwind')
  for (const number of [1, 2, 3, 4, 5, 6, 7, 8, 1])
    noteRecent('u-1', `${HERE}/devicedetails?deviceUuid=uuid-${number}&tab=alarms`, `AHU-${number}`)
  t.same(
    names(),
    [1, 8, 7, 6, 5, 4, 3, 2].map((number) => `AHU-${number}`),
    'eight, the newest first'
  )
  t.same(names(`${HERE}/devicedetails?deviceUuid=uuid-1`)[0], 'AHU-8', 'but the one that is open')
  const details = () => recentTargets('u-1', '/').map(({ detail }) => detail)
  t.equal(details()[0], 'Device · Northwind')
  noteRecent('u-1', '/customers/7/devicedetails?deviceUuid=uuid-9', 'AHU-9')
  t.equal(details()[0], 'Device', 'of a customer that was not opened')
  noteRecent('u-1', HERE, 'Northwind')
  noteRecent('u-1', `${HERE}/devicedetails/pointdetails?deviceUuid=uuid-1&cloudId=c-1`, 'Supply Air Temp')
  t.same(details().slice(0, 2), ['Point · Northwind', 'Customer'])
  const foreign = '/customers/8/devicedetails?deviceUuid=uuid-9'
  noteRecent('u-1', foreign, 'AHU-9', 'Northgate · Qnx-9')
  noteRecent('u-1', foreign, 'AHU-9')
  t.equal(details()[0], 'Northgate · Qnx-9', 'as it was told when it was chosen')
  t.same(recentTargets('u-2', '/'), [], 'nobody else’s')
})

t.test('shows recent targets before the person types', async (t) => {
  const { answers } = scene()
  const portal = openPortal(t, HERE, answers)
  await portal.findByText('AHU-1')
  noteRecent('u-1', `${HERE}/devicedetails?deviceUuid=uuid-3`, 'AHU-3')
  const { dialog } = await open(portal)
  const [first] = dialog.getAllByRole('option')
  t.match(first?.textContent, /AHU-3.*Device/)
  t.equal(first?.getAttribute('aria-selected'), 'true')
})

t.test('Enter applies to the last text, even before its result arrives', async (t) => {
  const { answers } = scene({ [`${DEVICES}/uuid-2`]: problem(404) })
  const portal = openPortal(t, HERE, answers)
  const { field } = await open(portal, { metaKey: true })
  type(field, 'AHU-2')
  fireEvent.keyDown(field, { key: 'Enter' })
  await waitFor(() => assert.equal(portal.address(), `${HERE}/devicedetails?deviceUuid=uuid-2`))
})

t.test('Enter does not apply to the result of an earlier text', async (t) => {
  const { answers } = scene({ [`${DEVICES}/uuid-2`]: problem(404) })
  const portal = openPortal(t, HERE, answers)
  const { dialog, field } = await open(portal)
  type(field, 'AHU')
  await dialog.findByRole('option', { name: /^AHU-1.*Devices$/ })
  await waitFor(() => assert.ok(dialog.queryByText('Searching…') === null))
  type(field, 'AHU-2')
  fireEvent.keyDown(field, { key: 'Enter' })
  await waitFor(() => assert.equal(portal.address(), `${HERE}/devicedetails?deviceUuid=uuid-2`))
})

t.test('shows devices of other customers as they arrive, and this customer’s devices once', async (t) => {
  const { answers } = scene({
    '/api/portal/v1/customers/8/projects': never,
    '/api/portal/v1/customers/8/devices/uuid-2': never,
    [SEARCH]: () =>
      lines(
        step([elsewhere(12, 'start'), elsewhere(2, 'whole', '9')], 1, 3),
        step([elsewhere(2, 'whole')], 2, 3),
        step([], 2, 3, [{ id: '7', orgName: 'Away' }])
      )
  })
  const portal = openPortal(t, HERE, answers)
  const { dialog, field } = await open(portal)
  type(field, 'AHU-2')
  await dialog.findByRole('option', { name: /AHU-12.*Devices of other customers/ })
  const others = dialog.getAllByRole('option', { name: /^AHU.*Northgate.*Devices of other customers/ })
  t.same(
    others.map(({ textContent }) => textContent?.slice(0, 6)),
    ['AHU-2N', 'AHU-12'],
    'the closest first'
  )
  t.equal(dialog.getAllByRole('option', { name: /^AHU-2.*Devices$/ }).length, 1)
  await dialog.findByText(/Some of it could not be searched/)
  fireEvent.click(others[0] as HTMLElement)
  await waitFor(() => assert.equal(portal.address(), '/customers/8/devicedetails?deviceUuid=uuid-2'))
})

t.test('cancels a superseded search, and shows how many customers are still to be read', async (t) => {
  const calls: Call[] = []
  const { answers } = scene({
    [SEARCH]: (call: Call) => {
      calls.push(call)
      if (call.query.get('q') === 'AHU') return never(call)
      const text = `${JSON.stringify(step([elsewhere(7, 'start')], 1, 40))}\n`
      const body = new ReadableStream({ start: (way) => way.enqueue(new TextEncoder().encode(text)) })
      return new Response(body)
    }
  })
  const portal = openPortal(t, HERE, answers)
  const { dialog, field } = await open(portal)
  type(field, 'AHU')
  await waitFor(() => assert.equal(calls.length, 1))
  type(field, 'AHU-7')
  await dialog.findByText('39 customers still to be read…')
  t.ok(calls[0]?.signal?.aborted)
  t.ok(dialog.getByRole('option', { name: /AHU-7.*other customers/ }))
})

t.test('the keyboard reaches a point’s chart and its writing dialog', async (t) => {
  const reading = [{ cloudId: 'c-1', value: 19.5, status: 'ok', timestamp: new Date().toISOString() }]
  const { answers } = scene({ [POINTS]: found(model()), [READ]: reading })
  const portal = openPortal(t, HERE, answers)
  const { dialog, field } = await open(portal)
  type(field, 'supply')
  await dialog.findByText('19.5 °C')
  t.match(portal.callsTo(READ)[0]?.headers.get('x-customer-id'), '9')
  const active = () => document.getElementById(field.getAttribute('aria-activedescendant') ?? '')
  const names = ['ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowLeft'].map((key) => {
    fireEvent.keyDown(field, { key })
    return active()?.getAttribute('aria-label')
  })
  t.same(names, [
    'Chart Supply Air Temp',
    'Write Supply Air Temp',
    'Write Supply Air Temp',
    'Chart Supply Air Temp'
  ])
  fireEvent.keyDown(field, { key: 'ArrowRight' })
  fireEvent.keyDown(field, { key: 'Enter' })
  const write = within(await portal.findByRole('dialog', { name: 'Write Supply Air Temp' }))
  t.ok(write.getByText('19.5 °C'))
  t.equal(portal.queryByRole('dialog', { name: 'Jump to' }), null)
})

t.test(
  'offers no writing without the action, and no other customer to people with one customer',
  async (t) => {
    const only = card('9', { orgName: 'Northwind' })
    const person = user('customer_user', '/organizations/1/customers/9', {
      userType: 'CUSTOMER',
      organizationId: '9'
    })
    const { answers } = scene({
      '/api/portal/v1/bootstrap': bootstrap({ user: person, customers: { count: 1, only } }),
      [POINTS]: found(model()),
      [READ]: []
    })
    const portal = openPortal(t, HERE, answers)
    const { dialog, field } = await open(portal)
    type(field, 'supply')
    await dialog.findByRole('option', { name: 'Chart Supply Air Temp' })
    t.equal(dialog.queryByRole('option', { name: /^Write/ }), null)
    t.same(portal.callsTo(SEARCH), [])
    t.same(portal.callsTo(CUSTOMERS), [])
  }
)

t.test('an open alarm leads to its details', async (t) => {
  const alarm = {
    uuid: 'a-1',
    sourceName: 'High Limit',
    sourceState: 'offnormal',
    messageText: 'Has tripped',
    systemGuid: 'guid-1',
    timestamp: '2026-03-01T11:00:00Z'
  }
  const { answers } = scene({ [ALARMS]: { ...nothing, items: [alarm] } })
  const portal = openPortal(t, HERE, answers)
  const { dialog, field } = await open(portal)
  type(field, 'limit')
  t.match(
    (await dialog.findByRole('option', { name: /High Limit/ })).textContent,
    /Offnormal · \d\d-Mar.* · Has tripped/
  )
  t.equal(portal.callsTo(ALARMS)[0]?.query.get('keyword'), 'limit')
})

t.test('searches a customer once it is chosen', async (t) => {
  const { answers } = scene({
    [CUSTOMERS]: cards,
    [SEARCH]: () => lines(step([elsewhere(7, 'start')], 2, 2))
  })
  const portal = openPortal(t, '/', { ...answers, '/api/portal/v1/customers/9/projects': projectList() })
  const { dialog, field } = await open(portal)
  type(field, 'north')
  t.ok(
    await dialog.findByRole('option', { name: /AHU-7.*, Devices$/ }),
    'there is no customer that others are beside'
  )
  fireEvent.click(await dialog.findByRole('option', { name: 'Search in Northwind' }))
  await dialog.findByText('First in Northwind')
  const next = dialog.getByRole('combobox') as HTMLInputElement
  t.equal(next.value, '')
  t.equal(document.activeElement, next)
  type(next, 'gar')
  fireEvent.click(await dialog.findByRole('option', { name: /Garage/ }))
  await waitFor(() => assert.equal(portal.address(), `${HERE}?project=p-2`))
})

t.test('finds the rest if devices cannot be searched, and retries', async (t) => {
  const { there, answers } = scene()
  const portal = openPortal(t, HERE, answers)
  await portal.findByText('AHU-1')
  let asked = 0
  there.refusals.set(`GET ${DEVICES}`, () => {
    asked += 1
    return problem(500)
  })
  const { dialog, field } = await open(portal)
  type(field, 'tower')
  await dialog.findByText(/Some of it could not be searched/)
  t.ok(await dialog.findByRole('option', { name: /Tower/ }), 'its projects are found all the same')
  const before = asked
  there.refusals.clear()
  fireEvent.click(dialog.getByRole('button', { name: 'Retry' }))
  // Compared as a boolean: the difference of an element and null takes minutes to be worked out.
  await waitFor(() => assert.ok(dialog.queryByText(/Some of it could not be searched/) === null))
  t.ok(before <= 3, `it was asked ${before} times`)
})

t.test('reports that a keyword with a forbidden character finds no device', async (t) => {
  const { answers } = scene({ [CUSTOMERS]: cards })
  const portal = openPortal(t, HERE, answers)
  await portal.findByText('AHU-1')
  const { dialog, field } = await open(portal)
  type(field, 'ahu')
  await dialog.findAllByRole('option', { name: /Devices$/ })
  const [before, searches] = [DEVICES, SEARCH].map((path) => portal.callsTo(path).length)
  type(field, 'a&h*')
  await dialog.findByText(/Devices cannot be found by these characters: & \*/)
  t.ok(await dialog.findByRole('option', { name: /^Northgate/ }), 'names of customers have such characters')
  await waitFor(() => assert.equal(dialog.queryAllByRole('option', { name: /Devices$/ }).length, 0))
  t.equal(portal.callsTo(DEVICES).length, before)
  t.equal(portal.callsTo(SEARCH).length, searches)
})

t.test('offers integrators to a global admin who has chosen none', async (t) => {
  const integrators = {
    _embedded: {
      organizations: [
        { id: '1', orgName: 'Brightwater' },
        { id: '2', orgName: 'Sequoia' }
      ]
    },
    page: { number: 0, size: 1000, totalPages: 1, totalElements: 2 }
  }
  const portal = openPortal(t, '/auditlog', {
    '/api/portal/v1/bootstrap': bootstrap({ user: user('global_admin', '/', { userType: 'INTERNAL' }) }),
    '/api/v2/management/organizations/search/findByIsTechViewEnabled': integrators
  })
  const { dialog, field } = await open(portal)
  const offered = () => dialog.getAllByRole('option', { name: /Integrators$/ }).map((one) => one.textContent)
  type(field, 'chiller')
  await dialog.findByText('Choose an integrator to find its customers and devices.')
  await waitFor(() => assert.equal(offered().length, 2))
  type(field, 'seq')
  await waitFor(() => assert.equal(offered().length, 1))
  t.match(offered()[0], /^Sequoia/)
})
