// Rules of histories: values, time ranges, samples, loads, addresses, reports and exports.
import t from 'tap'
import { picturesOf, viewWithin } from '#client/features/data/history/chart/chart-lines.ts'
import { createCollector, unionTimes } from '#client/features/data/history/chart/history-samples.ts'
import { axisProblem } from '#client/features/data/history/chart/panel-head.tsx'
import { averagesCsv, recordsCsv } from '#client/features/data/history/export-menu.tsx'
import {
  colored,
  type HistoryView,
  keyOfPoint,
  readHistoryView,
  writeHistoryView
} from '#client/features/data/points/history-address.ts'
import {
  isTaken,
  notChartable,
  numberText,
  pointOf,
  readWritten,
  valueText
} from '#client/features/data/points/point.ts'
import { matchedTag } from '#client/features/data/points/point-search.tsx'
import { parseFlags, parsePointValue, STATUS_FLAGS } from '#client/features/data/points/point-value-format.ts'
import {
  copyName,
  reportBody,
  reportOf,
  reportRangeText,
  viewOfReport
} from '#client/features/data/reports/report.ts'
import { createLoads } from '#client/lib/loads.ts'
import { readBack } from '#client/lib/read-back.ts'
import { fromInput, toInput } from '#client/lib/time/calendar.ts'
import {
  DATE_FILTERS,
  filterNamed,
  previousPeriod,
  RANGE_MAX_MS,
  rangeOf,
  rangeProblem,
  shiftRange
} from '#client/lib/time/date-range.ts'
import { ageText } from '#client/lib/time/time.ts'
import type { Report } from '#shared/answers/files.ts'
import type { HistoryRecord } from '#shared/answers/points.ts'
import { CHART_POINTS_MAX } from '#shared/limits.ts'
import { FAN, lineOf, randomFrom, samplesOf } from '#test/support/client/history.ts'

const HOUR = 3_600_000
const ms = (iso: string) => Date.parse(iso)
const iso = (time: number) => new Date(time).toISOString()

const outValues: [out: unknown, value: string, flags: readonly string[] | null][] = [
  [undefined, '', null],
  ['', '', null],
  ['21.5', '21.5', null],
  ['21.5 {ok}', '21.5', []],
  ['21.5 {}', '21.5', []],
  ['On {stale,alarm}', 'On', ['alarm', 'stale']],
  [
    'On {unackedAlarm,overridden,fault,disabled} @ 8',
    'On',
    ['disabled', 'fault', 'overridden', 'unackedAlarm']
  ],
  ['a {b} c {ok} @ def', 'a {b} c', []],
  ['nan {strange,down,down}', 'nan', ['down', 'strange']],
  ['two\nlines {ok}', 'two\nlines', []],
  ['{ok}', '', []],
  [12, '12', null]
]
for (const [out, value, flags] of outValues)
  t.test(`the current value ${JSON.stringify(out)} is ${JSON.stringify(value)} with ${flags}`, async (t) => {
    t.same(parsePointValue(out), { value, flags })
  })

t.test('sorts flags in the order of Niagara', async (t) => {
  const order = ['disabled', 'fault', 'down', 'alarm', 'stale', 'overridden', 'null', 'unackedAlarm']
  t.same(
    STATUS_FLAGS.map(({ flag }) => flag),
    order
  )
  const random = randomFrom(7)
  for (let round = 0; round < 200; round++) {
    const flags = order.filter(() => random() < 0.5).sort(() => random() - 0.5)
    t.same(
      parseFlags(flags.join(' , ')),
      order.filter((flag) => flags.includes(flag))
    )
  }
})

const model = (tags: Record<string, unknown> = {}, rest: object = {}) => ({
  cloudId: 'c-1',
  displayName: 'Supply Temp',
  systemGuid: 'g-1',
  outValue: '20.0 {ok}',
  tags: { telemetryId: 't-1', historyName: '/a/b', dataType: 'Numeric', ...tags },
  ...rest
})
const numeric = pointOf(
  model({ units: '°C', range: '-10..40' }, { facets: { precision: 1, writable: true } })
)
const mode = pointOf(model({ dataType: 'Enum', range: '0=Off,1=Low speed,4=Boost' }))
const fan = pointOf(model({ dataType: 'Boolean', trueText: 'Running', falseText: 'Off' }))

