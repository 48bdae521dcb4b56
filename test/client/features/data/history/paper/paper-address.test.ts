// The view on paper names its period, so that it shows the same later.
import t from 'tap'
import { paperAddress, paperViewOf } from '#client/features/data/history/paper/paper-address.ts'
import { type HistoryView, readHistoryView } from '#client/features/data/points/history-address.ts'
import type { Report } from '#client/features/data/reports/report.ts'

const ms = (iso: string) => Date.parse(iso)
const range = (from: string, to: string) => ({ fromMs: ms(from), toMs: ms(to) })
const POINT = { deviceUuid: 'd', cloudId: 'p' }
const viewOf = (rest: Partial<HistoryView>): HistoryView => ({
  ...readHistoryView(new URLSearchParams('points=d~p')),
  ...rest
})

t.test('names the range and the zone; a comparison that finds the same period stays a word', async (t) => {
  const october = range('2026-10-01T00:00Z', '2026-11-01T00:00Z')
  const september = range('2026-09-01T00:00Z', '2026-10-01T00:00Z')
  const view = viewOf({ filter: 'Last Month', compare: 'before' })
  const paper = paperViewOf({ view, range: october, inView: october, previous: september, zone: 'UTC' })
  t.match(paper, { filter: 'Custom Range', custom: october, zone: 'UTC', compare: 'before', paper: true })
})

t.test('names the compared period of a part of a week, and of a zoomed view', async (t) => {
  const week = range('2026-11-02T00:00Z', '2026-11-04T10:00Z')
  const before = range('2026-10-26T00:00Z', '2026-10-28T10:00Z')
  const view = viewOf({ filter: 'Week-To-Date', compare: 'before' })
  t.same(paperViewOf({ view, range: week, inView: week, previous: before, zone: 'UTC' }).compare, before)
  const inView = range('2026-11-03T00:00Z', '2026-11-03T12:00Z')
  const zoomed = paperViewOf({ view, range: week, inView, previous: before, zone: 'UTC' })
  t.match(zoomed, { custom: inView, compare: range('2026-10-27T00:00Z', '2026-10-27T12:00Z'), zoom: null })
})

t.test('does not repeat the points of a saved report, but names other ones', async (t) => {
  const report = { reportId: 'r-1', points: [POINT] } as unknown as Report
  t.match(paperAddress('/c', viewOf({ paper: true }), report), /history\?reportId=r-1&view=paper$/)
  const other = viewOf({ points: [{ ...POINT, cloudId: 'q' }], reportId: 'r-1' })
  t.match(paperAddress('/c', other, report), /points=d%7Eq.*reportId=r-1/)
})
