// Commands for alarms: acknowledge (the device confirms 2 s later) and add a note.
import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { aboutDevice, recorderOf } from '../../api/audit.ts'
import { callerOf } from '../../api/bearer.ts'
import { objectBody, objectList, priorityField, textField, textList } from '../../api/body.ts'
import { ApiProblem, found, malformed } from '../../api/problems.ts'
import { params, type Upstream } from '../../api/upstream.ts'
import type { DeviceRecord } from '../../records/sites.ts'
import type { AlarmChanges } from '../../records/work.ts'
import { now } from '../../state.ts'
import { deviceOf } from '../management/devices.ts'
import { type Alarm, alarmsOf } from './alarm-records.ts'

const CONTROL = '/api/v1/control/devices'
const PRIORITY = 'requestProcessingPriority'
const NOTE_MAX_CHARACTERS = 300

export const alarmCommands: Upstream = (api, state) => {
  const record = recorderOf(state, 'ALARM', ([device, { uuid, sourceName }]: [DeviceRecord, Alarm]) =>
    aboutDevice(device, uuid, sourceName)
  )
  const alarmOf = (device: DeviceRecord, uuid: string): Alarm =>
    found(
      alarmsOf(state, device, state.clock()).find((candidate) => candidate.uuid === uuid),
      `alarm ${uuid}`
    )
  const changesOf = ({ uuid }: Alarm): AlarmChanges => {
    const changes = state.alarmChanges.get(uuid) ?? { notes: [] }
    state.alarmChanges.set(uuid, changes)
    return changes
  }

  function acknowledge(request: FastifyRequest, device: DeviceRecord, uuids: string[]): void {
    const refusal = state.refusals.get(device.id)
    if (refusal !== undefined) throw new ApiProblem(409, 'refused', refusal)
    const alarms = uuids.map((uuid) => alarmOf(device, uuid))
    for (const alarm of alarms.filter((candidate) => candidate.ackState === 'unacked')) {
      changesOf(alarm).acknowledged = { atMs: state.clock(), user: callerOf(request).fullName }
      record(request, 'ALARM_ACKNOWLEDGED', [device, alarm])
    }
  }

  api.post(`${CONTROL}/:id/commands/acknowledgeAlarm`, async (request, reply) => {
    const device = deviceOf(state, params(request).id)
    const body = objectBody(request)
    priorityField(body, PRIORITY)
    acknowledge(request, device, textList(body, 'alarmUuids'))
    return reply.code(202).send({ commandId: randomUUID() })
  })

  api.post(`${CONTROL}/:id/commands/editAlarmData`, async (request, reply) => {
    const device = deviceOf(state, params(request).id)
    const body = objectBody(request)
    priorityField(body, PRIORITY)
    const notes = objectList(body, 'alarms').map((item) => ({
      alarm: alarmOf(device, textField(item, 'uuid', 100)),
      text: textField(item, 'notes', NOTE_MAX_CHARACTERS)
    }))
    for (const { alarm, text } of notes) {
      changesOf(alarm).notes.push({ text, user: callerOf(request).fullName, time: now(state) })
      record(request, 'ALARM_NOTED', [device, alarm], [{ field: 'notes', before: null, after: text }])
    }
    return reply.code(202).send({ commandId: randomUUID() })
  })

  // Each item succeeds or fails independently.
  api.post(`${CONTROL}/commands/acknowledgeAlarmBatch`, async (request, reply) => {
    if (!Array.isArray(request.body)) throw malformed('a list is expected')
    const items = request.body.map((item) => objectBody({ body: item }))
    for (const item of items) priorityField(item, PRIORITY)
    const results = items.map((item) => {
      const deviceId = textField(item, 'deviceId', 100)
      try {
        acknowledge(request, deviceOf(state, deviceId), textList(item, 'alarmUuids'))
        return { deviceId, status: 'OK' }
      } catch (error) {
        if (!(error instanceof ApiProblem)) throw error
        return { deviceId, status: 'FAILED', error: error.message }
      }
    })
    return reply.code(207).send(results)
  })
}
