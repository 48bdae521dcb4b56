import '../../../support/client/dom.ts'
import assert from 'node:assert/strict'
import { fireEvent, waitFor, within } from '@testing-library/react'
import t, { type Test } from 'tap'
import { exportWatch } from '#client/features/exports/export-watch.ts'
import { toasts } from '#client/ui/state/toasts.ts'
import { card, problem } from '../../../support/client/gateway.ts'
import { openPortal } from '../../../support/client/portal.tsx'

const STORED = 'portal.exports'
const WAITED = { id: 'ex-1', customerId: '9', exportName: 'Ward & wing' }
const ENDED = '2026-03-01T10:00:00.000Z'
const UNREAD = { id: 'ex-1', exportName: 'Ward & wing', failure: null, endedDate: ENDED }
const PATH = `/api/v1/egress/exports/${WAITED.id}`
const customers = {
  '/api/portal/v1/organizations/1/customers': {
    items: [card('9')],
    page: { number: 0, size: 20, totalPages: 1, totalElements: 1 }
  }
}

function leave(userId: string, waiting: object[]): void {
  localStorage.setItem(STORED, JSON.stringify({ userId, waiting }))
  window.dispatchEvent(new StorageEvent('storage', { key: STORED }))
}

t.afterEach(() => {
  localStorage.clear()
  window.dispatchEvent(new StorageEvent('storage', { key: null }))
  toasts.forget()
})

const found = (status: string, rest: object = {}) => ({ ...WAITED, status, failureReason: null, ...rest })
const said = () => toasts.read().recent.map(({ text }) => text)

async function opened(t: Test, answer: unknown) {
  leave('u-1', [WAITED])
  const portal = openPortal(t, '/', { ...customers, [PATH]: answer })
  await waitFor(() => assert.equal(exportWatch.waiting('u-1').length, 0))
  return portal
}

t.test('ignores exports of another person', async (t) => {
  leave('u-2', [WAITED])
  const portal = openPortal(t, '/', customers)
  await portal.findByRole('heading', { level: 1 })
  await waitFor(() => assert.ok(portal.callsTo('/auth/session').length > 0))
  t.equal(portal.callsTo(PATH).length, 0)
  t.strictSame(exportWatch.waiting('u-1'), [])
})

t.test('forgets a deleted, stopped, forbidden or expired export silently', async (t) => {
  for (const answer of [() => problem(404), () => problem(403), found('CANCELLED'), found('EXPIRED')]) {
    await t.test('announces nothing', async (t) => {
      const portal = await opened(t, answer)
      t.equal(portal.callsTo(PATH).length, 1)
      t.strictSame(said(), [])
    })
  }
})

t.test('reports why an export failed', async (t) => {
  await opened(t, found('FAILED', { failureReason: 'A history could not be read' }))
  await waitFor(() => assert.deepEqual(said(), ['Export “Ward & wing” failed: A history could not be read']))
  t.pass()
})

t.test('announces a ready export once, with a link', async (t) => {
  const portal = await opened(t, found('READY'))
  t.equal(portal.callsTo(PATH)[0]?.headers.get('x-customer-id'), '9')
  const link = await portal.findByRole('link', { name: 'Show' })
  t.equal(link.getAttribute('href'), '/exports?q=Ward+%26+wing')
  t.strictSame(said(), ['Export “Ward & wing” is ready.'])
  t.equal(portal.callsTo(PATH).length, 1, 'and is not asked for again')
  t.match(JSON.parse(localStorage.getItem(STORED) ?? ''), { userId: 'u-1', waiting: [] })
})

t.test('waits once for each export', async (t) => {
  exportWatch.wait('u-1', WAITED)
  exportWatch.wait('u-1', WAITED)
  t.strictSame(exportWatch.waiting('u-1'), [WAITED])
  t.notOk(exportWatch.end('u-1', 'ex-2', { ...UNREAD, id: 'ex-2' }), 'another tab ended it')
  t.strictSame(exportWatch.unread('u-1'), [])
  t.ok(exportWatch.end('u-1', WAITED.id, null))
  t.strictSame(exportWatch.waiting('u-1'), [])
})

const LIST = '/api/v1/notifier/users/u-1/inapp'
const NONE = { page: { number: 0, size: 15, totalPages: 0, totalElements: 0 } }
const lists = { '/api/v1/charts-and-reports/9/reports': NONE, '/api/v1/egress/exports': NONE }
const notifier = (total: number) => ({
  [LIST]: { content: [], page: { number: 0, size: 20, totalPages: 1, totalElements: total } }
})

