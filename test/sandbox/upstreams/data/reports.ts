// Saved reports of a customer: points and a time range. The caller decides the format of points and devices.
import type { FastifyRequest } from 'fastify'
import { about, changesBetween, recorderOf } from '../../api/audit.ts'
import { callerOf } from '../../api/bearer.ts'
import { nameField, objectBody, objectList, textField, timeField } from '../../api/body.ts'
import { halPage } from '../../api/hal.ts'
import { malformed, notFound } from '../../api/problems.ts'
import { params, type Upstream } from '../../api/upstream.ts'
import type { ReportRecord } from '../../records/work.ts'
import { now, type State } from '../../state.ts'
import { organizationOf } from '../management/organizations.ts'

const BASE = '/api/v1/charts-and-reports/:id'
const NAME_MAX_CHARACTERS = 50
const PAGE_SIZE = 15

export const reports: Upstream = (api, state) => {
  const toBody = (report: ReportRecord): object => reportBody(state, report)
  const record = recorderOf(state, 'REPORT', (report: ReportRecord) => about(report, report.reportName))

  api.get(`${BASE}/reports`, async (request) => {
    const { id } = organizationOf(state, params(request).id)
    return halPage(request, {
      rel: 'reports',
      items: state.reports.of(id),
      toBody,
      searched: (report) => [report.reportName, report.createdBy],
      size: PAGE_SIZE,
      order: { property: 'lastModifiedDate', descending: true }
    })
  })

  api.post(`${BASE}/report`, async (request, reply) => {
    const { id: customerId } = organizationOf(state, params(request).id)
    const report = state.reports.add({
      id: state.nextId('r'),
      customerId,
      ...readReport(objectBody(request)),
      createdBy: callerOf(request).fullName,
      createdDate: now(state),
      lastModifiedDate: now(state)
    })
    record(request, 'REPORT_CREATED', report)
    return reply.code(201).send({ reportId: report.id })
  })

  api.get(`${BASE}/report/:reportId`, async (request) => toBody(reportOf(state, request)))

  api.patch(`${BASE}/report/:reportId`, async (request) => {
    const report = reportOf(state, request)
    const before = { ...report }
    Object.assign(report, readReport({ ...report, ...objectBody(request) }), {
      lastModifiedDate: now(state)
    })
    record(request, 'REPORT_UPDATED', report, changesBetween(before, report, ['reportName']))
    return toBody(report)
  })

  api.delete(`${BASE}/report/:reportId`, async (request, reply) => {
    const report = reportOf(state, request)
    state.reports.remove(report.id)
    record(request, 'REPORT_DELETED', report)
    return reply.code(204).send()
  })
}

function reportOf(state: State, request: FastifyRequest): ReportRecord {
  const { id, reportId = '' } = params(request)
  const report = state.reports.get(reportId)
  if (report?.customerId !== id) throw notFound(`report ${reportId}`)
  return report
}

function readReport(body: Record<string, unknown>) {
  const details = objectBody({ body: body.reportDetails })
  const selectedPoints = objectList(details, 'selectedPoints')
  if (selectedPoints.some((selected) => selected.device === undefined || selected.point === undefined))
    throw malformed('selectedPoints must each have a device and a point', 'selectedPoints')
  return {
    reportName: nameField(body, 'reportName', NAME_MAX_CHARACTERS),
    reportDetails: {
      ...details,
      selectedDateFilter: textField(details, 'selectedDateFilter', 100),
      selectedPoints
    },
    startTime: optionalTime(body, 'startTime'),
    endTime: optionalTime(body, 'endTime')
  }
}

// A relative range such as “Month-To-Date” has no times.
function optionalTime(body: Record<string, unknown>, field: string): string | null {
  const isMissing = body[field] === undefined || body[field] === null
  return isMissing ? null : new Date(timeField(body, field)).toISOString()
}

function reportBody(state: State, { id, ...rest }: ReportRecord): object {
  return { reportId: id, ...rest, customerName: state.organizations.get(rest.customerId)?.orgName ?? null }
}
