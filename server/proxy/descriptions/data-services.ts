// What is told of points, histories and usage (§7, A-8, A-9, A-16). Data only.
import Type from 'typebox'
import { type Area, area } from './area.ts'
import { CountedPage, halList, json, optional, text, time } from './shapes.ts'

const SYSTEM = '5f1c0a9b7d3e2f4a6b8c0d1e'
const FROM = '2025-06-01T00:00:00.000Z'
const TO = '2025-06-12T00:00:00.000Z'

const Point = Type.Object(
  {
    displayName: text,
    cloudId: text,
    systemGuid: text,
    outValue: Type.String({ description: 'Value and status flags.', examples: ['21.5 {ok}'] }),
    facets: optional(Type.Unknown()),
    links: optional(Type.Unknown()),
    tags: Type.Record(Type.String(), Type.Unknown(), {
      description:
        '`telemetryId`, `slotPath`, `units`, `range`, `trueText`, `falseText`, `dataType`, `type`, `historyName`, as far as the point has them.'
    })
  },
  { $id: 'Point' }
)
const POINT = {
  displayName: 'Supply Air Temperature',
  cloudId: 'c-71',
  systemGuid: SYSTEM,
  outValue: '21.5 {ok}',
  tags: { telemetryId: 't-71', slotPath: '/Drivers/AHU3/SupplyTemp', units: '°C', dataType: 'Numeric' }
}
const SEARCH_TYPES = ['pointNames', 'tagNames', 'tagValues'] as const

/** Search type of the path and the body agree. */
const pointSearch = (searchType: (typeof SEARCH_TYPES)[number], summary: string, searchItems: string[]) => ({
  summary,
  description: `\`searchType\` is \`${searchType}\`, as in the path. To count only, ask for \`count=true\` and \`size=1\`.`,
  example: { systemGuid: SYSTEM, searchItems, searchType, comparisonType: 'CONTAINS' },
  answers: { 200: halList('One page of points.', 'pointModels', Point, POINT, CountedPage) }
})

export const dataServices: Area = area(
  'Data services',
  'Points of a device, their histories, and the data that it uses.',
  {
    'points.by-point-name': pointSearch('pointNames', 'Search points by their names', ['Supply Air']),
    'points.by-tag-value': pointSearch('tagValues', 'Search points by the values of their tags', ['AHU']),
    'points.by-tag-name': pointSearch('tagNames', 'Search points by the names of their tags', ['equip']),
    'usage.metrics': {
      summary: 'Get the data that a device has used',
      answers: {
        200: json('GB by time, ISO 8601 UTC.', Type.Record(Type.String(), Type.Number()), {
          '2025-06-11T00:00:00.000Z': 0.71,
          '2025-06-12T00:00:00.000Z': 0.38
        })
      }
    },
    'histories.query': {
      summary: 'Get recorded histories',
      description: 'More follows while `nextStartTime` is there: ask again with it as `startTime`.',
      example: { systemGuid: SYSTEM, pointIds: ['t-71'], startTime: FROM, endTime: TO },
      answers: {
        200: json(
          'Records of each point, in the order of time.',
          Type.Object(
            {
              systemGuid: text,
              pointDetails: Type.Array(
                Type.Object({
                  pointId: text,
                  historyRecords: Type.Array(
                    Type.Object({ timestamp: time, value: Type.Unknown(), status: optional(text) })
                  )
                })
              ),
              nextStartTime: optional(time)
            },
            { $id: 'Histories' }
          ),
          {
            systemGuid: SYSTEM,
            pointDetails: [
              { pointId: 't-71', historyRecords: [{ timestamp: FROM, value: 21.5, status: 'ok' }] }
            ],
            nextStartTime: '2025-06-08T00:00:00.000Z'
          }
        )
      }
    }
  }
)
