import t from 'tap'
import { startSandbox } from '../../app.ts'
import { NOTABLE } from '../../seed.ts'
import { ALARMS_OF } from '../../simulation/alarm-definitions.ts'
import { pointsOf } from '../../simulation/points.ts'
import type { Alarm } from '../../upstreams/alarms/records.ts'
import { callAs } from '../call-as.ts'

const DAY_MS = 86_400_000
const NOON = Date.parse('2026-03-11T12:00:00Z')
let now = NOON
const sandbox = await startSandbox({ clock: () => now })
t.teardown(sandbox.stop)
t.afterEach(() => {
  now = NOON
})
const { state } = sandbox
const call = await callAs(sandbox, 'nds.operator')
const priority = { requestProcessingPriority: 255 }

async function search(body: object, query = 'size=1000&count=true') {
  const path = `/api/v1/alarms/customers/${NOTABLE.northwind}/alarms:search?${query}`
  const answer = await call('POST', path, body)
  return { ...answer, alarms: (answer.body._embedded?.alarms ?? []) as Alarm[] }
}
const command = (id: string, name: string, body: object) =>
  call('POST', `/api/v1/control/devices/${id}/commands/${name}`, { ...body, ...priority })

async function unacknowledged(): Promise<Alarm[]> {
  return (await search({ ackStates: ['unacked'] })).alarms
}
async function alarm(uuid: string): Promise<Alarm | undefined> {
  return (await search({})).alarms.find((one) => one.uuid === uuid)
}

t.test('every alarm of each kind of device comes from one of its points', async (t) => {
  const kinds = new Map(state.devices.of(NOTABLE.northwind).map((one) => [one.equipment, one]))
  for (const [kind, device] of kinds) {
    const names = new Set(pointsOf(device).map((one) => one.displayName))
    for (const { source } of ALARMS_OF[kind]) t.ok(names.has(source), `${kind}: ${source}`)
  }
})

t.test('there are many alarms, of every state, the newest first', async (t) => {
  const { alarms, body } = await search({})
  t.ok(body.page.totalElements > 300)
  const dates = alarms.map((one) => one.timestamp)
  t.same(dates, [...dates].sort().reverse())
  for (const state of ['offnormal', 'fault', 'alert', 'normal'])
    t.ok(
      alarms.some((one) => one.sourceState === state),
      state
    )
  t.match(alarms[0], {
    uuid: /^[0-9a-f-]{36}$/,
    deviceId: /^d-1001-/,
    sourceName: /./,
    priority: Number,
    alarmClass: /./,
    messageText: /./,
    notes: [],
    alarmData: { slotPath: /^slot:/ }
  })
  t.equal(new Set(alarms.map((one) => one.uuid)).size, alarms.length)
  const active = alarms.filter((one) => one.sourceState !== 'normal')
  t.ok(active.length > 5 && active.length < 100, String(active.length))
  t.ok(active.every((one) => one.normalTime === null))
  t.same((await search({})).body, body, 'the same at the same time')
})

t.test('filters must all hold', async (t) => {
  const all = (await search({})).alarms
  const { systemGuid } = all[0] as Alarm
  const from = new Date(NOON - 7 * DAY_MS).toISOString()
  const to = new Date(NOON - 2 * DAY_MS).toISOString()
  const cases: [object, (one: Alarm) => boolean][] = [
    [{ systemGuids: [systemGuid] }, (one) => one.systemGuid === systemGuid],
    [{ sourceStates: ['fault', 'alert'] }, (one) => ['fault', 'alert'].includes(one.sourceState)],
    [{ ackStates: ['unacked'] }, (one) => one.ackState === 'unacked'],
    [{ alarmClasses: ['Critical'] }, (one) => one.alarmClass === 'Critical'],
    [{ priorityFrom: 64, priorityTo: 127 }, (one) => one.priority >= 64 && one.priority <= 127],
    [{ startTime: from, endTime: to }, (one) => one.timestamp >= from && one.timestamp <= to],
    [{ keyword: 'PUMP' }, (one) => /pump/i.test(one.sourceName + one.messageText)],
    [
      { ackStates: ['acked'], alarmClasses: ['HVAC'] },
      (one) => one.ackState === 'acked' && one.alarmClass === 'HVAC'
    ],
    [{ systemGuids: [], ackStates: [], keyword: '' }, () => true]
  ]
  for (const [filter, holds] of cases) {
    const { alarms } = await search(filter)
    t.ok(alarms.length > 0, JSON.stringify(filter))
    t.same(
      alarms.map((one) => one.uuid),
      all.filter(holds).map((one) => one.uuid),
      JSON.stringify(filter)
    )
  }
})

t.test('alarms come by page and in order, and are counted when that is asked for', async (t) => {
  const page = await search({}, 'page=1&count=true&sortBy=priority&sortDir=asc')
  t.equal(page.alarms.length, 25)
  t.equal(page.body.page.size, 25)
  const priorities = (await search({}, 'size=1000&sortBy=priority')).alarms.map((one) => one.priority)
  t.same(
    page.alarms.map((one) => one.priority),
    priorities.slice(25, 50)
  )
  t.notOk('totalElements' in (await search({}, 'size=1')).body.page)
})

