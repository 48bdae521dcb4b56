import '../../../../support/client/dom.ts'
import assert from 'node:assert/strict'
import { locks } from 'node:worker_threads'
import { fireEvent, waitFor, within } from '@testing-library/react'
import t, { type Test } from 'tap'
import { exportWatch } from '#client/features/data/exports/export-watch.ts'
import { toasts } from '#client/ui/state/toasts.ts'
import { textsOf } from '../../../../support/client/dom.ts'
import { pageOf, problem } from '../../../../support/client/gateway.ts'
import { openPortal, type Portal } from '../../../../support/client/portal.tsx'

const STORED = 'portal.exports'
const EXPORT = { id: 'ex-1', customerId: '9', exportName: 'Ward & wing' }
const END_TIME = '2026-03-01T10:00:00.000Z'
const NEWS = { id: 'ex-1', exportName: 'Ward & wing', failure: null, endedDate: END_TIME }
const PATH = `/api/v1/egress/exports/${EXPORT.id}`

function storeExports(userId: string, stored: { waiting?: object[]; unread?: object[] }): void {
  localStorage.setItem(STORED, JSON.stringify({ userId, waiting: [], ...stored }))
  window.dispatchEvent(new StorageEvent('storage', { key: STORED }))
}

t.afterEach(() => {
  localStorage.clear()
  window.dispatchEvent(new StorageEvent('storage', { key: null }))
})

const answerOf = (status: string, rest: object = {}) => ({ ...EXPORT, status, failureReason: null, ...rest })
const texts = () => toasts.read().recent.map(({ text }) => text)

async function openAndWait(t: Test, answer: unknown) {
  storeExports('u-1', { waiting: [EXPORT] })
  const portal = openPortal(t, '/', { [PATH]: answer })
  await waitFor(() => assert.equal(exportWatch.waiting('u-1').length, 0))
  return portal
}

t.test('ignores exports of another person', async (t) => {
  storeExports('u-2', { waiting: [EXPORT] })
  const portal = openPortal(t, '/')
  await portal.findByRole('heading', { level: 1 })
  await waitFor(() => assert.ok(portal.callsTo('/auth/session').length > 0))
  t.equal(portal.callsTo(PATH).length, 0)
  t.strictSame(exportWatch.waiting('u-1'), [])
})

t.test('forgets a deleted, stopped, forbidden or expired export silently', async (t) => {
  for (const answer of [problem(404), problem(403), answerOf('CANCELLED'), answerOf('EXPIRED')]) {
    const portal = await openAndWait(t, answer)
    t.equal(portal.callsTo(PATH).length, 1)
    t.strictSame(texts(), [])
    portal.unmount()
  }
})

t.test('reports why an export failed', async (t) => {
  await openAndWait(t, answerOf('FAILED', { failureReason: 'A history could not be read' }))
  await waitFor(() => assert.deepEqual(texts(), ['Export “Ward & wing” failed: A history could not be read']))
  t.pass()
})

t.test('announces a ready export once, with a link', async (t) => {
  const portal = await openAndWait(t, answerOf('READY'))
  t.equal(portal.callsTo(PATH)[0]?.headers.get('x-customer-id'), '9')
  const link = await portal.findByRole('link', { name: 'Show' })
  t.equal(link.getAttribute('href'), '/exports?q=Ward+%26+wing&customerId=9')
  t.strictSame(texts(), ['Export “Ward & wing” is ready.'])
  t.equal(portal.callsTo(PATH).length, 1)
  t.match(JSON.parse(localStorage.getItem(STORED) ?? ''), { userId: 'u-1', waiting: [] })
})

t.test('does not wait again for an export whose end another tab has just stored', async (t) => {
  // The browser reports the other tab's change only later.
  localStorage.setItem(STORED, JSON.stringify({ userId: 'u-1', waiting: [], unread: [], ended: [EXPORT.id] }))
  await exportWatch.wait('u-1', EXPORT)
  t.strictSame(exportWatch.waiting('u-1'), [])
})

t.test('a change waits for the change of another tab, so that both are stored', async (t) => {
  t.intercept(navigator, 'locks', { value: locks })
  const otherTab = Promise.withResolvers<void>()
  const otherChange = locks.request('portal.exports.storage', () => otherTab.promise)
  const isFirst = exportWatch.end('u-1', EXPORT.id, NEWS)
  storeExports('u-1', { waiting: [EXPORT, { ...EXPORT, id: 'ex-2' }] })
  otherTab.resolve()
  await otherChange
  t.ok(await isFirst)
  t.match(JSON.parse(localStorage.getItem(STORED) ?? ''), {
    waiting: [{ id: 'ex-2' }],
    unread: [NEWS],
    ended: [EXPORT.id]
  })
})

