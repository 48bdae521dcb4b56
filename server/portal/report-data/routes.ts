// The records of a saved report's points, for people (a CSV file) and for services.

import { Readable } from 'node:stream'
import { create } from 'content-disposition'
import { oneOf } from '#shared/answers/parts.ts'
import {
  REPORT_COMPARISONS,
  REPORT_INTERVALS,
  type ReportComparison,
  ReportData,
  ReportDataLine
} from '#shared/answers/report-data.ts'
import { fileName } from '#shared/csv.ts'
import { pointsOfReport, rangeOfReport } from '#shared/history/report.ts'
import { REPORT_POINTS_MAX, REPORT_RECORDS_MAX } from '#shared/limits.ts'
import {
  CUSTOM_RANGE,
  type DateFilter,
  RANGE_MAX_MS,
  rangeOf,
  type TimeRange
} from '#shared/time/date-ranges.ts'
import { previousPeriod, yearBefore } from '#shared/time/earlier-periods.ts'
import { instantsAt, wallDate } from '#shared/time/zones.ts'
import type { Config } from '../../config/settings.ts'
import { Problem, problems } from '../../errors.ts'
import type { Snapshots } from '../../inventory/cache.ts'
import { closed, id, optional, text, time } from '../../schemas.ts'
import type { Clock } from '../../types.ts'
import type { UpstreamClient } from '../../upstreams/client.ts'
import { disconnectSignal } from '../../upstreams/disconnect-signal.ts'
import { name } from '../../upstreams/fields.ts'
import { PROOF_MAX_AGE_MS } from '../../upstreams/organization-directory.ts'
import { fetchReport } from '../../upstreams/reports.ts'
import { formatFor, JSON_TYPE } from '../encoding.ts'
import { begun, ENDED_EARLY, sendLines, withReason } from '../lines.ts'
import { CustomerParams, withDefault } from '../parameters.ts'
import { type PortalRoutes, signedIn, usedUntilSent } from '../request.ts'
import { createCallPaces } from './call-pace.ts'
import { FORMATS, type Format } from './formats.ts'
import { inParts } from './parts.ts'
import { PERIOD_MS, readPeriods } from './periods.ts'
import { type FoundPoint, findReportPoints } from './points.ts'
import { type PointRecord, type RecordQuery, readRecords, readRecordsBefore } from './records.ts'
import { type PointSummary, readSummaries } from './summaries.ts'
import { SUMMARY_FORMATS, type SummarizedPoint } from './summary-formats.ts'

const ZONE_MAX_CHARACTERS = 100
const FORMAT_NAMES = Object.keys(FORMATS) as Format[]

const ReportParams = closed({
  ...CustomerParams.properties,
  reportId: id('Id of the saved report.', 'r-1001-1')
})
const DataQuery = closed({
  from: optional(
    time(
      'The beginning. A time without an offset is in `timeZone`. Without `from` and `to`: the range of the report.'
    )
  ),
  to: optional(time('The end, which is not included. At most five years after `from`.')),
  interval: withDefault(
    oneOf(
      REPORT_INTERVALS,
      'Each record; or one value for each hour or day of `timeZone` in which the point has one: the average of numbers, and the state at the beginning; or one summary of the whole range for each point. Numbers that are recorded on change hold until the next record, and are weighted by time; measured numbers count once each. The charts have the same averages, and the summary on the screen the same numbers.'
    ),
    'raw'
  ),
  compare: optional(
    oneOf(
      REPORT_COMPARISONS,
      'For `summary`: also sums up the period before, as the charts compare it (the same part of the month before for Month-To-Date, the month before for a whole month), or the same days of the year before.'
    )
  ),
  timeZone: withDefault(
    text(
      ZONE_MAX_CHARACTERS,
      'IANA name of the zone for hours, days and relative ranges such as Month-To-Date. A report has no zone of its own.',
      { examples: ['Europe/Berlin'] }
    ),
    'UTC'
  )
})

