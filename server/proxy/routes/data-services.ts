// Points, histories, usage, reports and exports (§7, A-2, A-3, A-8, A-9, A-16). Rows only.
import type { ProxyRow } from '../table.ts'

const POINTS = '/api/v1/entitymodel/customers/:customerId'
const REPORTS = '/api/v1/charts-and-reports/:customerId'
const EXPORTS = '/api/v1/egress/exports'
const points = { method: 'POST', action: 'data:query-model', scope: 'customer', check: 'systems', upstream: 'ENTITYMODEL' } as const
const reports = { scope: 'customer', upstream: 'CHARTS_AND_REPORTS' } as const
const oneExport = { scope: 'export', upstream: 'EGRESS' } as const

export const dataServices: readonly ProxyRow[] = [
  { ...points, id: 'points.by-point-name', path: `${POINTS}/pointNames` },
  { ...points, id: 'points.by-tag-value', path: `${POINTS}/tagValues` },
  { ...points, id: 'points.by-tag-name', path: `${POINTS}/tagNames` },
  { id: 'usage.metrics', method: 'GET', path: '/api/v1/subscription-usage/metrics-detail', action: 'data:query', scope: 'query-device', upstream: 'SUBSCRIPTION_USAGE' },
  { id: 'histories.query', method: 'POST', path: '/api/v1/egress/telemetry', action: 'data:query', scope: 'claimed-customer', check: 'systems', upstream: 'EGRESS' },
  { ...reports, id: 'reports.list', method: 'GET', path: `${REPORTS}/reports`, action: 'reports:view' },
  { ...reports, id: 'reports.create', method: 'POST', path: `${REPORTS}/report`, action: 'reports:create', check: 'report-devices' },
  { ...reports, id: 'reports.get', method: 'GET', path: `${REPORTS}/report/:reportId`, action: 'reports:view' },
  { ...reports, id: 'reports.edit', method: 'PATCH', path: `${REPORTS}/report/:reportId`, action: 'reports:create', check: 'report-devices' },
  { ...reports, id: 'reports.delete', method: 'DELETE', path: `${REPORTS}/report/:reportId`, action: 'reports:delete' },
  { id: 'exports.list', method: 'GET', path: EXPORTS, action: 'exports:view', scope: 'query-organization', upstream: 'EGRESS' },
  {
    id: 'exports.create',
    method: 'POST',
    path: EXPORTS,
    action: 'exports:initiate',
    scope: 'body-organization',
    check: 'systems',
    upstream: 'EGRESS',
    accepts: ['exportName', 'customerId', 'selectedPoints', 'startTime', 'endTime', 'format', 'timeZone']
  },
  { ...oneExport, id: 'exports.get', method: 'GET', path: `${EXPORTS}/:exportId`, action: 'exports:view' },
  { ...oneExport, id: 'exports.download', method: 'GET', path: `${EXPORTS}/:exportId/download`, action: 'exports:download', leadsToFile: true },
  { ...oneExport, id: 'exports.cancel', method: 'POST', path: `${EXPORTS}/:exportId/cancel`, action: 'exports:initiate' },
  { ...oneExport, id: 'exports.delete', method: 'DELETE', path: `${EXPORTS}/:exportId`, action: 'exports:initiate' }
]
