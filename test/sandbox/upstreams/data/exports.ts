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
  const toBody = (job: ExportRecord): object => exportBody(state, job)
  const exportOf = (request: FastifyRequest): ExportRecord => {
    const { id } = params(request)
    return found(state.exports.get(id), `export ${id}`)
  }
  const record = recorderOf(state, 'EXPORT', (job: ExportRecord) => about(job, job.exportName))

  api.get(BASE, async (request) =>
    halPage(request, {
      rel: 'exports',
      items: exportsFor(state, request.query as Record<string, string | undefined>),
      toBody,
      searched: (job) => [job.exportName],
      size: PAGE_SIZE,
      order: { property: 'createdDate', descending: true }
    })
  )

  api.post(BASE, async (request, reply) => {
    const job = state.exports.add(readExport(state, request))
    record(request, 'EXPORT_STARTED', job)
    return reply.code(201).header('location', `${BASE}/${job.id}`).send(toBody(job))
  })

  api.get(`${BASE}/:id`, async (request) => toBody(exportOf(request)))

  api.get(`${BASE}/:id/download`, async (request, reply) => {
    const job = exportOf(request)
    const { status } = progressOf(job, state.clock())
    if (status === 'EXPIRED') throw new ApiProblem(410, 'expired', 'the file has expired')
    if (status !== 'READY') throw new ApiProblem(409, 'notReady', 'there is no file')
    const name = `${job.exportName}.${job.format.toLowerCase()}`
    const file = { contentType: TYPES[job.format], content: () => exportFile(state, job) }
    record(request, 'EXPORT_DOWNLOADED', job)
    return reply.redirect(offerFile(state, publicUrl, name, file), 302)
  })

  api.post(`${BASE}/:id/cancel`, async (request) => {
    const job = exportOf(request)
    const { status } = progressOf(job, state.clock())
    if (status !== 'QUEUED' && status !== 'RUNNING')
      throw new ApiProblem(409, 'notRunning', 'the export does not run')
    job.cancelledMs = state.clock()
    record(request, 'EXPORT_CANCELLED', job)
    return toBody(job)
  })

  api.delete(`${BASE}/:id`, async (request, reply) => {
    const job = exportOf(request)
    state.exports.remove(job.id)
    record(request, 'EXPORT_DELETED', job)
    return reply.code(204).send()
  })
}

function exportsFor(state: State, query: Record<string, string | undefined>): ExportRecord[] {
  const { organizationId, customerId, status, createdBy } = query
  const organization = organizationOf(state, customerId ?? organizationId ?? '')
  const customers = organization.partnerId === null ? customersOf(state, organization.id) : [organization]
  return customers
    .flatMap((customer) => state.exports.of(customer.id))
    .filter((job) => !status || progressOf(job, state.clock()).status === status)
    .filter((job) => !createdBy || job.createdById === createdBy || job.createdBy === createdBy)
}

function readExport(state: State, request: FastifyRequest): ExportRecord {
  const body = objectBody(request)
  const customer = organizationOf(state, textField(body, 'customerId', 100))
  const startMs = timeField(body, 'startTime')
  const endMs = timeField(body, 'endTime')
  if (startMs >= endMs) throw malformed('startTime must lie before endTime', 'startTime')
  const caller = callerOf(request)
  const job: ExportRecord = {
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
  const valueMs = rowCount(job) * pointCount(job)
  return { ...job, runsForMs: Math.min(RUNS_AT_LEAST_MS + valueMs, RUNS_AT_MOST_MS) }
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

function exportBody(state: State, job: ExportRecord): object {
  const { status, percent, completedMs, expiresMs } = progressOf(job, state.clock())
  const hasFile = status === 'READY' || status === 'EXPIRED'
  return {
    id: job.id,
    exportName: job.exportName,
    customerId: job.customerId,
    customerName: state.organizations.get(job.customerId)?.orgName ?? null,
    status,
    progress: percent,
    format: job.format,
    timeZone: job.timeZone,
    startTime: job.startTime,
    endTime: job.endTime,
    pointCount: pointCount(job),
    rowCount: hasFile ? rowCount(job) : null,
    sizeBytes: hasFile ? sizeBytes(job) : null,
    createdBy: job.createdBy,
    createdDate: new Date(job.createdMs).toISOString(),
    completedDate: completedMs && new Date(completedMs).toISOString(),
    expiresDate: expiresMs && new Date(expiresMs).toISOString(),
    failureReason: status === 'FAILED' ? job.failureReason : null,
    request: { selectedPoints: job.selectedPoints }
  }
}

interface Progress {
  status: 'QUEUED' | 'RUNNING' | 'READY' | 'FAILED' | 'CANCELLED' | 'EXPIRED'
  /** 0 to 100. */
  percent: number
  completedMs: number | null
  expiresMs: number | null
}

function progressOf(job: ExportRecord, timeMs: number): Progress {
  const startMs = job.createdMs + job.queuedForMs
  const endMs = startMs + job.runsForMs
  const untilMs = Math.min(timeMs, job.cancelledMs ?? timeMs)
  const percent = Math.floor((100 * Math.min(Math.max(untilMs - startMs, 0), job.runsForMs)) / job.runsForMs)
  const base = { percent, completedMs: null, expiresMs: null }
  if (job.cancelledMs !== null) return { ...base, status: 'CANCELLED', completedMs: job.cancelledMs }
  if (timeMs < startMs) return { ...base, status: 'QUEUED' }
  if (timeMs < endMs) return { ...base, status: 'RUNNING' }
  if (job.failureReason !== null) return { ...base, status: 'FAILED', percent: 0, completedMs: endMs }
  const expiresMs = endMs + STORED_MS
  return { status: timeMs < expiresMs ? 'READY' : 'EXPIRED', percent, completedMs: endMs, expiresMs }
}

function pointCount(job: ExportRecord): number {
  return job.selectedPoints.reduce((sum, { pointIds }) => sum + pointIds.length, 0)
}

function sizeBytes(job: ExportRecord): number {
  return 40 + rowCount(job) * (20 + 7 * pointCount(job)) * (job.format === 'JSON' ? 3 : 1)
}
