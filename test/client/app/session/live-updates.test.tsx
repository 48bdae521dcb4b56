import '../../../support/client/dom.ts'
import assert from 'node:assert/strict'
import { act, waitFor } from '@testing-library/react'
import t, { type Test } from 'tap'
import type { LiveEvent } from '#shared/answers/events.ts'
import { alarmRecord } from '../../../support/client/alarm-record.ts'
import { customer, PROJECTS } from '../../../support/client/customer.ts'
import { NOW, pageOf, problem, user } from '../../../support/client/gateway.ts'
import { setHidden } from '../../../support/client/gestures.ts'
import { alarmsEvent, EVENTS, liveStreams, type OpenStream } from '../../../support/client/live-streams.ts'
import { openPortal } from '../../../support/client/portal.tsx'

const ATTENTION = '/api/portal/v1/organizations/1/attention'
const ALL_ALARMS = '/api/portal/v1/organizations/1/alarms'
const ME = '/api/portal/v1/me'
const NEEDS_ACTION = '/api/portal/v1/customers/9/alarms'

const ROLES: LiveEvent = { event: 'roles', data: { tag: 'roles-1' } }

function openLivePortal(t: Test, address: string, answers: object = {}) {
  const live = liveStreams()
  const alarms = [alarmRecord('a-1', { sourceName: 'Source 1' })]
  const portal = openPortal(t, address, {
    ...customer().answers,
    [NEEDS_ACTION]: () => ({ items: alarms, page: pageOf(alarms.length) }),
    [EVENTS]: live.open,
    ...answers
  })
  return { portal, live, alarms }
}

/** Calls of the list; calls of size 1 only count. */
const listCallsOf = (portal: ReturnType<typeof openPortal>) =>
  portal.callsTo(NEEDS_ACTION).filter(({ query }) => query.get('size') !== '1').length

/** Waits until events that were sent before have been handled: the last one causes a call that can be seen. */
async function handled(portal: ReturnType<typeof openPortal>, { send }: OpenStream): Promise<void> {
  const before = portal.callsTo(ATTENTION).length
  const checksBefore = portal.callsTo(ME).length
  send({ event: 'end', data: { reason: 'roles' } })
  await waitFor(() => assert.ok(portal.callsTo(ME).length > checksBefore))
  await act(async () => {})
  t.equal(portal.callsTo(ATTENTION).length, before)
}

t.test('an event with known or older alarms reloads nothing', async (t) => {
  const { portal, live } = openLivePortal(t, '/customers/9/alarms')
  await portal.findByText('Source 1')
  const first = await live.at(0)
  const listCalls = listCallsOf(portal)
  first.send(ROLES)
  first.send(alarmsEvent('tag-1'))
  first.send(alarmsEvent('tag-1', { delayedSince: NOW }))
  await handled(portal, first)
  t.equal(listCallsOf(portal), listCalls)
})

t.test('an event with changed alarms reloads the list and shows the new number', async (t) => {
  const { portal, live, alarms } = openLivePortal(t, '/customers/9/alarms')
  await portal.findByText('Source 1')
  const first = await live.at(0)
  first.send(alarmsEvent('tag-1'))
  alarms.push(alarmRecord('a-2', { sourceName: 'Source 2', timestamp: NOW }))
  first.send(alarmsEvent('tag-2', { count: 1_234 }))
  await portal.findByRole('radio', { name: /^Needs action ?any time ?1,234$/ })
  await portal.findByRole('button', { name: '1 new · show' })
  await portal.findByRole('switch', { name: 'Follow changes' })
})

for (const [time, readAt] of [
  ['while the page was loading', '2026-03-01T11:59:59.900Z'],
  ['after the page was opened', '2100-01-01T00:00:00.000Z']
])
  t.test(`alarms that were read ${time} reload the list`, async (t) => {
    const { portal, live } = openLivePortal(t, '/customers/9/alarms')
    await portal.findByText('Source 1')
    const first = await live.at(0)
    const listCalls = listCallsOf(portal)
    first.send(alarmsEvent('tag-1', { readAt }))
    await waitFor(() => assert.ok(listCallsOf(portal) > listCalls))
  })

