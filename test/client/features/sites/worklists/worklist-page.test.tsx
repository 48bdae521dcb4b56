// The lists over all customers: rows and links, the address, the file, gaps, and who sees which lists.
import '../../../../support/client/dom.ts'
import assert from 'node:assert/strict'
import { act, fireEvent, waitFor, within } from '@testing-library/react'
import t, { type Test } from 'tap'
import type { Bootstrap } from '#shared/answers/portal.ts'
import type { BackupRow, DeviceRow, PlanRow, ServiceRow } from '#shared/answers/worklists.ts'
import { textsOf } from '../../../../support/client/dom.ts'
import { type Call, card, device, NOW, pageOf, user } from '../../../../support/client/gateway.ts'
import { openPortal, type Portal } from '../../../../support/client/portal.tsx'
import { savedFiles } from '../../../../support/client/saved-files.ts'

const BASE = '/api/portal/v1/organizations/1'
const DAY_MS = 86_400_000
const iso = (days: number) => new Date(Date.parse(NOW) + days * DAY_MS).toISOString()
const nameOf = ({ id, orgName, scope }: ReturnType<typeof card>) => ({ id, orgName, scope })
const customer = (id: string) => nameOf(card(id))

const deviceNamed = (deviceName: string) => ({
  deviceUuid: `u-${deviceName}`,
  deviceName,
  hostId: `Qnx-${deviceName}`,
  projectName: 'Tower'
})

const service = (deviceName: string, days: number, customerId = '9'): ServiceRow => ({
  customer: customer(customerId),
  device: deviceNamed(deviceName),
  service: 'NDS',
  endDate: iso(days)
})

const total = (id: string, rest: object = {}) => ({
  customer: customer(id),
  rows: 1,
  more: 0,
  readAt: NOW,
  ...rest
})

const listOf = (items: readonly unknown[], rest: object = {}) => ({
  items,
  page: pageOf(items.length, 0, 25),
  totals: [total('9', { ended: 1, ending: 2 })],
  partial: [],
  readAt: NOW,
  ...rest
})

const open = (t: Test, address: string, answer: unknown, rest: Partial<Bootstrap> = {}) =>
  openPortal(t, address, { [`${BASE}/${address.slice(1).split('?')[0]}`]: answer }, rest)

const cellsOf = (portal: Portal, name: RegExp) =>
  textsOf(portal.getByRole('row', { name }).querySelectorAll('th, td'))

t.test('services: each row opens its device; days left are a warning by their number', async (t) => {
  const rows = [service('AHU-1', -6), service('AHU-2', 5), service('AHU-3', 20), service('AHU-4', 80)]
  const portal = open(t, '/worklists/services', listOf(rows))
  const row = within(await portal.findByRole('row', { name: /AHU-2/ }))
  t.equal(
    row.getByRole('link', { name: 'AHU-2' }).getAttribute('href'),
    '/customers/9/devicedetails?deviceUuid=u-AHU-2'
  )
  t.equal(row.getByRole('link', { name: 'Customer 9' }).getAttribute('href'), '/customers/9')
  t.match(cellsOf(portal, /AHU-1/), [
    'Customer 9',
    'AHU-1Qnx-AHU-1',
    'Tower',
    'Data Services',
    '23-Feb-2026',
    'Ended 6 d ago'
  ])
  const badges = [...portal.container.querySelectorAll('tbody .badge')].map(({ className }) => className)
  t.strictSame(badges, ['badge danger', 'badge danger', 'badge warn', 'badge plain'])
})

t.test('asks for what the address says: filters, order and page', async (t) => {
  const portal = open(
    t,
    '/worklists/services?days=30&customerId=9&customerName=Northwind&sort=customer&page=2',
    (call: Call) => listOf([service('AHU-1', 5)], { page: pageOf(60, Number(call.query.get('page')), 25) })
  )
  await portal.findByRole('row', { name: /AHU-1/ })
  const [first] = portal.callsTo(`${BASE}/worklists/services`)
  t.strictSame(Object.fromEntries(first?.query ?? []), {
    customerId: '9',
    days: '30',
    sort: 'customer',
    order: 'asc',
    page: '1',
    size: '25'
  })
  portal.getByText(/Northwind · 2 devices/)
})

