import './dom.ts'
import assert from 'node:assert/strict'
import { waitFor } from '@testing-library/react'
import t, { type Test } from 'tap'
import { exportWatch } from '#client/lib/export-watch.ts'
import { toasts } from '#client/lib/toasts.ts'
import { card, problem } from './gateway.ts'
import { openPortal } from './portal.tsx'

const STORED = 'portal.exports'
const WAITED = { id: 'ex-1', customerId: '9', exportName: 'Ward & wing' }
const PATH = `/api/v1/egress/exports/${WAITED.id}`
const customers = {
  '/api/portal/v1/organizations/1/customers': {
    items: [card('9')],
    page: { number: 0, size: 20, totalPages: 1, totalElements: 1 }
  }
}

/** As another tab, or this one before a reload, has left it. */
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

t.test('an export that another person waits for is not asked for, and nothing is told of it', async (t) => {
  leave('u-2', [WAITED])
  const portal = openPortal(t, '/', customers)
  await portal.findByRole('heading', { level: 1 })
  await waitFor(() => assert.ok(portal.callsTo('/auth/session').length > 0))
  t.equal(portal.callsTo(PATH).length, 0)
  t.strictSame(exportWatch.waiting('u-1'), [])
})

t.test('one that was deleted, stopped, or is no longer to be seen is forgotten without a word', async (t) => {
  for (const answer of [() => problem(404), () => problem(403), found('CANCELLED'), found('EXPIRED')]) {
    await t.test('nothing is told', async (t) => {
      const portal = await opened(t, answer)
      t.equal(portal.callsTo(PATH).length, 1)
      t.strictSame(said(), [])
    })
  }
})

t.test('one that failed says why', async (t) => {
  await opened(t, found('FAILED', { failureReason: 'A history could not be read' }))
  await waitFor(() => assert.deepEqual(said(), ['Export “Ward & wing” failed: A history could not be read']))
  t.pass()
})

t.test('one that is ready is told on any page, once, with a way to it', async (t) => {
  const portal = await opened(t, found('READY'))
  t.equal(portal.callsTo(PATH)[0]?.headers.get('x-customer-id'), '9')
  const link = await portal.findByRole('link', { name: 'Show' })
  t.equal(link.getAttribute('href'), '/exports?q=Ward+%26+wing')
  t.strictSame(said(), ['Export “Ward & wing” is ready.'])
  t.equal(portal.callsTo(PATH).length, 1, 'and is not asked for again')
  t.match(JSON.parse(localStorage.getItem(STORED) ?? ''), { userId: 'u-1', waiting: [] })
})

t.test('what a list of this tab reads is not read beside it', async (t) => {
  const uncover = exportWatch.cover([WAITED.id])
  t.ok(exportWatch.isCovered(WAITED.id))
  const again = exportWatch.cover([WAITED.id])
  uncover()
  t.ok(exportWatch.isCovered(WAITED.id), 'as long as one list does')
  again()
  t.notOk(exportWatch.isCovered(WAITED.id))
})

t.test('waiting twice is waiting once, and an end that nobody waits for is none', async (t) => {
  exportWatch.wait('u-1', WAITED)
  exportWatch.wait('u-1', WAITED)
  t.strictSame(exportWatch.waiting('u-1'), [WAITED])
  exportWatch.end('u-1', 'ex-2', { exportName: 'Other', failure: null })
  t.strictSame(exportWatch.news(), [])
  exportWatch.end('u-1', WAITED.id, null)
  t.strictSame(exportWatch.waiting('u-1'), [])
})
