// Rows for saved reports and bulk exports, with their request schemas.
import Type from 'typebox'
import { Export, ExportFormat, ExportStatus, Report } from '#shared/answers/files.ts'
import { texts } from '#shared/answers/parts.ts'
import { REPORT_NAME_MAX_CHARACTERS } from '#shared/limits.ts'
import { CLAIM, closed, id, listOf, opaqueId, optional, orNull, text, time } from '../../schemas.ts'
import { created, done, file, list, ok } from '../answers.ts'
import type { ProxyRow } from '../row.ts'
import { OBJECTS_BYTES, OBJECTS_MAX, SEARCHED } from './schemas.ts'

const REPORTS = '/api/v1/charts-and-reports/:customerId'
const EXPORTS = '/api/v1/egress/exports'
const area = { name: 'Reports and exports', description: 'Reports are saved selections of points and times. Exports are files with many histories.' }
const reports = { area, scope: 'customer' } as const
const oneReport = { ...reports, path: `${REPORTS}/report/:reportId` } as const
const oneExport = { area, scope: 'export' } as const

const name = text(300)
/** A device: its id, its uuid or the whole record. */
const device = Type.Union([
  id(),
  closed({
    id: optional(id()),
    deviceUuid: optional(id()),
    systemGuid: optional(id()),
    deviceName: optional(name),
    name: optional(name),
    hostId: optional(name),
    location: optional(name),
    projectId: optional(orNull(id())),
    projectName: optional(orNull(name)),
    createdDate: optional(orNull(time()))
  })
])
const point = Type.Union([opaqueId('`cloudId` of a point.'), closed({ cloudId: optional(opaqueId()), systemGuid: optional(id()), displayName: optional(name) })])
const reportName = text(REPORT_NAME_MAX_CHARACTERS)
const reportDetails = closed({ selectedDateFilter: text(100), selectedPoints: listOf(closed({ device, point, deviceName: optional(name), pointName: optional(name) }), OBJECTS_MAX) })
const range = { startTime: optional(orNull(time())), endTime: optional(orNull(time())) }
const newReport = closed({ reportName, reportDetails, ...range }, { $id: 'ReportBody' })
const reportChange = closed({ reportName: optional(reportName), reportDetails: optional(reportDetails), ...range }, { $id: 'ReportChange' })
/** Identifiers of a saved point whose ownership only the API can check. */
const UPSTREAM_PROVES = ['point', 'cloudId', 'projectId'] as const
const saving = { action: 'reports:create', check: 'report-devices', recorded: ['reportName'], bodyLimit: OBJECTS_BYTES } as const

const exportFilter = closed({
  customerId: optional(id('Only exports of this customer.', '9')),
  organizationId: optional(id('Only exports of this organization; required without `customerId`.', '1')),
  ...SEARCHED,
  status: optional(ExportStatus),
  createdBy: optional(text(300, 'Only exports of this person.'))
})
const newExport = closed(
  {
    exportName: text(50),
    customerId: id('The customer that has the points.', '9'),
    selectedPoints: listOf(closed({ systemGuid: id(), pointIds: listOf(opaqueId('`telemetryId` of a point.', 't-71'), OBJECTS_MAX) }), OBJECTS_MAX),
    startTime: time(),
    endTime: time(),
    format: ExportFormat,
    timeZone: text(100, 'IANA name of a time zone.', { examples: ['Europe/Berlin'] })
  },
  { $id: 'NewExport' }
)
/** Replaces the header `x-customer-id`, which a plain link cannot send. */
const claim = closed({ customerId: optional(Type.String({ ...id('Replaces `x-customer-id` in a plain link. The gateway does not forward it.', '9'), [CLAIM]: true })) })

export const reportsAndExports: readonly ProxyRow[] = [
  { ...reports, id: 'reports.list', method: 'GET', path: `${REPORTS}/reports`, action: 'reports:view', query: closed(SEARCHED), summary: 'List the saved reports of a customer', answers: list('reports', Report) },
  { ...reports, ...saving, id: 'reports.create', method: 'POST', path: `${REPORTS}/report`, body: newReport, upstreamProves: UPSTREAM_PROVES, summary: 'Save a report', answers: created(Type.Object(texts('reportId'))) },
  { ...oneReport, id: 'reports.get', method: 'GET', action: 'reports:view', upstreamProves: ['reportId'], summary: 'Get a saved report', answers: ok(Report) },
  { ...oneReport, ...saving, id: 'reports.edit', method: 'PATCH', body: reportChange, upstreamProves: ['reportId', ...UPSTREAM_PROVES], summary: 'Change a saved report', answers: ok(Report) },
  { ...oneReport, id: 'reports.delete', method: 'DELETE', action: 'reports:delete', upstreamProves: ['reportId'], summary: 'Delete a saved report', answers: done },
  { area, id: 'exports.list', method: 'GET', path: EXPORTS, action: 'exports:view', scope: 'query-organization', query: exportFilter, summary: 'List the exports of a customer or organization', answers: list('exports', Export) },
  {
    area,
    id: 'exports.create',
    method: 'POST',
    path: EXPORTS,
    action: 'exports:initiate',
    also: 'data:export',
    scope: 'body-organization',
    check: 'systems',
    body: newExport,
    recorded: ['exportName', 'customerId', 'selectedPoints.systemGuid', 'startTime', 'endTime', 'format'],
    bodyLimit: OBJECTS_BYTES,
    upstreamProves: ['pointIds'],
    summary: 'Start an export',
    answers: { 201: { schema: Export, headers: { Location: 'Path of the export, if the upstream gives one.' } } }
  },
  { ...oneExport, id: 'exports.get', method: 'GET', path: `${EXPORTS}/:exportId`, action: 'exports:view', query: claim, summary: 'Get an export', answers: ok(Export) },
  { ...oneExport, id: 'exports.download', method: 'GET', path: `${EXPORTS}/:exportId/download`, action: 'exports:download', also: 'data:export', query: claim, leadsToFile: true, summary: 'Download an export', answers: file },
  { ...oneExport, id: 'exports.cancel', method: 'POST', path: `${EXPORTS}/:exportId/cancel`, action: 'exports:initiate', query: claim, summary: 'Cancel an export', answers: { ...ok(Export), ...done } },
  { ...oneExport, id: 'exports.delete', method: 'DELETE', path: `${EXPORTS}/:exportId`, action: 'exports:initiate', query: claim, recordedBefore: ['exportName'], summary: 'Delete an export', answers: done }
]
