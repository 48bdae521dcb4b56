// The values of a report's data: equal to the raw records, also over a change of clocks, in each format.
import t from 'tap'
import type { ReportData, ReportDataPoint, ReportDataRecord } from '#shared/answers/report-data.ts'
import { previousPeriod } from '#shared/time/earlier-periods.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { historyOf } from '#test/sandbox/simulation/histories.ts'
import { type Point, pointsOf } from '#test/sandbox/simulation/points.ts'
import { startPortal } from '#test/support/portal.ts'
import { averageOf } from '#test/support/year-of-records.ts'
import { openSandbox } from '../../../support/scenes/gateway.ts'

const NOW = Date.parse('2026-11-28T12:00:00Z')
const ZONE = 'Europe/Berlin'
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Two days in Berlin with the change to winter time. */
const FROM = Date.parse('2026-10-24T00:00+02:00')
const TO = Date.parse('2026-10-26T00:00+01:00')

const sandbox = await openSandbox(t, { clock: () => NOW })
const portal = await startPortal(t, { startedSandbox: sandbox })
const browser = await portal.as('customer.user')
const devices = sandbox.state.devices.of(NOTABLE.northwind).slice(0, 2)
const recorded = devices.map((device) => pointsOf(device).filter(({ historyName }) => historyName !== null))
const isSetPoint = ({ template }: Point) => template.onChange === true
const kindsOf = (points: readonly Point[]) => [
  ...['Numeric', 'Boolean', 'Enum'].flatMap(
    (kind) => points.find((point) => point.template.kind === kind && !isSetPoint(point)) ?? []
  ),
  ...points.filter(isSetPoint)
]
const points = recorded.flatMap(kindsOf)

function addReport(selectedPoints: Record<string, unknown>[], selectedDateFilter = 'Custom Range'): string {
  const id = sandbox.state.nextId('r')
  sandbox.state.reports.add({
    id,
    reportName: 'Clocks',
    customerId: NOTABLE.northwind,
    reportDetails: { selectedDateFilter, selectedPoints },
    startTime: selectedDateFilter === 'Custom Range' ? new Date(FROM).toISOString() : null,
    endTime: selectedDateFilter === 'Custom Range' ? new Date(TO).toISOString() : null,
    createdBy: 'Paula Andersson',
    createdDate: new Date(NOW).toISOString(),
    lastModifiedDate: new Date(NOW).toISOString()
  })
  return id
}
const selectionOf = ({ device, cloudId }: Point) => ({ device: device.deviceUuid, point: cloudId })
const reportId = addReport(points.map(selectionOf))

function read(id: string, query: Record<string, string>, accept: string): Promise<Response> {
  const path = `/api/portal/v1/customers/${NOTABLE.northwind}/reports/${id}/data?${new URLSearchParams(query)}`
  return browser.call(path, { headers: { accept } })
}
async function readJson(query: Record<string, string> = {}, id = reportId): Promise<ReportData> {
  const answer = await read(id, query, 'application/json')
  if (answer.status !== 200) throw new Error(await answer.text())
  return (await answer.json()) as ReportData
}

/** The records that the sandbox has of the points, in the order of time. */
function rawRecords(fromMs = FROM): ReportDataRecord[] {
  const records = points.flatMap((point, index) =>
    historyOf(sandbox.state.pointWrites, point, fromMs, TO).map(({ timestamp, value, status }) => ({
      index,
      record: {
        deviceUuid: point.device.deviceUuid,
        cloudId: point.cloudId,
        time: timestamp,
        value,
        ...(status && { status })
      }
    }))
  )
  const msOf = ({ time }: ReportDataRecord) => Date.parse(time)
  return records
    .toSorted((a, b) => msOf(a.record) - msOf(b.record) || a.index - b.index)
    .map(({ record }) => record)
}

