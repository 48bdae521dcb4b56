// Points, histories and usage (§7, A-8, A-9, A-16). Rows and what they take.
import { closed, id, listOf, oneOf, opaqueId, optional, text, time, whole } from '../../schemas.ts'
import type { ProxyRow } from '../table.ts'
import { COUNTED, OBJECTS_MAX } from './schemas.ts'

const POINTS = '/api/v1/entitymodel/customers/:customerId'

const pointSearch = closed(
  {
    systemGuid: optional(id('The system (device) that has the points.', '5f1c0a9b7d3e2f4a6b8c0d1e')),
    searchItems: optional(listOf(text(300), OBJECTS_MAX)),
    searchType: optional(oneOf(['pointNames', 'tagNames', 'tagValues'])),
    comparisonType: optional(oneOf(['CONTAINS', 'STARTS_WITH', 'EQUALS']))
  },
  { $id: 'PointSearch' }
)
const points = { method: 'POST', action: 'data:query-model', scope: 'customer', check: 'systems', upstream: 'ENTITYMODEL', query: closed(COUNTED), body: pointSearch } as const

const usage = closed({
  deviceId: id('Id of the device.'),
  duration: optional(oneOf(['MONTHLY', 'YEARLY'], 'By day or by month.')),
  metricsId: optional(text(100, 'What is measured.', { examples: ['DATA_USAGE'] })),
  offeringCode: optional(text(100, 'Of which subscription.', { examples: ['NDS'] }))
})
const historyQuery = closed(
  {
    systemGuid: id('The system (device) that has the points.', '5f1c0a9b7d3e2f4a6b8c0d1e'),
    pointIds: optional(listOf(opaqueId('`telemetryId` of a point.', 't-71'), OBJECTS_MAX)),
    startTime: optional(time()),
    endTime: optional(time()),
    limit: optional(whole(1, 1_000_000))
  },
  { $id: 'HistoryQuery' }
)

export const dataServices: readonly ProxyRow[] = [
  { ...points, id: 'points.by-point-name', path: `${POINTS}/pointNames` },
  { ...points, id: 'points.by-tag-value', path: `${POINTS}/tagValues` },
  { ...points, id: 'points.by-tag-name', path: `${POINTS}/tagNames` },
  { id: 'usage.metrics', method: 'GET', path: '/api/v1/subscription-usage/metrics-detail', action: 'data:query', scope: 'query-device', upstream: 'SUBSCRIPTION_USAGE', query: usage },
  { id: 'histories.query', method: 'POST', path: '/api/v1/egress/telemetry', action: 'data:query', scope: 'claimed-customer', check: 'systems', upstream: 'EGRESS', body: historyQuery, upstreamProves: ['pointIds'] }
]
