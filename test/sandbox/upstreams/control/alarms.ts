// Commands about alarms: acknowledging them, which their devices confirm a moment later, and noting things.
import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { audit } from '../../api/audit.ts'
import { callerOf } from '../../api/bearer.ts'
import { objectBody, objectList, textField, textList } from '../../api/body.ts'
import { ApiProblem, malformed, notFound } from '../../api/problems.ts'
import { params, type Upstream } from '../../api/upstream.ts'
import type { DeviceRecord } from '../../records/sites.ts'
import type { AlarmChanges } from '../../records/work.ts'
import { now, type State } from '../../state.ts'
import { type Alarm, alarmsOf } from '../alarms/records.ts'
import { deviceOf } from '../management/devices.ts'
import { requirePriority } from './priority.ts'

const CONTROL = '/api/v1/control/devices'
const PRIORITY = 'requestProcessingPriority'
const NOTE_MAX_CHARACTERS = 300

export const alarmCommands: Upstream = (api, state) => {
  api.post(`${CONTROL}/:id/commands/acknowledgeAlarm`, async (request, reply) => {
    const device = deviceOf(state, params(request).id)
    const body = objectBody(request)
    requirePriority(body, PRIORITY)
    acknowledge(state, request, device, textList(body, 'alarmUuids'))
    return reply.code(202).send({ commandId: randomUUID() })
  })

  api.post(`${CONTROL}/:id/commands/editAlarmData`, async (request, reply) => {
    const device = deviceOf(state, params(request).id)
    const body = objectBody(request)
    requirePriority(body, PRIORITY)
    const notes = objectList(body, 'alarms').map((item) => ({
      alarm: alarmOf(state, device, textField(item, 'uuid', 100)),
      text: textField(item, 'notes', NOTE_MAX_CHARACTERS)
    }))
    for (const { alarm, text } of notes) note(state, request, device, alarm, text)
    return reply.code(202).send({ commandId: randomUUID() })
  })

  // Each item succeeds or fails by itself.
  api.post(`${CONTROL}/commands/acknowledgeAlarmBatch`, async (request, reply) => {
    if (!Array.isArray(request.body)) throw malformed('a list is expected')
    const items = request.body.map((item) => objectBody({ body: item }))
    for (const item of items) requirePriority(item, PRIORITY)
    const results = items.map((item) => {
      const deviceId = textField(item, 'deviceId', 100)
      try {
        acknowledge(state, request, deviceOf(state, deviceId), textList(item, 'alarmUuids'))
        return { deviceId, status: 'OK' }
      } catch (error) {
        if (!(error instanceof ApiProblem)) throw error
        return { deviceId, status: 'FAILED', error: error.message }
      }
    })
    return reply.code(207).send(results)
  })
}

function acknowledge(state: State, request: FastifyRequest, device: DeviceRecord, uuids: string[]): void {
  const refusal = state.refusals.get(device.id)
  if (refusal !== undefined) throw new ApiProblem(409, 'refused', refusal)
  const wanted = uuids.map((uuid) => alarmOf(state, device, uuid))
  for (const alarm of wanted.filter((one) => one.ackState === 'unacked')) {
    changesOf(state, alarm).acknowledged = { atMs: state.clock(), user: callerOf(request).fullName }
    record(state, request, 'ALARM_ACKNOWLEDGED', device, alarm)
  }
}

function note(state: State, request: FastifyRequest, device: DeviceRecord, alarm: Alarm, text: string): void {
  changesOf(state, alarm).notes.push({ text, user: callerOf(request).fullName, time: now(state) })
  record(state, request, 'ALARM_NOTED', device, alarm, text)
}

function alarmOf(state: State, device: DeviceRecord, uuid: string): Alarm {
  const alarm = alarmsOf(state, device, state.clock()).find((one) => one.uuid === uuid)
  if (!alarm) throw notFound(`alarm ${uuid}`)
  return alarm
}

function changesOf(state: State, { uuid }: Alarm): AlarmChanges {
  const changes = state.alarmChanges.get(uuid) ?? { notes: [] }
  state.alarmChanges.set(uuid, changes)
  return changes
}

function record(
  state: State,
  request: FastifyRequest,
  action: string,
  device: DeviceRecord,
  alarm: Alarm,
  text?: string
): void {
  const changes = text === undefined ? [] : [{ field: 'notes', before: null, after: text }]
  const resource = { type: 'ALARM', id: alarm.uuid, name: alarm.sourceName }
  audit(state, request, { action, resource, organizationId: device.customerId, device, changes })
}
