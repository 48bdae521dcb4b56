import '../../../../support/client/dom.ts'
import assert from 'node:assert/strict'
import { fireEvent, waitFor, within } from '@testing-library/react'
import t, { type Test } from 'tap'
import { recall } from '#client/lib/storage.ts'
import type { Bootstrap, CustomerAttention } from '#shared/answers/portal.ts'
import { ATTENTION_KINDS, type AttentionKind } from '#shared/attention.ts'
import { DEVICES, devicePage } from '../../../../support/client/customer.ts'
import { setDisplay, textsOf } from '../../../../support/client/dom.ts'
import { type Call, card, NOW, never, user } from '../../../../support/client/gateway.ts'
import { EVENTS, liveStreams } from '../../../../support/client/live-streams.ts'
import { openPortal, type Portal } from '../../../../support/client/portal.tsx'

const ATTENTION = '/api/portal/v1/organizations/1/attention'
const SEEN = 'portal.customers-seen.u-1.1'

type Counts = CustomerAttention['counts']

function customer(
  id: string,
  found: Partial<Record<AttentionKind, number>> = {},
  rest: Partial<CustomerAttention> = {}
): CustomerAttention {
  const counts = Object.fromEntries(
    ATTENTION_KINDS.map((kind) => [kind, { count: found[kind] ?? 0, readAt: NOW }])
  )
  return { ...card(id), partial: [], ...rest, counts: { ...counts, ...rest.counts } }
}

const openList = (t: Test, items: CustomerAttention[], address = '/', rest: Partial<Bootstrap> = {}) =>
  openPortal(t, address, { [ATTENTION]: { items, partial: [] } }, rest)

const namesIn = (portal: Portal) => textsOf(portal.container.querySelectorAll('tbody th a'))
const headsIn = (portal: Portal) => textsOf(portal.container.querySelectorAll('thead th > button'))
const cellOf = (portal: Portal, name: string, head: string) => {
  const row = portal.getByRole('row', { name: new RegExp(`^${name}\\b`) })
  return row.children[headsIn(portal).indexOf(head)] as HTMLElement
}

t.test('says which counts are not read, and shows a dash only for zero', async (t) => {
  const counts = {
    alarms: null,
    servicesEnded: null,
    plansExceeded: { count: 1, readAt: NOW, unread: 4 },
    plansWarning: { count: 0, readAt: NOW, unread: 4 }
  } satisfies Counts
  const portal = openList(t, [customer('1', {}, { counts, partial: ['alarms'] })])
  await portal.findByRole('table', { name: 'Customers' })
  const textOf = (head: string) => cellOf(portal, 'Customer 1', head).textContent
  t.equal(textOf('Alarms'), 'not read')
  t.equal(textOf('Services ended'), 'reading…')
  t.equal(textOf('Plan exceeded'), '≥ 1')
  t.equal(textOf('Plan warning'), 'reading…')
  t.equal(textOf('Services ending'), '–0')
  t.notOk(cellOf(portal, 'Customer 1', 'Services ending').querySelector('a'))
})

t.test('has no column for counts that the person may not see', async (t) => {
  const { counts, ...rest } = customer('1')
  const { withoutBackup: _hidden, ...visibleCounts } = counts
  const portal = openList(t, [{ ...rest, counts: visibleCounts }])
  await portal.findByRole('table', { name: 'Customers' })
  t.same(headsIn(portal), [
    'Customer',
    'Projects',
    'Devices',
    'Alarms',
    'Services ended',
    'Services ending',
    'Plan exceeded',
    'Plan warning'
  ])
})

t.test('the alarm count is not a link for roles that may not open alarms', async (t) => {
  const operator = user('nds_operator', '/organizations/1')
  const portal = openList(t, [customer('1', { alarms: 7, servicesEnded: 2 })], '/', { user: operator })
  await portal.findByRole('link', { name: /^Customer 1: 2 devices/ })
  t.equal(cellOf(portal, 'Customer 1', 'Alarms').textContent, '7')
  t.notOk(portal.queryByRole('link', { name: /alarms/ }))
})

