// Rows for the live values of a device, for commands to it, and for its Remote session, with their request schemas.
import Type from 'typebox'
import { texts, time } from '#shared/answers/parts.ts'
import { AcceptedCommand, DeviceOutcome, PointOutcome, PointValue } from '#shared/answers/points.ts'
import { DESCRIPTION_MAX_CHARACTERS } from '#shared/limits.ts'
import { closed, id, listOf, opaqueId, optional, text, whole } from '../../schemas.ts'
import { ok } from '../answers.ts'
import type { ProxyRow } from '../row.ts'
import { IDS_BYTES, OBJECTS_BYTES, OBJECTS_MAX } from './schemas.ts'

const COMMANDS = '/api/v1/control/devices/:deviceId/commands'
const area = { name: 'Live values and commands', description: 'Read and write the points of a connected device, acknowledge its alarms, and open a Remote session.' }
const command = { area, method: 'POST', scope: 'device' } as const

const priority = whole(1, 255, 'Urgency of the command. The portal uses 255.')
const requestProcessingPriority = priority
const cloudId = opaqueId('`cloudId` of a point.')
const cloudIds = listOf(cloudId, OBJECTS_MAX)
const alarmUuid = opaqueId('`uuid` of an alarm.', 'a-9')
const alarmUuids = listOf(alarmUuid, OBJECTS_MAX)
const value = Type.Union([Type.Boolean(), Type.Number(), text(1000), Type.Null()])
const notes = text(DESCRIPTION_MAX_CHARACTERS)

const readCommand = closed({ cloudIds, requestProcessingPriority }, { $id: 'ReadCommand' })
const readAllCommand = closed({ cloudIds, priority }, { $id: 'ReadAllCommand' })
const writeCommand = closed({ points: listOf(closed({ cloudId, value }), OBJECTS_MAX), requestProcessingPriority }, { $id: 'WriteCommand' })
const clearCommand = closed({ points: listOf(closed({ cloudId }), OBJECTS_MAX), requestProcessingPriority }, { $id: 'ClearCommand' })
const acknowledgement = closed({ alarmUuids, requestProcessingPriority }, { $id: 'AcknowledgeCommand' })
const alarmNotes = closed({ alarms: listOf(closed({ uuid: alarmUuid, notes }), OBJECTS_MAX), requestProcessingPriority }, { $id: 'EditAlarmDataCommand' })
const batch = listOf(closed({ deviceId: id(), alarmUuids, requestProcessingPriority }, { $id: 'AcknowledgeItem' }), OBJECTS_MAX, { minItems: 1 })
/** The body has no fields; callers may send an empty object. */
const emptyBody = optional(closed({}))

const values = ok(Type.Array(PointValue), 'One result for each point.')
const outcomes = ok(Type.Array(PointOutcome), 'One outcome for each point.')
const accepted = { 202: { schema: AcceptedCommand, description: 'Accepted. The device executes it later.' } }
const deviceOutcomes = { 207: { schema: Type.Array(DeviceOutcome), description: 'One outcome for each device.' } }

export const control: readonly ProxyRow[] = [
  { ...command, id: 'control.read', path: `${COMMANDS}/read`, action: 'live:read', body: readCommand, bodyLimit: IDS_BYTES, upstreamProves: ['cloudIds'], summary: 'Read live values', answers: values },
  {
    ...command,
    id: 'control.read-all',
    path: `${COMMANDS}/readAll`,
    action: 'live:read',
    body: readAllCommand,
    bodyLimit: IDS_BYTES,
    upstreamProves: ['cloudIds'],
    summary: 'Read all live values',
    description: 'The priority field is called `priority` here. An empty list of `cloudIds` reads all points.',
    answers: values
  },
  {
    ...command,
    id: 'control.write',
    path: `${COMMANDS}/write`,
    action: 'live:write',
    changes: 'alarms',
    body: writeCommand,
    recorded: ['points.cloudId', 'points.value'],
    bodyLimit: OBJECTS_BYTES,
    upstreamProves: ['cloudId'],
    summary: 'Write values',
    answers: outcomes
  },
  {
    ...command,
    id: 'control.clear',
    path: `${COMMANDS}/clear`,
    action: 'live:write',
    changes: 'alarms',
    body: clearCommand,
    recorded: ['points.cloudId'],
    bodyLimit: IDS_BYTES,
    upstreamProves: ['cloudId'],
    summary: 'Clear written values',
    answers: outcomes
  },
  {
    ...command,
    id: 'control.acknowledge-alarm',
    path: `${COMMANDS}/acknowledgeAlarm`,
    action: 'alarms:manage',
    changes: 'alarms',
    body: acknowledgement,
    recorded: ['alarmUuids'],
    bodyLimit: IDS_BYTES,
    upstreamProves: ['alarmUuids'],
    summary: 'Acknowledge alarms of a device',
    answers: accepted
  },
  {
    ...command,
    id: 'control.edit-alarm-data',
    path: `${COMMANDS}/editAlarmData`,
    action: 'alarms:manage',
    changes: 'alarms',
    body: alarmNotes,
    recorded: ['alarms.uuid'],
    bodyLimit: OBJECTS_BYTES,
    upstreamProves: ['uuid'],
    summary: 'Add notes to alarms of a device',
    answers: accepted
  },
  {
    area,
    id: 'control.acknowledge-alarm-batch',
    method: 'POST',
    path: '/api/v1/control/devices/commands/acknowledgeAlarmBatch',
    action: 'alarms:manage',
    changes: 'alarms',
    scope: 'claimed-customer',
    check: 'batch-devices',
    body: batch,
    recorded: ['deviceId', 'alarmUuids'],
    bodyLimit: OBJECTS_BYTES,
    upstreamProves: ['alarmUuids'],
    summary: 'Acknowledge alarms of several devices',
    answers: deviceOutcomes
  },
  {
    area,
    id: 'remote.connect',
    method: 'POST',
    path: '/api/v1/remote/customers/:customerId/devices/:deviceUuid/session',
    action: 'remote:connect',
    scope: 'customer-device',
    body: emptyBody,
    tellsSecret: true,
    summary: 'Open a Remote session',
    answers: ok(Type.Object({ ...texts('url'), expiresDate: time() }), 'The address of the session.')
  }
]
