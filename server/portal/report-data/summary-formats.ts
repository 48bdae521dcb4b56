// Writes the summaries of a report as CSV, as one JSON text, or as lines (NDJSON).
import type { PeriodSummary, ReportSummary } from '#shared/answers/report-data.ts'
import { type CsvColumn, csvHeader, csvRows } from '#shared/csv.ts'
import { isState, type PointType, stateTexts } from '#shared/history/point-type.ts'
import type { Format, Report } from './formats.ts'
import { describedPoint, type FoundPoint } from './points.ts'
import type { PointSummary } from './summaries.ts'

export interface SummaryReport extends Report {
  compared?: { from: string; to: string }
}

/** A point of the report with its summaries; `before` is missing without a comparison. */
export interface SummarizedPoint {
  point: FoundPoint
  own: PointSummary
  before?: PointSummary
}

type Texts = AsyncGenerator<string, void, void>
type Summaries = AsyncIterable<readonly SummarizedPoint[]>

export const SUMMARY_FORMATS = {
  'text/csv': asCsv,
  'application/json': asJson,
  'application/x-ndjson': asLines
} as const satisfies Record<Format, (report: SummaryReport, summaries: Summaries) => Texts>

async function* asCsv({ compared }: SummaryReport, summaries: Summaries): Texts {
  const columns = compared ? [...COLUMNS, ...COMPARED_COLUMNS] : COLUMNS
  yield csvHeader(columns)
  for await (const points of summaries) yield csvRows(columns, points)
}

const valuesOf = ({ own, point }: SummarizedPoint) => periodSummary(point.type, own)

const COLUMNS: CsvColumn<SummarizedPoint>[] = [
  { header: 'Device', value: ({ point }) => point.deviceName },
  { header: 'Point', value: ({ point }) => point.pointName },
  { header: 'Unit', value: ({ point }) => point.type.units },
  { header: 'Records', value: (row) => valuesOf(row).records },
  { header: 'Min', value: (row) => valuesOf(row).min },
  { header: 'Min at (UTC)', value: (row) => valuesOf(row).minTime },
  { header: 'Max', value: (row) => valuesOf(row).max },
  { header: 'Max at (UTC)', value: (row) => valuesOf(row).maxTime },
  { header: 'Average', value: (row) => valuesOf(row).average },
  { header: 'Last', value: (row) => lastText(row) },
  { header: 'Time in state', value: (row) => statesText(valuesOf(row)) },
  { header: 'Missing', value: ({ point }) => point.missing }
]

const COMPARED_COLUMNS: CsvColumn<SummarizedPoint>[] = [
  { header: 'Average before', value: (row) => beforeOf(row)?.average },
  { header: 'Change', value: changeOf },
  { header: 'Records before', value: (row) => beforeOf(row)?.records },
  { header: 'Time in state before', value: (row) => statesText(beforeOf(row)) }
]

const beforeOf = ({ before, point }: SummarizedPoint) => before && periodSummary(point.type, before)

function lastText({ own, point }: SummarizedPoint): string | number | null {
  const { last } = own.statistics
  return stateText(point.type, last) ?? last
}

/** "On 3600 s; Off 82800 s". */
function statesText(summary: PeriodSummary): string {
  return (summary?.states ?? []).map(({ text, seconds }) => `${text} ${seconds} s`).join('; ')
}

function stateText(type: PointType, value: number | null): string | undefined {
  return isState(type) ? stateTexts(type).find(({ ordinal }) => ordinal === value)?.text : undefined
}

async function* asJson({ points, ...report }: SummaryReport, summaries: Summaries): Texts {
  const described = points.map(describedPoint)
  const partial = [...new Set(described.flatMap((point) => point.partial))]
  const head = JSON.stringify({ ...report, points: described, partial, records: [] })
  yield `${head.slice(0, -1)},"summary":[`
  for await (const rows of summaries) yield rows.map((row) => JSON.stringify(reportSummary(row))).join(',')
  yield ']}'
}

/** A line for each point, then a line for each summary. */
async function* asLines({ points }: SummaryReport, summaries: Summaries): Texts {
  yield points.map((point) => `${JSON.stringify(describedPoint(point))}\n`).join('')
  for await (const rows of summaries)
    yield rows.map((row) => `${JSON.stringify(reportSummary(row))}\n`).join('')
}

function reportSummary(row: SummarizedPoint): ReportSummary {
  const { deviceUuid, cloudId } = row.point
  const before = beforeOf(row)
  return { deviceUuid, cloudId, ...valuesOf(row), ...(before && { before, change: changeOf(row) }) }
}

function changeOf(row: SummarizedPoint): number | null {
  const [average, averageBefore] = [valuesOf(row).average, beforeOf(row)?.average]
  return average === null || averageBefore == null ? null : average - averageBefore
}

/** The numbers of a period. The least, greatest and average ordinal of a state mean nothing. */
function periodSummary(type: PointType, { statistics, states }: PointSummary): NonNullable<PeriodSummary> {
  const { samples, last, min, minMs, max, maxMs, average } = statistics
  const isNumber = !isState(type)
  const totalMs = states.durations.reduce((sum, [, ms]) => sum + ms, 0)
  const timeAt = (value: number | null, ms: number) =>
    isNumber && value !== null ? new Date(ms).toISOString() : null
  return {
    records: samples,
    min: isNumber ? min : null,
    minTime: timeAt(min, minMs),
    max: isNumber ? max : null,
    maxTime: timeAt(max, maxMs),
    average: isNumber ? average : null,
    last,
    states: states.durations.map(([value, ms]) => ({
      value,
      text: stateText(type, value) ?? String(value),
      seconds: ms / 1000,
      share: ms / totalMs
    })),
    starts: states.starts,
    changes: states.changes
  }
}
