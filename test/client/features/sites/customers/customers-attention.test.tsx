import '../../../../support/client/dom.ts'
import assert from 'node:assert/strict'
import { fireEvent, waitFor, within } from '@testing-library/react'
import t, { type Test } from 'tap'
import type { Bootstrap, CustomerAttention } from '#shared/answers/portal.ts'
import { ATTENTION_KINDS, type AttentionKind } from '#shared/attention.ts'
import { display, textsOf } from '../../../../support/client/dom.ts'
import {
  type Call,
  CUSTOMERS,
  card,
  customersOf,
  NOW,
  problem,
  user
} from '../../../../support/client/gateway.ts'
import { openPortal, type Portal } from '../../../../support/client/portal.tsx'

const ATTENTION = '/api/portal/v1/organizations/1/attention'

type Counts = CustomerAttention['counts']

function customer(
  id: string,
  found: Partial<Record<AttentionKind, number>> = {},
  rest: Counts = {}
): CustomerAttention {
  const counts = Object.fromEntries(
    ATTENTION_KINDS.map((kind) => [kind, { count: found[kind] ?? 0, readAt: NOW }])
  )
  return { ...card(id), counts: { ...counts, ...rest }, partial: [] }
}
const list = (...items: CustomerAttention[]) => ({ items, partial: [] })
const openCards = (t: Test, answer: unknown, address = '/?view=cards', rest: Partial<Bootstrap> = {}) =>
  openPortal(t, address, { [ATTENTION]: answer, [CUSTOMERS]: customersOf('1') }, rest)
const namesIn = (portal: Portal) => textsOf(portal.container.querySelectorAll('.customer-card strong'))

t.test('lists customers by name when counts cannot be loaded', async (t) => {
  const portal = openCards(t, problem(503))
  await portal.findByText('Customer 1')
  t.notOk(portal.queryByRole('button', { name: /Needs attention/ }))
  t.notOk(portal.queryByText('All well'))
})

t.test('shows which counts are loading and which failed', async (t) => {
  const nullCounts = Object.fromEntries(ATTENTION_KINDS.map((kind) => [kind, null])) as Counts
  const failedCustomer = { ...customer('2', {}, { alarms: null }), partial: ['alarms' as const] }
  const plansCustomer = customer('3', {}, { plansExceeded: { count: 1, readAt: NOW, unread: 4 } })
  const portal = openCards(t, list(customer('1', {}, nullCounts), failedCustomer, plansCustomer))
  await portal.findByText('Reading…')
  portal.getByText('Alarms not read')
  portal.getByText('Reading 4 plans…')
  portal.getByText('1 needs attention so far, 0 of 3 customers fully checked')
  t.notOk(portal.queryByText('All well'))
})

t.test('does not say that all is well if counts could not be read', async (t) => {
  const failedCustomer = { ...customer('2', {}, { alarms: null }), partial: ['alarms' as const] }
  const portal = openCards(t, list(customer('1'), failedCustomer), '/?view=cards&show=attention')
  await portal.findByRole('heading', { name: 'Nothing needs attention so far' })
  portal.getByText('Some counts could not be read.')
  portal.getByText('0 of 2 customers need attention, 1 not fully read')
})

t.test('the filter shows no number while no count is loaded', async (t) => {
  const nullCounts = Object.fromEntries(ATTENTION_KINDS.map((kind) => [kind, null])) as Counts
  const portal = openCards(t, list(customer('1', {}, nullCounts)))
  await portal.findByRole('button', { name: 'Needs attention' })
  t.pass()
})

t.test('leaves out counts that the person may not see', async (t) => {
  const { counts, ...rest } = customer('1')
  const { withoutBackup: _hidden, ...visibleCounts } = counts
  const portal = openCards(t, list({ ...rest, counts: visibleCounts }))
  await portal.findByText('All well')
  portal.getByText('All customers are well')
})

const ONE = 'customerId=1&customerName=Customer+1'
const CHIPS: [kind: AttentionKind, name: RegExp, to: string][] = [
  [
    'servicesEnded',
    /^Services ended 7 devices with a service that has ended$/,
    `/worklists/services?days=0&order=desc&${ONE}`
  ],
  ['plansExceeded', /^Plan exceeded 7 /, `/worklists/plans?level=exceeded&${ONE}`],
  ['alarms', /^Alarms 7 alarms that need action$/, '/customers/1/alarms'],
  ['servicesEnding', /^Services ending 7 /, `/worklists/services?days=30&${ONE}`],
  ['plansWarning', /^Plan warning 7 /, `/worklists/plans?level=warning&${ONE}`],
  ['withoutBackup', /^Without backup 7 /, `/worklists/backups?${ONE}`]
]
t.test('each count links to its list and has a full name', async (t) => {
  const all = Object.fromEntries(ATTENTION_KINDS.map((kind) => [kind, 7]))
  const portal = openCards(t, list(customer('1', all)))
  const chips = within(await portal.findByRole('list', { name: 'What needs attention at Customer 1' }))
  t.equal(chips.getAllByRole('link').length, 3)
  fireEvent.click(chips.getByRole('button', { name: '+3 more at Customer 1' }))
  for (const [kind, name, to] of CHIPS)
    t.equal(chips.getByRole('link', { name }).getAttribute('href'), to, kind)
  t.equal(portal.getByRole('link', { name: /^Customer 1/ }).getAttribute('href'), '/customers/1')
})

