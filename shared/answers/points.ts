// Schemas of points, their recorded histories and their live values in answers of the data services and the control API.
import Type, { type Static } from 'typebox'
import { anything, named, oneOf, optional, text, texts, time } from './parts.ts'

const properties = optional(Type.Record(Type.String(), anything))

export const PointModel = named('Point', {
  ...texts('displayName', 'cloudId', 'systemGuid'),
  outValue: Type.Optional(Type.String({ description: 'Value and status flags.', examples: ['21.5 {ok}'] })),
  facets: properties,
  links: properties,
  tags: optional(
    Type.Record(Type.String(), anything, {
      description:
        '`telemetryId`, `slotPath`, `units`, `range`, `trueText`, `falseText`, `dataType`, `type`, `historyName`, if the point has them.'
    })
  )
})
export type PointModel = Static<typeof PointModel>

const HistoryRecord = Type.Object({ timestamp: time(), value: anything, status: optional(text()) })
export type HistoryRecord = Static<typeof HistoryRecord>

export const Histories = named('Histories', {
  ...texts('systemGuid'),
  pointDetails: Type.Array(Type.Object({ ...texts('pointId'), historyRecords: Type.Array(HistoryRecord) })),
  nextStartTime: optional(time())
})
export type Histories = Static<typeof Histories>

export const PointValue = named('PointValue', {
  ...texts('cloudId', 'status'),
  value: anything,
  timestamp: time("Time on the device's clock."),
  error: optional(text('Why the point could not be read.'))
})
export type PointValue = Static<typeof PointValue>

/** The outcome of writing or clearing a point. */
export const PointOutcome = named('PointOutcome', {
  ...texts('cloudId'),
  status: oneOf(['OK', 'FAILED']),
  error: optional(text())
})
export type PointOutcome = Static<typeof PointOutcome>

export const AcceptedCommand = named('AcceptedCommand', { commandId: optional(text()) })
export type AcceptedCommand = Static<typeof AcceptedCommand>

export const DeviceOutcome = named('DeviceOutcome', {
  ...texts('deviceId', 'status'),
  error: optional(text())
})
export type DeviceOutcome = Static<typeof DeviceOutcome>
