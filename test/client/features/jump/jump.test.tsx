import '../../../support/client/dom.ts'
import assert from 'node:assert/strict'
import { fireEvent, waitFor, within } from '@testing-library/react'
import t from 'tap'
import { pointOf } from '#client/features/data/points/point.ts'
import { pageTargets, pointTarget, targetsNamed, wordsBeyond } from '#client/features/jump/jump-targets.ts'
import { noteRecent, recentTargets } from '#client/features/jump/recent-targets.ts'
import type { FoundDevice } from '#shared/answers/customers.ts'
import type { PointModel } from '#shared/answers/points.ts'
import type { User } from '#shared/answers/portal.ts'
import { routePaths } from '../../../support/browser/pages.ts'
import { customer, DEVICES, HERE } from '../../../support/client/customer.ts'
import { textsOf } from '../../../support/client/dom.ts'
import {
  type Answer,
  bootstrap,
  type Call,
  CUSTOMERS,
  card,
  device,
  never,
  pageOf,
  problem,
  user
} from '../../../support/client/gateway.ts'
import { openPortal, type Portal } from '../../../support/client/portal.tsx'

const cards = {
  items: [card('9', { orgName: 'Northwind' }), card('8', { orgName: 'Northgate' })],
  page: pageOf(2)
}

const SEARCH = '/api/portal/v1/organizations/1/search'
const POINTS = '/api/portal/v1/customers/9/points'
const ALARMS = '/api/portal/v1/customers/9/alarms'
const READ = '/api/v1/control/devices/d-1/commands/read'

const ndjson = (...steps: object[]) =>
  new Response(steps.map((step) => `${JSON.stringify(step)}\n`).join(''), {
    headers: { 'content-type': 'application/x-ndjson' }
  })
const step = (items: FoundDevice[], read: number, of: number, partial: object[] = []) => ({
  items,
  total: items.length,
  customers: { read, of },
  partial
})
const foundDevice = (number: number, match: FoundDevice['match'], customerId = '8'): FoundDevice => {
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
const pointsAnswer = (...models: PointModel[]) => ({
  items: models.map((point) => ({ foundBy: 'pointNames', point, device: ahu1 })),
  totals: {},
  partial: []
})
const emptyList = { items: [], page: pageOf(0) }

function scene(more: Record<string, Answer> = {}) {
  const fakeCustomer = customer()
  const answers = {
    ...fakeCustomer.answers,
    [CUSTOMERS]: emptyList,
    [SEARCH]: () => ndjson(step([], 2, 2)),
    [POINTS]: pointsAnswer(),
    [ALARMS]: emptyList,
    ...more
  }
  return { fakeCustomer, answers }
}

async function openPalette(portal: Portal, key: object = { ctrlKey: true }) {
  await portal.findByRole('button', { name: 'Search devices, customers…' })
  await waitFor(() => {
    fireEvent.keyDown(document.body, { key: 'k', ...key })
    portal.getByRole('dialog', { name: 'Jump to' })
  })
  const dialog = within(portal.getByRole('dialog', { name: 'Jump to' }))
  return { dialog, field: dialog.getByRole('combobox') }
}

const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } })

t.test('offers only those customer pages that the person may open', async (t) => {
  const pathsFor = (person: User, scope?: string) =>
    pageTargets([], bootstrap({ user: person }), { path: HERE, name: 'Northwind' }, scope).map(({ to }) => to)
  const operatorPaths = pathsFor(user('nds_operator', '/organizations/1'))
  for (const page of ['serviceaccount', 'alarms']) t.notOk(operatorPaths.includes(`${HERE}/${page}`), page)
  const operatorHere = user(null, '', {
    roleAssignments: [
      { id: 'r-1', role: 'nds_operator', scope: '/organizations/1/customers/9' },
      { id: 'r-2', role: 'customer_user', scope: '/organizations/1/customers/8' }
    ]
  })
  const backups = `${HERE}/savedbackups`
  t.ok(pathsFor(operatorHere).includes(backups), 'until the customer is loaded')
  t.notOk(pathsFor(operatorHere, '/organizations/1/customers/9').includes(backups), 'only elsewhere')
  // Leaves out device pages, which need a device, and subpages, to which their parent pages link.
  const pages = routePaths()
    .map((path) => path.replace(':customerId', '9'))
    .filter((path) => /^\/customers\/9(?:\/\w+)?$/.test(path) && !path.endsWith('/devicedetails'))
  t.strictSame(pathsFor(user('partner_admin', '/organizations/1')).sort(), pages.sort())
})

t.test('finds a name by words in any order and case', async (t) => {
  const targets = [{ name: 'Saved Reports' }, { name: 'Audit Log' }]
  t.same(targetsNamed(targets, 'REP sav'), [{ name: 'Saved Reports' }])
  t.same(targetsNamed(targets, 'zebra'), [])
  t.same(targetsNamed(targets, ' '), targets)
})