t.test('names what is missing, and has the records of the other points', async (t) => {
  const point = points[0] as Point
  const unrecorded = pointsOf(point.device).find(({ historyName }) => historyName === null)
  const id = addReport([
    { device: 'gone', point: 'p', deviceName: 'Old', pointName: '=Supply' },
    { device: point.device.deviceUuid, point: 'gone' },
    ...(unrecorded ? [selectionOf(unrecorded)] : []),
    selectionOf(point)
  ])
  const query = { timeZone: ZONE }
  const data = await readJson(query, id)
  t.strictSame(
    data.points.map(({ partial }) => partial),
    [['device'], ['point'], ...(unrecorded ? [['history']] : []), []]
  )
  t.strictSame(data.partial, ['device', 'point', ...(unrecorded ? ['history'] : [])])
  t.ok(data.records.length > 0)
  const [header = ''] = (await (await read(id, query, 'text/csv')).text()).split('\r\n')
  t.match(header, `Time (${ZONE}),Time (UTC),Old: =Supply (no such device),`)
  const lines = (await (await read(id, query, 'application/x-ndjson')).text()).split('\n')
  t.match(JSON.parse(lines[0] ?? ''), { pointName: '=Supply', partial: ['device'] })
})

t.test('a report without points has no records', async (t) => {
  t.match(await readJson({}, addReport([])), { points: [], records: [], partial: [] })
})

t.test('raw values equal the records in JSON and NDJSON', async (t) => {
  const data = await readJson()
  t.match(data, {
    reportName: 'Clocks',
    from: new Date(FROM).toISOString(),
    to: new Date(TO).toISOString(),
    interval: 'raw',
    timeZone: 'UTC',
    partial: []
  })
  t.same(data.records, rawRecords())
  const answer = await read(reportId, {}, 'application/x-ndjson')
  const lines = (await answer.text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  t.same(lines.slice(0, points.length), data.points)
  t.same(lines.slice(points.length), data.records)
})

t.test('CSV has a row for each time, with both of the repeated hours', async (t) => {
  const answer = await read(reportId, { timeZone: ZONE }, 'text/csv')
  t.equal(answer.headers.get('content-disposition'), 'attachment; filename=clocks-2026-10-24-2026-10-25.csv')
  const text = await answer.text()
  t.notOk(text.startsWith(' '), 'the byte order mark is no space')
  const rows = text
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','))
  const times = [...new Set(rawRecords().map(({ time }) => time))]
  t.same(
    rows.slice(1).map(([, utc]) => utc),
    times
  )
  const column = points.findIndex(({ template }) => template.kind === 'Numeric')
  const [point] = points.slice(column)
  const values = new Map(
    rawRecords()
      .filter(({ cloudId }) => cloudId === point?.cloudId)
      .map((record) => [record.time, record])
  )
  for (const [, utc = '', ...cells] of rows.slice(1)) {
    const record = values.get(utc)
    const expected = record === undefined ? '' : record.status ? 'NaN' : String(record.value)
    if (cells[column] !== expected) t.equal(cells[column], expected, utc)
  }
  const repeated = rows.filter(([local = '']) => local.startsWith('25-Oct-2026 02:00:00'))
  t.same(
    repeated.map(([local, utc]) => [local, utc]),
    [
      ['25-Oct-2026 02:00:00 (UTC+2)', '2026-10-25T00:00:00.000Z'],
      ['25-Oct-2026 02:00:00 (UTC+1)', '2026-10-25T01:00:00.000Z']
    ]
  )
})

/** The number that holds in each second of the range; NaN during a fault, and before the first record. */
function heldEachSecond(records: readonly ReportDataRecord[]): Float64Array {
  const values = new Float64Array((TO - FROM) / 1000).fill(Number.NaN)
  for (const { time, value, status } of records)
    values.fill(status ? Number.NaN : Number(value), Math.max((Date.parse(time) - FROM) / 1000, 0))
  return values
}

