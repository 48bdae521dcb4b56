// What is told of alarms (§7, A-7). Data only.
import Type from 'typebox'
import { ALARM, AlarmSchema } from '../../upstreams/alarm-record.ts'
import { type Area, area } from './area.ts'
import { CountedPage, halList, json } from './shapes.ts'

export const alarms: Area = area(
  'Alarms',
  'What devices have reported; commands about them are with the live values.',
  {
    'alarms.search': {
      summary: 'Search the alarms of a customer',
      description: 'What the body does not name, or names as an empty list, does not count.',
      example: { sourceStates: ['offnormal', 'fault'], ackStates: ['unacked'], priorityTo: 127 },
      answers: { 200: halList('One page of alarms.', 'alarms', AlarmSchema, ALARM, CountedPage) }
    },
    'alarms.count': {
      summary: 'Count the open alarms of a device',
      answers: {
        200: json('The number.', Type.Object({ count: Type.Integer({ minimum: 0 }) }), { count: 3 })
      }
    }
  }
)