t.test('the alarm count is not a link for roles that may not open alarms', async (t) => {
  const operator = user('nds_operator', '/organizations/1')
  const portal = openCards(t, list(customer('1', { alarms: 7 })), '/?view=cards', {
    user: operator
  })
  await portal.findByText('Alarms', { exact: false, selector: '.attention-chip' })
  t.notOk(portal.queryByRole('link', { name: /^Alarms/ }))
})

t.test('urgent customers come first; the address has the sort order, filter and search', async (t) => {
  const customers = list(customer('1'), customer('2', { withoutBackup: 1 }), customer('3', { alarms: 1 }))
  const portal = openCards(t, customers)
  await portal.findByText('Customer 3')
  t.same(namesIn(portal), ['Customer 3', 'Customer 2', 'Customer 1'])
  fireEvent.click(portal.getByRole('button', { name: 'Filter and sort' }))
  const sheet = within(await portal.findByRole('dialog', { name: 'Filter and sort' }))
  const sorts = sheet.getByRole<HTMLSelectElement>('combobox', { name: 'Sort by' })
  t.equal(sorts.selectedOptions[0]?.text, 'Worst first')
  fireEvent.change(sorts, { target: { value: 'name asc' } })
  fireEvent.click(sheet.getByRole('button', { name: 'Apply' }))
  await waitFor(() => assert.deepEqual(namesIn(portal), ['Customer 1', 'Customer 2', 'Customer 3']))
  fireEvent.click(portal.getByRole('button', { name: 'Needs attention 2' }))
  await waitFor(() => assert.deepEqual(namesIn(portal), ['Customer 2', 'Customer 3']))
  t.equal(portal.address(), '/?view=cards&sort=name&order=asc&show=attention')
  const search = portal.getByRole('searchbox', { name: 'Search customers' })
  fireEvent.change(search, { target: { value: 'MER 3' } })
  await waitFor(() => assert.deepEqual(namesIn(portal), ['Customer 3']))
  t.same(portal.callsTo(CUSTOMERS), [])
})

t.test('is sorted worst first from the start: it is sorted again until somebody touches it', async (t) => {
  const portal = openCards(t, list(customer('1'), customer('2')))
  await portal.findByText('Customer 2')
  portal.gateway.answers[ATTENTION] = list(customer('1'), customer('2', { alarms: 9 }))
  fireEvent.click(portal.getByRole('button', { name: 'Refresh the list' }))
  await waitFor(() => assert.deepEqual(namesIn(portal), ['Customer 2', 'Customer 1']))
  t.notOk(portal.queryByRole('button', { name: /Sort again/ }))
})

t.test('keeps the order of a touched list while counts change, and offers to sort again', async (t) => {
  const portal = openCards(t, list(customer('1', { alarms: 2 }), customer('2', { alarms: 1 })))
  fireEvent.pointerOver(await portal.findByText('Customer 2'))
  portal.gateway.answers[ATTENTION] = list(customer('1'), customer('2', { alarms: 9 }))
  fireEvent.click(portal.getByRole('button', { name: 'Refresh the list' }))
  const sortButton = await portal.findByRole('button', { name: 'Counts have changed: Sort again' })
  t.same(namesIn(portal), ['Customer 1', 'Customer 2'])
  fireEvent.click(sortButton)
  await waitFor(() => assert.deepEqual(namesIn(portal), ['Customer 2', 'Customer 1']))
  t.notOk(portal.queryByRole('button', { name: /Sort again/ }))
})

t.test('a refresh requests counts of the last minute; the first load accepts older counts', async (t) => {
  const portal = openCards(t, list(customer('1')))
  await portal.findByText('Customer 1')
  fireEvent.click(portal.getByRole('button', { name: 'Refresh the list' }))
  await waitFor(() => assert.equal(portal.callsTo(ATTENTION).length, 2))
  t.same(
    portal.callsTo(ATTENTION).map(({ query }: Call) => query.get('maxAge')),
    [null, '60']
  )
})