for (const [query, href] of [
  ['services?days=30', '/customers/9?expires=30'],
  ['services?days=0&service=NDS', '/customers/9?service=NDS&expires=0'],
  ['services?days=90&service=NDS', '/customers/9?service=NDS&sort=nearestEnd'],
  // Devices whose service has ended are in no list of that service.
  ['services?service=NDS', '/customers/9?sort=nearestEnd'],
  ['services', '/customers/9?sort=nearestEnd'],
  ['plans?level=warning', '/customers/9?plan=warning&sort=usagePercent&order=desc'],
  ['plans', null],
  ['backups', '/customers/9/savedbackups?missing=yes']
] as const)
  t.test(`${query}: leads to the page of the customer that has all rows, if there is one`, async (t) => {
    const answer = listOf([], { totals: [total('9', { ended: 0, ending: 700, more: 240 })] })
    const items = [{ ...service('AHU-1', 5), planLimit: 10, used: 9, percent: 90, level: 'warning' }]
    const address = `/worklists/${query}${query.includes('?') ? '&' : '?'}customerId=9&customerName=Northwind`
    const portal = open(t, address, { ...answer, items, page: pageOf(1, 0, 25) })
    await portal.findByRole('row', { name: /AHU-1/ })
    portal.getByText(/^Customer 9 has/)
    for (const name of ['Show at Northwind', '240 more'])
      t.equal(portal.queryByRole('link', { name })?.getAttribute('href') ?? null, href)
  })

t.test('the file has every row that matches', async (t) => {
  const files = savedFiles(t)
  const rows = [service('AHU-1', -6), service('=cmd', 5)]
  const portal = open(t, '/worklists/services', listOf(rows))
  await portal.findByRole('row', { name: /AHU-1/ })
  fireEvent.click(portal.getByRole('button', { name: 'Export CSV' }))
  await portal.findByText('2 services saved.')
  const [[name, blob] = []] = files
  t.match(name, /^services-/)
  const lines = (await blob?.text())?.trim().split('\r\n') ?? []
  t.equal(
    lines[0]?.replace('\uFEFF', ''),
    'Customer,Device,Host ID,Project,Service,Ends,Days left,Device UUID'
  )
  t.equal(lines[2], `Customer 9,'=cmd,Qnx-=cmd,Tower,Data Services,${iso(5)},5,u-=cmd`)
})

t.test('names customers that are not read', async (t) => {
  const portal = open(t, '/worklists/services', listOf([service('AHU-1', 5)], { partial: [customer('10')] }))
  await portal.findByText('1 customer of 2 not read or late: Customer 10.')
  t.pass()
})

t.test('an empty list says whether it is complete', async (t) => {
  const answer = { current: listOf([], { totals: [], partial: [customer('9')], readAt: null }) }
  const portal = open(t, '/worklists/plans', () => answer.current)
  await portal.findByRole('heading', { name: 'Nothing found so far' })
  portal.getByText('1 customer of 1 not read or late: Customer 9.')
  answer.current = listOf([], { totals: [total('9', { exceeded: 0, warning: 0, unread: 0 })] })
  await portal.findByRole('heading', { name: 'No plan is near or over its limit' })
})

t.test('counts no devices before a customer is read', async (t) => {
  const portal = open(t, '/worklists/services?days=0', listOf([], { totals: [], partial: [customer('9')] }))
  await portal.findByText('1 customer of 1 not read or late: Customer 9.')
  t.notOk(portal.queryByText(/0 devices/))
})

for (const list of ['services', 'devices'])
  t.test(`${list}: nothing matches only so far while customers of the filter are not read`, async (t) => {
    const answer = {
      ...listOf([], { totals: [total('10')], partial: [customer('9')] }),
      customers: { read: 1, of: 2 }
    }
    const answers = { [`${BASE}/worklists/services`]: answer, [`${BASE}/devices`]: answer }
    const portal = openPortal(t, `/worklists/${list}?service=NDS`, answers)
    await portal.findByRole('heading', {
      name: /^No (services|customer devices) match these filters so far$/
    })
    portal.getByText('1 customer of 2 not read or late: Customer 9.')
    portal.getByRole('button', { name: 'Clear filters' })
    await act(() => portal.router.navigate(`/worklists/${list}?service=NDS&customerId=10`))
    await portal.findByRole('heading', { name: /^No (services|customer devices) match these filters$/ })
    t.notOk(portal.queryByText(/not read or late/))
  })

t.test('plans show their use; backups the last good one', async (t) => {
  const plan: PlanRow = {
    customer: customer('9'),
    device: deviceNamed('AHU-1'),
    planLimit: 10,
    used: 15.9805,
    percent: 159.805,
    level: 'exceeded'
  }
  const plans = open(t, '/worklists/plans', listOf([plan]))
  await plans.findByRole('row', { name: /AHU-1/ })
  t.match(cellsOf(plans, /AHU-1/).slice(3), ['10 GB', '15.98 GB', '159.9 %'])
  plans.unmount()
  const backup = (deviceName: string, lastBackup: string | null, noneSince: string | null): BackupRow => ({
    customer: customer('9'),
    device: deviceNamed(deviceName),
    lastBackup,
    noneSince
  })
  const rows = [backup('AHU-1', null, null), backup('AHU-2', null, iso(-90)), backup('AHU-3', iso(-40), null)]
  const backups = open(t, '/worklists/backups', listOf(rows))
  await backups.findByRole('row', { name: /AHU-1/ })
  t.equal(cellsOf(backups, /AHU-1/).at(-1), 'Never')
  t.equal(cellsOf(backups, /AHU-2/).at(-1), 'None since 01-Dec-2025')
  t.equal(cellsOf(backups, /AHU-3/).at(-1), '20-Jan-2026')
})