t.test('reads a model without tags as a read-only point without unit or history', async (t) => {
  const point = pointOf({ cloudId: 'c-9', displayName: '', systemGuid: 'g' })
  t.match(point, {
    displayName: 'c-9',
    kind: 'String',
    units: '',
    pointId: null,
    historyName: null,
    low: null,
    writable: false
  })
  t.equal(notChartable(point), 'No history is recorded for this point')
  t.equal(notChartable(pointOf(model({ dataType: 'String' }))), 'Texts cannot be charted')
  t.equal(notChartable(numeric), null)
})

t.test('reads range, texts and kind from tags, and prefers limits from facets', async (t) => {
  t.match(numeric, { low: -10, high: 40, kind: 'Numeric', units: '°C', precision: 1, writable: true })
  t.match(pointOf(model({ range: '0..100' }, { facets: { min: 16, max: 30 } })), { low: 16, high: 30 })
  t.same(mode.texts, [
    { ordinal: 0, text: 'Off' },
    { ordinal: 1, text: 'Low speed' },
    { ordinal: 4, text: 'Boost' }
  ])
  t.equal(pointOf(model({ dataType: undefined, type: 'control:BooleanWritable' })).kind, 'Boolean')
  t.ok(pointOf(model({ type: 'control:NumericWritable' })).writable)
})

const writeCases: [name: string, point: typeof numeric, text: string, expected: object][] = [
  ['an empty text', numeric, '  ', { problem: 'Enter a value.' }],
  ['a word', numeric, 'warm', { problem: 'Enter a number.' }],
  ['NaN', numeric, 'NaN', { problem: 'Enter a number.' }],
  ['infinity', numeric, '1e999', { problem: 'Enter a number.' }],
  ['a hexadecimal number', pointOf(model()), '0x10', { problem: 'Enter a number.' }],
  ['a number below the range', numeric, '-10.1', { problem: 'The lowest value is -10 °C.' }],
  ['a number above the range', numeric, '40.01', { problem: 'The highest value is 40 °C.' }],
  ['the lower end of the range', numeric, '-10', { value: -10 }],
  ['the upper end of the range', numeric, ' 40 ', { value: 40 }],
  ['a decimal comma', numeric, '21,5', { value: 21.5 }],
  ['more digits than the point shows', numeric, '20.55555', { value: 20.6, rounded: true }],
  ['1e308 without a range', pointOf(model()), '1e308', { value: 1e308 }],
  ['an unknown ordinal', mode, '2', { problem: 'Choose one of the values of this point.' }],
  ['an ordinal', mode, '4', { value: 4 }],
  ['true', fan, 'true', { value: true }],
  ['false', fan, 'false', { value: false }]
]
for (const [name, point, text, expected] of writeCases)
  t.test(`writing ${name} to a ${point.kind} point: ${JSON.stringify(expected)}`, async (t) => {
    t.same(readWritten(point, text), expected)
  })

t.test('formats values with the texts of the point', async (t) => {
  t.equal(valueText(fan, true), 'Running')
  t.equal(valueText(fan, 'off'), 'Off')
  t.equal(valueText(mode, 4), 'Boost')
  t.equal(valueText(mode, 3), '3')
  t.equal(valueText(numeric, 20), '20.0')
  t.equal(valueText(numeric, null), '–')
  t.equal(numberText(1e308, 1), '1.0e+308')
  t.equal(numberText(Number.NaN, 1), 'NaN')
  t.equal(numberText(0.1 + 0.2, null), '0.3')
})

t.test('compares a value that is read back with the precision of the point', async (t) => {
  t.notOk(isTaken(numeric, 21.5, 21.4))
  t.notOk(isTaken(numeric, 21.5, null))
  t.notOk(isTaken(fan, true, 'Off'))
  t.notOk(isTaken(mode, 4, 1))
  t.ok(isTaken(numeric, 21.52, 21.5))
  t.ok(isTaken(fan, true, 'Running'))
  t.ok(isTaken(mode, 4, 'Boost'))
})