/** The value of each period, computed from all records without shared code. */
function periodValues(point: ReportDataPoint, edges: readonly number[]): [time: string, value: unknown][] {
  const isOwn = ({ cloudId, deviceUuid }: ReportDataRecord | ReportDataPoint) =>
    cloudId === point.cloudId && deviceUuid === point.deviceUuid
  const own = rawRecords(FROM - DAY_MS).filter(isOwn)
  const setPoint = points.find((candidate) => isSetPoint(candidate) && candidate.cloudId === point.cloudId)
  const eachSecond = setPoint && heldEachSecond(own)
  return edges.slice(0, -1).flatMap((begin, at): [string, unknown][] => {
    const time = new Date(begin).toISOString()
    if (point.kind !== 'Numeric') {
      const record = own.findLast((candidate) => Date.parse(candidate.time) <= begin)
      return record ? [[time, record.value]] : []
    }
    if (eachSecond) {
      const end = edges[at + 1] ?? 0
      const seconds = eachSecond.subarray((begin - FROM) / 1000, (end - FROM) / 1000)
      const known = [...seconds].filter((value) => !Number.isNaN(value))
      return known.length > 0 ? [[time, averageOf(known)]] : []
    }
    const numbers = own
      .filter(
        ({ time, status }) => !status && Date.parse(time) >= begin && Date.parse(time) < (edges[at + 1] ?? 0)
      )
      .map(({ value }) => Number(value))
    return numbers.length > 0 ? [[time, numbers.reduce((sum, value) => sum + value, 0) / numbers.length]] : []
  })
}

for (const [interval, edges] of [
  ['hour', Array.from({ length: 50 }, (_, hour) => FROM + hour * HOUR_MS)],
  ['day', [FROM, Date.parse('2026-10-25T00:00+02:00'), TO]]
] as const)
  t.test(`the values of each ${interval} follow the clock of the zone`, async (t) => {
    const { points, records } = await readJson({ interval, timeZone: ZONE })
    for (const point of points) {
      const own = records.filter(
        ({ cloudId, deviceUuid }) => cloudId === point.cloudId && deviceUuid === point.deviceUuid
      )
      const expected = periodValues(point, edges)
      t.same(
        own.map(({ time }) => time),
        expected.map(([time]) => time),
        `${point.kind}`
      )
      const isEqual = (value: unknown, other: unknown) =>
        typeof value === 'number' ? Math.abs(value - Number(other)) < 1e-9 : value === other
      const wrong = own.filter(({ value }, at) => !isEqual(value, expected[at]?.[1]))
      t.same(wrong, [], `${point.kind}`)
    }
    t.ok(records.length > edges.length)
  })

t.test('a relative range begins at midnight of the zone, and a day of the query as well', async (t) => {
  const id = addReport(points.map(selectionOf), 'yesterday')
  for (const [timeZone, ending] of [
    ['UTC', 'T00:00:00.000Z'],
    ['Asia/Kolkata', 'T18:30:00.000Z']
  ] as const) {
    const { from, to } = await readJson({ timeZone, interval: 'day' }, id)
    t.ok(from.endsWith(ending), from)
    t.equal(Date.parse(to) - Date.parse(from), 24 * HOUR_MS)
  }
  const named = { timeZone: ZONE, from: '2026-10-24', to: '2026-10-26T00:00', interval: 'day' }
  t.match(await readJson(named), { from: new Date(FROM).toISOString(), to: new Date(TO).toISOString() })
})

/** The sums of a period, computed from all records of a point without shared code. */
function sumsOf(point: Point, from: number, to: number) {
  const own = historyOf(sandbox.state.pointWrites, point, from, to).filter(({ status }) => !status)
  const numbers = own.map(({ value }) => Number(value))
  return {
    records: own.length,
    min: Math.min(...numbers),
    max: Math.max(...numbers),
    average: averageOf(numbers)
  }
}

