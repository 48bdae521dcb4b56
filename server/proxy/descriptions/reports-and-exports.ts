// What is told of saved reports and bulk exports (§7, A-2, A-3). Data only.
import Type from 'typebox'
import { type Area, area } from './area.ts'
import { DONE, FILE, halList, json, nullableText, optional, text, time } from './shapes.ts'

const FROM = '2025-06-01T00:00:00.000Z'
const TO = '2025-06-12T00:00:00.000Z'
const whole = Type.Integer({ minimum: 0 })
const span = { startTime: time, endTime: time }

const reportContent = {
  reportName: text,
  reportDetails: Type.Object({
    selectedDateFilter: text,
    selectedPoints: Type.Array(Type.Object({ device: Type.Unknown(), point: Type.Unknown() }))
  }),
  ...span
}
const Report = Type.Object(
  {
    reportId: text,
    ...reportContent,
    customerId: optional(text),
    customerName: optional(text),
    createdBy: optional(text),
    createdDate: optional(time),
    lastModifiedDate: optional(time)
  },
  { $id: 'Report' }
)
const NEW_REPORT = {
  reportName: 'Supply air, June',
  reportDetails: {
    selectedDateFilter: 'MONTH_TO_DATE',
    selectedPoints: [{ device: { id: 'd-7' }, point: { cloudId: 'c-71' } }]
  },
  startTime: FROM,
  endTime: TO
}
const REPORT = { reportId: 'rep-11', ...NEW_REPORT, customerId: '9', createdDate: TO, lastModifiedDate: TO }
const report = { 200: json('The report.', Report, REPORT) }

const SelectedPoints = Type.Array(Type.Object({ systemGuid: text, pointIds: Type.Array(text) }))
const Format = Type.Enum(['CSV', 'JSON'], { type: 'string' })
const Export = Type.Object(
  {
    id: text,
    exportName: text,
    customerId: text,
    customerName: optional(text),
    status: Type.Enum(['QUEUED', 'RUNNING', 'READY', 'FAILED', 'CANCELLED', 'EXPIRED'], { type: 'string' }),
    progress: Type.Number({ minimum: 0, maximum: 100 }),
    format: Format,
    timeZone: text,
    ...span,
    pointCount: optional(whole),
    rowCount: optional(Type.Unsafe<number | null>({ type: ['integer', 'null'] })),
    sizeBytes: optional(Type.Unsafe<number | null>({ type: ['integer', 'null'] })),
    createdBy: text,
    createdDate: time,
    completedDate: optional(nullableText),
    expiresDate: optional(nullableText),
    failureReason: optional(nullableText),
    request: optional(Type.Object({ selectedPoints: SelectedPoints }))
  },
  { $id: 'Export' }
)
const NEW_EXPORT = {
  exportName: 'Supply air, June',
  customerId: '9',
  selectedPoints: [{ systemGuid: '5f1c0a9b7d3e2f4a6b8c0d1e', pointIds: ['t-71'] }],
  startTime: FROM,
  endTime: TO,
  format: 'CSV',
  timeZone: 'Europe/Berlin'
}
const EXPORT = {
  id: 'exp-5',
  exportName: 'Supply air, June',
  customerId: '9',
  status: 'RUNNING',
  progress: 40,
  format: 'CSV',
  timeZone: 'Europe/Berlin',
  startTime: FROM,
  endTime: TO,
  createdBy: 'Maria Ruiz',
  createdDate: TO
}

export const reportsAndExports: Area = area(
  'Reports and exports',
  'Saved selections of points and times, and files of many histories.',
  {
    'reports.list': {
      summary: 'List the saved reports of a customer',
      answers: { 200: halList('One page of reports.', 'reports', Report, REPORT) }
    },
    'reports.create': {
      summary: 'Save a report',
      example: NEW_REPORT,
      answers: {
        201: json('The id of the report.', Type.Object({ reportId: text }), { reportId: 'rep-11' })
      }
    },
    'reports.get': { summary: 'Get a saved report', answers: report },
    'reports.edit': {
      summary: 'Change a saved report',
      example: { reportName: 'Supply air, first half of June' },
      answers: report
    },
    'reports.delete': { summary: 'Delete a saved report', answers: DONE },
    'exports.list': {
      summary: 'List the exports of a customer or organization',
      answers: { 200: halList('One page of exports.', 'exports', Export, EXPORT) }
    },
    'exports.create': {
      summary: 'Start an export',
      example: NEW_EXPORT,
      answers: {
        201: {
          ...json('The export.', Export, EXPORT),
          headers: { Location: 'Path of the export, where the upstream gives one.' }
        }
      }
    },
    'exports.get': { summary: 'Get an export', answers: { 200: json('The export.', Export, EXPORT) } },
    'exports.download': { summary: 'Download an export', answers: FILE },
    'exports.cancel': { summary: 'Cancel an export', answers: { 200: { description: 'Done.' }, ...DONE } },
    'exports.delete': { summary: 'Delete an export', answers: DONE }
  }
)