t.test('omits the words of the customer’s name from the device search', async (t) => {
  t.equal(wordsBeyond('NORTH ahu  harbour', 'Northwind'), 'ahu harbour')
  t.equal(wordsBeyond('north', 'Northwind'), 'north', 'keeps the words if no other words are left')
})

t.test('K without Ctrl, or while a dialog is open, does not open the palette', async (t) => {
  const portal = openPortal(t, HERE, customer().answers)
  await portal.findByText('AHU-1')
  fireEvent.keyDown(document.body, { key: 'k' })
  fireEvent.click(portal.getByRole('button', { name: 'Create New Project' }))
  await portal.findByRole('dialog', { name: 'New Project' })
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true })
  t.notOk(portal.queryByRole('dialog', { name: 'Jump to' }))
})

t.test('offers the chart of a recorded point, and writing to people who may write', async (t) => {
  const names = (rights: { chart: boolean; write: boolean }, rest: object = {}) =>
    pointTarget({ point: pointOf(model(rest)), device: ahu1 }, HERE, rights).actions?.map(({ name }) => name)
  t.same(names({ chart: false, write: false }), [])
  t.same(names({ chart: true, write: false }), ['Chart'])
  t.same(names({ chart: true, write: true }), ['Chart', 'Write'])
  t.same(names({ chart: true, write: true }, { facets: { writable: false } }), ['Chart'])
  t.same(names({ chart: true, write: true }, { tags: { dataType: 'Numeric' } }), ['Write'], 'has no history')
})

t.test('remembers the last eight customers, devices and points without duplicates', async (t) => {
  t.teardown(() => localStorage.clear())
  const names = (address = '/') => recentTargets('u-1', address).map(({ name }) => name)
  for (const address of ['/', '/auditlog', `${HERE}/alarms`, `${HERE}/devicedetails`, '/integrators/1'])
    noteRecent('u-1', address, 'Some page')
  t.same(names(), [])
  noteRecent('u-1', `${HERE}?q=ahu&page=2`, 'Northwind')
  for (const number of [1, 2, 3, 4, 5, 6, 7, 8, 1])
    noteRecent('u-1', `${HERE}/devicedetails?deviceUuid=uuid-${number}&tab=alarms`, `AHU-${number}`)
  t.equal(names().join(), 'AHU-1,AHU-8,AHU-7,AHU-6,AHU-5,AHU-4,AHU-3,AHU-2')
  t.same(names(`${HERE}/devicedetails?deviceUuid=uuid-1`)[0], 'AHU-8', 'omits the open page')
  const details = () => recentTargets('u-1', '/').map(({ detail }) => detail)
  t.equal(details()[0], 'Device · Northwind')
  noteRecent('u-1', '/customers/7/devicedetails?deviceUuid=uuid-9', 'AHU-9')
  t.equal(details()[0], 'Device', 'omits an unknown customer name')
  noteRecent('u-1', HERE, 'Northwind')
  noteRecent('u-1', `${HERE}/devicedetails/pointdetails?deviceUuid=uuid-1&cloudId=c-1`, 'Supply Air Temp')
  t.same(details().slice(0, 2), ['Point · Northwind', 'Customer'])
  const deviceAddress = '/customers/8/devicedetails?deviceUuid=uuid-9'
  noteRecent('u-1', deviceAddress, 'AHU-9', 'Northgate · Qnx-9')
  noteRecent('u-1', deviceAddress, 'AHU-9')
  t.equal(details()[0], 'Northgate · Qnx-9', 'keeps the detail of the first entry')
  t.same(recentTargets('u-2', '/'), [], 'another person has no recent targets')
})

t.test('shows recent targets before the person types', async (t) => {
  const { answers } = scene()
  const portal = openPortal(t, HERE, answers)
  await portal.findByText('AHU-1')
  noteRecent('u-1', `${HERE}/devicedetails?deviceUuid=uuid-3`, 'AHU-3')
  const { dialog } = await openPalette(portal)
  const [firstOption] = dialog.getAllByRole('option')
  t.match(firstOption?.textContent, /AHU-3.*Device/)
  t.equal(firstOption?.getAttribute('aria-selected'), 'true')
})

t.test('finds a device of the searched customer by its uuid', async (t) => {
  const { answers } = scene()
  const portal = openPortal(t, HERE, answers)
  const { dialog, field } = await openPalette(portal)
  type(field, 'UUID-2')
  await dialog.findByRole('option', { name: /^AHU-2.*Devices$/ })
  t.equal(dialog.getAllByRole('option', { name: /Devices$/ }).length, 1)
})