t.test('a summary has the sums of all records of both periods, and their change', async (t) => {
  const { summary = [], ...data } = await readJson({ interval: 'summary', compare: 'before', timeZone: ZONE })
  const before = FROM - 2 * DAY_MS
  t.match(data, {
    records: [],
    compared: { from: new Date(before).toISOString(), to: new Date(FROM).toISOString() }
  })
  t.same(
    summary.map(({ cloudId }) => cloudId),
    points.map(({ cloudId }) => cloudId)
  )
  const near = (one: number | null | undefined, other: number) => Math.abs((one ?? Number.NaN) - other) < 1e-9
  for (const [index, point] of points.entries()) {
    const own = summary[index]
    if (point.template.kind !== 'Numeric') {
      t.match(own, { min: null, average: null, change: null })
      t.ok(
        near(
          own?.states.reduce((sum, { share }) => sum + share, 0),
          1
        ),
        point.displayName
      )
    } else if (isSetPoint(point)) {
      const eachSecond = heldEachSecond(
        rawRecords(FROM - DAY_MS).filter(
          ({ cloudId, deviceUuid }) => cloudId === point.cloudId && deviceUuid === point.device.deviceUuid
        )
      )
      t.ok(near(own?.average, averageOf([...eachSecond].filter((value) => !Number.isNaN(value)))))
    } else {
      const [expected, expectedBefore] = [sumsOf(point, FROM, TO), sumsOf(point, before, FROM)]
      t.match(own, { records: expected.records, min: expected.min, max: expected.max, states: [] })
      t.ok(near(own?.average, expected.average))
      t.equal(own?.before?.records, expectedBefore.records)
      t.ok(near(own?.change, expected.average - expectedBefore.average))
    }
  }
})

t.test('a summary has the same values in CSV and NDJSON, and the time in each state', async (t) => {
  const query = { interval: 'summary', compare: 'year', timeZone: ZONE }
  const { summary = [], points: described } = await readJson(query)
  const lines = (await (await read(reportId, query, 'application/x-ndjson')).text()).trimEnd().split('\n')
  t.same(
    lines.map((line) => JSON.parse(line)),
    [...described, ...summary]
  )
  const rows = (await (await read(reportId, query, 'text/csv')).text()).trimEnd().split('\r\n')
  t.equal(rows.length, 1 + points.length)
  t.match(rows[0], /^.?Device,Point,Unit,Records,Min,.*,Average before,Change,/)
  const at = points.findIndex(({ template }) => template.kind === 'Numeric')
  t.match(rows[1 + at], `,${summary[at]?.records},${summary[at]?.min},`)
  const ofState = points.findIndex(({ template }) => template.kind === 'Boolean')
  const [state] = summary[ofState]?.states ?? []
  t.match(rows[1 + ofState], `${state?.text} ${state?.seconds} s`)
})

t.test('a summary of a point that is missing says what is missing', async (t) => {
  const point = points[0] as Point
  const id = addReport([{ device: 'gone', point: 'p' }, selectionOf(point), selectionOf(point)])
  const { summary = [], partial } = await readJson({ interval: 'summary' }, id)
  t.strictSame(partial, ['device'])
  t.match(summary, [
    { records: 0, average: null, last: null },
    { cloudId: point.cloudId },
    { cloudId: point.cloudId }
  ])
  t.ok((summary[1]?.records ?? 0) > 0)
  t.equal(summary[1]?.records, summary[2]?.records, 'a point may be in a report twice')
  t.match(await readJson({ interval: 'summary' }, addReport([])), { summary: [], records: [] })
})

t.test('a summary without points is a CSV file with a header', async (t) => {
  const query = { interval: 'summary', compare: 'before' }
  const text = await (await read(addReport([]), query, 'text/csv')).text()
  t.match(text, /^.?Device,Point,Unit,.*,Time in state before\r\n$/)
})

t.test('a relative report is compared with the same part of the month before', async (t) => {
  const id = addReport(points.map(selectionOf), 'Month-To-Date')
  const { from, to, compared } = await readJson({ interval: 'summary', compare: 'before' }, id)
  const range = { fromMs: Date.parse(from), toMs: Date.parse(to) }
  const { fromMs, toMs } = previousPeriod('Month-To-Date', range, 'UTC')
  t.same(compared, { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() })
})