t.test('a search that does not fit is refused', async (t) => {
  for (const bad of [
    { sourceStates: ['broken'] },
    { ackStates: 'acked' },
    { priorityFrom: 0 },
    { priorityTo: 256 },
    { startTime: 'yesterday' }
  ])
    t.equal((await search(bad)).status, 400, JSON.stringify(bad))
  t.equal((await call('POST', '/api/v1/alarms/customers/none/alarms:search', {})).status, 404)
})

t.test('alarms go off and return to normal as time passes', async (t) => {
  const before = (await search({})).alarms
  now += 2 * DAY_MS
  const after = (await search({})).alarms
  const known = new Set(before.map((one) => one.uuid))
  const later = after.filter((one) => !known.has(one.uuid))
  t.ok(later.length > 5)
  t.ok(later.every((one) => Date.parse(one.timestamp) > NOON))
  const was = before.filter((one) => one.sourceState !== 'normal').map((one) => one.uuid)
  t.ok(
    after.some((one) => was.includes(one.uuid) && one.sourceState === 'normal'),
    'some are over'
  )
})

t.test('the count of a device is of alarms that somebody should look at', async (t) => {
  const [open] = await unacknowledged()
  const id = open?.deviceId ?? ''
  const path = `/api/v1/alarms/customers/${NOTABLE.northwind}/devices/${id}/alarms/count`
  const { alarms } = await search({ systemGuids: [open?.systemGuid] })
  const expected = alarms.filter((one) => one.sourceState !== 'normal' || one.ackState !== 'acked').length
  t.same((await call('GET', `${path}?sourceId=${id}`)).body, { count: expected })
  t.equal((await call('GET', path)).status, 400)
  t.equal((await call('GET', path.replace(NOTABLE.northwind, NOTABLE.multi[0]))).status, 404)
})

t.test('an acknowledged alarm is pending at first and acknowledged after two seconds', async (t) => {
  const [open] = await unacknowledged()
  const { uuid = '', deviceId = '' } = open ?? {}
  const answer = await command(deviceId, 'acknowledgeAlarm', { alarmUuids: [uuid] })
  t.match(answer, { status: 202, body: { commandId: /./ } })
  t.match(await alarm(uuid), { ackState: 'ackPending', ackTime: null, user: 'Nadia Okafor' })
  now += 2000
  t.match(await alarm(uuid), { ackState: 'acked', ackTime: '2026-03-11T12:00:02.000Z' })
  t.match(state.audit.at(-1), { action: 'ALARM_ACKNOWLEDGED', resource: { type: 'ALARM', id: uuid } })
  const before = state.audit.length
  t.equal((await command(deviceId, 'acknowledgeAlarm', { alarmUuids: [uuid] })).status, 202)
  t.equal(state.audit.length, before, 'a second time changes nothing')
  t.equal((await command(deviceId, 'acknowledgeAlarm', { alarmUuids: ['none'] })).status, 404)
})

t.test('a batch is answered item by item', async (t) => {
  const [one, two] = (await unacknowledged()).filter(
    (alarm, index, all) => all.findIndex((other) => other.deviceId === alarm.deviceId) === index
  )
  const items = [one, two].map((alarm) => ({
    deviceId: alarm?.deviceId,
    alarmUuids: [alarm?.uuid],
    ...priority
  }))
  const path = '/api/v1/control/devices/commands/acknowledgeAlarmBatch'
  const answer = await call('POST', path, [...items, { ...items[0], deviceId: 'none' }])
  t.match(answer, {
    status: 207,
    body: [{ deviceId: one?.deviceId, status: 'OK' }, { status: 'OK' }, { status: 'FAILED', error: /./ }]
  })
  t.equal((await alarm(two?.uuid ?? ''))?.ackState, 'ackPending')
  t.equal((await call('POST', path, [{ deviceId: 'd-1001-1', alarmUuids: [] }])).status, 400)
  t.equal((await call('POST', path, {})).status, 400)
})

t.test('notes are kept with who wrote them and when', async (t) => {
  const [open] = await unacknowledged()
  const { uuid = '', deviceId = '' } = open ?? {}
  const note = (notes: string) => command(deviceId, 'editAlarmData', { alarms: [{ uuid, notes }] })
  t.equal((await note('Sent somebody up.')).status, 202)
  now += 1000
  t.equal((await note('x'.repeat(300))).status, 202)
  t.match((await alarm(uuid))?.notes, [
    { text: 'Sent somebody up.', user: 'Nadia Okafor', time: '2026-03-11T12:00:00.000Z' },
    { text: /^x+$/ }
  ])
  t.equal((await note('x'.repeat(301))).status, 400)
  t.equal((await note('')).status, 400)
})