const ONE = 'customerId=1&customerName=Customer+1'
const LINKS: [name: string, to: string][] = [
  ['Customer 1: 7 alarms', '/customers/1/alarms'],
  ['Customer 1: 7 devices with a service that has ended', `/worklists/services?days=0&order=desc&${ONE}`],
  ['Customer 1: 7 devices with a service that ends within 30 days', `/worklists/services?days=30&${ONE}`],
  ['Customer 1: 7 devices with data usage above their plan', `/worklists/plans?level=exceeded&${ONE}`],
  [
    'Customer 1: 7 devices with data usage close to the limit of their plan',
    `/worklists/plans?level=warning&${ONE}`
  ],
  ['Customer 1: 7 devices without a good backup in 30 days', `/worklists/backups?${ONE}`],
  ['All alarms that need action', '/alarms'],
  ['All devices with a service that has ended', '/worklists/services?days=0&order=desc'],
  ['All devices with data usage above their plan', '/worklists/plans?level=exceeded'],
  ['All devices without a good backup in 30 days', '/worklists/backups'],
  ['All devices', '/worklists/devices'],
  ['Customer 1', '/customers/1']
]
t.test('each number and each head links to its list, and its name says what it counts', async (t) => {
  const all = Object.fromEntries(ATTENTION_KINDS.map((kind) => [kind, 7]))
  const portal = openList(t, [customer('1', all)])
  await portal.findByRole('table', { name: 'Customers' })
  for (const [name, to] of LINKS) t.equal(portal.getByRole('link', { name }).getAttribute('href'), to, name)
})

t.test(
  'sorts worst first, by a column its largest numbers first, and then the other way round',
  async (t) => {
    const customers = [
      customer('1', { alarms: 2 }),
      customer('2', { alarms: 9 }),
      customer('3', { alarms: 1, plansExceeded: 1 })
    ]
    const portal = openList(t, customers)
    await portal.findByRole('table', { name: 'Customers' })
    t.same(namesIn(portal), ['Customer 3', 'Customer 2', 'Customer 1'])
    fireEvent.click(portal.getByRole('button', { name: 'Alarms' }))
    await waitFor(() => assert.deepEqual(namesIn(portal), ['Customer 2', 'Customer 1', 'Customer 3']))
    t.equal(portal.getByRole('columnheader', { name: 'Alarms' }).getAttribute('aria-sort'), 'descending')
    t.equal(portal.address(), '/?sort=alarms&order=desc')
    fireEvent.click(portal.getByRole('button', { name: 'Alarms' }))
    await waitFor(() => assert.deepEqual(namesIn(portal), ['Customer 3', 'Customer 1', 'Customer 2']))
    t.equal(portal.address(), '/?sort=alarms&order=asc')
    fireEvent.click(portal.getByRole('button', { name: 'Sort worst first' }))
    await waitFor(() => assert.deepEqual(namesIn(portal), ['Customer 3', 'Customer 2', 'Customer 1']))
    t.equal(portal.address(), '/')
  }
)

t.test('an address with a sort order of earlier versions still sorts by name, A to Z', async (t) => {
  const portal = openList(t, [customer('1'), customer('2', { alarms: 1 })], '/?sort=name')
  await portal.findByRole('table', { name: 'Customers' })
  t.same(namesIn(portal), ['Customer 1', 'Customer 2'])
})

t.test('shows fifty customers on a page', async (t) => {
  const customers = Array.from({ length: 120 }, (_, index) => customer(String(index + 1)))
  const portal = openList(t, customers)
  await portal.findByText('1–50 of 120')
  fireEvent.click(portal.getByRole('button', { name: 'Last page' }))
  await waitFor(() => assert.equal(namesIn(portal).length, 20))
  t.equal(portal.address(), '/?page=3')
  fireEvent.change(portal.getByRole('searchbox', { name: 'Search customers' }), { target: { value: '120' } })
  await waitFor(() => assert.deepEqual(namesIn(portal), ['Customer 120']))
  t.notOk(portal.queryByRole('button', { name: 'Next page' }))
})

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => String(from + index))
const unread = { counts: { withoutBackup: null } }
/** The customers that each call asks to read first. */
const firstIdsIn = (portal: Portal) => portal.callsTo(ATTENTION).map(({ query }) => query.getAll('first'))

