// Filters of the audit log, its rows, and the links of its entries.
import '../../../../support/client/dom.ts'
import assert from 'node:assert/strict'
import { fireEvent, waitFor, within } from '@testing-library/react'
import t from 'tap'
import { chooseZone } from '#client/lib/time/time.ts'
import {
  type Call,
  CUSTOMERS,
  device,
  NOW,
  pageOf,
  problem,
  user
} from '../../../../support/client/gateway.ts'
import { openPortal } from '../../../../support/client/portal.tsx'
import { auditRecord, listOf } from '../../../../support/client/records.ts'

const LOG = '/api/v2/management/organizations/1/auditLogs'
const USERS = '/api/v2/management/organizations/1/allUsers'

const log = {
  '/api/portal/v1/customers/9/devices': { items: [], page: pageOf(0), partial: [] },
  [LOG]: listOf('auditLogs', []),
  [`${LOG}/search/actions`]: { _embedded: { actions: ['DEVICE_MOVED', 'LOGIN', 'LOGOUT'] } },
  [USERS]: {
    _embedded: { users: [{ id: 'u-7', fullName: 'Ann Lee', userType: 'PARTNER' }] },
    page: pageOf(1)
  }
}

t.test('offers users as actors only to people who may view users', async (t) => {
  const portal = openPortal(t, '/auditlog', log, { user: user('partner_user', '/organizations/1') })
  await portal.findByText('No activity in this range')
  fireEvent.click(portal.getByRole('button', { name: 'Filters' }))
  portal.getByRole('combobox', { name: 'Customer' })
  t.notOk(portal.queryByRole('combobox', { name: 'Person' }))
})

t.test('filters the log by person and customer, whose names load when a field opens', async (t) => {
  const portal = openPortal(t, '/auditlog', log)
  await portal.findByText('No activity in this range')
  t.equal(portal.callsTo(USERS).length + portal.callsTo(CUSTOMERS).length, 0)
  fireEvent.click(portal.getByRole('button', { name: 'Filters' }))
  const personField = portal.getByRole('combobox', { name: 'Person' })
  fireEvent.focus(personField)
  fireEvent.click(personField)
  fireEvent.click(await portal.findByRole('option', { name: 'Ann Lee' }))
  await waitFor(() => assert.equal(portal.callsTo(LOG).at(-1)?.query.get('actorId'), 'u-7'))
  t.equal(portal.callsTo(CUSTOMERS).length, 0)
  const customer = portal.getByRole('combobox', { name: 'Customer' })
  fireEvent.focus(customer)
  fireEvent.click(customer)
  fireEvent.click(await portal.findByRole('option', { name: 'Customer 9' }))
  await waitFor(() => assert.equal(portal.callsTo(LOG).at(-1)?.query.get('customerId'), '9'))
  portal.getByRole('button', { name: 'Remove filter Person: Ann Lee' })
  fireEvent.click(portal.getByRole('button', { name: 'Clear all' }))
  t.equal(portal.address(), '/auditlog')
})

t.test('the log uses days of the display zone, which can be changed on the page', async (t) => {
  t.teardown(() => chooseZone(null))
  const portal = openPortal(t, '/auditlog?range=custom&from=2026-02-28&to=2026-03-01', log)
  await portal.findByText('No activity in this range')
  fireEvent.click(portal.getByRole('button', { name: 'Change the time zone' }))
  const dialog = within(portal.getByRole('dialog', { name: 'Time zone' }))
  const choice = dialog.getByRole('combobox', { name: 'Time zone' })
  fireEvent.click(choice)
  fireEvent.change(choice, { target: { value: 'tokyo' } })
  fireEvent.click(await dialog.findByRole('option', { name: 'Asia/Tokyo' }))
  t.notOk(portal.queryByRole('dialog'))
  await portal.findByText(/Times shown in Asia\/Tokyo/)
  await waitFor(() => assert.equal(portal.callsTo(LOG).at(-1)?.query.get('from'), '2026-02-27T15:00:00.000Z'))
  t.equal(portal.callsTo(LOG).at(-1)?.query.get('to'), '2026-03-01T14:59:59.999Z')
  fireEvent.click(portal.getByRole('button', { name: 'Show the last 30 days' }))
  t.match(portal.address(), /\?range=30d&/)
})

