// Alarms that arise while the sandbox runs, and those that are raised by a command.
import t, { type Test } from 'tap'
import { openSandbox } from '../support/scenes/gateway.ts'
import { NOTABLE } from './seed/notable.ts'
import { alarmsOf, openAlarmsOf } from './upstreams/data/alarm-records.ts'

const PACE_SECONDS = 60
const HOUR_MS = 3_600_000

async function start(t: Test, alarmPaceSeconds = 0) {
  const time = { now: Date.parse('2026-03-11T12:00:00Z') }
  const sandbox = await openSandbox(t, { clock: () => time.now, alarmPaceSeconds })
  const { state } = sandbox
  const openUuids = () =>
    [...state.devices.values()].flatMap((device) =>
      openAlarmsOf(state, device, time.now).map(({ uuid }) => uuid)
    )
  return { time, sandbox, state, openUuids }
}

t.test('refuses a malformed command, and a device without data services', async (t) => {
  const { sandbox } = await start(t)
  const post = (body: string, path = '/sandbox/alarms') =>
    fetch(sandbox.url + path, { method: 'POST', body }).then(({ status }) => status)
  t.equal(await post('{'), 400)
  t.equal(await post('null'), 400)
  t.equal(await post('{"deviceId":"none"}'), 404)
  t.equal(await post(`{"customerId":"${NOTABLE.withoutDevices}"}`), 404)
  t.equal(await post('{}', '/sandbox/devices'), 404)
})

t.test('raises an alarm', async (t) => {
  const { sandbox, state, time } = await start(t)
  const body = JSON.stringify({ customerId: NOTABLE.multi[0], priority: 20, message: 'The flame has failed' })
  const answer = await fetch(`${sandbox.url}/sandbox/alarms`, { method: 'POST', body })
  t.equal(answer.status, 201)
  const { uuid, deviceId } = (await answer.json()) as { uuid: string; deviceId: string }
  const device = state.devices.get(deviceId)
  const alarm = device && openAlarmsOf(state, device, time.now).find((candidate) => candidate.uuid === uuid)
  t.match(alarm, { priority: 20, messageText: 'The flame has failed', ackState: 'unacked' })
  const second = await fetch(`${sandbox.url}/sandbox/alarms`, { method: 'POST' })
  t.equal(second.status, 201, 'without a body')
})

t.test('no alarm arises by default', async (t) => {
  const { time, state, openUuids } = await start(t)
  openUuids()
  time.now += HOUR_MS
  t.equal(state.arisen.count, 0)
})

t.test('alarms arise, return and are acknowledged, the same in every sandbox', async (t) => {
  const scenes = [await start(t, PACE_SECONDS), await start(t, PACE_SECONDS)]
  const [uuids, others] = scenes.map(({ time, state, openUuids }) => {
    openUuids()
    for (let minute = 0; minute < 60; minute += 1) {
      time.now += 60_000
      openUuids()
    }
    const arisen = [...state.arisen.byDevice.values()].flat()
    t.equal(arisen.length, 60)
    t.ok(new Set(arisen.map(({ device }) => device.customerId)).size > 10, 'at many customers')
    const open = new Set(openUuids())
    t.ok(arisen.some(({ uuid }) => open.has(uuid)))
    time.now += HOUR_MS
    for (const { device, uuid } of arisen) {
      const alarm = alarmsOf(state, device, time.now).find((candidate) => candidate.uuid === uuid)
      t.match(alarm, { sourceState: 'normal', ackState: 'acked', user: String })
    }
    return arisen.map(({ uuid }) => uuid)
  })
  t.strictSame(uuids, others)
})