t.test('asks for no other counts at once if those of the shown customers are read', async (t) => {
  const portal = openList(t, [customer('1', { alarms: 2 }), customer('2', { servicesEnded: 1, alarms: 1 })])
  await portal.findByRole('table', { name: 'Customers' })
  t.same(namesIn(portal), ['Customer 2', 'Customer 1'])
  fireEvent.click(portal.getByRole('button', { name: 'Alarms' }))
  await waitFor(() => assert.deepEqual(namesIn(portal), ['Customer 1', 'Customer 2']))
  t.same(firstIdsIn(portal), [[]])
})

t.test('asks to read the customers of the shown page first', async (t) => {
  const customers = numbers(1, 120).map((id) => customer(id, {}, unread))
  const portal = openList(t, customers)
  await portal.findByText('1–50 of 120')
  await waitFor(() => assert.deepEqual(firstIdsIn(portal), [[], numbers(1, 50)]))
  fireEvent.click(portal.getByRole('button', { name: 'Last page' }))
  await waitFor(() => assert.deepEqual(firstIdsIn(portal).at(-1), numbers(101, 120)))
  fireEvent.change(portal.getByRole('searchbox', { name: 'Search customers' }), { target: { value: '7' } })
  const withSeven = numbers(1, 120).filter((id) => id.includes('7'))
  await waitFor(() => assert.deepEqual(firstIdsIn(portal).at(-1), withSeven))
})

t.test('keeps the counts on the screen while a sorted list asks for those of other customers', async (t) => {
  const portal = openList(t, [
    customer('1', { alarms: 2 }, unread),
    customer('2', { alarms: 1, plansExceeded: 1 }, unread)
  ])
  await waitFor(() => assert.deepEqual(firstIdsIn(portal), [[], ['2', '1']]))
  portal.gateway.answers[ATTENTION] = never
  fireEvent.click(await portal.findByRole('button', { name: 'Alarms' }))
  await waitFor(() => assert.deepEqual(firstIdsIn(portal).at(-1), ['1', '2']))
  t.same(namesIn(portal), ['Customer 1', 'Customer 2'])
  t.equal(cellOf(portal, 'Customer 1', 'Alarms').textContent, '2')
  t.notOk(portal.queryByText('Loading all customers'))
})

t.test('colours only a number that stands out in its column', async (t) => {
  const customers = [
    customer('1', { alarms: 50, servicesEnding: 50, withoutBackup: 50 }),
    customer('2', { alarms: 4, servicesEnding: 4, withoutBackup: 4 }),
    customer('3', { alarms: 4, servicesEnding: 4, withoutBackup: 4 })
  ]
  const portal = openList(t, customers)
  await portal.findByRole('table', { name: 'Customers' })
  const classOf = (name: string, head: string) => cellOf(portal, name, head).firstElementChild?.className
  t.equal(classOf('Customer 1', 'Alarms'), 'attention-number marked danger')
  t.equal(classOf('Customer 1', 'Services ending'), 'attention-number marked warn')
  t.equal(classOf('Customer 1', 'Without backup'), 'attention-number marked plain')
  t.equal(classOf('Customer 2', 'Alarms'), 'attention-number')
})

t.test('nothing is new at the first look', async (t) => {
  const portal = openList(t, [customer('1', { alarms: 7 })])
  await portal.findByRole('link', { name: 'Customer 1: 7 alarms' })
  t.notOk(portal.container.querySelector('.new-dot'))
  t.notOk(portal.queryByRole('button', { name: /as seen/ }))
})