t.test('the title has the age of all counts, and a card only if it is older than most', async (t) => {
  const oldTime = new Date(Date.parse(NOW) - 3 * 3_600_000).toISOString()
  const old = { alarms: { count: 1, readAt: oldTime } }
  const portal = openCards(t, list(customer('1', {}, old), customer('2'), customer('3')))
  await portal.findByText('Customer 1')
  const ages = [...portal.container.querySelectorAll('.attention-age')]
  t.same(textsOf(ages), ['checked just now', 'checked 3 hours ago'])
  t.equal(ages[0]?.closest('.title-block') === null, false)
  t.equal(ages[1]?.closest('li')?.querySelector('strong')?.textContent, 'Customer 1')
  t.notOk(portal.queryByText('live'))
})

t.test('the title marks counts that are old at most customers', async (t) => {
  const oldTime = new Date(Date.parse(NOW) - 3 * 3_600_000).toISOString()
  const portal = openCards(t, list(customer('1', {}, { alarms: { count: 1, readAt: oldTime } })))
  await portal.findByText('Customer 1')
  const ages = [...portal.container.querySelectorAll('.attention-age')]
  t.same(textsOf(ages), ['checked 3 hours ago'])
  t.equal(ages[0]?.getAttribute('data-old'), 'true')
})

t.test('a card has the chips of what stands out first, and colours only these', async (t) => {
  const usual = { servicesEnded: 2, plansExceeded: 2, alarms: 2, servicesEnding: 2, plansWarning: 2 }
  const customers = [
    customer('1', usual),
    customer('2', usual),
    customer('3', { ...usual, plansWarning: 50 })
  ]
  const portal = openCards(t, list(...customers))
  const chips = await portal.findByRole('list', { name: 'What needs attention at Customer 3' })
  const [first, second] = chips.querySelectorAll('.attention-chip')
  t.match(first?.textContent, /^Plan warning 50/)
  t.ok(first?.classList.contains('warn'))
  t.match(second?.textContent, /^Services ended 2/)
  t.ok(second?.classList.contains('plain'))
})

t.test('shows a message when no customer needs attention', async (t) => {
  const portal = openCards(t, list(customer('1')), '/?view=cards&show=attention')
  await portal.findByRole('heading', { name: 'No customer needs attention' })
  fireEvent.click(portal.getByRole('button', { name: 'Show all customers' }))
  await portal.findByText('Customer 1')
  t.equal(portal.address(), '/?view=cards')
})

t.test('no customer in need of attention matches only so far, while counts are read', async (t) => {
  const unread = customer('1', {}, { alarms: null })
  const portal = openCards(t, list(unread), '/?view=cards&show=attention&q=Customer')
  await portal.findByRole('heading', { name: 'No customers match “Customer” so far' })
  portal.getByText(/^Counts are still loading\./)
})

t.test('asks to read the shown cards first; of more than fifty, the last ones', async (t) => {
  const ids = Array.from({ length: 70 }, (_, index) => String(index + 1))
  const portal = openCards(t, list(...ids.map((id) => customer(id, {}, { alarms: null }))))
  const firstIds = () => portal.callsTo(ATTENTION).map(({ query }: Call) => query.getAll('first'))
  await waitFor(() => assert.deepEqual(firstIds(), [[], ids.slice(0, 20)]))
  for (const shown of [40, 60]) {
    fireEvent.click(await portal.findByRole('button', { name: 'Load more' }))
    await waitFor(() => assert.deepEqual(firstIds().at(-1), ids.slice(Math.max(0, shown - 50), shown)))
  }
})

t.test('shows twenty customers; “Load more” shows the next ones', async (t) => {
  const customers = Array.from({ length: 30 }, (_, index) => customer(String(index + 1)))
  const portal = openCards(t, list(...customers))
  fireEvent.click(await portal.findByRole('button', { name: 'Load more' }))
  await portal.findByText('Customer 30')
  await waitFor(() => assert.equal(document.activeElement?.getAttribute('href'), '/customers/21'))
  portal.getByText('30 of 30 customers shown')
})

t.test('fills a tall window, in which the end of the cards stays in view', async (t) => {
  const customers = Array.from({ length: 50 }, (_, index) => customer(String(index + 1)))
  const portal = openCards(t, list(...customers))
  await portal.findByText('20 of 50 customers shown')
  const [reportFirst] = display.watched
  reportFirst?.(true)
  await portal.findByText('40 of 50 customers shown')
  const [reportSecond] = display.watched
  t.not(reportSecond, reportFirst)
  reportSecond?.(true)
  await portal.findByText('50 of 50 customers shown')
})
