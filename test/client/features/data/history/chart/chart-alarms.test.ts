// Alarms of a chart: their points, times and limits.
import '../../../../../support/client/dom.ts'
import t from 'tap'
import { alarmsWithin, limitsOf, marksOf } from '#client/features/data/history/chart/chart-alarms.ts'
import { pointOf } from '#client/features/data/points/point.ts'
import type { Alarm } from '#shared/answers/alarms.ts'
import { NO_SAMPLES } from '#shared/history/samples.ts'
import { alarmRecord } from '../../../../../support/client/alarm-record.ts'

const HOUR = 3_600_000
const FROM = Date.UTC(2026, 10, 21, 12)
const RANGE = { fromMs: FROM, toMs: FROM + 10 * HOUR }
const iso = (hours: number) => new Date(FROM + hours * HOUR).toISOString()
const SOURCE = { cloudId: 'c-1', systemGuid: 'g', displayName: 'Supply Temp' }

function alarm(raised: number, normal: number | null, rest: Partial<Alarm> = {}): Alarm {
  return alarmRecord('a-1', {
    timestamp: iso(raised),
    systemGuid: 'g',
    sourceName: 'Supply Temp',
    messageText: 'High supply temp',
    normalTime: normal === null ? null : iso(normal),
    ...rest
  })
}
const countWithin = (one: Alarm) => alarmsWithin([one], [SOURCE], RANGE).length

t.test('leaves out an alarm of another point with the same name', async (t) => {
  t.equal(countWithin(alarm(1, 2, { alarmData: { cloudId: 'c-2' } })), 0)
  t.equal(countWithin(alarm(1, 2, { systemGuid: 'other' })), 0)
  t.equal(countWithin(alarm(1, 2, { sourceName: 'Return Temp' })), 0)
  t.equal(countWithin(alarm(1, 2, { sourceName: 'Old name', alarmData: { cloudId: 'c-1' } })), 1)
})

t.test('includes an alarm that began before the range', async (t) => {
  t.equal(countWithin(alarm(-2, -1)), 0)
  t.equal(countWithin(alarm(-2, 0)), 0, 'the alarm ended when the range begins')
  t.equal(countWithin(alarm(-2, 0.1)), 1)
  t.equal(countWithin(alarm(-200, null)), 1)
  t.equal(countWithin(alarm(9.9, null)), 1)
  t.equal(countWithin(alarm(10, null)), 0)
  t.equal(countWithin(alarm(1, 2, { timestamp: 'soon' })), 0)
})

t.test('a mark shows the text and times of its alarm, and is strong if the alarm is chosen', async (t) => {
  const marks = (one: Alarm) =>
    marksOf(alarmsWithin([one], [SOURCE], RANGE), { zone: 'UTC', nowMs: FROM + 5 * HOUR, chosen: 'a-1' })
  t.same(marks(alarm(1, 3)), [
    {
      fromMs: FROM + HOUR,
      toMs: FROM + 3 * HOUR,
      text: 'High supply temp 13:00–15:00',
      strong: true
    }
  ])
  t.equal(marks(alarm(-13, 3))[0]?.text, 'High supply temp 20-Nov 23:00–21-Nov 15:00')
  t.match(marks(alarm(1, null))[0], { toMs: FROM + 5 * HOUR, text: 'High supply temp since 13:00' })
  t.equal(marks(alarm(1, 3, { messageText: '' }))[0]?.text, 'Supply Temp 13:00–15:00')
})

t.test('draws each alarm limit of a numeric point once', async (t) => {
  const line = (dataType: string) => ({
    id: 'l',
    key: 'k',
    name: 'Supply Temp',
    device: '',
    point: pointOf({ ...SOURCE, tags: { dataType, units: '°C' }, facets: { precision: 1 } }),
    samples: NO_SAMPLES,
    color: 0,
    shiftMs: null
  })
  const limits = (data: Alarm['alarmData'], dataType = 'Numeric') => {
    const alarms = [alarm(1, 2), alarm(3, 4, data ? { alarmData: data } : {})]
    return limitsOf(alarmsWithin(alarms, [SOURCE], RANGE), [line(dataType)])
  }
  t.same(limits(undefined), [])
  t.same(limits({ highLimit: '', lowLimit: null }), [])
  t.same(limits({ highLimit: 23, lowLimit: '0' }), [
    { unit: '°C', value: 23, text: 'High limit 23.0 °C' },
    { unit: '°C', value: 0, text: 'Low limit 0.0 °C' }
  ])
  t.same(limits({ highLimit: 1 }, 'Boolean'), [])
  const limitPair = limitsOf(alarmsWithin([alarm(1, 2, { alarmData: { highLimit: 23 } })], [SOURCE], RANGE), [
    line('Numeric'),
    { ...line('Numeric'), color: 4, point: pointOf({ ...SOURCE, cloudId: 'c-2' }) }
  ])
  t.same(
    limitPair.map(({ text }) => text),
    ['1 High limit 23.0 °C']
  )
})
