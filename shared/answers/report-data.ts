// Schemas of the records of a saved report's points.
import Type, { type Static } from 'typebox'
import { count, named, numberOrNull, oneOf, optional, text, texts, time, timeOrNull } from './parts.ts'

export const REPORT_INTERVALS = ['raw', 'hour', 'day', 'summary'] as const
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

export const REPORT_COMPARISONS = ['before', 'year'] as const
export type ReportComparison = (typeof REPORT_COMPARISONS)[number]

const summaryFields = {
  records: count('The records with a valid value.'),
  min: numberOrNull('The least number; null without one, and for states.'),
  minTime: timeOrNull('When it was recorded, or began to hold in the range.'),
  max: numberOrNull(),
  maxTime: timeOrNull(),
  average: numberOrNull(
    'Weighted by time if the numbers are recorded on change; measured numbers count once each.'
  ),
  last: numberOrNull('The last number, or the value of the last state.'),
  states: Type.Array(
    Type.Object({ value: Type.Number(), text: text(), seconds: Type.Number(), share: Type.Number() }),
    { description: 'How long each state lasted, and its share of the time that is known. Empty for numbers.' }
  ),
  starts: count('How often the state changed from 0 to another one.'),
  changes: count('How often the state changed.')
}

export const ReportSummary = named('ReportSummary', {
  ...texts('deviceUuid', 'cloudId'),
  ...summaryFields,
  before: optional(
    Type.Object(summaryFields, { description: 'The same of the period that it is compared with.' })
  ),
  change: optional(
    numberOrNull(
      'The average minus the average of the period that it is compared with; null if one of them is not known.'
    )
  )
})
export type ReportSummary = Static<typeof ReportSummary>
export type PeriodSummary = Static<typeof ReportSummary>['before']

export const ReportData = named('ReportData', {
  ...texts('reportId', 'reportName', 'timeZone'),
  from: time(),
  to: time('Records at this time are not included.'),
  interval: oneOf(REPORT_INTERVALS),
  points: Type.Array(ReportDataPoint),
  partial: Type.Array(reportGap, { description: 'What is missing at some of the points.' }),
  records: Type.Array(ReportDataRecord, { description: 'In the order of time. Empty for `summary`.' }),
  summary: optional(
    Type.Array(ReportSummary, {
      description: 'For each point, in the order of `points`; only for `summary`.'
    })
  ),
  compared: optional(
    Type.Object({ from: time(), to: time() }, { description: 'The period that `compare` asks for.' })
  )
})
export type ReportData = Static<typeof ReportData>

/** A record has a `time`, a summary has `records`; any other line is a point. */
export const ReportDataLine = Type.Union([ReportDataPoint, ReportDataRecord, ReportSummary])
