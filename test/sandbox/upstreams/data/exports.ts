// Exports of histories to files: created in the background, kept for a week.
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
const KEPT_MS = 7 * 86_400_000
const TYPES = { CSV: 'text/csv; charset=utf-8', JSON: 'application/json' } as const

export const exports: Upstream = (api, state, publicUrl) => {
  const toBody = (one: ExportRecord): object => exportBody(state, one)
  const exportOf = (request: FastifyRequest): ExportRecord => {
    const { id } = params(request)
    return found(state.exports.get(id), `export ${id}`)
  }
  const record = recorderOf(state, 'EXPORT', (one: ExportRecord) => about(one, one.exportName))

  api.get(BASE, async (request) =>
    halPage(request, {
      rel: 'exports',
      items: wantedExports(state, request.query as Record<string, string | undefined>),
      toBody,
      searched: (one) => [one.exportName],
      size: PAGE_SIZE,
      order: { property: 'createdDate', descending: true }
    })
  )

  api.post(BASE, async (request, reply) => {
    const one = state.exports.add(readExport(state, request))
    record(request, 'EXPORT_STARTED', one)
    return reply.code(201).header('location', `${BASE}/${one.id}`).send(toBody(one))
  })

  api.get(`${BASE}/:id`, async (request) => toBody(exportOf(request)))

  api.get(`${BASE}/:id/download`, async (request, reply) => {
    const one = exportOf(request)
    const { status } = progressOf(one, state.clock())
    if (status === 'EXPIRED') throw new ApiProblem(410, 'expired', 'the file has expired')
    if (status !== 'READY') throw new ApiProblem(409, 'notReady', 'there is no file')
    const name = `${one.exportName}.${one.format.toLowerCase()}`
    const file = { contentType: TYPES[one.format], content: () => exportFile(state, one) }
    record(request, 'EXPORT_DOWNLOADED', one)
    return reply.redirect(offerFile(state, publicUrl, name, file), 302)
  })

  api.post(`${BASE}/:id/cancel`, async (request) => {
    const one = exportOf(request)
    const { status } = progressOf(one, state.clock())
    if (status !== 'QUEUED' && status !== 'RUNNING')
      throw new ApiProblem(409, 'notRunning', 'the export does not run')
    one.cancelledMs = state.clock()
    record(request, 'EXPORT_CANCELLED', one)
    return toBody(one)
  })

  api.delete(`${BASE}/:id`, async (request, reply) => {
    const one = exportOf(request)
    state.exports.remove(one.id)
    record(request, 'EXPORT_DELETED', one)
    return reply.code(204).send()
  })
}

function wantedExports(state: State, query: Record<string, string | undefined>): ExportRecord[] {
  const { organizationId, customerId, status, createdBy } = query
  const at = organizationOf(state, customerId ?? organizationId ?? '')
  const customers = at.partnerId === null ? customersOf(state, at.id) : [at]
  return customers
    .flatMap((customer) => state.exports.of(customer.id))
    .filter((one) => !status || progressOf(one, state.clock()).status === status)
    .filter((one) => !createdBy || one.createdById === createdBy || one.createdBy === createdBy)
}

function readExport(state: State, request: FastifyRequest): ExportRecord {
  const body = objectBody(request)
  const customer = organizationOf(state, textField(body, 'customerId', 100))
  const startMs = timeField(body, 'startTime')
  const endMs = timeField(body, 'endTime')
  if (startMs >= endMs) throw malformed('startTime must lie before endTime', 'startTime')
  const caller = callerOf(request)
  const one: ExportRecord = {
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
  const valueMs = rowCount(one) * pointCount(one)
  return { ...one, runsForMs: Math.min(RUNS_AT_LEAST_MS + valueMs, RUNS_AT_MOST_MS) }
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
  const selected = objectList(body, 'selectedPoints').map((item) => ({
    systemGuid: textField(item, 'systemGuid', 100),
    pointIds: textList(item, 'pointIds')
  }))
  const ownGuids = new Set(state.devices.of(customerId).map((device) => device.systemGuid))
  const foreign = selected.find((one) => !ownGuids.has(one.systemGuid))
  if (foreign) throw notFound(`system ${foreign.systemGuid}`)
  if (!selected.some((one) => one.pointIds.length > 0))
    throw malformed('selectedPoints must name a point', 'selectedPoints')
  return selected
}

function exportBody(state: State, one: ExportRecord): object {
  const { status, percent, completedMs, expiresMs } = progressOf(one, state.clock())
  const isMade = status === 'READY' || status === 'EXPIRED'
  return {
    id: one.id,
    exportName: one.exportName,
    customerId: one.customerId,
    customerName: state.organizations.get(one.customerId)?.orgName ?? null,
    status,
    progress: percent,
    format: one.format,
    timeZone: one.timeZone,
    startTime: one.startTime,
    endTime: one.endTime,
    pointCount: pointCount(one),
    rowCount: isMade ? rowCount(one) : null,
    sizeBytes: isMade ? sizeBytes(one) : null,
    createdBy: one.createdBy,
    createdDate: new Date(one.createdMs).toISOString(),
    completedDate: completedMs && new Date(completedMs).toISOString(),
    expiresDate: expiresMs && new Date(expiresMs).toISOString(),
    failureReason: status === 'FAILED' ? one.failureReason : null,
    request: { selectedPoints: one.selectedPoints }
  }
}

interface Progress {
  status: 'QUEUED' | 'RUNNING' | 'READY' | 'FAILED' | 'CANCELLED' | 'EXPIRED'
  /** 0 to 100. */
  percent: number
  completedMs: number | null
  expiresMs: number | null
}

function progressOf(one: ExportRecord, timeMs: number): Progress {
  const beganMs = one.createdMs + one.queuedForMs
  const endMs = beganMs + one.runsForMs
  const until = Math.min(timeMs, one.cancelledMs ?? timeMs)
  const percent = Math.floor((100 * Math.min(Math.max(until - beganMs, 0), one.runsForMs)) / one.runsForMs)
  const unfinished = { percent, completedMs: null, expiresMs: null }
  if (one.cancelledMs !== null) return { ...unfinished, status: 'CANCELLED', completedMs: one.cancelledMs }
  if (timeMs < beganMs) return { ...unfinished, status: 'QUEUED' }
  if (timeMs < endMs) return { ...unfinished, status: 'RUNNING' }
  if (one.failureReason !== null) return { ...unfinished, status: 'FAILED', percent: 0, completedMs: endMs }
  const expiresMs = endMs + KEPT_MS
  return { status: timeMs < expiresMs ? 'READY' : 'EXPIRED', percent, completedMs: endMs, expiresMs }
}

function pointCount(one: ExportRecord): number {
  return one.selectedPoints.reduce((sum, { pointIds }) => sum + pointIds.length, 0)
}

function sizeBytes(one: ExportRecord): number {
  return 40 + rowCount(one) * (20 + 7 * pointCount(one)) * (one.format === 'JSON' ? 3 : 1)
}