t.test('marks what has arrived since the last look, until it is marked as seen', async (t) => {
  localStorage.setItem(SEEN, JSON.stringify({ 1: { alarms: 4 }, 2: { alarms: 7 } }))
  const portal = openList(t, [customer('1', { alarms: 7 }), customer('2', { alarms: 7 })])
  await portal.findByRole('link', { name: 'Customer 1: 7 alarms, 3 new' })
  t.equal(cellOf(portal, 'Customer 1', 'Alarms').textContent, '7 +3')
  t.ok(cellOf(portal, 'Customer 1', 'Customer').querySelector('.new-dot'))
  t.notOk(cellOf(portal, 'Customer 2', 'Customer').querySelector('.new-dot'))
  fireEvent.click(portal.getByRole('button', { name: 'Mark 1 as seen' }))
  await portal.findByRole('link', { name: 'Customer 1: 7 alarms' })
  t.notOk(portal.container.querySelector('.new-dot'))
})

t.test('the news of a customer stay until the person opens this customer', async (t) => {
  localStorage.setItem(SEEN, JSON.stringify({ 9: { alarms: 4 }, 10: { alarms: 4 } }))
  const portal = openPortal(t, '/', {
    [ATTENTION]: { items: [customer('9', { alarms: 7 }), customer('10', { alarms: 7 })], partial: [] },
    [DEVICES]: (call: Call) => ({ ...devicePage([], call), partial: [] })
  })
  await portal.findByRole('link', { name: 'Customer 9: 7 alarms, 3 new' })
  fireEvent.click(portal.getByRole('link', { name: 'Customer 9' }))
  await portal.findByRole('heading', { level: 1, name: 'Customer 9' })
  await portal.router.navigate('/')
  await portal.findByRole('link', { name: 'Customer 10: 7 alarms, 3 new' })
  portal.getByRole('link', { name: 'Customer 9: 7 alarms' })
})

t.test('stores the counts when the person hides the page, but not after signing out', async (t) => {
  const portal = openList(t, [customer('1', { alarms: 7 })])
  await portal.findByRole('link', { name: 'Customer 1: 7 alarms' })
  const hide = () => {
    Object.defineProperty(document, 'hidden', { value: true, configurable: true })
    // SWR passes the event to setTimeout as a delay.
    fireEvent(document, Object.assign(new window.Event('visibilitychange'), { valueOf: () => 0 }))
  }
  t.teardown(() => Object.defineProperty(document, 'hidden', { value: false, configurable: true }))
  hide()
  t.equal(recall<Record<string, Counts>>(SEEN)?.[1]?.alarms, 7)
  localStorage.clear()
  hide()
  t.equal(recall(SEEN), null)
})

t.test('a desk shows a list, a phone cards; the choice is in the address and stays', async (t) => {
  const portal = openList(t, [customer('1')])
  await portal.findByRole('table', { name: 'Customers' })
  const switchTo = within(portal.getByRole('group', { name: 'Show customers as' }))
  t.equal(switchTo.getByRole('button', { name: 'List' }).getAttribute('aria-pressed'), 'true')
  const cards = switchTo.getByRole('button', { name: 'Cards' })
  cards.focus()
  fireEvent.click(cards)
  await waitFor(() => assert.ok(portal.container.querySelector('.card-grid')))
  t.ok(document.activeElement === cards)
  t.equal(portal.address(), '/?view=cards')
  await portal.router.navigate('/')
  await waitFor(() => assert.ok(portal.container.querySelector('.card-grid')))
  await portal.router.navigate('/?view=list')
  await portal.findByRole('table', { name: 'Customers' })
  setDisplay({ wide: false })
  await waitFor(() => assert.ok(portal.container.querySelector('.card-grid')))
  t.notOk(portal.queryByRole('group', { name: 'Show customers as' }))
})

t.test('says “live” while changes arrive by themselves', async (t) => {
  const streams = liveStreams()
  const portal = openPortal(t, '/', {
    [ATTENTION]: { items: [customer('1')], partial: [] },
    [EVENTS]: streams.open
  })
  await portal.findByText('All customers are well', { exact: false })
  t.notOk(portal.queryByText('live'))
  const stream = await streams.at(0)
  stream.send({ event: 'counts', data: { organizationId: '1', tag: 'new' } })
  await portal.findByText('live')
})
