// The filters of a device's points: the API searches by type; the client filters by status and writable.
import '../../../support/client/dom.ts'
import assert from 'node:assert/strict'
import { fireEvent, waitFor, within } from '@testing-library/react'
import t from 'tap'
import { SIFTED_POINTS_MAX } from '#client/features/device-details/points/use-filtered-points.ts'
import { customer } from '../../../support/client/customer.ts'
import { textsOf } from '../../../support/client/dom.ts'
import type { Answers, Call } from '../../../support/client/gateway.ts'
import { pointModel, pointPage } from '../../../support/client/points.ts'
import { openPortal, type Portal } from '../../../support/client/portal.tsx'

const ENTITY_MODEL = '/api/v1/entitymodel/customers/9'
const HERE = '/customers/9/devicedetails?deviceUuid=uuid-1&live=0'

const answers: Answers = {
  ...customer().answers,
  [`${ENTITY_MODEL}/pointNames`]: pointPage([
    pointModel(1),
    pointModel(2, { outValue: '1.0 {fault}' }),
    pointModel(3, { facets: { writable: false } })
  ]),
  [`${ENTITY_MODEL}/tagValues`]: pointPage([pointModel(4)])
}

async function tick(portal: Portal, filter: string, choice: string) {
  fireEvent.click(await portal.findByRole('button', { name: new RegExp(`^${filter}`) }))
  fireEvent.click(within(portal.getByRole('group', { name: filter })).getByRole('checkbox', { name: choice }))
}
const shownNames = (portal: Portal) => textsOf(portal.getAllByRole('rowheader'))

t.test('shows a message when no point matches; “Clear filters” shows all points', async (t) => {
  const portal = openPortal(t, `${HERE}&status=down&writable=yes`, answers)
  await portal.findByRole('heading', { name: 'No points match these filters' })
  fireEvent.click(portal.getByRole('button', { name: 'Clear filters' }))
  await portal.findByText('Point 1')
  t.equal(portal.address(), HERE)
})

t.test('searches the API for a type, page by page', async (t) => {
  const portal = openPortal(t, HERE, answers)
  await tick(portal, 'Type', 'Numeric')
  await portal.findByText('Point 4')
  t.equal(portal.address(), `${HERE}&type=Numeric`)
  const call = portal.callsTo(`${ENTITY_MODEL}/tagValues`).at(-1)
  t.match(call?.body, { searchItems: ['Numeric'], searchType: 'tagValues', comparisonType: 'EQUALS' })
  t.equal(call?.query.get('size'), '25')
})

t.test('filters all points by writable and status; chips remove the filters', async (t) => {
  const portal = openPortal(t, HERE, answers)
  await portal.findByText('Point 3')
  fireEvent.click(portal.getByRole('button', { name: 'Filters' }))
  await tick(portal, 'Writable', 'Writable')
  await waitFor(() => assert.deepEqual(shownNames(portal), ['Point 1', 'Point 2']))
  await tick(portal, 'Status', 'Fault')
  await waitFor(() => assert.deepEqual(shownNames(portal), ['Point 2']))
  t.equal(portal.address(), `${HERE}&writable=yes&status=fault`)
  portal.getByText('1–1 of 1')
  fireEvent.click(portal.getByRole('button', { name: 'Remove filter Writable: Writable' }))
  await waitFor(() => assert.equal(portal.address(), `${HERE}&status=fault`))
  t.notOk(portal.queryByRole('button', { name: 'Clear all' }))
})

t.test('pages through filtered points without another request', async (t) => {
  const models = Array.from({ length: 60 }, (_, index) =>
    pointModel(index, { outValue: index % 2 ? '1 {ok}' : '1 {stale}' })
  )
  const path = `${ENTITY_MODEL}/pointNames`
  const portal = openPortal(t, `${HERE}&status=stale`, { ...answers, [path]: pointPage(models) })
  await portal.findByText('1–25 of 30')
  fireEvent.click(portal.getByRole('button', { name: 'Next page' }))
  await portal.findByText('26–30 of 30')
  t.equal(shownNames(portal).length, 5)
  t.equal(portal.callsTo(path).length, 1)
})

const thousand = Array.from({ length: 1000 }, (_, index) => pointModel(index, { outValue: '1 {stale}' }))
for (const total of [SIFTED_POINTS_MAX, SIFTED_POINTS_MAX + 1])
  t.test(`filters at most 10,000 of ${total} points, and reports if there are more`, async (t) => {
    const path = `${ENTITY_MODEL}/pointNames`
    const totalPages = Math.ceil(total / 1000)
    const answer = ({ query }: Call) =>
      pointPage(thousand, { number: Number(query.get('page')), totalPages, totalElements: total })
    const portal = openPortal(t, `${HERE}&status=stale`, { ...answers, [path]: answer })
    await portal.findByText('1–25 of 10,000')
    t.equal(portal.callsTo(path).length, 10)
    const notice = portal.queryByText(/Only the first 10,000 of 10,001 points were filtered/)
    t.equal(notice !== null, total > SIFTED_POINTS_MAX)
  })

t.test('an unknown kind of search is refused; “Refresh” resets the search', async (t) => {
  const portal = openPortal(t, `${HERE}&in=tagColours&type=Numeric&status=fault`, {
    ...answers,
    [`${ENTITY_MODEL}/tagColours`]: new Response('{}', { status: 400 })
  })
  await portal.findByRole('heading', { name: 'Something went wrong' })
  t.equal(portal.callsTo(`${ENTITY_MODEL}/tagValues`).length, 0)
  fireEvent.click(portal.getByRole('button', { name: 'Refresh' }))
  t.equal(portal.address(), `${HERE}&type=Numeric&status=fault`)
})