interface Services {
  client: UpstreamClient
  snapshots: Snapshots
  clock: Clock
  config: Pick<Config, 'SESSION_CALLS_PER_MINUTE' | 'BEARER_CALLS_PER_MINUTE'>
}

export const reportDataRoutes: PortalRoutes<Services> = async (app, { client, snapshots, clock, config }) => {
  const paceOf = createCallPaces()
  /** Half of the calls that the caller may make: the other half is left for everything else. */
  const callsPerMinute = {
    session: Math.ceil(config.SESSION_CALLS_PER_MINUTE / 2),
    bearer: Math.ceil(config.BEARER_CALLS_PER_MINUTE / 2)
  }
  app.get(
    '/customers/:customerId/reports/:reportId/data',
    {
      config: {
        id: 'portal.report-data',
        access: { action: 'reports:view', also: 'data:query', scope: 'customer' },
        opensInBrowser: true,
        docs: {
          area: {
            name: 'Reports and exports',
            description:
              'Reports are saved selections of points and times. Exports are files with many histories.'
          },
          summary: "Get the records of a report's points",
          description: `Streams the records in the order of time: as \`text/csv\` (a row for each time, a column for each point, as the export of a chart), as JSON, or with \`Accept: application/x-ndjson\` as lines: first a line for each point, then a line for each record, which has a \`time\`, or for each summary, which has \`records\`. Without a preference the answer is CSV. \`partial\` names what a point lacks; in CSV the header of its column says so. ${ENDED_EARLY} CSV and JSON are then cut off: the connection closes before the end of the answer.`,
          answers: {
            200: {
              headers: { 'Content-Disposition': 'The name of the file.' },
              schema: ReportData,
              lines: ReportDataLine,
              csv: true
            }
          },
          refusals: {
            406: { description: 'The caller accepts none of the formats.', problem: 'not_acceptable' },
            422: {
              description: `More than ${REPORT_POINTS_MAX} points, or hours or days that together have more than ${REPORT_RECORDS_MAX} records (periods × points). The detail names an interval and a range that fit.`,
              problem: 'too_many_records'
            }
          }
        }
      },
      schema: { params: ReportParams, querystring: DataQuery }
    },
    async (request, reply) => {
      const format = formatFor(request, FORMAT_NAMES)
      const { customerId, reportId } = request.params
      const { interval } = request.query
      const timeZone = zoneNamed(request.query.timeZone)
      const { compare } = request.query
      if (compare && interval !== 'summary')
        throw problems.badRequest('The parameter "compare" needs "interval=summary".')
      const askedRange = rangeIn(request.query, timeZone)
      const caller = signedIn(request.caller)
      const signal = disconnectSignal(reply)
      const source = { client, customerId, bearer: caller, signal }
      const pace = paceOf(caller.share)
      const saved = await fetchReport(source, reportId)
      const selected = pointsOfReport(saved)
      if (selected.length > REPORT_POINTS_MAX) throw tooManyPoints(selected.length)
      const nowMs = clock()
      const range = askedRange ?? assertNotTooLong(savedRange(saved, nowMs, timeZone))
      if (interval === 'hour' || interval === 'day') assertFewRecords(selected.length, range, interval)
      const snapshot = await snapshots.within(PROOF_MAX_AGE_MS, customerId, caller)
      const { customer } = usedUntilSent(snapshots, snapshot, reply)
      const points = await findReportPoints(source, customer, selected)
      const systems = [...new Set(points.flatMap((point) => point.source?.systemGuid ?? []))]

      const checkAccess = async () => {
        await request.decideAgain()
        const snapshot = await snapshots.within(PROOF_MAX_AGE_MS, customerId, caller)
        if (!(await snapshot.customer.owns('system', systems)))
          throw problems.notFound('A device of this report no longer belongs to this customer.')
      }
      const distinct = withoutDuplicates(points)
      const query: RecordQuery = {
        source,
        points: distinct.map(({ point }) => point),
        range,
        checkAccess,
        mayCall: () => pace(callsPerMinute[caller.kind], signal)
      }
      const indexes = distinct.map((group) => group.indexes)
      const report = {
        reportId,
        reportName: name(saved.reportName),
        timeZone,
        ...isoRange(range),
        interval,
        points
      }
      // Failures of the first fetch are answered as a problem.
      const texts = await begunTexts()
      reply.header('vary', 'accept').header('content-disposition', dispositionOf(report, range, format))
      if (format === 'application/x-ndjson') return sendLines(request, reply, texts)
      const type = format === 'text/csv' ? 'text/csv; charset=utf-8' : JSON_TYPE
      return reply.type(type).send(Readable.from(withReason(texts, request)))

      async function begunTexts() {
        if (interval === 'summary') {
          const filter = askedRange ? CUSTOM_RANGE : rangeOfReport(saved).filter
          const compared = comparedRange(compare, filter, range, timeZone)
          const rows = await begun(summarizedPoints({ query, compared, indexes, points, nowMs }))
          return SUMMARY_FORMATS[format](
            { ...report, ...(compared && { compared: isoRange(compared) }) },
            rows
          )
        }
        const records =
          interval === 'raw' ? rawRecords(query) : await periodRecords(query, { interval, timeZone, nowMs })
        return FORMATS[format](report, await begun(inParts(records, indexes, checkAccess)))
      }
    }
  )
}

