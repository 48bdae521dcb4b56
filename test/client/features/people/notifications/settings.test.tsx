import '../../../../support/client/dom.ts'
import assert from 'node:assert/strict'
import { fireEvent, waitFor } from '@testing-library/react'
import t, { type Test } from 'tap'
import { NOTIFICATION_SETTINGS } from '#client/features/people/notifications/messages.ts'
import { type Call, card, problem, user } from '../../../../support/client/gateway.ts'
import { openPortal } from '../../../../support/client/portal.tsx'

const PREFERENCES = '/api/v1/notifications/users/u-1'

const prefs = (first: boolean, second: boolean) => [
  { eventTypeId: 1, notificationType: 'email', subscribe: first },
  { eventTypeId: 2, notificationType: 'email', subscribe: second }
]

async function openSettings(t: Test, preferences: unknown) {
  const portal = openPortal(t, '/', { [PREFERENCES]: preferences })
  fireEvent.click(await portal.findByRole('button', { name: /Maria Ruiz$/ }))
  fireEvent.click(await portal.findByRole('menuitem', { name: 'Configure Notifications' }))
  return portal
}

for (const [what, answer] of [
  ['cannot be loaded', problem(500)],
  ['are not a list', { subscribe: true }]
] as const) {
  t.test(`settings that ${what} close the dialog with a message`, async (t) => {
    const portal = await openSettings(t, answer)
    await portal.findByText(NOTIFICATION_SETTINGS.loadFailed)
    t.equal(NOTIFICATION_SETTINGS.loadFailed, 'An error occurred while fetching notification details.')
    t.notOk(portal.queryByRole('dialog'))
  })
}

t.test('“Save” is disabled until a setting changes', async (t) => {
  const portal = await openSettings(t, ({ method }: Call) => (method === 'GET' ? prefs(true, false) : {}))
  const firstSwitch = await portal.findByRole('switch', { name: 'Subscription updates' })
  const save = portal.getByRole('button', { name: 'Save' })
  t.equal(save.getAttribute('aria-disabled'), 'true')
  fireEvent.click(save)
  fireEvent.click(firstSwitch)
  t.equal(save.getAttribute('aria-disabled'), 'false')
  fireEvent.click(firstSwitch)
  t.equal(save.getAttribute('aria-disabled'), 'true')
  t.equal(portal.callsTo(PREFERENCES).length, 1)
  fireEvent.click(portal.getByRole('switch', { name: 'Service account updates' }))
  fireEvent.click(save)
  await portal.findByText('Notification setting updated.')
  const [, put] = portal.callsTo(PREFERENCES)
  t.equal(put?.method, 'PUT')
  t.same(put?.body, prefs(true, true))
})

t.test('shows a failed save in the dialog and keeps the choice', async (t) => {
  const portal = await openSettings(t, ({ method }: Call) =>
    method === 'GET' ? prefs(true, true) : problem(500)
  )
  fireEvent.click(await portal.findByRole('switch', { name: 'Subscription updates' }))
  fireEvent.click(portal.getByRole('button', { name: 'Save' }))
  await portal.findByText('An error occurred while Updating notification details.')
  t.equal((portal.getByRole('switch', { name: 'Subscription updates' }) as HTMLInputElement).checked, false)
})

const unsubscribeAt = (t: Test, query: string, preferences?: unknown) =>
  openPortal(t, `/unsubscribe-email${query}`, { [PREFERENCES]: preferences })

for (const query of ['', '?eventTypeId=', '?eventTypeId=3', '?eventTypeId=1x', '?eventTypeId=%3Cb%3E']) {
  t.test(`rejects an unsubscribe link with "${query}" and changes nothing`, async (t) => {
    const portal = unsubscribeAt(t, query)
    await portal.findByRole('dialog', { name: 'This link cannot be used' })
    t.same(portal.callsTo(PREFERENCES), [])
    fireEvent.click(portal.getAllByRole('button', { name: 'Close' })[0] as HTMLElement)
    await waitFor(() => assert.equal(portal.address(), '/'))
  })
}

t.test('unsubscribing asks for confirmation, and keeps the other settings', async (t) => {
  const portal = unsubscribeAt(t, '?eventTypeId=2', ({ method }: Call) =>
    method === 'GET' ? prefs(false, true) : {}
  )
  const proceedButton = await portal.findByRole('button', { name: 'Proceed' })
  t.equal(portal.callsTo(PREFERENCES).length, 1)
  fireEvent.click(proceedButton)
  await portal.findByRole('dialog', { name: 'You are unsubscribed' })
  t.same(portal.callsTo(PREFERENCES).at(-1)?.body, prefs(false, false))
})

t.test('an unsubscribe link works for a user of one customer', async (t) => {
  const only = card('9')
  const person = user('customer_user', only.scope, { userType: 'CUSTOMER', organizationId: '9' })
  const rest = { user: person, customers: { count: 1, only } }
  const portal = openPortal(t, '/unsubscribe-email?eventTypeId=1', { [PREFERENCES]: prefs(true, true) }, rest)
  await portal.findByRole('dialog', { name: 'Unsubscribe from e-mail?' })
  t.ok(portal.getByRole('heading', { level: 1, name: 'E-mail notifications', hidden: true }))
})

t.test('reports that the person is already unsubscribed', async (t) => {
  const portal = unsubscribeAt(t, '?eventTypeId=1', prefs(false, true))
  await portal.findByRole('dialog', { name: 'You are unsubscribed' })
  t.equal(portal.callsTo(PREFERENCES).length, 1)
})

t.test('a failed unsubscription offers “Retry” and the support contact', async (t) => {
  let available = false
  const portal = unsubscribeAt(t, '?eventTypeId=1', ({ method }: Call) => {
    if (!available) return problem(503)
    return method === 'GET' ? prefs(true, true) : {}
  })
  await portal.findByRole('dialog', { name: 'Unable to connect to the service' })
  portal.getByText('support@portal.example')
  t.notOk(portal.queryByText(/still subscribed/))
  available = true
  fireEvent.click(portal.getByRole('button', { name: 'Retry' }))
  fireEvent.click(await portal.findByRole('button', { name: 'Proceed' }))
  await portal.findByRole('dialog', { name: 'You are unsubscribed' })
})

for (const [what, status, isSubscribed] of [
  ['a refused unsubscription says that the person is still subscribed', 500, true],
  ['a lost answer to an unsubscription does not say so', 504, false]
] as const)
  t.test(what, async (t) => {
    const portal = unsubscribeAt(t, '?eventTypeId=1', ({ method }: Call) =>
      method === 'GET' ? prefs(true, true) : problem(status)
    )
    fireEvent.click(await portal.findByRole('button', { name: 'Proceed' }))
    const alert = await portal.findByRole('alert')
    t.equal(/still subscribed to e-mail about subscription updates/.test(alert.textContent), isSubscribed)
  })