t.test('“Refresh” asks again, also for days that have been chosen', async (t) => {
  for (const query of ['', '?range=custom&from=2026-02-28&to=2026-03-01']) {
    const portal = openPortal(t, `/auditlog${query}`, log)
    await portal.findByText('No activity in this range')
    const before = portal.callsTo(LOG).length
    fireEvent.click(portal.getByRole('button', { name: 'Refresh the list' }))
    await waitFor(() => assert.equal(portal.callsTo(LOG).length, before + 1))
    portal.unmount()
  }
  t.pass()
})

const DEVICE = { id: 'd-3', deviceUuid: 'uuid-3', name: 'AHU 3' }
const on = (type: string, id: string, name: string) => ({ resource: { type, id, name } })
const AHU_3 = { device: DEVICE }
const PAGES = '/customers/9/devicedetails'
const logOf = (...auditLogs: object[]) => ({
  ...log,
  [LOG]: listOf('auditLogs', auditLogs)
})
const cellsOf = (row: HTMLElement | undefined) =>
  within(row as HTMLElement)
    .getAllByRole('cell')
    .slice(0, 4)
    .map(({ textContent }) => textContent.trim())

t.test('the details of an entry link to its object and its actor, and say what is deleted', async (t) => {
  const project = on('PROJECT', 'p-1', 'East')
  const deletion = auditRecord(2, {
    action: 'PROJECT_DELETED',
    actor: { id: 'sa-2', type: 'SERVICE_ACCOUNT', name: 'Robot' },
    ...project
  })
  const portal = openPortal(t, '/auditlog', logOf(auditRecord(1, project), deletion))
  const [change, removal] = await portal.findAllByRole('button', { name: /^Details of/ })
  const facts = (opener: HTMLElement | undefined) => {
    fireEvent.click(opener as HTMLElement)
    return ['Object', 'Person'].map((name) => {
      const fact = portal.getByText(name, { selector: 'dt' }).nextElementSibling
      return [fact?.textContent, fact?.querySelector('a')?.getAttribute('href')]
    })
  }
  t.match(facts(change), [
    [/East$/, '/customers/9?project=p-1'],
    ['Ann Lee', '/users/u-7']
  ])
  fireEvent.click(portal.getByRole('button', { name: 'Close' }))
  t.match(facts(removal), [
    [/East \(deleted\)$/, undefined],
    ['Robot', undefined]
  ])
})

t.test('equal entries share a row, which names the device and opens with a click', async (t) => {
  const write = { action: 'POINT_WRITTEN', ...AHU_3, ...on('POINT', 'c-7', 'Fan') }
  const denied = { action: 'PROJECT_DELETED', outcome: 'DENIED', ...on('PROJECT', 'p-1', 'East') }
  const portal = openPortal(
    t,
    '/auditlog',
    logOf(auditRecord(1, write), auditRecord(2, write), auditRecord(3, denied))
  )
  const table = within(await portal.findByRole('table', { name: 'Audit log' }))
  const [, writeRow, deniedRow, ...otherRows] = table.getAllByRole('row')
  t.strictSame(otherRows, [])
  t.strictSame(cellsOf(writeRow), ['Ann Lee', 'wrote point · 2 times', 'Fan on AHU 3', 'Northwind'])
  t.strictSame(cellsOf(deniedRow), ['Ann Lee', 'Denied deleted project', 'East', 'Northwind'])
  t.notOk(portal.queryByText('Success', { selector: '.badge' }))
  t.strictSame(
    table.getAllByRole('link').filter(({ textContent }) => textContent === ''),
    []
  )
  const link = within(writeRow as HTMLElement).getByRole('link', { name: 'AHU 3' })
  t.equal(link.getAttribute('href'), `${PAGES}?deviceUuid=uuid-3`)
  fireEvent.click(table.getByRole('button', { name: /^wrote point/, expanded: false }))
  table.getByRole('button', { name: /^wrote point/, expanded: true })
  t.equal(table.getAllByRole('row').length, 5)
})

