// Writes the view of a history to its address and reads it back, so that a link shows the same view.

import {
  CUSTOM_RANGE,
  type DateFilter,
  DEFAULT_DATE_FILTER,
  filterNamed,
  type TimeRange
} from '#shared/time/date-ranges.ts'
import { previousPeriod, yearBefore } from '#shared/time/earlier-periods.ts'
import { isZone } from '#shared/time/zones.ts'
import { CHART_POINTS_MAX } from '../../../lib/limits.ts'
import { paths } from '../../../lib/paths.ts'
import type { AxisChoice } from '../../../ui/chart/chart-series.ts'

/** Identifies a point in an address and a report. */
export interface PointRef {
  deviceUuid: string
  cloudId: string
  /** The index of the point's colour, from 0; if missing, the first free colour. */
  color?: number
}

/** What to compare the range with: the period before, the year before, a period that a link names, or nothing. */
export type Comparison = 'before' | 'year' | TimeRange | null

export interface HistoryView {
  points: readonly PointRef[]
  filter: DateFilter
  /** The custom range; null until it is complete. */
  custom: TimeRange | null
  /** Keys of points that are listed but not drawn. */
  hidden: readonly string[]
  zoom: TimeRange | null
  compare: Comparison
  /** Whether the view is for paper. */
  paper: boolean
  /** Whether new records are added to a range that ends now. */
  live: boolean
  /** Whether each point has a chart of its own. */
  separate: boolean
  reportId: string | null
  /** The zone of the link's author; null for the reader's own zone. */
  zone: string | null
  tab: 'summary' | 'data'
  /** The alarm that the chart marks, by its uuid. */
  alarm: string | null
  /** Axes by unit; a missing axis is automatic. */
  axes: Readonly<Record<string, AxisChoice>>
}

const DEFAULT_VIEW: HistoryView = {
  points: [],
  filter: DEFAULT_DATE_FILTER,
  custom: null,
  hidden: [],
  zoom: null,
  compare: null,
  paper: false,
  live: true,
  separate: false,
  reportId: null,
  zone: null,
  tab: 'summary',
  alarm: null,
  axes: {}
}

export const keyOfPoint = ({ deviceUuid, cloudId }: PointRef): string => `${deviceUuid}~${cloudId}`

/** The points with their colours. A point keeps its colour when other points are removed. */
export function colored(points: readonly PointRef[]): (PointRef & { color: number })[] {
  const takenColors = new Set<number>()
  const ownColors = points.map(({ color }) => {
    if (color === undefined || takenColors.has(color)) return null
    takenColors.add(color)
    return color
  })
  let nextColor = 0
  return points.map((point, index) => {
    while (takenColors.has(nextColor)) nextColor += 1
    const color = ownColors[index] ?? nextColor
    takenColors.add(color)
    return { ...point, color }
  })
}

/** `tooMany` is the number of points above the limit of a chart. */
export function readHistoryView(query: URLSearchParams): HistoryView & { tooMany: number } {
  const namedPoints = pointsIn(query.get('points') ?? '')
  const colors = (query.get('colors') ?? '').split(',').map((number) => Number(number) - 1)
  const points = namedPoints.slice(0, CHART_POINTS_MAX).map((point, index) => {
    const color = colors[index] ?? -1
    return Number.isInteger(color) && color >= 0 && color < CHART_POINTS_MAX ? { ...point, color } : point
  })
  const custom = timeRange(timeOf(query.get('from')), timeOf(query.get('to')))
  const range = query.get('range')
  const namedFilter = range === null ? null : filterNamed(range)
  const filter = namedFilter ?? (range === null && custom ? CUSTOM_RANGE : DEFAULT_DATE_FILTER)
  const hidden = (query.get('hidden') ?? '').split(',').flatMap((number) => {
    const point = points[Number(number) - 1]
    return point ? [keyOfPoint(point)] : []
  })
  const zone = query.get('zone')
  return {
    points,
    filter,
    custom: filter === CUSTOM_RANGE ? custom : null,
    hidden,
    zoom: rangeIn(query.get('zoom')),
    compare: comparisonIn(query.get('compare')),
    paper: query.get('view') === 'paper',
    live: query.get('live') !== '0',
    separate: query.get('separate') === '1',
    reportId: query.get('reportId') || null,
    zone: zone !== null && isZone(zone) ? zone : null,
    tab: query.get('tab') === 'data' ? 'data' : 'summary',
    alarm: query.get('alarm') || null,
    axes: axesIn(query.get('axes') ?? ''),
    tooMany: namedPoints.length - points.length
  }
}

/** The period that a view compares its range with; null without a comparison. */
export function comparedPeriod(
  { compare, filter }: Pick<HistoryView, 'compare' | 'filter'>,
  range: TimeRange,
  zone: string
): TimeRange | null {
  if (compare === 'before') return previousPeriod(filter, range, zone)
  return compare === 'year' ? yearBefore(range, zone) : compare
}

