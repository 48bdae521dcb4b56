import '../../support/client/dom.ts'

import assert from 'node:assert'
import { fireEvent, waitFor } from '@testing-library/react'
import t from 'tap'
import { recall, remember } from '#client/lib/storage.ts'
import { BOOTSTRAP, problem, user } from '../../support/client/gateway.ts'
import { openPortal } from '../../support/client/portal.tsx'

const PREFERENCES = [
  'portal.theme',
  'portal.zone',
  'portal.alarm-notifications',
  'portal.columns.reports',
  'portal.device-views.u-1.9',
  'portal.density',
  'portal.customers-view',
  'portal.usage-card'
]
const PERSONAL = [
  'portal.devices.u-1.9',
  'portal.device.u-1.9',
  'portal.point.u-1.9.uuid-1',
  'portal.points.u-1.9',
  'portal.jump.u-1',
  'portal.integrator.u-1',
  'portal.customers-seen.u-1.1',
  'portal.exports',
  'portal.person',
  'portal.something-new'
]
const PAGES = { '/api/v2/management/organizations/search/findByIsTechViewEnabled': {} }
const LOGOUT = {
  '/auth/logout/frames': { frames: [] },
  '/auth/logout': { redirect: 'https://login.example.com/end' }
}

function storeAll(): void {
  for (const key of [...PREFERENCES, ...PERSONAL]) remember(key, `value of ${key}`)
  remember('portal.person', { id: 'u-1', fullName: 'Ann' })
}
const storedKeys = () => [...PREFERENCES, ...PERSONAL].filter((key) => recall(key) !== null)

t.test('a failed sign-out keeps all stored data', async (t) => {
  storeAll()
  const portal = openPortal(t, '/logout', { ...LOGOUT, '/auth/logout': problem(503) })
  fireEvent.click(await portal.findByRole('button', { name: 'Log out' }))
  await portal.findByText(/You are still signed in/)
  t.strictSame(storedKeys(), [...PREFERENCES, ...PERSONAL])
})

t.test('a sign-out removes everything but preferences before it leaves the page', async (t) => {
  storeAll()
  const portal = openPortal(t, '/logout', LOGOUT)
  fireEvent.click(await portal.findByRole('button', { name: 'Log out' }))
  await waitFor(() => assert.equal(portal.left.length, 1))
  t.strictSame(storedKeys(), PREFERENCES)
})

t.test('another person’s sign-in removes the previous person’s data', async (t) => {
  storeAll()
  openPortal(t, '/', PAGES, { user: user('global_admin', '/', { id: 'u-2' }) })
  await waitFor(() => assert.equal(recall<{ id: string }>('portal.person')?.id, 'u-2'))
  t.strictSame(
    storedKeys().filter((key) => key !== 'portal.person'),
    PREFERENCES
  )
})

t.test('keeps the data when the same person signs in', async (t) => {
  storeAll()
  const portal = openPortal(t, '/signed-in-again', PAGES)
  await waitFor(() => assert.ok(portal.callsTo(BOOTSTRAP).length > 0))
  await waitFor(() => assert.notEqual(recall<{ fullName: string }>('portal.person')?.fullName, 'Ann'))
  t.strictSame(storedKeys(), [...PREFERENCES, ...PERSONAL])
})

const show = (persisted: boolean) => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted }))
const SIGNED_OUT = { authenticated: false, expires_in: 0, expired: true }

for (const [name, answer] of [
  ['has ended', SIGNED_OUT],
  ['cannot be read', problem(503)]
] as const) {
  t.test(`reloads a page from the browser's cache if the session ${name}`, async (t) => {
    const portal = openPortal(t, '/', PAGES)
    await waitFor(() => assert.ok(portal.callsTo('/auth/session').length > 0))
    portal.gateway.answers['/auth/session'] = answer
    show(true)
    await waitFor(() => assert.ok(portal.left.includes('reload')))
  })
}

t.test('keeps a page from the browser’s cache if the session continues', async (t) => {
  const portal = openPortal(t, '/', PAGES)
  await waitFor(() => assert.ok(portal.callsTo('/auth/session').length > 0))
  const sessionCalls = portal.callsTo('/auth/session').length
  show(false)
  show(true)
  await waitFor(() => assert.ok(portal.callsTo('/auth/session').length > sessionCalls))
  await new Promise((resolve) => setImmediate(resolve))
  t.strictSame(portal.left, [])
})