const isoRange = ({ fromMs, toMs }: TimeRange) => ({
  from: new Date(fromMs).toISOString(),
  to: new Date(toMs).toISOString()
})

function comparedRange(
  compare: ReportComparison | undefined,
  filter: DateFilter,
  range: TimeRange,
  zone: string
): TimeRange | null {
  if (compare === undefined) return null
  return compare === 'year' ? yearBefore(range, zone) : previousPeriod(filter, range, zone)
}

interface SummaryQuery {
  query: RecordQuery
  compared: TimeRange | null
  /** Where each point of the query stands in the report. */
  indexes: readonly (readonly number[])[]
  points: readonly FoundPoint[]
  nowMs: number
}

/** The points of the report with their summaries, of one period after the other. */
async function* summarizedPoints(summary: SummaryQuery): AsyncGenerator<SummarizedPoint[], void, void> {
  const { query, compared, indexes, points, nowMs } = summary
  async function* summariesOf(range: TimeRange) {
    const own = { ...query, range }
    const before = await readRecordsBefore(own)
    yield* readSummaries(readRecords(own), query.points, {
      range,
      endMs: Math.min(nowMs, range.toMs),
      before
    })
  }
  const found: PointSummary[][] = []
  for (const range of compared ? [query.range, compared] : [query.range])
    for await (const summaries of summariesOf(range)) {
      if (summaries.length > 0) found.push(summaries)
      yield []
    }
  await query.checkAccess()
  const [own = [], before] = found
  yield points.flatMap((point, index) => {
    const at = indexes.findIndex((places) => places.includes(index))
    const [ownSummary, beforeSummary] = [own[at], before?.[at]]
    return ownSummary ? [{ point, own: ownSummary, ...(beforeSummary && { before: beforeSummary }) }] : []
  })
}

/** The canonical name, because formats are cached by name. */
function zoneNamed(zone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
  } catch {
    throw problems.badRequest('The parameter "timeZone" must be the IANA name of a time zone.')
  }
}

/** The range that the query names; null if it names none. */
function rangeIn({ from, to }: { from?: string; to?: string }, zone: string): TimeRange | null {
  if (from === undefined && to === undefined) return null
  if (from === undefined || to === undefined)
    throw problems.badRequest('Give both parameters "from" and "to", or neither.')
  const [fromMs, toMs] = [momentOf(from, 'from', zone), momentOf(to, 'to', zone)]
  if (fromMs >= toMs) throw problems.badRequest('The parameter "to" must lie after "from".')
  return assertNotTooLong({ fromMs, toMs })
}

