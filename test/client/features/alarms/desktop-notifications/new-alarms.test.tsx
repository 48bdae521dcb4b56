import '../../../../support/client/dom.ts'
import assert from 'node:assert/strict'
import { act, fireEvent, waitFor } from '@testing-library/react'
import t, { type Test } from 'tap'
import {
  changeSettings,
  type NotificationSettings,
  tomorrowMs
} from '#client/features/alarms/desktop-notifications/settings.ts'
import type { AlarmOfCustomer } from '#shared/answers/portal.ts'
import { alarmRecord } from '../../../../support/client/alarm-record.ts'
import { customer } from '../../../../support/client/customer.ts'
import { type Call, card, pageOf } from '../../../../support/client/gateway.ts'
import { setHidden } from '../../../../support/client/gestures.ts'
import { alarmsEvent, EVENTS, liveStreams } from '../../../../support/client/live-streams.ts'
import { openPortal } from '../../../../support/client/portal.tsx'

const ALARMS = '/api/portal/v1/organizations/1/alarms'
const EARLIER = '2026-03-01T11:00:00.000Z'
const LATER = '2026-03-01T12:00:00.000Z'
const { id, orgName, scope } = card('9')

const alarm = (uuid: string, rest: Partial<AlarmOfCustomer> = {}): AlarmOfCustomer => ({
  ...alarmRecord(uuid, { sourceName: `Source ${uuid}`, timestamp: LATER, priority: 80 }),
  customer: { id, orgName, scope },
  device: { deviceUuid: 'd', deviceName: 'AHU-1', projectName: null },
  ...rest
})

interface Shown {
  title: string
  body: string
  tag: string
  onclick: () => void
}

/** Replaces the browser's notifications and sound. `answer` is the person's answer to the browser's question. */
function replaceBrowser(t: Test, permission: NotificationPermission, answer = permission) {
  const shown: Shown[] = []
  let toneCount = 0
  class FakeNotification {
    static permission = permission
    static requestPermission = async () => {
      FakeNotification.permission = answer
      return answer
    }
    onclick = () => {}
    constructor(title: string, { body, tag }: { body: string; tag: string }) {
      shown.push(Object.assign(this, { title, body, tag }))
    }
    close() {}
  }
  class FakeContext {
    currentTime = 0
    destination = {}
    resume = async () => {}
  }
  class FakeNode {
    gain = { setTargetAtTime() {} }
    connect = (to: unknown) => to
    start = () => {
      toneCount += 1
    }
    stop() {}
  }
  t.intercept(globalThis, 'Notification' as never, { value: FakeNotification as never })
  Object.assign(globalThis, { AudioContext: FakeContext, GainNode: FakeNode, OscillatorNode: FakeNode })
  t.intercept(window, 'focus', { value: () => {} })
  return { shown, toneCount: () => toneCount }
}

/** Opens the start page, where new alarms arrive after the present state. */
async function openWith(t: Test, settings: Partial<NotificationSettings>, newAlarms: AlarmOfCustomer[]) {
  changeSettings({ from: 'high', desktop: false, sound: false, mutedUntilMs: 0, ...settings })
  const live = liveStreams()
  const list = (_call: Call) => ({
    items: newAlarms,
    page: pageOf(newAlarms.length),
    counts: { action: 0, active: 0, unacked: 0, unackedIsMinimum: false },
    totals: [],
    partial: [],
    readAt: LATER
  })
  const portal = openPortal(t, '/', { ...customer().answers, [EVENTS]: live.open, [ALARMS]: list })
  const stream = await live.at(0)
  stream.send(alarmsEvent('one', { newestAt: EARLIER }))
  await portal.findByRole('link', { name: 'Alarms of all customers, 1 alarm to act on' })
  stream.send(alarmsEvent('two', { newestAt: LATER, count: 2 }))
  await portal.findByRole('link', { name: 'Alarms of all customers, 2 alarms to act on' })
  await act(async () => {})
  return { portal, live, stream }
}