t.test('a change of projects or devices reloads the customer, the present state does not', async (t) => {
  const { portal, live } = openLivePortal(t, '/customers/9/alarms')
  await portal.findByText('Source 1')
  const first = await live.at(0)
  const projectCalls = portal.callsTo(PROJECTS).length
  first.send({ event: 'inventory', data: { customerId: '9', tag: 'one' } })
  await handled(portal, first)
  t.equal(portal.callsTo(PROJECTS).length, projectCalls)
  const second = await live.at(1)
  second.send({ event: 'inventory', data: { customerId: '9', tag: 'two' } })
  await waitFor(() => assert.ok(portal.callsTo(PROJECTS).length > projectCalls))
})

t.test('changed alarms reload the list of all customers, once for events that arrive together', async (t) => {
  const list = {
    items: [],
    page: pageOf(0),
    counts: { action: 0, active: 0, unacked: 0, unackedIsMinimum: false },
    totals: [],
    partial: [],
    readAt: NOW
  }
  const { portal, live } = openLivePortal(t, '/alarms', { [ALL_ALARMS]: list })
  await portal.findByRole('heading', { name: 'No alarms need action' })
  const first = await live.at(0)
  first.send(alarmsEvent('a-1', { customerId: '7' }), alarmsEvent('b-1', { customerId: '8' }))
  const listCalls = portal.callsTo(ALL_ALARMS).length
  first.send(alarmsEvent('a-2', { customerId: '7' }), alarmsEvent('b-2', { customerId: '8' }))
  await handled(portal, first)
  t.equal(portal.callsTo(ALL_ALARMS).length, listCalls + 1)
})

t.test('changed alarms reload the counts of the start page', async (t) => {
  const { portal, live } = openLivePortal(t, '/')
  await waitFor(() => assert.ok(portal.callsTo(ATTENTION).length > 0))
  const { send } = await live.at(0)
  send(alarmsEvent('one'))
  const attentionCalls = portal.callsTo(ATTENTION).length
  send(alarmsEvent('two'))
  await waitFor(() => assert.ok(portal.callsTo(ATTENTION).length > attentionCalls))
})

t.test('changed counts reload the start page', async (t) => {
  const { portal, live } = openLivePortal(t, '/')
  await waitFor(() => assert.ok(portal.callsTo(ATTENTION).length > 0))
  const { query, send } = await live.at(0)
  t.strictSame([query.get('organizationId'), query.get('customerId')], ['1', null])
  const attentionCalls = portal.callsTo(ATTENTION).length
  send({ event: 'counts', data: { organizationId: '1', tag: 'two' } })
  await waitFor(() => assert.ok(portal.callsTo(ATTENTION).length > attentionCalls))
})

t.test('the end of the roles loads the new ones at once', async (t) => {
  const viewer = user('customer_user', '/organizations/1/customers/9')
  const { portal, live } = openLivePortal(t, '/customers/9/alarms', {
    [ME]: { user: viewer, actions: [] }
  })
  await portal.findByText('Source 1')
  const { send } = await live.at(0)
  send({ event: 'end', data: { reason: 'roles' } })
  await portal.findByText('Your access has changed.', { exact: false })
})

t.test('a stream that opens with other roles than the last one loads the new ones', async (t) => {
  const viewer = user('customer_user', '/organizations/1/customers/9')
  const { portal, live } = openLivePortal(t, '/customers/9/alarms', {
    [ME]: { user: viewer, actions: [] }
  })
  await portal.findByText('Source 1')
  const first = await live.at(0)
  first.send(ROLES, { event: 'end', data: { reason: 'rotation' } })
  const second = await live.at(1)
  t.equal(portal.callsTo(ME).length, 0)
  second.send({ event: 'roles', data: { tag: 'roles-2' } })
  await portal.findByText('Your access has changed.', { exact: false })
})

t.test('the end of the session leaves the page at once', async (t) => {
  const { portal, live } = openLivePortal(t, '/customers/9/alarms', {
    [ME]: () => problem(401),
    '/auth/session': { authenticated: true, expires_in: 1800, expired: false }
  })
  await portal.findByText('Source 1')
  const { send } = await live.at(0)
  send({ event: 'end', data: { reason: 'session' } })
  await waitFor(() => assert.ok(portal.left.length > 0))
})

t.test('a hidden page closes its stream, and opens another one when it is seen again', async (t) => {
  const { portal, live } = openLivePortal(t, '/customers/9/alarms')
  await portal.findByText('Source 1')
  const first = await live.at(0)
  t.strictSame([first.query.get('organizationId'), first.query.get('customerId')], ['1', '9'])
  await setHidden(true)
  await waitFor(() => assert.ok(first.signal?.aborted))
  t.equal(live.streams.length, 1)
  await setHidden(false)
  await live.at(1)
})
