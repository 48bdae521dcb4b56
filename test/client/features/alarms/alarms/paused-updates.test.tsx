import '../../../../support/client/dom.ts'
import { act, cleanup, render } from '@testing-library/react'
import t from 'tap'
import { byDevice } from '#client/features/alarms/alarms/alarm.ts'
import { type PausedUpdates, usePausedUpdates } from '#client/features/alarms/alarms/use-paused-updates.ts'
import { bandOf } from '#client/features/alarms/priorities/bands.ts'
import type { Alarm } from '#shared/answers/alarms.ts'
import { alarmRecord } from '../../../../support/client/alarm-record.ts'

t.afterEach(() => cleanup())

t.test('sorts priorities into bands', async (t) => {
  const bands = [1, 63, 64, 127, 128, 191, 192, 255].map((priority) => bandOf(priority)?.id)
  t.strictSame(bands, ['critical', 'critical', 'high', 'high', 'medium', 'medium', 'low', 'low'])
  t.strictSame([0, 256, Number.NaN].map(bandOf), [null, null, null])
})

t.test('groups alarms into one command per device', async (t) => {
  const alarms = [alarmRecord('a'), alarmRecord('b', { deviceId: 'd-2' }), alarmRecord('c')]
  t.strictSame(byDevice(alarms), [
    { deviceId: 'd-1', alarmUuids: ['a', 'c'] },
    { deviceId: 'd-2', alarmUuids: ['b'] }
  ])
  t.strictSame(byDevice([]), [])
})

function openRows() {
  let nowMs = Date.parse(alarmRecord('a').timestamp)
  let updates: PausedUpdates<Alarm> | null = null
  type ProbeProps = Omit<Parameters<typeof usePausedUpdates<Alarm>>[0], 'nowMs'>
  function Probe(options: ProbeProps) {
    updates = usePausedUpdates({ ...options, nowMs: () => nowMs })
    return null
  }
  const screen = render(<Probe view="one" data={undefined} current={false} />)
  return {
    load: (view: string, data: Alarm[] | undefined, current = true, rest: Partial<ProbeProps> = {}) =>
      act(() => screen.rerender(<Probe view={view} data={data} current={current} {...rest} />)),
    summary: () => ({ shown: updates?.items.map(({ uuid }) => uuid), fresh: updates?.fresh }),
    items: () => updates?.items ?? [],
    moved: () => updates?.moved,
    gone: () => [...(updates?.gone ?? [])],
    showMoved: () => act(() => updates?.showMoved()),
    wait(ms: number) {
      nowMs += ms
    },
    show: () => act(() => updates?.show())
  }
}

t.test('counts a new alarm and shows it only on request', async (t) => {
  const rows = openRows()
  t.strictSame(rows.summary(), { shown: [], fresh: 0 })
  rows.load('one', [alarmRecord('b'), alarmRecord('c')])
  t.strictSame(rows.summary(), { shown: ['b', 'c'], fresh: 0 })
  rows.load('one', [alarmRecord('a'), alarmRecord('b', { ackState: 'acked' }), alarmRecord('c')])
  t.strictSame(rows.summary(), { shown: ['b', 'c'], fresh: 1 })
  t.equal(rows.items()[0]?.ackState, 'acked', 'a row shows the latest data')
  rows.show()
  t.strictSame(rows.summary(), { shown: ['a', 'b', 'c'], fresh: 0 })
})

t.test('shows a new alarm at once if no alarm is shown that it could move', async (t) => {
  const rows = openRows()
  rows.load('one', [])
  rows.load('one', [alarmRecord('a')])
  t.strictSame(rows.summary(), { shown: ['a'], fresh: 0 })
})

t.test('counts alarms raised since the list was shown, not older alarms of the next page', async (t) => {
  const rows = openRows()
  const olderAlarm = alarmRecord('c')
  const newAlarm = alarmRecord('a', { timestamp: '2026-03-01T12:10:00Z' })
  rows.wait(600_000)
  rows.load('one', [alarmRecord('b')])
  rows.load('one', [olderAlarm])
  t.strictSame(rows.summary(), { shown: ['b'], fresh: 0 })
  rows.load('one', [newAlarm, olderAlarm])
  t.strictSame(rows.summary(), { shown: ['b'], fresh: 1 })
  rows.wait(600_000)
  rows.show()
  rows.load('one', [alarmRecord('d', { timestamp: '2026-03-01T12:15:00Z' }), newAlarm])
  t.strictSame(rows.summary(), { shown: ['a', 'c'], fresh: 0 }, 'd was raised before the list was shown')
})

t.test('counts an alarm that the search finds up to a minute late', async (t) => {
  const rows = openRows()
  rows.wait(50_000)
  rows.load('one', [alarmRecord('b')])
  rows.load('one', [alarmRecord('a'), alarmRecord('b')])
  t.equal(rows.summary().fresh, 1)
})

t.test('keeps a row until the view changes, although the search no longer finds it', async (t) => {
  const rows = openRows()
  rows.load('one', [alarmRecord('a'), alarmRecord('b')])
  rows.load('one', [alarmRecord('b')])
  t.strictSame(rows.summary(), { shown: ['a', 'b'], fresh: 0 })
  rows.load('two', [alarmRecord('b')], false)
  t.strictSame(rows.summary(), { shown: ['b'], fresh: 0 }, 'while the other view loads')
  rows.load('two', [alarmRecord('c')])
  t.strictSame(rows.summary(), { shown: ['c'], fresh: 0 })
})

t.test('a new alarm may have moved a row to the next page, so that the row is not gone', async (t) => {
  const rows = openRows()
  rows.load('one', [alarmRecord('b'), alarmRecord('c')])
  rows.load('one', [alarmRecord('a'), alarmRecord('b')])
  t.strictSame(rows.gone(), [])
  rows.load('two', [alarmRecord('b'), alarmRecord('c')])
  rows.load('two', [alarmRecord('b')])
  t.strictSame(rows.gone(), ['c'])
})

t.test('shows each older alarm once that moved from the next page', async (t) => {
  const rows = openRows()
  rows.wait(600_000)
  rows.load('one', [alarmRecord('a'), alarmRecord('b')])
  t.equal(rows.moved(), 0)
  rows.load('one', [alarmRecord('b'), alarmRecord('c')])
  t.strictSame(rows.summary(), { shown: ['a', 'b'], fresh: 0 })
  t.equal(rows.moved(), 1)
  rows.showMoved()
  t.strictSame(rows.summary(), { shown: ['c'], fresh: 0 })
  t.equal(rows.moved(), 0, 'b was shown before')
})

t.test('alarms that a list gets later join it, unless the mouse or the focus is in its rows', async (t) => {
  const rows = openRows()
  rows.wait(600_000)
  rows.load('one', [alarmRecord('b')], true, { joins: '1' })
  rows.load('one', [alarmRecord('a'), alarmRecord('b')], true, { joins: '2', isInUse: true })
  t.strictSame(rows.summary(), { shown: ['b'], fresh: 1 }, 'nothing moves')
  rows.load('one', [alarmRecord('a'), alarmRecord('b')], true, { joins: '2', isInUse: false })
  t.strictSame(rows.summary(), { shown: ['a', 'b'], fresh: 0 })
})
