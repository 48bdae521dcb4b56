// Schemas of the records of a saved report's points.
import Type, { type Static } from 'typebox'
import { named, oneOf, optional, text, texts, time } from './parts.ts'

export const REPORT_INTERVALS = ['raw', 'hour', 'day'] as const
export type ReportInterval = (typeof REPORT_INTERVALS)[number]

/** What a report can lack. */
const REPORT_GAPS = ['device', 'point', 'history'] as const
const reportGap = oneOf(
  REPORT_GAPS,
  '`device`: the customer no longer has it; `point`: the device no longer has it; `history`: none is recorded for it.'
)
export type ReportGap = Static<typeof reportGap>

export const ReportDataPoint = named('ReportDataPoint', {
  ...texts('deviceUuid', 'cloudId', 'deviceName', 'pointName', 'units'),
  kind: oneOf(['Numeric', 'Boolean', 'Enum', 'String']),
  states: Type.Array(Type.Object({ value: Type.Integer(), text: text() }), {
    description: 'The texts of the values of a boolean (0 and 1) or an enum.'
  }),
  partial: Type.Array(reportGap, {
    description:
      'Why there are no records of this point: its absence from `records` says nothing. Empty otherwise.'
  })
})
export type ReportDataPoint = Static<typeof ReportDataPoint>

export const ReportDataRecord = named('ReportDataRecord', {
  ...texts('deviceUuid', 'cloudId'),
  time: time('When it was recorded; for `hour` and `day`, when the period begins.'),
  value: Type.Unknown({
    description:
      'As recorded. For `hour` and `day`: the average of the valid numbers of the period, weighted by time if they are recorded on change; of other kinds the value at the beginning of the period, which may be recorded up to a year before the range.'
  }),
  status: optional(text('Status flags of the record, such as `fault`, if there are any.'))
})
export type ReportDataRecord = Static<typeof ReportDataRecord>

export const ReportData = named('ReportData', {
  ...texts('reportId', 'reportName', 'timeZone'),
  from: time(),
  to: time('Records at this time are not included.'),
  interval: oneOf(REPORT_INTERVALS),
  points: Type.Array(ReportDataPoint),
  partial: Type.Array(reportGap, { description: 'What is missing at some of the points.' }),
  records: Type.Array(ReportDataRecord, { description: 'In the order of time.' })
})
export type ReportData = Static<typeof ReportData>

/** A line is a point if it has no `time`. */
export const ReportDataLine = Type.Union([ReportDataPoint, ReportDataRecord])
