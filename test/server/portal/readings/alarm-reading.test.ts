// What is kept of the alarms of a hostile API.
import t, { type Test } from 'tap'
import { readAlarms } from '#server/portal/readings/alarm-reading.ts'
import { alarmRecord } from '../../../support/client/alarm-record.ts'
import { clientOf, startTinyUpstream } from '../../../support/tiny-upstream.ts'

const LARGE = 'x'.repeat(1_500_000)
const LONG_NAME = 'x'.repeat(500_000)
const NEWEST = '2026-03-02T12:00:00Z'

/** Reads alarms of which the first search finds these, and the second none. */
async function read(t: Test, alarms: readonly object[]) {
  const upstream = await startTinyUpstream(t)
  upstream.answer = (_request, response) => {
    const found = upstream.received.length === 1 ? alarms : []
    const page = { size: 200, totalElements: found.length, totalPages: 1, number: 0 }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ _embedded: { alarms: found }, page }))
  }
  const bearer = { accessToken: async () => 'token', replaceToken: async () => null }
  return readAlarms({ client: clientOf(t, upstream.url), customerId: '9', bearer })
}

t.test('an alarm as the API describes it is kept unchanged', async (t) => {
  const notes = [{ text: 'Checked', user: 'Ann', time: NEWEST }]
  const alarm = alarmRecord('a', { notes, user: 'Ann', ackTime: NEWEST, alarmData: { value: 4, unit: null } })
  const { alarms, newestAt } = await read(t, [{ ...alarm, unknown: ['field'] }])
  t.strictSame(alarms, [{ ...alarm, unknown: ['field'] }])
  t.equal(newestAt, alarm.timestamp)
})

t.test('the newest time is an ISO time, and no other text', async (t) => {
  const other = alarmRecord('b', { timestamp: NEWEST })
  for (const timestamp of [LARGE, 'zzz', `${NEWEST}${LARGE}`, '2026-99-99T00:00:00Z', '', 5, null, {}]) {
    const alone = await read(t, [{ ...alarmRecord('a'), timestamp }])
    t.equal(alone.newestAt, null)
    t.equal(alone.alarms[0]?.timestamp, '')
    const { newestAt, count } = await read(t, [{ ...alarmRecord('a'), timestamp }, other])
    t.strictSame([newestAt, count], [NEWEST, 2])
  }
})

t.test('every text of an alarm is shortened, and an overlong identifier left out', async (t) => {
  const texts = {
    messageText: LARGE,
    sourceName: LARGE,
    user: LARGE,
    notes: [{ text: LARGE }],
    more: [LARGE]
  }
  for (const [name, value] of Object.entries(texts)) {
    const { alarms, bytes } = await read(t, [{ ...alarmRecord('a'), [name]: value }])
    t.ok(bytes < 3_000, name)
    t.match(JSON.stringify(alarms[0]?.[name]), /x{999}…/, name)
  }
  for (const name of ['uuid', 'systemGuid', 'normalTime', 'lastUpdate']) {
    const { alarms } = await read(t, [{ ...alarmRecord('a'), [name]: LARGE }])
    t.notOk(alarms[0]?.[name], name)
  }
  const { alarms } = await read(t, [alarmRecord('a', { messageText: 'x'.repeat(1_000) })])
  t.equal(alarms[0]?.messageText, 'x'.repeat(1_000), 'at the limit')
})

t.test('a large alarm keeps its listed fields and its newest notes', async (t) => {
  const notes = Array.from({ length: 100 }, (_, index) => ({
    text: `${index} ${'x'.repeat(400)}`,
    user: 'Ann',
    time: NEWEST
  }))
  const alarm = {
    ...alarmRecord('a', { notes, messageText: 'High' }),
    [LONG_NAME]: 1,
    alarmData: { [LONG_NAME]: 1 }
  }
  const { alarms, bytes } = await read(t, [alarm])
  t.ok(bytes < 10_100)
  const kept = alarms[0]?.notes as unknown[]
  t.ok(kept.length > 10)
  t.strictSame(kept, notes.slice(-kept.length))
  const { notes: _notes, ...listed } = alarmRecord('a', { messageText: 'High' })
  t.match(alarms[0], listed)
})
