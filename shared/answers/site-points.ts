// Schemas of the points of all devices of a customer, as the gateway has read them.
import Type, { type Static } from 'typebox'
import { POINT_NAMES_MAX } from '../limits.ts'
import { foundDevice } from './customers.ts'
import {
  count,
  countOrNull,
  named,
  numberOrNull,
  oneOf,
  pageOf,
  text,
  textOrNull,
  time,
  timeOrNull
} from './parts.ts'
import { PointModel } from './points.ts'

export const SitePoint = named('SitePoint', {
  point: PointModel,
  device: Type.Object(foundDevice),
  number: numberOrNull('The value of a numeric point; null if it has none.'),
  text: textOrNull('The value of any other point as people read it; null if it has none.'),
  units: text('Units of the number.'),
  flags: Type.Unsafe<string[] | null>({
    type: ['array', 'null'],
    items: { type: 'string' },
    description: 'The status flags, the most severe first; empty if the status is ok, null if it is unknown.'
  }),
  isValid: Type.Boolean({
    description: 'False for a disabled, faulty, unreachable, stale or missing value, which no median counts.'
  }),
  fromMedian: numberOrNull(
    'Distance of a valid number from the median of the numbers with the same units; null without `name`.'
  ),
  readAt: time('When the gateway read the point.'),
  noticedAt: time('Since when the gateway has known this status without a change.')
})
export type SitePoint = Static<typeof SitePoint>

const NumberSummary = Type.Object({
  units: text(),
  count: count(),
  lowest: Type.Number(),
  median: Type.Number(),
  highest: Type.Number(),
  spread: Type.Number({ description: 'Half of the numbers are at most this far from the median.' })
})

const described = {
  devices: Type.Object(
    {
      total: count('Devices of the customer, or of the project.'),
      read: count('Devices whose points have been read.'),
      withoutService: count('Devices without active Data Services, which have no points here.'),
      failed: count('Devices whose points could not be read. They are read again after 10 seconds.')
    },
    { description: 'How much has been read.' }
  ),
  points: Type.Object(
    { read: count(), total: countOrNull() },
    { description: '`total`: the number of points that the API announces; null if it is unknown.' }
  ),
  names: Type.Array(Type.Object({ name: text(), count: count() }), {
    description: `The ${POINT_NAMES_MAX} most frequent names with the number of their points, independent of filters except \`projectId\`.`
  }),
  exceptions: count('Points whose status is not ok, independent of filters except `projectId`.'),
  statuses: Type.Array(Type.Object({ flag: text(), count: count() }), {
    description: 'The number of points with each flag, and with `ok`, among those with the name.'
  }),
  summary: Type.Object({
    numbers: Type.Array(NumberSummary, {
      description: 'Valid numbers of the points with the name, for each of up to 20 units.'
    }),
    states: Type.Array(Type.Object({ text: text(), count: count() }), {
      description: 'The 20 most frequent values that are no numbers, of the points with the name.'
    })
  }),
  partial: Type.Array(
    Type.Object({ deviceUuid: text(), deviceName: text(), reason: oneOf(['waiting', 'failed']) }),
    { description: 'Up to 100 devices that have not been read. Empty when the answer is complete.' }
  ),
  isReading: Type.Boolean({ description: 'Whether points are being read. Then repeat the call.' }),
  readAt: timeOrNull('When the last complete reading began; null before the first one.')
}

/** A line of an answer in lines: the first one has everything but the points. */
export const SitePointsLine = Type.Union([named('SitePointsSummary', described), SitePoint])
export const SitePoints = named('SitePoints', { ...pageOf(SitePoint), ...described })
export type SitePoints = Static<typeof SitePoints>