function assertNotTooLong(range: TimeRange): TimeRange {
  if (range.toMs - range.fromMs <= RANGE_MAX_MS) return range
  throw problems.badRequest('The range is longer than five years.')
}

const WITH_OFFSET = /T.*(?:Z|[+-]\d\d:?\d\d)$/

function momentOf(value: string, parameter: string, zone: string): number {
  const isInstant = WITH_OFFSET.test(value)
  const ms = Date.parse(isInstant ? value : `${value}${value.includes('T') ? 'Z' : 'T00:00Z'}`)
  if (Number.isNaN(ms)) throw problems.badRequest(`The parameter "${parameter}" is no time.`)
  return isInstant ? ms : instantsAt(ms, zone)[0]
}

function savedRange(saved: Parameters<typeof rangeOfReport>[0], nowMs: number, zone: string): TimeRange {
  const { filter, range } = rangeOfReport(saved)
  return filter === CUSTOM_RANGE ? range : rangeOf(filter, nowMs, zone)
}

/** The same points with their indexes in the report, which may name a point more than once. */
function withoutDuplicates(points: readonly FoundPoint[]): { point: FoundPoint; indexes: number[] }[] {
  const groups = Map.groupBy(points.keys(), (index) => {
    const { deviceUuid, cloudId } = points[index] as FoundPoint
    return `${deviceUuid} ${cloudId}`
  })
  return [...groups.values()].map((indexes) => ({
    point: points[indexes[0] as number] as FoundPoint,
    indexes
  }))
}

async function* rawRecords(query: RecordQuery): AsyncGenerator<PointRecord[], void, void> {
  for await (const { records } of readRecords(query)) yield records
}

async function periodRecords(
  query: RecordQuery,
  { interval, timeZone, nowMs }: { interval: keyof typeof PERIOD_MS; timeZone: string; nowMs: number }
): Promise<AsyncGenerator<PointRecord[], void, void>> {
  const { points, range } = query
  return readPeriods(readRecords(query), points, {
    range,
    timeZone,
    periodMs: PERIOD_MS[interval],
    endMs: Math.min(nowMs, range.toMs),
    before: await readRecordsBefore(query)
  })
}

/** Refuses a report with too many values, before anything is read, and names what fits. */
function assertFewRecords(
  points: number,
  { fromMs, toMs }: TimeRange,
  interval: keyof typeof PERIOD_MS
): void {
  const periods = Math.ceil((toMs - fromMs) / PERIOD_MS[interval])
  if (periods * points <= REPORT_RECORDS_MAX) return
  const periodsMax = Math.floor(REPORT_RECORDS_MAX / points)
  const detail = `${periods} ${interval}s of ${points} points are ${periods * points} records. At most ${REPORT_RECORDS_MAX} can be read at once: use "interval=day", or a range of at most ${periodsMax} ${interval}s.`
  throw new Problem(422, 'too_many_records', { title: 'Too many records', detail })
}

function tooManyPoints(count: number): Problem {
  const detail = `The report has ${count} points. The data of at most ${REPORT_POINTS_MAX} points can be read.`
  return new Problem(422, 'too_many_points', { title: 'Too many points', detail })
}

const EXTENSIONS = {
  'text/csv': 'csv',
  'application/json': 'json',
  'application/x-ndjson': 'ndjson'
} as const

function dispositionOf(
  { reportName, timeZone }: { reportName: string; timeZone: string },
  { fromMs, toMs }: TimeRange,
  format: Format
): string {
  const days = [fromMs, toMs - 1].map((ms) => wallDate(ms, timeZone).toISOString().slice(0, 10))
  const file = fileName([reportName || 'report', ...days], EXTENSIONS[format])
  return create(file, { type: format === 'text/csv' ? 'attachment' : 'inline' })
}
