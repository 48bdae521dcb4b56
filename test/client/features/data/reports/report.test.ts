import t from 'tap'
import {
  copyName,
  reportBody,
  reportOf,
  reportRangeText,
  viewOfReport
} from '#client/features/data/reports/report.ts'
import type { Report } from '#shared/answers/files.ts'

const ms = (iso: string) => Date.parse(iso)
const POINT = { deviceUuid: 'device-1', cloudId: 'point-1' }

t.test('a report of a relative range has no times, so that the report stays relative', async (t) => {
  const points = [{ ...POINT, deviceName: 'AHU', pointName: null }]
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
  t.same(viewOfReport(report), { points: [POINT], filter: 'Last Month', custom: null })
})

t.test('a report of a custom range keeps its times', async (t) => {
  const body = reportBody('Name', [], 'Custom Range', {
    fromMs: ms('2026-01-01T00:00Z'),
    toMs: ms('2026-01-02T00:00Z')
  })
  const report = reportOf({ reportId: 'r', customerId: '9', ...body })
  t.equal(reportRangeText(report, 'UTC'), '01-Jan-2026')
  t.equal(reportRangeText(report, 'America/New_York'), '31-Dec-2025 – 01-Jan-2026')
  t.same(viewOfReport(report).custom, report.range)
})

t.test('a report of a custom range without times is one of Month-To-Date', async (t) => {
  const body = reportBody('Name', [], 'Custom Range', null)
  t.match(reportOf({ reportId: 'r', customerId: '9', ...body }), { filter: 'Month-To-Date', range: null })
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

t.test('gives a copy an unused name within the length limit', async (t) => {
  t.equal(copyName('Fans', [], 50), 'Fans - copy')
  t.equal(copyName('Fans', ['Fans - copy'], 50), 'Fans - copy 2')
  t.equal([...copyName('x'.repeat(50), [], 50)].length, 50)
})
