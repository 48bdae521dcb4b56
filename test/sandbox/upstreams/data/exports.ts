// Exports of histories to files: created in the background, stored for a week.
import type { FastifyRequest } from 'fastify'
import { about, recorderOf } from '../../api/audit.ts'
import { callerOf } from '../../api/bearer.ts'
import { nameField, objectBody, objectList, oneOf, textField, textList, timeField } from '../../api/body.ts'
import { halPage } from '../../api/hal.ts'
import { ApiProblem, found, malformed, notFound } from '../../api/problems.ts'
import { params, type Upstream } from '../../api/upstream.ts'
import type { ExportRecord } from '../../records/work.ts'
import { customersOf, type State } from '../../state.ts'
import { offerFile } from '../files.ts'
import { organizationOf } from '../management/organizations.ts'
import { exportFile, rowCount } from './export-file.ts'

const BASE = '/api/v1/egress/exports'
const NAME_MAX_CHARACTERS = 50
const PAGE_SIZE = 15
const QUEUED_FOR_MS = 2000
const RUNS_AT_LEAST_MS = 3000
const RUNS_AT_MOST_MS = 30_000
const STORED_MS = 7 * 86_400_000
const TYPES = { CSV: 'text/csv; charset=utf-8', JSON: 'application/json' } as const

export const exports: Upstream = (api, state, publicUrl) => {
  const toBody = (exportRecord: ExportRecord): object => exportBody(state, exportRecord)
  const exportOf = (request: FastifyRequest): ExportRecord => {
    const { id } = params(request)
    return found(state.exports.get(id), `export ${id}`)
  }
  const record = recorderOf(state, 'EXPORT', (exportRecord: ExportRecord) => about(exportRecord, exportRecord.exportName))

  api.get(BASE, async (request) =>
    halPage(request, {
      rel: 'exports',
      items: exportsFor(state, request.query as Record<string, string | undefined>),
      toBody,
      searched: (exportRecord) => [exportRecord.exportName],
      size: PAGE_SIZE,
      order: { property: 'createdDate', descending: true }
    })
  )

  api.post(BASE, async (request, reply) => {
    const exportRecord = state.exports.add(readExport(state, request))
    record(request, 'EXPORT_STARTED', exportRecord)
    return reply.code(201).header('location', `${BASE}/${exportRecord.id}`).send(toBody(exportRecord))
  })

  api.get(`${BASE}/:id`, async (request) => toBody(exportOf(request)))

  api.get(`${BASE}/:id/download`, async (request, reply) => {
    const exportRecord = exportOf(request)
    const { status } = progressOf(exportRecord, state.clock())
    if (status === 'EXPIRED') throw new ApiProblem(410, 'expired', 'the file has expired')
    if (status !== 'READY') throw new ApiProblem(409, 'notReady', 'there is no file')
    const name = `${exportRecord.exportName}.${exportRecord.format.toLowerCase()}`
    const file = { contentType: TYPES[exportRecord.format], content: () => exportFile(state, exportRecord) }
    record(request, 'EXPORT_DOWNLOADED', exportRecord)
    return reply.redirect(offerFile(state, publicUrl, name, file), 302)
  })

  api.post(`${BASE}/:id/cancel`, async (request) => {
    const exportRecord = exportOf(request)
    const { status } = progressOf(exportRecord, state.clock())
    if (status !== 'QUEUED' && status !== 'RUNNING')
      throw new ApiProblem(409, 'notRunning', 'the export does not run')
    exportRecord.cancelledMs = state.clock()
    record(request, 'EXPORT_CANCELLED', exportRecord)
    return toBody(exportRecord)
  })

  api.delete(`${BASE}/:id`, async (request, reply) => {
    const exportRecord = exportOf(request)
    state.exports.remove(exportRecord.id)
    record(request, 'EXPORT_DELETED', exportRecord)
    return reply.code(204).send()
  })
}

function exportsFor(state: State, query: Record<string, string | undefined>): ExportRecord[] {
  const { organizationId, customerId, status, createdBy } = query
  const organization = organizationOf(state, customerId ?? organizationId ?? '')
  const customers = organization.partnerId === null ? customersOf(state, organization.id) : [organization]
  return customers
    .flatMap((customer) => state.exports.of(customer.id))
    .filter((exportRecord) => !status || progressOf(exportRecord, state.clock()).status === status)
    .filter((exportRecord) => !createdBy || exportRecord.createdById === createdBy || exportRecord.createdBy === createdBy)
}