t.test('reports nothing unless it is switched on', async (t) => {
  const { shown } = replaceBrowser(t, 'granted')
  const { portal } = await openWith(t, {}, [alarm('a')])
  t.equal(portal.callsTo(ALARMS).length, 0)
  t.strictSame(shown, [])
})

t.test('reports nothing while it is muted', async (t) => {
  const { shown, toneCount } = replaceBrowser(t, 'granted')
  const muted = { desktop: true, sound: true, mutedUntilMs: Date.now() + 60_000 }
  const { portal } = await openWith(t, muted, [alarm('a')])
  await waitFor(() => assert.equal(portal.callsTo(ALARMS).length, 1))
  t.strictSame([shown.length, toneCount()], [0, 0])
})

t.test('shows one notification for a new alarm, and opens it with a click', async (t) => {
  const { shown, toneCount } = replaceBrowser(t, 'granted')
  const before = [alarm('old', { timestamp: EARLIER }), alarm('acked', { ackState: 'acked' })]
  const { portal } = await openWith(t, { desktop: true, sound: true }, [alarm('a'), ...before])
  await waitFor(() => assert.equal(shown.length, 1))
  t.match(shown[0], { title: 'High: Source a', body: 'Customer 9 · AHU-1', tag: 'a' })
  t.equal(toneCount(), 2)
  const [call] = portal.callsTo(ALARMS)
  t.strictSame([call?.query.get('customerId'), call?.query.get('priorityTo')], ['9', '127'])
  shown[0]?.onclick()
  t.strictSame(portal.left, ['/customers/9/alarms?alarm=a&at=2026-03-01T12%3A00%3A00.000Z'])
})

t.test('shows one notification for many new alarms', async (t) => {
  const { shown } = replaceBrowser(t, 'granted')
  const { portal } = await openWith(
    t,
    { desktop: true },
    ['a', 'b', 'c', 'd'].map((uuid) => alarm(uuid))
  )
  await waitFor(() => assert.equal(shown.length, 1))
  t.match(shown[0], { title: '4 new alarms', body: 'Customer 9' })
  shown[0]?.onclick()
  t.strictSame(portal.left, ['/alarms'])
})

t.test('a hidden page that reports keeps its stream', async (t) => {
  replaceBrowser(t, 'granted')
  const { stream } = await openWith(t, { desktop: true }, [alarm('a')])
  await setHidden(true)
  t.equal(stream.signal?.aborted, false)
  await setHidden(false)
})

t.test('stays off if the browser refuses, and says why', async (t) => {
  replaceBrowser(t, 'default', 'denied')
  changeSettings({ desktop: false, sound: false })
  const portal = openPortal(t, '/alarms')
  fireEvent.click(await portal.findByRole('button', { name: /^Notify me/ }))
  fireEvent.click(await portal.findByRole('switch', { name: 'Desktop notifications' }))
  await portal.findByText(/^Your browser blocks notifications/)
  t.equal((portal.getByRole('switch', { name: 'Desktop notifications' }) as HTMLInputElement).checked, false)
})

t.test('asks the browser once, and mutes until tomorrow', async (t) => {
  replaceBrowser(t, 'default', 'granted')
  changeSettings({ desktop: false, sound: false, mutedUntilMs: 0 })
  const portal = openPortal(t, '/alarms')
  fireEvent.click(await portal.findByRole('button', { name: 'Notify me off' }))
  fireEvent.click(await portal.findByRole('switch', { name: 'Desktop notifications' }))
  await portal.findByRole('button', { name: 'Notify me from High' })
  fireEvent.click(portal.getByRole('button', { name: 'Mute until tomorrow' }))
  await portal.findByRole('button', { name: /^Notify me muted until/ })
  const { mutedUntilMs } = JSON.parse(localStorage.getItem('portal.alarm-notifications') ?? '')
  t.equal(mutedUntilMs, tomorrowMs(Date.now()))
  fireEvent.click(portal.getByRole('button', { name: 'Unmute' }))
  await portal.findByRole('button', { name: 'Notify me from High' })
})