t.test('reads back until the device has accepted the value, also after a failed read', async (t) => {
  const waits: number[] = []
  const wait = async (time: number) => void waits.push(time)
  const answers = [new Error('no'), 20, 21]
  const read = async () => {
    const answer = answers.shift()
    if (answer instanceof Error) throw answer
    return answer as number
  }
  t.same(await readBack(read, (value) => value === 21, wait), { taken: true, last: 21 })
  t.same(waits, [2000, 3000, 5000])
  answers.push(20, 20, 20, 20)
  t.same(await readBack(read, (value) => value === 21, wait), { taken: false, last: 20 })
  t.equal(answers.length, 1, 'stops when the value is accepted')
  answers.unshift(new Error('no'), new Error('no'), new Error('no'))
  t.same(await readBack(read, () => true, wait), { taken: false, last: null })
})

const BERLIN = 'Europe/Berlin'
const NEW_YORK = 'America/New_York'

t.test('converts local times to instants and back, over two years and in several zones', async (t) => {
  const failures: string[] = []
  for (const zone of ['UTC', BERLIN, NEW_YORK, 'Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Apia'])
    for (let time = ms('2026-01-01T00:00Z'); time < ms('2028-01-01T00:00Z'); time += 7 * HOUR) {
      const localTime = toInput(time, zone)
      const instant = fromInput(localTime, zone) as number
      if (toInput(instant, zone) !== localTime || instant > time) failures.push(`${localTime} ${zone}`)
    }
  t.strictSame(failures, [])
})