function leaveUnread(userId: string, unread: object[]): void {
  localStorage.setItem(STORED, JSON.stringify({ userId, waiting: [], unread }))
  window.dispatchEvent(new StorageEvent('storage', { key: STORED }))
}

t.test('news of another person marks neither bell nor title', async (t) => {
  leaveUnread('u-2', [UNREAD])
  const portal = openPortal(t, '/', { ...customers, ...notifier(0) })
  await portal.findByRole('button', { name: 'Notifications' })
  t.notMatch(document.title, '●')
  t.strictSame(exportWatch.unread('u-1'), [])
})

t.test('marks bell and title until the news is read', async (t) => {
  leave('u-1', [WAITED])
  const portal = openPortal(t, '/', {
    ...customers,
    ...notifier(2),
    [PATH]: found('READY', { completedDate: ENDED })
  })
  const bell = await portal.findByRole('button', { name: 'Notifications, 3 unread' })
  await waitFor(() => assert.equal(document.title, '● Brightwater Controls · Portal'))
  t.match(JSON.parse(localStorage.getItem(STORED) ?? ''), { unread: [UNREAD] }, 'after a reload too')

  fireEvent.click(bell)
  const popup = within(await portal.findByRole('dialog', { name: 'Notifications' }))
  const entry = within(within(popup.getByRole('list', { name: 'Exports' })).getByRole('listitem'))
  t.match(entry.getByText(/^Export “/).textContent, 'Export “Ward & wing” is ready.')
  t.equal(entry.getByRole('link').getAttribute('href'), '/exports?q=Ward+%26+wing')
  t.equal(entry.getByText(/^01\/03\/2026 /).getAttribute('datetime'), ENDED)
  t.equal(popup.getByRole('tab', { name: /^Unread/ }).textContent, 'Unread3')

  fireEvent.click(entry.getByRole('button', { name: 'Mark as read: Ward & wing' }))
  t.equal(popup.queryByRole('list', { name: 'Exports' }), null)
  t.equal(document.activeElement, popup.getByRole('tab', { name: 'All' }), 'the focus stays in the list')
  t.equal(bell.getAttribute('aria-label'), 'Notifications, 2 unread')
  await waitFor(() => assert.equal(document.title, 'Brightwater Controls · Portal'))
  t.equal(
    portal.gateway.calls.filter(({ method }) => method === 'PUT').length,
    0,
    'the notifier knows nothing of it'
  )
})

t.test('marking all also reads exports, without a call if nothing else is unread', async (t) => {
  leaveUnread('u-1', [UNREAD, { ...UNREAD, id: 'ex-2', failure: 'A history could not be read' }])
  const portal = openPortal(t, '/', { ...customers, ...notifier(0) })
  fireEvent.click(await portal.findByRole('button', { name: 'Notifications, 2 unread' }))
  const popup = within(await portal.findByRole('dialog', { name: 'Notifications' }))
  popup.getByText('Export failed')
  t.match(
    popup.getAllByText(/^Export “/).map(({ textContent }) => textContent),
    ['Export “Ward & wing” is ready.', 'Export “Ward & wing” failed: A history could not be read']
  )
  fireEvent.click(popup.getByRole('button', { name: 'Mark all as read' }))
  await popup.findByText('No notifications')
  t.equal(portal.gateway.calls.filter(({ method }) => method === 'PUT').length, 0)
  t.strictSame(exportWatch.unread('u-1'), [])
})

t.test('the link in the bell marks its export as read and closes the list', async (t) => {
  leaveUnread('u-1', [UNREAD])
  const portal = openPortal(t, '/reports', { ...customers, ...lists, ...notifier(0) })
  fireEvent.click(await portal.findByRole('button', { name: 'Notifications, 1 unread' }))
  fireEvent.click(await portal.findByRole('link', { name: 'Ward & wing' }))
  await portal.findByRole('heading', { name: 'Saved Exports', level: 1 })
  t.equal(portal.address(), '/exports?q=Ward+%26+wing')
  t.equal(portal.queryByRole('dialog', { name: 'Notifications' }), null)
  await waitFor(() => assert.equal(document.title, 'Saved Exports · Portal'))
})

t.test('seeing the list of exports marks all as read', async (t) => {
  leaveUnread('u-1', [UNREAD])
  const portal = openPortal(t, '/reports', { ...customers, ...lists, ...notifier(0) })
  await waitFor(() => assert.equal(document.title, '● Saved Reports · Portal'))
  await portal.router.navigate('/exports')
  await waitFor(() => assert.equal(document.title, 'Saved Exports · Portal'))
  t.match(JSON.parse(localStorage.getItem(STORED) ?? ''), { unread: [] })
})
