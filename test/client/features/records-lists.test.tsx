// The filters of the audit log, exports and backups, and the calls that they cause.
import '../../support/client/dom.ts'
import assert from 'node:assert/strict'
import { fireEvent, waitFor, within } from '@testing-library/react'
import t from 'tap'
import { chooseZone } from '#client/lib/time/time.ts'
import { setDisplay } from '../../support/client/dom.ts'
import { bootstrap, card, NOW, problem, user } from '../../support/client/gateway.ts'
import { openPortal } from '../../support/client/portal.tsx'

const EXPORTS = '/api/v1/egress/exports'
const LOG = '/api/v2/management/organizations/1/auditLogs'
const USERS = '/api/v2/management/organizations/1/allUsers'
const CUSTOMERS = '/api/portal/v1/organizations/1/customers'
const page = (totalElements: number) => ({ number: 0, size: 15, totalPages: 1, totalElements })

const exported = (id: string, rest: object = {}) => ({
  id,
  exportName: `Export ${id}`,
  customerId: '9',
  customerName: 'Northwind',
  status: 'READY',
  progress: 100,
  format: 'CSV',
  timeZone: 'UTC',
  startTime: NOW,
  endTime: NOW,
  pointCount: 2,
  rowCount: 10,
  sizeBytes: 100,
  createdBy: 'Maria Ruiz',
  createdDate: NOW,
  completedDate: '2026-02-20T12:00:00.000Z',
  expiresDate: '2026-02-27T12:00:00.000Z',
  failureReason: null,
  request: { selectedPoints: [] },
  ...rest
})
const exportsOf = (...exports: object[]) => ({ _embedded: { exports }, page: page(exports.length) })

t.test('the retention of files comes from an export that has a file', async (t) => {
  for (const [list, facts] of [
    [exportsOf(exported('1', { status: 'FAILED' }), exported('2')), 'Files are kept for 7 days.'],
    [exportsOf(exported('1', { status: 'EXPIRED' })), null],
    [exportsOf(exported('1', { expiresDate: null })), null]
  ] as const) {
    const portal = openPortal(t, '/exports', { [EXPORTS]: list })
    await portal.findByText('Export 1')
    t.equal(portal.queryByText('Files are kept for 7 days.') !== null, facts !== null)
    portal.unmount()
  }
})

t.test('own exports are filtered by name, and the filter is in the address', async (t) => {
  const portal = openPortal(t, '/exports', { [EXPORTS]: exportsOf(exported('1')) })
  await portal.findByText('Export 1')
  t.equal(portal.callsTo(EXPORTS).at(-1)?.query.has('createdBy'), false)
  fireEvent.change(portal.getByRole('combobox', { name: 'Requested by' }), { target: { value: 'me' } })
  await waitFor(() => assert.equal(portal.callsTo(EXPORTS).at(-1)?.query.get('createdBy'), 'Maria Ruiz'))
  t.equal(portal.address(), '/exports?owner=me')
  fireEvent.click(portal.getByRole('button', { name: 'Remove filter Requested by me' }))
  t.equal(portal.address(), '/exports')
})

const log = {
  [LOG]: { _embedded: { auditLogs: [] }, page: page(0) },
  [`${LOG}/search/actions`]: { _embedded: { actions: ['LOGIN'] } },
  [USERS]: { _embedded: { users: [{ id: 'u-7', fullName: 'Ann Lee', userType: 'PARTNER' }] }, page: page(1) },
  [CUSTOMERS]: { items: [card('9')], page: page(1) }
}

t.test('offers users as actors only to people who may view users', async (t) => {
  const portal = openPortal(t, '/auditlog', {
    ...log,
    '/api/portal/v1/bootstrap': bootstrap({ user: user('partner_user', '/organizations/1') })
  })
  await portal.findByText('No activity in this range')
  portal.getByRole('combobox', { name: 'Customer' })
  t.equal(portal.queryByRole('combobox', { name: 'Who' }), null)
})

t.test('filters the log by a person and a customer, and loads these when the field opens', async (t) => {
  const portal = openPortal(t, '/auditlog', log)
  await portal.findByText('No activity in this range')
  t.equal(portal.callsTo(USERS).length + portal.callsTo(CUSTOMERS).length, 0)
  const who = portal.getByRole('combobox', { name: 'Who' })
  fireEvent.focus(who)
  fireEvent.click(who)
  fireEvent.click(await portal.findByRole('option', { name: 'Ann Lee' }))
  await waitFor(() => assert.equal(portal.callsTo(LOG).at(-1)?.query.get('actorId'), 'u-7'))
  t.equal(portal.callsTo(CUSTOMERS).length, 0)
  const customer = portal.getByRole('combobox', { name: 'Customer' })
  fireEvent.focus(customer)
  fireEvent.click(customer)
  fireEvent.click(await portal.findByRole('option', { name: 'Customer 9' }))
  await waitFor(() => assert.equal(portal.callsTo(LOG).at(-1)?.query.get('customerId'), '9'))
  fireEvent.change(portal.getByRole('combobox', { name: 'Order' }), { target: { value: 'outcome asc' } })
  await waitFor(() => assert.equal(portal.callsTo(LOG).at(-1)?.query.get('sort'), 'outcome,asc'))
  fireEvent.change(portal.getByRole('combobox', { name: 'Order' }), { target: { value: 'timestamp desc' } })
  portal.getByRole('button', { name: 'Remove filter Who: Ann Lee' })
  fireEvent.click(portal.getByRole('button', { name: 'Clear all' }))
  t.equal(portal.address(), '/auditlog')
})

