import t from 'tap'
import { startSandbox } from '../../app.ts'
import type { DeviceRecord } from '../../records/sites.ts'
import { NOTABLE_DEVICES } from '../../seed.ts'
import { type Point, pointsOf } from '../../simulation/points.ts'
import { callAs } from '../call-as.ts'

const NOON = Date.parse('2026-03-11T12:00:00Z')
let now = NOON
const sandbox = await startSandbox({ clock: () => now })
t.teardown(sandbox.stop)
t.afterEach(() => {
  now += 10_000
})
const { state } = sandbox
const call = await callAs(sandbox, 'partner.admin')
const device = state.devices.get(NOTABLE_DEVICES.airHandler) as DeviceRecord
const priority = { requestProcessingPriority: 255 }
const command = (name: string, body: object, id = device.id) =>
  call('POST', `/api/v1/control/devices/${id}/commands/${name}`, body)

function pointNamed(name: string): Point {
  return pointsOf(device).find((one) => one.displayName === name) as Point
}
const setpoint = pointNamed('Supply Air Temp Setpoint')
const sensor = pointNamed('Return Air Temp')

async function read({ cloudId }: Point) {
  return (await command('read', { cloudIds: [cloudId], ...priority })).body[0]
}
const write = (cloudId: string, value: unknown) =>
  command('write', { points: [{ cloudId, value }], ...priority })

t.test('live values are those of the history at that time', async (t) => {
  now = NOON
  const { body } = await call('POST', '/api/v1/egress/telemetry', {
    systemGuid: device.systemGuid,
    pointIds: [sensor.telemetryId],
    startTime: new Date(NOON).toISOString(),
    endTime: new Date(NOON + 1).toISOString()
  })
  const [record] = body.pointDetails[0].historyRecords
  t.match(await read(sensor), {
    cloudId: sensor.cloudId,
    value: record.value,
    status: 'ok',
    timestamp: '2026-03-11T12:00:00.000Z'
  })
})

t.test('one call reads many points, and an unknown one has an error', async (t) => {
  const answer = await command('read', { cloudIds: [setpoint.cloudId, 'none'], ...priority })
  t.match(answer.body, [{ value: Number }, { cloudId: 'none', value: null, error: 'no such point' }])
  const all = await command('readAll', { cloudIds: [], priority: 255 })
  t.equal(all.body.length, pointsOf(device).length)
  const one = await command('readAll', { cloudIds: [sensor.cloudId], priority: 255 })
  t.equal(one.body.length, 1)
})

t.test('what is written is read back after two seconds, until it is cleared', async (t) => {
  const before = (await read(setpoint)).value
  const written = await write(setpoint.cloudId, 24.5)
  t.match(written, { status: 200, body: [{ cloudId: setpoint.cloudId, status: 'OK' }] })
  now += 1999
  t.equal((await read(setpoint)).value, before)
  now += 1
  t.match(await read(setpoint), { value: 24.5, status: 'overridden' })
  t.match(state.audit.at(-1), {
    action: 'POINT_WRITTEN',
    resource: { type: 'POINT', id: setpoint.cloudId, name: setpoint.displayName },
    customerId: device.customerId,
    changes: [{ after: '24.5' }]
  })
  const cleared = await command('clear', { points: [{ cloudId: setpoint.cloudId }], ...priority })
  t.match(cleared.body, [{ status: 'OK' }])
  now += 2000
  t.match(await read(setpoint), { value: before, status: 'ok' })
  t.equal(state.audit.at(-1)?.action, 'POINT_CLEARED')
})

t.test('booleans and enums are written by value or by text', async (t) => {
  const cases: [string, unknown, unknown][] = [
    ['Supply Fan Command', false, false],
    ['Supply Fan Command', 'On', true],
    ['Operating Mode', 3, 3],
    ['Operating Mode', 'Cooling', 2]
  ]
  for (const [name, value, expected] of cases) {
    t.equal((await write(pointNamed(name).cloudId, value)).body[0].status, 'OK', name)
    now += 2000
    t.equal((await read(pointNamed(name))).value, expected)
  }
})

t.test('a write that cannot be is an item that failed; the others are carried out', async (t) => {
  const before = state.audit.length
  const cases: [string, unknown, RegExp][] = [
    [sensor.cloudId, 20, /not writable/],
    [setpoint.cloudId, 26.1, /between 12 and 26/],
    [setpoint.cloudId, 11.9, /between/],
    [setpoint.cloudId, '20', /must be a number/],
    [pointNamed('Supply Fan Command').cloudId, 'Perhaps', /true or false/],
    [pointNamed('Operating Mode').cloudId, 5, /one of Off/],
    ['none', 1, /no such point/]
  ]
  for (const [cloudId, value, error] of cases)
    t.match(await write(cloudId, value), { status: 200, body: [{ cloudId, status: 'FAILED', error }] })
  t.equal(state.audit.length, before)
  const points = [
    { cloudId: sensor.cloudId, value: 1 },
    { cloudId: setpoint.cloudId, value: 12 },
    { cloudId: setpoint.cloudId, value: 26 }
  ]
  const mixed = await command('write', { points, ...priority })
  t.same(
    mixed.body.map((one: { status: string }) => one.status),
    ['FAILED', 'OK', 'OK']
  )
})

t.test('a device that is offline answers with its last values and refuses writes', async (t) => {
  const offline = state.devices.get(NOTABLE_DEVICES.offline) as DeviceRecord
  const point = pointsOf(offline).find((one) => one.template.writable) as Point
  const shown = await command('read', { cloudIds: [point.cloudId], ...priority }, offline.id)
  t.match(shown.body, [{ status: 'down,stale', error: /offline/ }])
  const points = [{ cloudId: point.cloudId, value: 1 }]
  t.match((await command('write', { points, ...priority }, offline.id)).body, [
    { status: 'FAILED', error: /offline/ }
  ])
})

t.test('each command wants its own kind of priority', async (t) => {
  const points = [{ cloudId: setpoint.cloudId, value: 20 }]
  const cases: [string, object][] = [
    ['read', { cloudIds: [] }],
    ['read', { cloudIds: [], priority: 255 }],
    ['readAll', { cloudIds: [] }],
    ['readAll', { cloudIds: [], ...priority }],
    ['write', { points }],
    ['write', { points, requestProcessingPriority: 256 }],
    ['clear', { points }],
    ['acknowledgeAlarm', { alarmUuids: [] }],
    ['editAlarmData', { alarms: [] }]
  ]
  for (const [name, body] of cases)
    t.equal((await command(name, body)).status, 400, `${name} ${JSON.stringify(body)}`)
  t.equal((await command('read', { ...priority })).status, 400)
  t.equal((await command('read', { cloudIds: [], ...priority }, 'none')).status, 404)
})