function readExport(state: State, request: FastifyRequest): ExportRecord {
  const body = objectBody(request)
  const customer = organizationOf(state, textField(body, 'customerId', 100))
  const startMs = timeField(body, 'startTime')
  const endMs = timeField(body, 'endTime')
  if (startMs >= endMs) throw malformed('startTime must lie before endTime', 'startTime')
  const caller = callerOf(request)
  const exportRecord: ExportRecord = {
    id: state.nextId('ex'),
    exportName: nameField(body, 'exportName', NAME_MAX_CHARACTERS),
    customerId: customer.id,
    format: oneOf(body, 'format', ['CSV', 'JSON']),
    timeZone: readTimeZone(body),
    startTime: new Date(startMs).toISOString(),
    endTime: new Date(Math.min(endMs, Math.max(startMs, state.clock()))).toISOString(),
    selectedPoints: readPoints(state, customer.id, body),
    createdById: caller.id,
    createdBy: caller.fullName,
    createdMs: state.clock(),
    queuedForMs: QUEUED_FOR_MS,
    runsForMs: RUNS_AT_LEAST_MS,
    cancelledMs: null,
    failureReason: null
  }
  const valueMs = rowCount(exportRecord) * pointCount(exportRecord)
  return { ...exportRecord, runsForMs: Math.min(RUNS_AT_LEAST_MS + valueMs, RUNS_AT_MOST_MS) }
}

function readTimeZone(body: Record<string, unknown>): string {
  const timeZone = textField(body, 'timeZone', 100)
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone
  } catch {
    throw malformed('timeZone must be an IANA name', 'timeZone')
  }
}

function readPoints(state: State, customerId: string, body: Record<string, unknown>) {
  const selectedPoints = objectList(body, 'selectedPoints').map((item) => ({
    systemGuid: textField(item, 'systemGuid', 100),
    pointIds: textList(item, 'pointIds')
  }))
  const ownGuids = new Set(state.devices.of(customerId).map((device) => device.systemGuid))
  const foreignPoint = selectedPoints.find(({ systemGuid }) => !ownGuids.has(systemGuid))
  if (foreignPoint) throw notFound(`system ${foreignPoint.systemGuid}`)
  if (!selectedPoints.some(({ pointIds }) => pointIds.length > 0))
    throw malformed('selectedPoints must name a point', 'selectedPoints')
  return selectedPoints
}

function exportBody(state: State, exportRecord: ExportRecord): object {
  const { status, percent, completedMs, expiresMs } = progressOf(exportRecord, state.clock())
  const hasFile = status === 'READY' || status === 'EXPIRED'
  return {
    id: exportRecord.id,
    exportName: exportRecord.exportName,
    customerId: exportRecord.customerId,
    customerName: state.organizations.get(exportRecord.customerId)?.orgName ?? null,
    status,
    progress: percent,
    format: exportRecord.format,
    timeZone: exportRecord.timeZone,
    startTime: exportRecord.startTime,
    endTime: exportRecord.endTime,
    pointCount: pointCount(exportRecord),
    rowCount: hasFile ? rowCount(exportRecord) : null,
    sizeBytes: hasFile ? sizeBytes(exportRecord) : null,
    createdBy: exportRecord.createdBy,
    createdDate: new Date(exportRecord.createdMs).toISOString(),
    completedDate: completedMs && new Date(completedMs).toISOString(),
    expiresDate: expiresMs && new Date(expiresMs).toISOString(),
    failureReason: status === 'FAILED' ? exportRecord.failureReason : null,
    request: { selectedPoints: exportRecord.selectedPoints }
  }
}

interface Progress {
  status: 'QUEUED' | 'RUNNING' | 'READY' | 'FAILED' | 'CANCELLED' | 'EXPIRED'
  /** 0 to 100. */
  percent: number
  completedMs: number | null
  expiresMs: number | null
}

function progressOf(exportRecord: ExportRecord, timeMs: number): Progress {
  const startMs = exportRecord.createdMs + exportRecord.queuedForMs
  const endMs = startMs + exportRecord.runsForMs
  const workedUntilMs = Math.min(timeMs, exportRecord.cancelledMs ?? timeMs)
  const percent = Math.floor((100 * Math.min(Math.max(workedUntilMs - startMs, 0), exportRecord.runsForMs)) / exportRecord.runsForMs)
  const base = { percent, completedMs: null, expiresMs: null }
  if (exportRecord.cancelledMs !== null) return { ...base, status: 'CANCELLED', completedMs: exportRecord.cancelledMs }
  if (timeMs < startMs) return { ...base, status: 'QUEUED' }
  if (timeMs < endMs) return { ...base, status: 'RUNNING' }
  if (exportRecord.failureReason !== null) return { ...base, status: 'FAILED', percent: 0, completedMs: endMs }
  const expiresMs = endMs + STORED_MS
  return { status: timeMs < expiresMs ? 'READY' : 'EXPIRED', percent, completedMs: endMs, expiresMs }
}

function pointCount(exportRecord: ExportRecord): number {
  return exportRecord.selectedPoints.reduce((sum, { pointIds }) => sum + pointIds.length, 0)
}

function sizeBytes(exportRecord: ExportRecord): number {
  return 40 + rowCount(exportRecord) * (20 + 7 * pointCount(exportRecord)) * (exportRecord.format === 'JSON' ? 3 : 1)
}