t.test('on a small screen Apply loads the log once', async (t) => {
  setDisplay({ wide: false })
  const portal = openPortal(t, '/auditlog', log)
  await portal.findByText('No activity in this range')
  const before = portal.callsTo(LOG).length
  fireEvent.click(portal.getByRole('button', { name: 'Filters' }))
  const sheet = within(portal.getByRole('dialog', { name: 'Filters' }))
  fireEvent.change(sheet.getByRole('combobox', { name: 'Time' }), { target: { value: '7d' } })
  fireEvent.change(sheet.getByRole('combobox', { name: 'Outcome' }), { target: { value: 'DENIED' } })
  t.equal(portal.callsTo(LOG).length, before)
  fireEvent.click(sheet.getByRole('button', { name: 'Apply' }))
  await waitFor(() => assert.equal(portal.callsTo(LOG).at(-1)?.query.get('outcome'), 'DENIED'))
  t.equal(portal.callsTo(LOG).length, before + 1)
  t.equal(portal.getByRole('button', { name: /^Filters/ }).textContent, 'Filters2 chosen')
})

t.test('days of the log are days of the display zone, which can be changed there', async (t) => {
  t.teardown(() => chooseZone(null))
  const portal = openPortal(t, '/auditlog?range=custom&from=2026-02-28&to=2026-03-01', log)
  await portal.findByText('No activity in this range')
  fireEvent.click(portal.getByRole('button', { name: 'Change the time zone' }))
  const dialog = within(portal.getByRole('dialog', { name: 'Time zone' }))
  const choice = dialog.getByRole('combobox', { name: 'Time zone' })
  fireEvent.click(choice)
  fireEvent.change(choice, { target: { value: 'tokyo' } })
  fireEvent.click(await dialog.findByRole('option', { name: 'Asia/Tokyo' }))
  t.equal(portal.queryByRole('dialog'), null)
  await portal.findByText(/Times shown in Asia\/Tokyo/)
  await waitFor(() => assert.equal(portal.callsTo(LOG).at(-1)?.query.get('from'), '2026-02-27T15:00:00.000Z'))
  t.equal(portal.callsTo(LOG).at(-1)?.query.get('to'), '2026-03-01T14:59:59.999Z')
  fireEvent.click(portal.getByRole('button', { name: 'Show the last 30 days' }))
  t.match(portal.address(), /\?range=30d&/)
})

const entry = (number: number, rest: object) => ({
  id: `al-${number}`,
  timestamp: NOW,
  actor: { id: 'u-7', type: 'USER', name: 'Ann Lee' },
  action: 'DEVICE_UPDATED',
  outcome: 'SUCCESS',
  resource: { type: 'DEVICE', id: 'd-3', name: 'AHU 3' },
  customerId: '9',
  customerName: 'Northwind',
  ...rest
})
const DEVICE = { id: 'd-3', deviceUuid: 'uuid-3', name: 'AHU 3' }
const ENTRIES: [what: string, rest: object, object: string | null, actor?: string | null][] = [
  ['a device', {}, '/customers/9?q=AHU+3'],
  ['a device whose name cannot be searched', { resource: { type: 'DEVICE', id: 'd-3', name: 'R&D' } }, null],
  ['a project', { resource: { type: 'PROJECT', id: 'p 1', name: 'East' } }, '/customers/9?project=p+1'],
  [
    'a project that failed to go',
    { action: 'PROJECT_DELETED', outcome: 'FAILURE', resource: { type: 'PROJECT', id: 'p-1', name: 'East' } },
    '/customers/9?project=p-1'
  ],
  [
    'a project that is gone',
    { action: 'PROJECT_DELETED', resource: { type: 'PROJECT', id: 'p-1', name: 'East' } },
    null
  ],
  ['a person', { resource: { type: 'USER', id: 'u-8', name: 'Bo' }, customerId: null }, '/users/u-8'],
  [
    'a service account',
    { resource: { type: 'SERVICE_ACCOUNT', id: 'sa-1', name: 'Export' } },
    '/customers/9/serviceaccount/sa-1'
  ],
  [
    'a report',
    { resource: { type: 'REPORT', id: 'r-1', name: 'Fans' } },
    '/customers/9/devicedetails/history?reportId=r-1'
  ],
  ['a device that is known', { device: DEVICE }, '/customers/9/devicedetails?deviceUuid=uuid-3'],
  [
    'a point of a known device',
    { device: DEVICE, resource: { type: 'POINT', id: 'c-7', name: 'Fan' } },
    '/customers/9/devicedetails/pointdetails?deviceUuid=uuid-3&cloudId=c-7'
  ],
  [
    'an alarm of a known device',
    { device: DEVICE, resource: { type: 'ALARM', id: 'a-1', name: 'Filter' } },
    '/customers/9/devicedetails?tab=alarms&deviceUuid=uuid-3&show=all&range=all&alarm=a-1'
  ],
  [
    'a backup of a known device',
    { device: DEVICE, resource: { type: 'BACKUP', id: 'b-1', name: 'AHU 3' } },
    '/customers/9/savedbackups?deviceUuid=uuid-3'
  ],
  ['a thing of no customer', { customerId: null }, null],
  ['a thing that has no page', { resource: { type: 'ALARM', id: 'a-1', name: 'Filter' } }, null],
  [
    'what a service account did',
    { actor: { id: 'sa-2', type: 'SERVICE_ACCOUNT', name: 'Robot' } },
    '/customers/9?q=AHU+3',
    null
  ]
]

