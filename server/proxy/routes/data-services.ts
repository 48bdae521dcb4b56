// Rows for points, histories and usage, with their request schemas.
import Type from 'typebox'
import { POINT_SEARCHES } from '#shared/answers/customers.ts'
import { oneOf } from '#shared/answers/parts.ts'
import { Histories, PointModel } from '#shared/answers/points.ts'
import { DEVICE_SERVICES } from '#shared/devices.ts'
import { closed, id, listOf, opaqueId, optional, text, time, whole } from '../../schemas.ts'
import { countedList, ok } from '../answers.ts'
import type { ProxyRow } from '../row.ts'
import { COUNTED, IDS_BYTES, OBJECTS_MAX } from './schemas.ts'

const POINTS = '/api/v1/entitymodel/customers/:customerId'
const area = { name: 'Data services', description: 'Points of a device, their histories, and its data usage.' }

const pointSearch = closed(
  {
    systemGuid: optional(id('The system (device) that has the points.', '5f1c0a9b7d3e2f4a6b8c0d1e')),
    searchItems: listOf(text(300), OBJECTS_MAX),
    searchType: oneOf(POINT_SEARCHES),
    comparisonType: optional(oneOf(['CONTAINS', 'STARTS_WITH', 'EQUALS']))
  },
  { $id: 'PointSearch' }
)
const points = {
  area,
  method: 'POST',
  action: 'data:query-model',
  scope: 'customer',
  check: 'systems',
  query: closed(COUNTED),
  body: pointSearch,
  bodyLimit: IDS_BYTES,
  description: '`searchType` repeats the last part of the path. To get only the count, use `count=true` and `size=1`.',
  answers: countedList('pointModels', PointModel)
} as const

const usage = closed({
  deviceId: id('Id of the device.'),
  duration: optional(oneOf(['MONTHLY', 'YEARLY'], 'Daily or monthly values.')),
  metricsId: optional(oneOf(['DATA_USAGE'], 'The metric.')),
  offeringCode: optional(oneOf(DEVICE_SERVICES, 'The subscription.'))
})
const historyQuery = closed(
  {
    systemGuid: id('The system (device) that has the points.', '5f1c0a9b7d3e2f4a6b8c0d1e'),
    pointIds: listOf(opaqueId('`telemetryId` of a point.', 't-71'), OBJECTS_MAX),
    startTime: time(),
    endTime: time(),
    limit: optional(whole(1, 1_000_000))
  },
  { $id: 'HistoryQuery' }
)

export const dataServices: readonly ProxyRow[] = [
  { ...points, id: 'points.by-point-name', path: `${POINTS}/pointNames`, summary: 'Search points by their names' },
  { ...points, id: 'points.by-tag-value', path: `${POINTS}/tagValues`, summary: 'Search points by the values of their tags' },
  { ...points, id: 'points.by-tag-name', path: `${POINTS}/tagNames`, summary: 'Search points by the names of their tags' },
  {
    area,
    id: 'usage.metrics',
    method: 'GET',
    path: '/api/v1/subscription-usage/metrics-detail',
    action: 'data:query',
    scope: 'query-device',
    query: usage,
    summary: 'Get the data usage of a device',
    answers: ok(Type.Record(Type.String(), Type.Number()), 'GB by time. Times are ISO 8601 UTC.')
  },
  {
    area,
    id: 'histories.query',
    method: 'POST',
    path: '/api/v1/egress/telemetry',
    action: 'data:query',
    scope: 'claimed-customer',
    check: 'systems',
    body: historyQuery,
    bodyLimit: IDS_BYTES,
    upstreamProves: ['pointIds'],
    summary: 'Get recorded histories',
    description: 'An answer with `nextStartTime` is incomplete: call again with this value as `startTime`.',
    answers: ok(Histories, 'Records of each point, oldest first.')
  }
]