t.test('devices: active services and the nearest end; the address has the search', async (t) => {
  const row = (number: number, endDays: number | null): DeviceRow => ({
    ...device(number),
    customer: customer('9'),
    subscriptions:
      endDays === null ? [] : [{ offeringCode: 'Remote', startDate: iso(-100), endDate: iso(endDays) }],
    nearestEnd: endDays === null ? null : iso(endDays)
  })
  const answer = {
    items: [row(1, 12), row(2, 200), row(3, null)],
    page: pageOf(3, 0, 25),
    customers: { read: 1, of: 2 },
    partial: [customer('10')],
    readAt: NOW
  }
  const portal = openPortal(t, '/worklists/devices', { [`${BASE}/devices`]: answer })
  await portal.findByText(/1 customer of 2 not read/)
  t.match(
    [1, 2, 3].map((number) => cellsOf(portal, new RegExp(`\\b${row(number, null).deviceName}`)).at(-1)),
    [/^Remote 12 d/, '17-Sep-2026', '–']
  )
  const field = portal.getByRole('searchbox', { name: 'Device, Project, Customer' })
  fireEvent.change(field, { target: { value: 'tower' } })
  await waitFor(() => assert.equal(portal.callsTo(`${BASE}/devices`).at(-1)?.query.get('q'), 'tower'))
  await waitFor(() => assert.equal(portal.address(), '/worklists/devices?q=tower'))
})

t.test('says that the role does not include a list, and asks for none of its rows', async (t) => {
  const portal = open(t, '/worklists/backups', listOf([], { totals: [], readAt: null }), {
    user: user('nds_operator', '/organizations/1')
  })
  await portal.findByText('Your role does not include the backups of any customer.')
  t.strictSame(portal.callsTo(`${BASE}/worklists/backups`), [])
})

t.test('does not say that all is well at an organization without customers', async (t) => {
  const portal = open(t, '/worklists/backups', listOf([], { totals: [], readAt: null }))
  await portal.findByRole('heading', { name: 'No Customers Added' })
})

t.test('devices: names the characters that the search cannot use, and searches without them', async (t) => {
  const answer = {
    items: [],
    page: pageOf(0, 0, 25),
    customers: { read: 1, of: 1 },
    partial: [],
    readAt: NOW
  }
  const address = `/worklists/devices?q=${encodeURIComponent('R&D AHU')}`
  const portal = openPortal(t, address, { [`${BASE}/devices`]: answer })
  await portal.findByRole('heading', { name: 'No customer devices match “R&D AHU”' })
  portal.getByText("Search can't use these characters:")
  fireEvent.click(portal.getByRole('button', { name: 'Search without them' }))
  await waitFor(() => assert.equal(portal.address(), '/worklists/devices?q=RD+AHU'))
  await portal.findByRole('heading', { name: 'No customer devices match “RD AHU”' })
  t.notOk(portal.queryByText("Search can't use these characters:"))
})

for (const [list, label, choices] of [
  ['services', 'End', ['Ended or ending', 'Has ended', 'Ends within 30 days', 'Ends within 90 days']],
  ['plans', 'Usage', ['Near or over limit', 'Over the limit', '80 to 100 %']]
] as const)
  t.test(`${list}: the choices of the filter “${label}” say what they match`, async (t) => {
    const portal = open(t, `/worklists/${list}`, listOf([]))
    const field = await portal.findByRole('combobox', { name: label })
    t.strictSame(textsOf(field.querySelectorAll('option')), choices)
  })

t.test('links the lists that the person may see', async (t) => {
  const linksFor = async (role: 'partner_admin' | 'nds_operator') => {
    const portal = open(t, '/worklists/services', listOf([]), { user: user(role, '/organizations/1') })
    const lists = within(await portal.findByRole('navigation', { name: 'Lists of all customers' }))
    const names = lists.getAllByRole('link').map(({ textContent }) => textContent)
    portal.unmount()
    return names
  }
  t.strictSame(await linksFor('partner_admin'), ['Customers', 'Services', 'Plans', 'Backups', 'Devices'])
  t.strictSame(await linksFor('nds_operator'), ['Customers', 'Services', 'Plans', 'Devices'])
})