/** Answers a log with what Ann did to 60 devices within a minute, between a change of Bo before and one after. */
function bulkLog({ query }: Call) {
  const before = (ms: number) => new Date(Date.parse(NOW) - ms).toISOString()
  const edits = Array.from({ length: 60 }, (_, index) =>
    auditRecord(index, {
      ...on('DEVICE', `d-${index}`, `AHU ${index}`),
      timestamp: before(10_000 + index),
      changes: [{ field: 'location', before: null, after: 'Roof' }]
    })
  )
  const byBo = (id: number, ms: number) =>
    auditRecord(id, { actor: { id: 'u-8', type: 'USER', name: 'Bo' }, timestamp: before(ms) })
  const all = [byBo(100, -90_000), ...edits, byBo(101, 90_000)]
  const [from = '', to = ''] = [query.get('from'), query.get('to')].map((time) => time ?? '')
  const found = all.filter(
    ({ timestamp, actor }) =>
      (from === '' || timestamp >= from) &&
      (to === '' || timestamp <= to) &&
      [null, actor.id].includes(query.get('actorId'))
  )
  const [number, size] = [Number(query.get('page')), Number(query.get('size'))]
  return {
    _embedded: { auditLogs: found.slice(number * size, (number + 1) * size) },
    page: pageOf(found.length, number, size)
  }
}

t.test('a bulk edit is one row over all pages, which opens on demand, and paging goes past it', async (t) => {
  const portal = openPortal(t, '/auditlog', { ...log, [LOG]: bulkLog })
  const rowsNow = () =>
    within(portal.getByRole('table', { name: 'Audit log' }))
      .getAllByRole('row')
      .slice(1)
      .map((row) => cellsOf(row).slice(0, 3).join(' | '))
  await portal.findByText('60 devices')
  t.strictSame(rowsNow(), [
    'Bo | changed device | AHU 3',
    'Ann Lee | changed the location to Roof | 60 devices'
  ])
  fireEvent.click(portal.getByRole('button', { name: 'changed the location to Roof' }))
  t.equal(rowsNow().length, 62)
  fireEvent.click(portal.getByRole('button', { name: 'changed the location to Roof' }))
  fireEvent.click(portal.getByRole('button', { name: 'Next page' }))
  await portal.findByText('continued from an earlier page')
  t.match(portal.address(), 'page=3')
  t.strictSame(rowsNow(), [
    'Ann Lee | changed the location to Roof | 60 devicescontinued from an earlier page',
    'Bo | changed device | AHU 3'
  ])
  fireEvent.click(portal.getByRole('button', { name: 'Previous page' }))
  await waitFor(() => assert.equal(rowsNow()[0], 'Bo | changed device | AHU 3'))
})

t.test('an entry about a device has its host id below the name, and in its details', async (t) => {
  const answers = {
    ...logOf(auditRecord(1, AHU_3)),
    '/api/portal/v1/customers/9/devices': { items: [device(3)], page: pageOf(1), partial: [] }
  }
  const portal = openPortal(t, '/auditlog', answers)
  await portal.findByText('Qnx-3')
  fireEvent.click(portal.getByRole('button', { name: /^Details of/ }))
  within(portal.getByRole('dialog')).getByRole('button', { name: 'Copy host id' })
})