for (const [what, rest, object, actor = '/users/u-7'] of ENTRIES)
  t.test(`the details of ${what} link to ${object ?? 'no page'} and to the actor`, async (t) => {
    const portal = openPortal(t, '/auditlog', {
      ...log,
      [LOG]: { _embedded: { auditLogs: [entry(1, rest)] }, page: page(1) }
    })
    fireEvent.click(await portal.findByRole('button', { name: /^Details: / }))
    const factOf = (name: string) => portal.getByText(name, { selector: 'dt' }).nextElementSibling
    t.equal(factOf('Object')?.querySelector('a')?.getAttribute('href') ?? null, object)
    t.equal(factOf('Who')?.querySelector('a')?.getAttribute('href') ?? null, actor)
    t.equal(factOf('Object')?.textContent?.endsWith(' (deleted)'), what.endsWith('is gone'))
  })

t.test('a click opens a row, which names its device and no success', async (t) => {
  const write = {
    action: 'POINT_WRITTEN',
    device: DEVICE,
    resource: { type: 'POINT', id: 'c-7', name: 'Fan' }
  }
  const login = { action: 'LOGIN', resource: { type: 'USER', id: 'u-7', name: 'Ann Lee' } }
  const rows = [entry(1, write), entry(2, write), entry(3, { ...login, outcome: 'DENIED' })]
  const portal = openPortal(t, '/auditlog?actorId=u-7', {
    ...log,
    [LOG]: { _embedded: { auditLogs: rows }, page: page(3) }
  })
  const list = within(await portal.findByRole('list', { name: 'Entries' }))
  const [written, denied, ...more] = list.getAllByRole('listitem')
  t.strictSame(more, [])
  t.match(written?.textContent, /Ann Lee\s+wrote point Fan on AHU 3 · Northwind2 times/)
  t.match(denied?.textContent, /Denied/)
  t.equal(portal.queryByText('Success', { selector: '.badge' }), null)
  t.strictSame(
    list.getAllByRole('link').filter(({ textContent }) => textContent === ''),
    []
  )
  t.equal(
    within(written as HTMLElement)
      .getByRole('link', { name: 'AHU 3' })
      .getAttribute('href'),
    '/customers/9/devicedetails?deviceUuid=uuid-3'
  )
  portal.getByRole('button', { name: 'Remove filter Who: Ann Lee' })
  fireEvent.click(written?.querySelector('time') as HTMLElement)
  portal.getByRole('button', { name: 'Details: Ann Lee wrote point Fan, 2 times', expanded: true })
})

t.test('links to users and service accounts only for people who may view them', async (t) => {
  const portal = openPortal(t, '/auditlog', {
    ...log,
    '/api/portal/v1/bootstrap': bootstrap({ user: user('partner_user', '/organizations/1') }),
    [LOG]: {
      _embedded: {
        auditLogs: [entry(1, { resource: { type: 'SERVICE_ACCOUNT', id: 'sa-1', name: 'Export' } })]
      },
      page: page(1)
    }
  })
  fireEvent.click(await portal.findByRole('button', { name: /^Details: / }))
  t.equal(document.querySelectorAll('.audit-details a').length, 0)
})

t.test('backups of a customer that does not load show the failure, with Refresh', async (t) => {
  const portal = openPortal(t, '/customers/9/savedbackups', {
    '/api/portal/v1/customers/9/projects': problem(503),
    '/api/portal/v1/customers/9/devices': problem(503)
  })
  t.ok(await portal.findByRole('button', { name: 'Refresh' }))
})