t.test('waits for each export once, and announces no other exports', async (t) => {
  await exportWatch.wait('u-1', EXPORT)
  await exportWatch.wait('u-1', EXPORT)
  t.strictSame(exportWatch.waiting('u-1'), [EXPORT])
  t.notOk(await exportWatch.end('u-1', 'ex-2', { ...NEWS, id: 'ex-2' }))
  t.strictSame(exportWatch.unread('u-1'), [])
  t.ok(await exportWatch.end('u-1', EXPORT.id, null))
  t.strictSame(exportWatch.waiting('u-1'), [])
})

const changesIn = (portal: Portal) => portal.gateway.calls.filter(({ method }) => method === 'PUT')
const LIST = '/api/v1/notifier/users/u-1/inapp'
const EMPTY = { page: pageOf(0) }
const lists = { '/api/v1/charts-and-reports/9/reports': EMPTY, '/api/v1/egress/exports': EMPTY }
const notifier = (total: number) => ({ [LIST]: { content: [], page: pageOf(total) } })

t.test('exports of another person do not mark the bell or the title', async (t) => {
  storeExports('u-2', { unread: [NEWS] })
  const portal = openPortal(t, '/', notifier(0))
  await portal.findByRole('button', { name: 'Notifications' })
  t.notMatch(document.title, '●')
  t.strictSame(exportWatch.unread('u-1'), [])
})

t.test('marks the bell and the title until the exports are read', async (t) => {
  storeExports('u-1', { waiting: [EXPORT] })
  const portal = openPortal(t, '/', {
    ...notifier(2),
    [PATH]: answerOf('READY', { completedDate: END_TIME })
  })
  const bell = await portal.findByRole('button', { name: 'Notifications, 3 unread' })
  await waitFor(() => assert.equal(document.title, '● Brightwater Controls · Portal'))
  t.match(JSON.parse(localStorage.getItem(STORED) ?? ''), { unread: [NEWS] })

  fireEvent.click(bell)
  const popup = within(await portal.findByRole('dialog', { name: 'Notifications' }))
  const entry = within(within(popup.getByRole('list', { name: 'Exports' })).getByRole('listitem'))
  t.match(entry.getByText(/^Export “/).textContent, 'Export “Ward & wing” is ready.')
  t.equal(entry.getByRole('link').getAttribute('href'), '/exports?q=Ward+%26+wing&customerId=9')
  t.equal(entry.getByText(/^01\/03\/2026 /).getAttribute('datetime'), END_TIME)
  t.equal(popup.getByRole('tab', { name: /^Unread/ }).textContent, 'Unread3')

  fireEvent.click(entry.getByRole('button', { name: 'Mark as read: Ward & wing' }))
  t.notOk(popup.queryByRole('list', { name: 'Exports' }))
  t.ok(document.activeElement === popup.getByRole('tab', { name: 'All' }))
  t.equal(bell.getAttribute('aria-label'), 'Notifications, 2 unread')
  await waitFor(() => assert.equal(document.title, 'Brightwater Controls · Portal'))
  t.same(changesIn(portal), [])
})

t.test('“Mark all as read” includes exports, and makes no call without notifications', async (t) => {
  storeExports('u-1', { unread: [NEWS, { ...NEWS, id: 'ex-2', failure: 'A history could not be read' }] })
  const portal = openPortal(t, '/', notifier(0))
  fireEvent.click(await portal.findByRole('button', { name: 'Notifications, 2 unread' }))
  const popup = within(await portal.findByRole('dialog', { name: 'Notifications' }))
  popup.getByText('Export failed')
  t.match(textsOf(popup.getAllByText(/^Export “/)), [
    'Export “Ward & wing” is ready.',
    'Export “Ward & wing” failed: A history could not be read'
  ])
  fireEvent.click(popup.getByRole('button', { name: 'Mark all as read' }))
  await popup.findByText('No notifications')
  t.same(changesIn(portal), [])
  t.strictSame(exportWatch.unread('u-1'), [])
})

t.test('the link of an export marks the export as read and closes the list', async (t) => {
  storeExports('u-1', { unread: [NEWS] })
  const portal = openPortal(t, '/reports', { ...lists, ...notifier(0) })
  fireEvent.click(await portal.findByRole('button', { name: 'Notifications, 1 unread' }))
  fireEvent.click(await portal.findByRole('link', { name: 'Ward & wing' }))
  await portal.findByRole('heading', { name: 'Saved Exports', level: 1 })
  t.equal(portal.address(), '/exports?q=Ward+%26+wing')
  t.notOk(portal.queryByRole('dialog', { name: 'Notifications' }))
  await waitFor(() => assert.equal(document.title, 'Saved Exports · Portal'))
})

t.test('opening the list of exports marks all exports as read', async (t) => {
  storeExports('u-1', { unread: [NEWS] })
  const portal = openPortal(t, '/reports', { ...lists, ...notifier(0) })
  await waitFor(() => assert.equal(document.title, '● Saved Reports · Portal'))
  await portal.router.navigate('/exports')
  await waitFor(() => assert.equal(document.title, 'Saved Exports · Portal'))
  t.match(JSON.parse(localStorage.getItem(STORED) ?? ''), { unread: [] })
})
