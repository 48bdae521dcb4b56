import t from 'tap'
import { unionTimes } from '#client/features/data/history/chart/history-samples.ts'
import { averagesCsv, recordsCsv } from '#client/features/data/history/export-menu.tsx'
import { FAN, lineOf } from '#test/support/client/history.ts'
import { samplesOf } from '#test/support/samples.ts'

const HOUR = 3_600_000
const ms = (iso: string) => Date.parse(iso)
const BERLIN = 'Europe/Berlin'
const WHOLE = { fromMs: 0, toMs: 1_000_000 }

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