t.test('Enter before the results arrive opens the first result', async (t) => {
  const { answers } = scene({ [`${DEVICES}/uuid-2`]: problem(404) })
  const portal = openPortal(t, HERE, answers)
  const { field } = await openPalette(portal, { metaKey: true })
  type(field, 'AHU-2')
  fireEvent.keyDown(field, { key: 'Enter' })
  await waitFor(() => assert.equal(portal.address(), `${HERE}/devicedetails?deviceUuid=uuid-2`))
})

t.test('Enter does not open a result of the previous text', async (t) => {
  const { answers } = scene({ [`${DEVICES}/uuid-2`]: problem(404) })
  const portal = openPortal(t, HERE, answers)
  const { dialog, field } = await openPalette(portal)
  type(field, 'AHU')
  await dialog.findByRole('option', { name: /^AHU-1.*Devices$/ })
  await waitFor(() => assert.ok(dialog.queryByText('Searching…') === null))
  type(field, 'AHU-2')
  fireEvent.keyDown(field, { key: 'Enter' })
  await waitFor(() => assert.equal(portal.address(), `${HERE}/devicedetails?deviceUuid=uuid-2`))
})

t.test(
  'shows devices of other customers as they arrive, and each of this customer’s devices once',
  async (t) => {
    const { answers } = scene({
      '/api/portal/v1/customers/8/projects': never,
      '/api/portal/v1/customers/8/devices/uuid-2': never,
      [SEARCH]: () =>
        ndjson(
          step([foundDevice(12, 'start'), foundDevice(2, 'whole', '9')], 1, 3),
          step([foundDevice(2, 'whole')], 2, 3),
          step([], 2, 3, [{ id: '7', orgName: 'Unreachable' }])
        )
    })
    const portal = openPortal(t, HERE, answers)
    const { dialog, field } = await openPalette(portal)
    type(field, 'AHU-2')
    await dialog.findByRole('option', { name: /AHU-12.*Devices of other customers/ })
    const options = dialog.getAllByRole('option', { name: /^AHU.*Northgate.*Devices of other customers/ })
    t.match(textsOf(options), [/^AHU-2N/, /^AHU-12/], 'the closest match first')
    t.equal(dialog.getAllByRole('option', { name: /^AHU-2.*Devices$/ }).length, 1)
    await dialog.findByText(/Some of it could not be searched/)
    fireEvent.click(options[0] as HTMLElement)
    await waitFor(() => assert.equal(portal.address(), '/customers/8/devicedetails?deviceUuid=uuid-2'))
  }
)

t.test('a new text cancels the previous search; the progress of the new search shows', async (t) => {
  const calls: Call[] = []
  const { answers } = scene({
    [SEARCH]: (call: Call) => {
      calls.push(call)
      if (call.query.get('q') === 'AHU') return never(call)
      const text = `${JSON.stringify(step([foundDevice(7, 'start')], 1, 40))}\n`
      const body = new ReadableStream({ start: (ctrl) => ctrl.enqueue(new TextEncoder().encode(text)) })
      return new Response(body)
    }
  })
  const portal = openPortal(t, HERE, answers)
  const { dialog, field } = await openPalette(portal)
  type(field, 'AHU')
  await waitFor(() => assert.equal(calls.length, 1))
  type(field, 'AHU-7')
  await dialog.findByText('39 customers still to be read…')
  t.ok(calls[0]?.signal?.aborted)
  t.ok(dialog.getByRole('option', { name: /AHU-7.*other customers/ }))
})

t.test('arrow keys reach the “Chart” and “Write” actions of a point', async (t) => {
  const reading = [{ cloudId: 'c-1', value: 19.5, status: 'ok', timestamp: new Date().toISOString() }]
  const { answers } = scene({ [POINTS]: pointsAnswer(model()), [READ]: reading })
  const portal = openPortal(t, HERE, answers)
  const { dialog, field } = await openPalette(portal)
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
  t.notOk(portal.queryByRole('dialog', { name: 'Jump to' }))
})

t.test('offers a user of one customer neither write commands nor other customers', async (t) => {
  const only = card('9', { orgName: 'Northwind' })
  const userFields = { userType: 'CUSTOMER', organizationId: '9' } as const
  const person = user('customer_user', '/organizations/1/customers/9', userFields)
  const { answers } = scene({ [POINTS]: pointsAnswer(model()), [READ]: [] })
  const portal = openPortal(t, HERE, answers, { user: person, customers: { count: 1, only } })
  const { dialog, field } = await openPalette(portal)
  type(field, 'supply')
  await dialog.findByRole('option', { name: 'Chart Supply Air Temp' })
  t.notOk(dialog.queryByRole('option', { name: /^Write/ }))
  t.same(portal.callsTo(SEARCH), [])
  t.same(portal.callsTo(CUSTOMERS), [])
})