t.test('asks for every action but sign-ins, until the filter shows them as groups that open', async (t) => {
  const login = (name: string) => ({ action: 'LOGIN', actor: { id: name, type: 'USER', name } })
  const portal = openPortal(
    t,
    '/auditlog',
    logOf(auditRecord(1, login('Ann Lee')), auditRecord(2, login('Bo')))
  )
  await portal.findByRole('table', { name: 'Audit log' })
  t.strictSame(portal.callsTo(LOG).at(-1)?.query.getAll('action'), ['DEVICE_MOVED'])
  t.equal(portal.callsTo(LOG).length, 1)
  fireEvent.click(portal.getByRole('button', { name: 'Filters' }))
  fireEvent.change(portal.getByRole('combobox', { name: 'Sign-ins' }), { target: { value: 'shown' } })
  await waitFor(() => assert.equal(portal.callsTo(LOG).length, 2))
  t.strictSame(portal.callsTo(LOG).at(-1)?.query.getAll('action'), [])
  t.equal(portal.address(), '/auditlog?signIns=shown')
  const table = within(portal.getByRole('table', { name: 'Audit log' }))
  t.strictSame(cellsOf(table.getAllByRole('row')[1]), ['2 people', '2 sign-ins', '', 'Northwind'])
  fireEvent.click(table.getByRole('button', { name: '2 sign-ins' }))
  t.strictSame(cellsOf(table.getAllByRole('row')[3]), ['Bo', 'signed in', '', 'Northwind'])
  fireEvent.click(portal.getByRole('button', { name: 'Remove filter With sign-ins' }))
  t.equal(portal.address(), '/auditlog')
})

t.test('includes sign-ins and says so while the actions cannot be loaded', async (t) => {
  const answers = { ...logOf(auditRecord(1, {})), [`${LOG}/search/actions`]: problem(504) }
  const portal = openPortal(t, '/auditlog', answers)
  await portal.findByText('Sign-ins are included, because the list of actions could not be loaded.')
  await portal.findByRole('table', { name: 'Audit log' })
  t.strictSame(portal.callsTo(LOG).at(-1)?.query.getAll('action'), [])
})

t.test('a chosen action replaces the filter of sign-ins', async (t) => {
  const portal = openPortal(t, '/auditlog?action=LOGIN', logOf(auditRecord(1, { action: 'LOGIN' })))
  await portal.findByRole('table', { name: 'Audit log' })
  t.strictSame(portal.callsTo(LOG).at(-1)?.query.getAll('action'), ['LOGIN'])
})

t.test('changed access is shown with the names of customers, from one call for all entries', async (t) => {
  const rolesAt = (customerId: string) => `customer_user at /organizations/1/customers/${customerId}`
  const rows = [rolesAt('8'), rolesAt('9'), rolesAt('none')].map((after, index) =>
    auditRecord(index, {
      action: 'ROLES_CHANGED',
      ...on('USER', 'u-8', 'Bo'),
      changes: [{ field: 'roleAssignments', before: 'customer_admin at /organizations/1', after }]
    })
  )
  const customers = [{ id: '8', orgName: 'Harbour', scope: '/organizations/1/customers/8' }]
  const answers = {
    ...log,
    [LOG]: listOf('auditLogs', rows),
    [CUSTOMERS]: { items: customers, page: pageOf(1) }
  }
  const portal = openPortal(t, '/auditlog', answers)
  fireEvent.click((await portal.findAllByRole('button', { name: /^Details of/ }))[0] as HTMLElement)
  await portal.findByText('Customer user at Harbour')
  fireEvent.click(portal.getByRole('button', { name: 'Next event' }))
  await portal.findByText('Customer user at Northwind')
  fireEvent.click(portal.getByRole('button', { name: 'Next event' }))
  await portal.findByText('Customer user at /organizations/1/customers/none')
  portal.getByText('Customer admin at all customers')
  t.equal(portal.callsTo(CUSTOMERS).length, 1)
  t.notOk(portal.queryByText('User Bo (u-8)'))
  portal.getByText('User Bo')
})