/** Writes the view to query parameters without the defaults. Keeps unrelated parameters. */
export function writeHistoryView(view: HistoryView, current = new URLSearchParams()): URLSearchParams {
  const query = new URLSearchParams(current)
  const set = (name: string, value: string | null) => (value ? query.set(name, value) : query.delete(name))
  const { points, filter, zoom, hidden } = view
  const custom = filter === CUSTOM_RANGE ? view.custom : null
  const colors = colored(points).map(({ color }) => color)
  const numbers = points.flatMap((point, index) => (hidden.includes(keyOfPoint(point)) ? [index + 1] : []))
  set('points', points.map(keyOfPoint).join(','))
  set('colors', colors.every((color, at) => color === at) ? '' : colors.map((color) => color + 1).join(','))
  set('range', filter === DEFAULT_DATE_FILTER || custom ? '' : filter)
  set('from', custom && minuteText(custom.fromMs))
  set('to', custom && minuteText(custom.toMs))
  set('hidden', numbers.join(','))
  set('zoom', zoom && `${Math.round(zoom.fromMs)}_${Math.round(zoom.toMs)}`)
  set('compare', comparisonText(view.compare))
  set('view', view.paper ? 'paper' : '')
  set('live', view.live ? '' : '0')
  set('separate', view.separate ? '1' : '')
  set('reportId', view.reportId)
  set('zone', view.zone)
  set('tab', view.tab === 'summary' ? '' : view.tab)
  set('alarm', view.alarm)
  set('axes', Object.entries(view.axes).map(axisText).join(','))
  return query
}

/** The address of a device's history page with this view. */
export function historyAddress(customerPath: string, deviceUuid: string, view: Partial<HistoryView>): string {
  return `${paths.history(customerPath, deviceUuid)}&${writeHistoryView({ ...DEFAULT_VIEW, ...view })}`
}

function comparisonIn(text: string | null): Comparison {
  if (text === '1') return 'before'
  return text === 'year' ? text : rangeIn(text)
}

function comparisonText(compare: Comparison): string | null {
  if (compare === null || compare === 'year') return compare
  if (compare === 'before') return '1'
  return [compare.fromMs, compare.toMs].map(minuteText).join('_')
}

/** "2026-10-01T00:00Z", with seconds only if there are any: an address is also printed. */
const minuteText = (ms: number) => new Date(ms).toISOString().replace(/(:00)?\.000Z$/, 'Z')

function pointsIn(text: string): PointRef[] {
  const keys = [...new Set(text.split(',').filter((key) => /^[^~,]+~[^~,]+$/.test(key)))]
  return keys.map((key) => {
    const [deviceUuid = '', cloudId = ''] = key.split('~')
    return { deviceUuid, cloudId }
  })
}

/** "kW~0~50", "Pa~~~log": the unit, the ends of its axis and whether the axis is logarithmic. */
function axisText([unit, { min, max, log }]: [string, AxisChoice]): string {
  // The address encodes the text; only the characters that separate its parts need an escape of their own.
  const safeUnit = unit.replace(/[%~,]/g, (separator) => `%${separator.charCodeAt(0).toString(16)}`)
  return [safeUnit, min ?? '', max ?? '', ...(log ? ['log'] : [])].join('~')
}

function axesIn(text: string): Record<string, AxisChoice> {
  const axes = text.split(',').flatMap((part): [string, AxisChoice][] => {
    const [, unit = '', min = '', max = '', log = ''] =
      /^([^~]+)~([^~]*)~([^~]*)(?:~(log))?$/.exec(part) ?? []
    const [low, high] = [min, max].map((end) => (end === '' ? null : Number(end)))
    if (unit === '' || Number.isNaN(low) || Number.isNaN(high)) return []
    return [[decodedText(unit), { min: low ?? null, max: high ?? null, log: log !== '' }]]
  })
  return Object.fromEntries(axes)
}

/** The decoded text; the text itself if it is not encoded. */
export function decodedText(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function timeOf(text: string | null | undefined): number | null {
  if (!text) return null
  const ms = /^\d+$/.test(text) ? Number(text) : Date.parse(text)
  return Number.isFinite(ms) && Math.abs(ms) < 8.64e15 ? ms : null
}

/** "from_to" */
function rangeIn(text: string | null): TimeRange | null {
  const [from, to] = (text ?? '').split('_')
  return timeRange(timeOf(from), timeOf(to))
}

function timeRange(fromMs: number | null, toMs: number | null): TimeRange | null {
  return fromMs !== null && toMs !== null && fromMs < toMs ? { fromMs, toMs } : null
}
