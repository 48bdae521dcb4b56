import '../../../../support/client/dom.ts'
import assert from 'node:assert/strict'
import { fireEvent, waitFor, within } from '@testing-library/react'
import t from 'tap'
import { display, textsOf } from '../../../../support/client/dom.ts'
import { type Call, CUSTOMERS, card, pageOf, problem } from '../../../../support/client/gateway.ts'
import { openPortal, type Portal } from '../../../../support/client/portal.tsx'

const customers = (total: number) => (call: Call) => {
  const all = Array.from({ length: total }, (_, index) => card(String(index + 1)))
  const matches = all.filter(({ orgName }) => orgName.includes(call.query.get('keyword') ?? ''))
  const [number, size] = [Number(call.query.get('page')), Number(call.query.get('size'))]
  return {
    items: matches.slice(number * size, (number + 1) * size),
    page: pageOf(matches.length, number, size)
  }
}

const cardsOf = (portal: Portal) => textsOf(portal.container.querySelectorAll('.customer-card > a'))

t.test('shows an error, “Refresh” and the support contact when customers fail to load', async (t) => {
  const portal = openPortal(t, '/', { [CUSTOMERS]: problem(409) })
  await portal.findByRole('heading', { name: 'Data Conflict found' })
  portal.getByText('Unable to complete the request due to a conflict.')
  portal.getByText('+1 555 0100')
  portal.gateway.answers[CUSTOMERS] = customers(1)
  fireEvent.click(portal.getByRole('button', { name: 'Refresh' }))
  await portal.findByText('Customer 1')
})

t.test('shows the support contact when there are no customers', async (t) => {
  const portal = openPortal(t, '/', { [CUSTOMERS]: customers(0) })
  await portal.findByRole('heading', { name: 'No Customers Added' })
  t.equal(portal.getByText('support@portal.example').getAttribute('href'), 'mailto:support@portal.example')
  t.notOk(portal.queryByRole('button', { name: 'Load more' }))
})

t.test('omits a support contact that is not set', async (t) => {
  const support = { phone: null, email: null }
  const portal = openPortal(t, '/', { [CUSTOMERS]: customers(0) }, { support })
  await portal.findByRole('heading', { name: 'No Customers Added' })
  t.ok(within(portal.getByRole('main')).queryByText(/support/i) === null)
})

t.test('clears a search without matches', async (t) => {
  const portal = openPortal(t, '/?q=zebra', { [CUSTOMERS]: customers(3) })
  await portal.findByRole('heading', { name: 'No customers match “zebra”' })
  fireEvent.click(portal.getByRole('button', { name: 'Clear filters' }))
  await portal.findByText('Customer 3')
  t.equal(portal.address(), '/')
})

t.test('a card links to its customer and counts projects and devices', async (t) => {
  const portal = openPortal(t, '/', { [CUSTOMERS]: customers(1) })
  const link = await portal.findByRole('link', { name: /Customer 1/ })
  t.equal(link.getAttribute('href'), '/customers/1')
  portal.getByText('2 Projects | 1,240 Devices')
})

t.test('searches at the first key and after a pause in typing, and Escape clears the search', async (t) => {
  const portal = openPortal(t, '/', { [CUSTOMERS]: customers(3) })
  await portal.findByText('Customer 3')
  const field = portal.getByRole('searchbox', { name: 'Search customers' })
  for (const value of ['C', 'Customer', 'Customer 2']) fireEvent.change(field, { target: { value } })
  await waitFor(() => assert.deepEqual(cardsOf(portal), ['Customer 22 Projects | 1,240 Devices']))
  t.equal(portal.address(), '/?q=Customer+2')
  t.same(
    portal.callsTo(CUSTOMERS).map((call) => call.query.get('keyword')),
    ['', 'C', 'Customer 2']
  )
  fireEvent.keyDown(field, { key: 'Escape' })
  await waitFor(() => assert.equal(cardsOf(portal).length, 3))
})

t.test('scrolling loads the next page once, and stops at the last page', async (t) => {
  const portal = openPortal(t, '/', { [CUSTOMERS]: customers(21) })
  await portal.findByText('Customer 20')
  await waitFor(() => assert.equal(display.watched.size, 1))
  for (const report of display.watched) report(false)
  t.equal(portal.callsTo(CUSTOMERS).length, 1)
  for (const report of display.watched) report(true)
  await portal.findByText('Customer 21')
  t.same(
    portal.callsTo(CUSTOMERS).map((call) => call.query.get('page')),
    ['0', '1']
  )
  t.equal(display.watched.size, 0)
  t.notOk(portal.queryByRole('button', { name: 'Load more' }))
})

t.test('“Load more” loads the next page and focuses the first new card', async (t) => {
  const portal = openPortal(t, '/', { [CUSTOMERS]: customers(30) })
  fireEvent.click(await portal.findByRole('button', { name: 'Load more' }))
  await portal.findByText('Customer 30')
  await waitFor(() => assert.equal(document.activeElement?.getAttribute('href'), '/customers/21'))
  portal.getByText('30 of 30 customers shown')
})