t.test('finds an open alarm by a keyword', async (t) => {
  const alarm = {
    uuid: 'a-1',
    sourceName: 'High Limit',
    sourceState: 'offnormal',
    messageText: 'Has tripped',
    systemGuid: 'guid-1',
    timestamp: '2026-03-01T11:00:00Z'
  }
  const { answers } = scene({ [ALARMS]: { ...emptyList, items: [alarm] } })
  const portal = openPortal(t, HERE, answers)
  const { dialog, field } = await openPalette(portal)
  type(field, 'limit')
  const option = await dialog.findByRole('option', { name: /High Limit/ })
  t.match(option.textContent, /Offnormal · \d\d-Mar.* · Has tripped/)
  t.equal(portal.callsTo(ALARMS)[0]?.query.get('keyword'), 'limit')
})

t.test('searches the projects of a chosen customer', async (t) => {
  const { answers } = scene({
    [CUSTOMERS]: cards,
    [SEARCH]: () => ndjson(step([foundDevice(7, 'start')], 2, 2))
  })
  const portal = openPortal(t, '/', answers)
  const { dialog, field } = await openPalette(portal)
  type(field, 'north')
  await dialog.findByRole('option', { name: /AHU-7.*, Devices$/ })
  fireEvent.click(await dialog.findByRole('option', { name: 'Search in Northwind' }))
  await dialog.findByText('First in Northwind')
  const projectField = dialog.getByRole('combobox') as HTMLInputElement
  t.equal(projectField.value, '')
  t.ok(document.activeElement === projectField)
  type(projectField, 'gar')
  fireEvent.click(await dialog.findByRole('option', { name: /Garage/ }))
  await waitFor(() => assert.equal(portal.address(), `${HERE}?project=p-2`))
})

t.test('finds projects while the device search fails; “Retry” repeats the device search', async (t) => {
  const { fakeCustomer, answers } = scene()
  const portal = openPortal(t, HERE, answers)
  await portal.findByText('AHU-1')
  let deviceCalls = 0
  fakeCustomer.refusals.set(`GET ${DEVICES}`, () => {
    deviceCalls += 1
    return problem(500)
  })
  const { dialog, field } = await openPalette(portal)
  type(field, 'tower')
  await dialog.findByText(/Some of it could not be searched/)
  await dialog.findByRole('option', { name: /Tower/ })
  const callsBeforeRetry = deviceCalls
  fakeCustomer.refusals.clear()
  fireEvent.click(dialog.getByRole('button', { name: 'Retry' }))
  // Compares a boolean: printing the difference of an element and null takes minutes.
  await waitFor(() => assert.ok(dialog.queryByText(/Some of it could not be searched/) === null))
  t.ok(callsBeforeRetry <= 3, `${callsBeforeRetry} calls`)
})

t.test('names the characters that the device search does not support', async (t) => {
  const { answers } = scene({ [CUSTOMERS]: cards })
  const portal = openPortal(t, HERE, answers)
  await portal.findByText('AHU-1')
  const { dialog, field } = await openPalette(portal)
  type(field, 'ahu')
  await dialog.findAllByRole('option', { name: /Devices$/ })
  const [deviceCalls, searchCalls] = [DEVICES, SEARCH].map((path) => portal.callsTo(path).length)
  type(field, 'a&h*')
  await dialog.findByText(/Devices cannot be found by these characters: & \*/)
  await dialog.findByRole('option', { name: /^Northgate/ })
  await waitFor(() => assert.equal(dialog.queryAllByRole('option', { name: /Devices$/ }).length, 0))
  t.equal(portal.callsTo(DEVICES).length, deviceCalls)
  t.equal(portal.callsTo(SEARCH).length, searchCalls)
})

t.test('offers integrators to a global admin who has not chosen an integrator', async (t) => {
  const organizations = ['Brightwater', 'Sequoia'].map((orgName, index) => ({ id: `${index}`, orgName }))
  const integrators = { _embedded: { organizations }, page: pageOf(2) }
  const admin = user('global_admin', '/', { userType: 'INTERNAL' })
  const answers = { '/api/v2/management/organizations/search/findByIsTechViewEnabled': integrators }
  const portal = openPortal(t, '/auditlog', answers, { user: admin })
  const { dialog, field } = await openPalette(portal)
  const integratorTexts = () => textsOf(dialog.getAllByRole('option', { name: /Integrators$/ }))
  type(field, 'chiller')
  await dialog.findByText('Choose an integrator to find its customers and devices.')
  await waitFor(() => assert.equal(integratorTexts().length, 2))
  type(field, 'seq')
  await waitFor(() => assert.equal(integratorTexts().length, 1))
  t.match(integratorTexts()[0], /^Sequoia/)
})