const NOW = ms('2026-03-30T10:20:00Z')
const ranges: [filter: string, zone: string, now: number, from: string, to: string][] = [
  ['Today', BERLIN, ms('2026-03-29T12:00Z'), '2026-03-28T23:00:00.000Z', '2026-03-29T12:00:00.000Z'],
  ['Yesterday', BERLIN, NOW, '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
  ['Last 24 Hours', BERLIN, NOW, '2026-03-29T10:20:00.000Z', '2026-03-30T10:20:00.000Z'],
  ['Week-To-Date', BERLIN, ms('2026-03-29T12:00Z'), '2026-03-22T23:00:00.000Z', '2026-03-29T12:00:00.000Z'],
  ['Week-To-Date', 'UTC', NOW, '2026-03-30T00:00:00.000Z', '2026-03-30T10:20:00.000Z'],
  ['Last 7 Days', 'UTC', NOW, '2026-03-24T00:00:00.000Z', '2026-03-30T10:20:00.000Z'],
  ['Month-To-Date', BERLIN, NOW, '2026-02-28T23:00:00.000Z', '2026-03-30T10:20:00.000Z'],
  ['Month-To-Date', 'UTC', ms('2026-03-01T00:00Z'), '2026-03-01T00:00:00.000Z', '2026-03-01T00:01:00.000Z'],
  ['Last Month', 'UTC', ms('2028-03-15T00:00Z'), '2028-02-01T00:00:00.000Z', '2028-03-01T00:00:00.000Z'],
  ['Last Month', NEW_YORK, ms('2026-01-01T03:00Z'), '2025-11-01T04:00:00.000Z', '2025-12-01T05:00:00.000Z'],
  ['Year-To-Date', BERLIN, NOW, '2025-12-31T23:00:00.000Z', '2026-03-30T10:20:00.000Z']
]
for (const [filter, zone, now, from, to] of ranges)
  t.test(`${filter} in ${zone} at ${iso(now)} is ${from} to ${to}`, async (t) => {
    const { fromMs, toMs } = rangeOf(filter as 'Today', now, zone)
    t.same([iso(fromMs), iso(toMs)], [from, to])
  })

t.test('named ranges do not end in the future; their names match in any spelling', async (t) => {
  for (const zone of ['UTC', BERLIN, NEW_YORK])
    for (let now = ms('2027-12-30T00:30Z'); now < ms('2028-04-02T00:00Z'); now += 13 * HOUR)
      for (const filter of DATE_FILTERS) {
        if (filter === 'Custom Range') continue
        const { fromMs, toMs } = rangeOf(filter, now, zone)
        if (!(fromMs < toMs && toMs <= now + 60_000)) t.fail(`${filter} ${iso(now)} ${zone}`)
      }
  t.equal(filterNamed('month to date'), 'Month-To-Date')
  t.equal(filterNamed('LAST_7_DAYS'), 'Last 7 Days')
  t.equal(filterNamed('Last Blue Moon'), null)
})

t.test('moves a range by its own length: a month by a month, a day by a day', async (t) => {
  const rangeAfter = (from: string, to: string, by: 1 | -1, zone = BERLIN) => {
    const range = shiftRange({ fromMs: ms(from), toMs: ms(to) }, by, zone)
    return [iso(range.fromMs), iso(range.toMs)]
  }
  const february = ['2026-01-31T23:00:00.000Z', '2026-02-28T23:00:00.000Z']
  const march = ['2026-02-28T23:00:00.000Z', '2026-03-31T22:00:00.000Z']
  t.same(rangeAfter(march[0] as string, march[1] as string, -1), february, 'moves from a month to a month')
  t.same(rangeAfter(february[0] as string, february[1] as string, 1), march, 'moves across a clock change')
  t.same(
    rangeAfter('2026-03-28T23:00Z', '2026-03-29T22:00Z', -1),
    ['2026-03-27T23:00:00.000Z', '2026-03-28T23:00:00.000Z'],
    'moves from a day of 23 hours to a day of 24 hours'
  )
  t.same(rangeAfter('2026-03-01T10:00Z', '2026-03-01T12:00Z', 1), [
    '2026-03-01T12:00:00.000Z',
    '2026-03-01T14:00:00.000Z'
  ])
  const previous = previousPeriod('Month-To-Date', rangeOf('Month-To-Date', NOW, 'UTC'), 'UTC')
  t.same([iso(previous.fromMs), iso(previous.toMs)], ['2026-02-01T00:00:00.000Z', '2026-03-02T10:20:00.000Z'])
})

const rangeCases: [name: string, from: number | null, to: number | null, problem: string | null][] = [
  ['without a beginning', null, 5, 'Enter the day and time at which it begins.'],
  ['without an end', 5, null, 'Enter the day and time at which it ends.'],
  ['that ends at its beginning', 5, 5, 'The range must end after it begins.'],
  ['in the future', NOW + 1, NOW + 2, 'The range lies in the future.'],
  ['of just over five years', NOW - RANGE_MAX_MS - 1, NOW, 'The range is longer than five years.'],
  ['of five years', NOW - RANGE_MAX_MS, NOW, null],
  ['that begins now', NOW, NOW + 1, null]
]
for (const [name, from, to, problem] of rangeCases)
  t.test(`${problem === null ? 'accepts' : 'rejects'} a typed range ${name}`, async (t) => {
    t.equal(rangeProblem(from, to, NOW), problem)
  })

const WHOLE = { fromMs: 0, toMs: 1_000_000 }
const collect = (
  records: HistoryRecord[],
  point: Parameters<typeof createCollector>[0] = numeric,
  nowMs = 1_000_000
) => {
  const collector = createCollector(point, WHOLE, nowMs)
  collector.add(records)
  return collector.finish()
}
const record = (time: number, value: unknown) => ({ timestamp: iso(time), value })

t.test('corrects records and reports each correction', async (t) => {
  const { times, values, notes } = collect(
    [
      record(30, 3),
      record(10, 1),
      record(20, 'NaN'),
      record(10, 2),
      { timestamp: 'soon', value: 1 },
      record(2_000_000, 9)
    ],
    numeric,
    -400_000
  )
  t.same([...times], [10, 20, 30])
  t.same([values[0], values[2]], [2, 3])
  t.ok(Number.isNaN(values[1]))
  t.same(notes, [
    'The records came out of order and were sorted.',
    '1 record with the same time as another one: the last one counts.',
    '1 record without a readable time left out.',
    '1 record outside the range left out.',
    '4 records in the future: the clock of the device may be wrong.',
    '1 record without a number, drawn as gaps.'
  ])
  t.same(collect([record(1, 1)]).notes, [])
})

t.test('reads states from words, ordinals and booleans', async (t) => {
  t.same([...collect([record(1, true), record(2, 'Off'), record(3, 'Running')], fan).values], [1, 0, 1])
  t.same([...collect([record(1, 4), record(2, 'Low speed'), record(3, 'Off')], mode).values], [4, 1, 0])
})

t.test('sorts records without loss', async (t) => {
  const random = randomFrom(11)
  for (let round = 0; round < 100; round++) {
    const records = Array.from({ length: Math.floor(random() * 3000) }, () =>
      record(Math.floor(random() * 5000), Math.floor(random() * 100))
    )
    const expected = new Map(records.map(({ timestamp, value }) => [ms(timestamp), value]))
    const { times, values } = collect(records)
    t.ok(times.every((time, index) => index === 0 || time > (times[index - 1] as number)))
    t.equal(times.length, expected.size)
    t.ok(times.every((time, index) => expected.get(time) === values[index]))
  }
})

const turn = () => new Promise((resolve) => setImmediate(resolve))

t.test('limits parallel loads; each load can be cancelled and retried', async (t) => {
  const pendingLoads = new Map<
    string,
    { finish: (value: string) => void; fail: (error: Error) => void; signal: AbortSignal }
  >()
  const requestOf = (key: string) => ({
    key,
    load: (signal: AbortSignal) =>
      new Promise<string>((resolve, reject) => {
        pendingLoads.set(key, { finish: resolve, fail: reject, signal })
        signal.addEventListener('abort', () => reject(new DOMException('', 'AbortError')))
      })
  })
  const loads = createLoads<string>(4)
  const states = () => [...loads.store.getState()].map(([key, { state }]) => `${key} ${state}`)
  const keys = ['a', 'b', 'c', 'd', 'e', 'f']
  loads.want(keys.map(requestOf))
  t.same(states(), ['a loading', 'b loading', 'c loading', 'd loading', 'e waiting', 'f waiting'])
  pendingLoads.get('b')?.fail(new Error('no'))
  await turn()
  t.same(states(), ['a loading', 'b failed', 'c loading', 'd loading', 'e loading', 'f waiting'])
  loads.cancel('a')
  t.ok(pendingLoads.get('a')?.signal.aborted)
  await turn()
  t.same(states(), ['a cancelled', 'b failed', 'c loading', 'd loading', 'e loading', 'f loading'])
  loads.retry('b')
  t.equal(loads.store.getState().get('b')?.state, 'waiting')
  pendingLoads.get('c')?.finish('value')
  await turn()
  t.same(loads.store.getState().get('c'), { state: 'ready', value: 'value' })
  loads.want(['c', 'd'].map(requestOf))
  t.ok(pendingLoads.get('f')?.signal.aborted, 'aborts a load that is no longer needed')
  t.same(states(), ['c ready', 'd loading'], 'continues the other loads')
  loads.cancelAll()
  await turn()
  t.same(states(), ['c ready', 'd cancelled'])
  loads.close()
})

const ref = (number: number) => ({ deviceUuid: `device-${number}`, cloudId: `point-${number}` })
const view = (rest: Partial<HistoryView> = {}): HistoryView => ({
  points: [ref(1), ref(2)],
  filter: 'Month-To-Date',
  custom: null,
  hidden: [],
  zoom: null,
  compare: false,
  live: true,
  separate: false,
  reportId: null,
  zone: null,
  tab: 'summary',
  alarm: null,
  axes: {},
  ...rest
})

t.test('ignores invalid parameters of an address', async (t) => {
  const parameters =
    'axes=~1~2,kW~a~b,x&points=,~,a,b~,~c&range=never&from=x&to=y&zoom=5_2&hidden=0,9,x&zone=Moon/Sea&tab=z&compare=maybe'
  t.same(readHistoryView(new URLSearchParams(parameters)), { ...view({ points: [] }), tooMany: 0 })
})

t.test('leaves out and counts an eleventh point, and merges duplicates', async (t) => {
  const points = Array.from({ length: CHART_POINTS_MAX + 1 }, (_, index) => keyOfPoint(ref(index)))
  const historyView = readHistoryView(new URLSearchParams({ points: [points[0], ...points].join(',') }))
  t.equal(historyView.points.length, CHART_POINTS_MAX)
  t.equal(historyView.tooMany, 1)
})

const views: [name: string, rest: Partial<HistoryView>][] = [
  ['with defaults', {}],
  ['of a named range', { filter: 'Last Month', compare: true, hidden: [keyOfPoint(ref(2))], tab: 'data' }],
  [
    'of a custom range',
    { filter: 'Custom Range', custom: { fromMs: ms('2028-02-29T00:00Z'), toMs: ms('2028-03-01T00:00Z') } }
  ],
  [
    'with chosen colours',
    {
      points: [
        { ...ref(1), color: 4 },
        { ...ref(2), color: 0 }
      ],
      alarm: 'a-1'
    }
  ],
  [
    'with manual axes',
    { axes: { '°C': { min: -5, max: 30.5, log: false }, 'm³/h, dry': { min: null, max: null, log: true } } }
  ],
  ['of a report, with zoom and zone', { zoom: { fromMs: 1000, toMs: 2000 }, zone: BERLIN, reportId: 'r-1' }]
]
for (const [name, rest] of views)
  t.test(`writes a history ${name} to the address and reads it back`, async (t) => {
    const query = writeHistoryView(view(rest), new URLSearchParams('deviceUuid=x&zoom=1_2'))
    t.same(readHistoryView(new URLSearchParams(String(query))), { ...view(rest), tooMany: 0 })
    t.equal(query.get('deviceUuid'), 'x')
  })

t.test('ignores unknown and duplicate colours of an address', async (t) => {
  const query = { points: [1, 2, 3].map((index) => keyOfPoint(ref(index))).join(), colors: '99,2,2' }
  const { points } = readHistoryView(new URLSearchParams(query))
  t.same(
    colored(points).map(({ color }) => color),
    [0, 1, 2]
  )
})

t.test(
  'points keep their colours when other points are removed, and a new point takes the first free colour',
  async (t) => {
    const [first, second, third] = colored([ref(1), ref(2), ref(3)])
    if (!first || !second || !third) throw new Error('three points have three colours')
    t.same(
      colored([first, third, ref(4), ref(5)]).map(({ color }) => color),
      [0, 2, 1, 3]
    )
    const query = writeHistoryView(view({ points: [third] }))
    t.equal(query.get('colors'), '3')
    t.equal(writeHistoryView(view({ points: [first, second] })).get('colors'), null)
  }
)

t.test('a report of a relative range has no times, so that the report stays relative', async (t) => {
  const points = [{ ...ref(1), deviceName: 'AHU', pointName: null }]
  const body = reportBody(' Name ', points, 'Last Month', { fromMs: 1, toMs: 2 })
  t.same(body, {
    reportName: 'Name',
    reportDetails: {
      selectedDateFilter: 'Last Month',
      selectedPoints: [{ device: 'device-1', point: 'point-1', deviceName: 'AHU' }]
    },
    startTime: null,
    endTime: null
  })
  const report = reportOf({ reportId: 'r', customerId: '9', ...body })
  t.equal(reportRangeText(report, 'UTC'), 'Last Month')
  t.same(viewOfReport(report), { points: [ref(1)], filter: 'Last Month', custom: null })
})

t.test('a report of a custom range keeps its times', async (t) => {
  const body = reportBody('Name', [], 'Custom Range', {
    fromMs: ms('2026-01-01T00:00Z'),
    toMs: ms('2026-01-02T00:00Z')
  })
  const report = reportOf({ reportId: 'r', customerId: '9', ...body })
  t.equal(reportRangeText(report, 'UTC'), '01-Jan-2026')
  t.equal(reportRangeText(report, NEW_YORK), '31-Dec-2025 – 01-Jan-2026')
  t.same(viewOfReport(report).custom, report.range)
})

t.test('reads reports that lack fields or contain whole objects', async (t) => {
  t.match(reportOf({ reportId: 'r', reportName: 'x', customerId: '9' }), {
    points: [],
    filter: 'Month-To-Date',
    createdBy: ''
  })
  const selectedPoints = [
    null,
    'x',
    { device: 'd' },
    { device: { deviceUuid: 'd' }, point: { cloudId: 'c' } }
  ] as Report['reportDetails']['selectedPoints']
  const reportDetails = { selectedDateFilter: '', selectedPoints }
  t.match(reportOf({ reportId: 'r', reportName: 'x', customerId: '9', reportDetails }), {
    points: [{ deviceUuid: 'd', cloudId: 'c' }],
    deviceCount: 1
  })
})

t.test('names the shortest matching tag', async (t) => {
  const tags = { slotPath: 'slot:/a/b/Temp', quantity: 'temp', place: 'supply' }
  t.equal(matchedTag(tags, 'pointNames', 'CONTAINS', ['temp']), null)
  t.equal(matchedTag(tags, 'tagValues', 'EQUALS', ['tem']), null)
  t.same(matchedTag(tags, 'tagValues', 'CONTAINS', [' TEMP ', '']), { name: 'quantity', value: 'temp' })
  t.same(matchedTag(tags, 'tagNames', 'STARTS_WITH', ['pla']), { name: 'place', value: 'supply' })
})

const ages: [iso: string, text: string][] = [
  ['', ''],
  ['2026-03-30T10:19:48Z', '12 s'],
  ['2026-03-30T10:20:05Z', '0 s'],
  ['2026-03-30T10:15:00Z', '5 min'],
  ['2026-03-30T13:20:00Z', 'device clock 3 h ahead'],
  ['2025-03-30T10:20:00Z', '365 days']
]
for (const [time, text] of ages)
  t.test(`a value with ${time || 'no time'} has ${text ? `the age ${text}` : 'no age'}`, async (t) => {
    t.equal(ageText(time, NOW), text)
  })

t.test('charts numbers of up to two units together, and each state in its own lane', async (t) => {
  const line = (color: number, tags: object, shiftMs: number | null = null) =>
    lineOf(color, samplesOf([0, 1]), { ...tags }, shiftMs)
  const pictures = picturesOf([
    line(0, { units: '°C' }),
    line(1, { units: '%' }),
    line(2, { units: '' }),
    line(3, { units: '°C' }),
    line(4, FAN),
    line(5, { dataType: 'Enum' }),
    line(4, FAN, 5),
    line(3, { units: '°C' }, 5)
  ])
  t.same(
    pictures.map(({ name, lines, state }) => [name, lines.length, state?.color]),
    [
      ['3 points in °C and %', 4, undefined],
      ['1 point in no unit', 1, undefined],
      ['Line 5', 2, 4],
      ['Line 6', 1, 5]
    ]
  )
  t.same(picturesOf([lineOf(0, samplesOf([])), lineOf(1, samplesOf([]), FAN)]), [])
})

t.test('a hidden line keeps its name and its position, also the only line of its chart', async (t) => {
  const line = (color: number, tags: object) => lineOf(color, samplesOf([1, 1]), { ...tags })
  const lines = [line(0, { units: '°C' }), line(1, FAN), line(2, { units: '°C' }), line(3, { units: 'kW' })]
  const namesAndLines = (hidden: string[]) =>
    picturesOf(lines, { hiddenKeys: hidden }).map(({ named, lines }) => [
      named.map(({ key }) => key),
      lines.map(({ key }) => key)
    ])
  t.same(namesAndLines([]), [
    [
      ['c-0', 'c-2', 'c-3'],
      ['c-0', 'c-2', 'c-3']
    ],
    [['c-1'], ['c-1']]
  ])
  t.same(namesAndLines(['c-0', 'c-1', 'c-3']), [
    [['c-0', 'c-2', 'c-3'], ['c-2']],
    [['c-1'], []]
  ])
})

t.test('the time in view lies within the range and is not too short', async (t) => {
  const range = { fromMs: 0, toMs: 1_000_000 }
  t.equal(viewWithin(range, range), null)
  t.equal(viewWithin({ fromMs: -5, toMs: 2_000_000 }, range), null)
  t.same(viewWithin({ fromMs: 500_000, toMs: 500_001 }, range), { fromMs: 495_001, toMs: 505_001 })
  t.same(viewWithin({ fromMs: 900_000, toMs: 1_100_000 }, range), { fromMs: 800_000, toMs: 1_000_000 })
})

const rowsOf = async (file: Promise<Blob>) =>
  (await (await file).text()).replace('\uFEFF', '').trim().split('\r\n')

t.test('exports every record with full numbers, held states and times in two zones', async (t) => {
  const lines = [
    {
      ...lineOf(0, samplesOf([0, 21.256, 60_000, Number.NaN])),
      device: 'AHU',
      name: 'Temp'
    },
    {
      ...lineOf(1, samplesOf([-5, 0, 60_000, 1], 60_000), FAN),
      name: '=Fan'
    }
  ]
  const times = unionTimes(
    lines.map(({ samples }) => samples),
    WHOLE
  )
  t.same(await rowsOf(recordsCsv(lines, times, BERLIN)), [
    "Time (Europe/Berlin),Time (UTC),AHU: Temp (°C),'=Fan",
    '01-Jan-1970 01:00:00,1970-01-01T00:00:00.000Z,21.256,Off',
    '01-Jan-1970 01:01:00,1970-01-01T00:01:00.000Z,NaN,Running'
  ])
  const longTimes = Float64Array.from({ length: 4_500 }, (_, index) => index * 1000)
  t.equal((await rowsOf(recordsCsv(lines, longTimes, 'UTC'))).length, 4_501, 'builds a long file in parts')
})

t.test('exports the previous period beside its own times', async (t) => {
  const day = 24 * HOUR
  const lines = [
    lineOf(0, samplesOf([day, 21, day + HOUR, 22])),
    // Recorded on the day before, drawn one day later.
    lineOf(0, samplesOf([day, 18, day + HOUR, 19]), {}, day)
  ]
  const times = unionTimes(
    lines.map(({ samples }) => samples),
    { fromMs: day, toMs: 2 * day }
  )
  const expectedRows = [
    'Time (UTC),Line 1 (°C),Previous time (UTC),Previous period: Line 1 (°C)',
    '1970-01-02T00:00:00.000Z,21,1970-01-01T00:00:00.000Z,18',
    '1970-01-02T01:00:00.000Z,22,1970-01-01T01:00:00.000Z,19'
  ]
  t.same(await rowsOf(recordsCsv(lines, times, 'UTC')), expectedRows)
  t.same(await rowsOf(averagesCsv(lines, { fromMs: day, toMs: day + 2 * HOUR }, HOUR, 'UTC')), expectedRows)
})

t.test('exports a row with the held states for a view between two records', async (t) => {
  const fan = lineOf(0, samplesOf([0, 1, 9 * HOUR, 0], 9 * HOUR), FAN)
  const times = unionTimes([fan.samples], { fromMs: HOUR, toMs: 3 * HOUR })
  t.same(await rowsOf(recordsCsv([fan], times, 'UTC')), [
    'Time (UTC),Line 1',
    '1970-01-01T01:00:00.000Z,Running'
  ])
})

t.test('a resampled file has a row for each local hour or day of the view', async (t) => {
  const lines = [
    lineOf(0, samplesOf([0, 1, HOUR / 2, 3, 2 * HOUR, 5])),
    lineOf(1, samplesOf([0, 1], 2 * HOUR), FAN)
  ]
  const view = { fromMs: 0, toMs: 2.5 * HOUR }
  t.same(await rowsOf(averagesCsv(lines, view, HOUR, 'UTC')), [
    'Time (UTC),Line 1 (°C),Line 2',
    '1970-01-01T00:00:00.000Z,2,Running',
    '1970-01-01T01:00:00.000Z,,Running',
    '1970-01-01T02:00:00.000Z,5,Running'
  ])
  t.same((await rowsOf(averagesCsv(lines, view, 24 * HOUR, BERLIN))).slice(1), [
    '01-Jan-1970 00:00:00,1969-12-31T23:00:00.000Z,3,Running'
  ])
})

t.test('exports the UTC offset in a repeated hour', async (t) => {
  const times = Float64Array.of(ms('2026-10-25T00:30Z'), ms('2026-10-25T01:30Z'), ms('2026-10-25T02:30Z'))
  const [, ...rows] = await rowsOf(recordsCsv([], times, BERLIN))
  t.same(
    rows.map((row) => row.split(',')[0]),
    ['25-Oct-2026 02:30:00 (UTC+2)', '25-Oct-2026 02:30:00 (UTC+1)', '25-Oct-2026 03:30:00']
  )
})

t.test('a manual axis ends above its start, and a logarithmic axis is above 0', async (t) => {
  const problem = (min: number | null, max: number | null, log = false) => axisProblem({ min, max, log })
  t.equal(problem(Number.NaN, 1), 'Enter numbers.')
  t.equal(problem(5, 5), 'The axis must end above its beginning.')
  t.equal(problem(0, 5, true), 'A logarithmic axis needs values above 0.')
  t.same(
    [problem(null, null), problem(5, null), problem(0, 5), problem(0.1, 5, true)],
    [null, null, null, null]
  )
})

t.test('gives a copy an unused name within the length limit', async (t) => {
  t.equal(copyName('Fans', [], 50), 'Fans - copy')
  t.equal(copyName('Fans', ['Fans - copy'], 50), 'Fans - copy 2')
  t.equal([...copyName('x'.repeat(50), [], 50)].length, 50)
})
