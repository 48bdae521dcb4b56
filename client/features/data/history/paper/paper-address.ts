// The address of a history on paper. It names the period and the zone, so that it shows the same whenever it is opened.
import { CUSTOM_RANGE, type TimeRange } from '#shared/time/date-ranges.ts'
import { paths } from '../../../../lib/paths.ts'
import {
  type Comparison,
  colored,
  comparedPeriod,
  type HistoryView,
  keyOfPoint,
  writeHistoryView
} from '../../points/history-address.ts'
import type { Report } from '../../reports/report.ts'
import type { History } from '../use-history.ts'

type Shown = Pick<History, 'view' | 'range' | 'inView' | 'previous' | 'zone'>

/** The view for paper: what is in view, with its period, zone and comparison by name. */
export function paperViewOf({ view, range, inView, previous, zone }: Shown): HistoryView {
  const fixed = { ...view, paper: true, tab: 'summary', zone, zoom: null } as const
  if (!range || !inView) return fixed
  const shiftMs = previous ? range.fromMs - previous.fromMs : 0
  const isWhole = isSame(inView, range)
  const compared = previous && (isWhole ? previous : shifted(inView, -shiftMs))
  return {
    ...fixed,
    filter: CUSTOM_RANGE,
    custom: inView,
    compare: comparisonWith(view.compare, inView, compared, zone)
  }
}

/** The same comparison if it finds the same period again, otherwise that period. */
function comparisonWith(
  compare: Comparison,
  range: TimeRange,
  compared: TimeRange | null,
  zone: string
): Comparison {
  const found = comparedPeriod({ compare, filter: CUSTOM_RANGE }, range, zone)
  return found && compared && isSame(found, compared) ? compare : compared
}

const isSame = (a: TimeRange, b: TimeRange) => a.fromMs === b.fromMs && a.toMs === b.toMs
const shifted = ({ fromMs, toMs }: TimeRange, ms: number): TimeRange => ({
  fromMs: fromMs + ms,
  toMs: toMs + ms
})

/** The address of a view. Points that a saved report has are not repeated. */
export function paperAddress(customerPath: string, view: HistoryView, report: Report | null): string {
  const keys = (points: readonly { deviceUuid: string; cloudId: string }[]) => points.map(keyOfPoint).join()
  const isReport =
    report !== null &&
    view.hidden.length === 0 &&
    keys(view.points) === keys(report.points) &&
    colored(view.points).every(({ color }, index) => color === index)
  const path = isReport
    ? paths.report(customerPath, report.reportId)
    : paths.history(customerPath, view.points[0]?.deviceUuid ?? '')
  return `${path}&${writeHistoryView({ ...view, reportId: isReport ? null : view.reportId, points: isReport ? [] : view.points })}`
}
