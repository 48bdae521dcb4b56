// What is told of live values, commands and Remote (§7, A-10, A-14). Data only.
import Type from 'typebox'
import type { Answer } from '../../types.ts'
import { type Area, area } from './area.ts'
import { json, optional, text, time } from './shapes.ts'

const values = {
  200: json(
    'One result for each point.',
    Type.Array(
      Type.Object(
        {
          cloudId: text,
          value: Type.Unknown(),
          status: text,
          timestamp: time,
          error: optional(Type.String({ description: 'Why the point could not be read.' }))
        },
        { $id: 'PointValue' }
      )
    ),
    [{ cloudId: 'c-71', value: 21.5, status: 'ok', timestamp: '2025-06-12T12:05:31.120Z' }]
  )
}

const Outcome = Type.Enum(['OK', 'FAILED'], { type: 'string' })
const outcomes = {
  200: json(
    'One outcome for each point.',
    Type.Array(
      Type.Object({ cloudId: text, status: Outcome, error: optional(text) }, { $id: 'PointOutcome' })
    ),
    [
      { cloudId: 'c-71', status: 'OK' },
      { cloudId: 'c-72', status: 'FAILED', error: 'the point is not writable' }
    ]
  )
}
const accepted: Record<number, Answer> = {
  202: json(
    'Accepted; the device carries it out.',
    Type.Object({ commandId: optional(text) }, { $id: 'AcceptedCommand' }),
    { commandId: 'cmd-3' }
  )
}

export const control: Area = area(
  'Live values and commands',
  'Reading and writing points of a device that is connected, acknowledging its alarms, and opening it remotely.',
  {
    'control.read': {
      summary: 'Read live values',
      example: { cloudIds: ['c-71'], requestProcessingPriority: 255 },
      answers: values
    },
    'control.read-all': {
      summary: 'Read all live values',
      description: 'Names its priority differently; without ids it reads every point.',
      example: { cloudIds: [], priority: 255 },
      answers: values
    },
    'control.write': {
      summary: 'Write values',
      example: { points: [{ cloudId: 'c-71', value: 20 }], requestProcessingPriority: 255 },
      answers: outcomes
    },
    'control.clear': {
      summary: 'End what was written',
      example: { points: [{ cloudId: 'c-71' }], requestProcessingPriority: 255 },
      answers: outcomes
    },
    'control.acknowledge-alarm': {
      summary: 'Acknowledge alarms of a device',
      example: { alarmUuids: ['a-9'], requestProcessingPriority: 255 },
      answers: accepted
    },
    'control.edit-alarm-data': {
      summary: 'Note something on alarms of a device',
      example: {
        alarms: [{ uuid: 'a-9', notes: 'Filter ordered.' }],
        requestProcessingPriority: 255
      },
      answers: accepted
    },
    'control.acknowledge-alarm-batch': {
      summary: 'Acknowledge alarms of several devices',
      example: [{ deviceId: 'd-7', alarmUuids: ['a-9'], requestProcessingPriority: 255 }],
      answers: {
        207: json(
          'One outcome for each device.',
          Type.Array(
            Type.Object({ deviceId: text, status: text, error: optional(text) }, { $id: 'DeviceOutcome' })
          ),
          [{ deviceId: 'd-7', status: 'OK' }]
        )
      }
    },
    'remote.connect': {
      summary: 'Open a Remote session',
      example: {},
      answers: {
        200: json('Where to open it.', Type.Object({ url: text, expiresDate: time }), {
          url: 'https://remote.example.com/session/71',
          expiresDate: '2025-06-12T12:10:31.120Z'
        })
      }
    }
  }
)
