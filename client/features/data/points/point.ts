// A point as the screens need it, derived from the upstream's model, and functions to format and parse its values.
import type { PointModel } from '#shared/answers/points.ts'
import { booleanOf, chartValue, type PointType, pointTypeOf, textsOf } from '#shared/history/point-type.ts'
import { type PointValue, parsePointValue } from '#shared/history/point-value.ts'

export interface Point extends PointType {
  cloudId: string
  /** The telemetry id; null without a history. */
  pointId: string | null
  displayName: string
  systemGuid: string
  low: number | null
  high: number | null
  precision: number | null
  slotPath: string
  historyName: string | null
  writable: boolean
  out: PointValue
  tags: Record<string, string>
  facets: Record<string, string>
  links: Record<string, string>
}

export function pointOf(model: PointModel): Point {
  const tags = textsOf(model.tags)
  const facets = model.facets ?? {}
  const [low, high] = limitsOf(tags.range, facets)
  return {
    ...pointTypeOf(model),
    cloudId: model.cloudId,
    pointId: tags.telemetryId || null,
    displayName: model.displayName || model.cloudId,
    systemGuid: model.systemGuid,
    low,
    high,
    precision: wholeOrNull(facets.precision),
    slotPath: tags.slotPath ?? '',
    historyName: tags.historyName || null,
    writable: typeof facets.writable === 'boolean' ? facets.writable : /writable$/i.test(tags.type ?? ''),
    out: parsePointValue(model.outValue),
    tags,
    facets: textsOf(facets),
    links: textsOf(model.links)
  }
}

function limitsOf(range: string | undefined, facets: Record<string, unknown>) {
  const [, low, high] = /^\s*(-?[\d.eE+-]+?)\s*\.\.\s*(-?[\d.eE+-]+)\s*$/.exec(range ?? '') ?? []
  return [numberOrNull(facets.min ?? low), numberOrNull(facets.max ?? high)] as const
}

function numberOrNull(value: unknown): number | null {
  if (value === null || value === undefined || value === '') return null
  const number = Number(value)
  return Number.isFinite(number) ? number : null
}

function wholeOrNull(value: unknown): number | null {
  const number = numberOrNull(value)
  return number !== null && Number.isInteger(number) && number >= 0 && number <= 20 ? number : null
}

/** A value (read or to be written) as text, without units. */
export function valueText(point: Point, value: unknown): string {
  if (value === null || value === undefined) return '–'
  if (point.kind === 'Boolean') {
    const state = booleanOf(point, value)
    return state === null ? String(value) : state ? point.trueText : point.falseText
  }
  if (point.kind === 'Enum') {
    const ordinal = numberOrNull(value)
    return point.texts.find((entry) => entry.ordinal === ordinal)?.text ?? String(value)
  }
  if (point.kind === 'Numeric' && typeof value === 'number') return numberText(value, point.precision)
  return String(value)
}

const formats = new Map<number | null, Intl.NumberFormat>()

function formatOf(precision: number | null): Intl.NumberFormat {
  const digits =
    precision === null
      ? { maximumSignificantDigits: 12 }
      : { minimumFractionDigits: precision, maximumFractionDigits: precision }
  const format = formats.get(precision) ?? new Intl.NumberFormat('en', digits)
  formats.set(precision, format)
  return format
}

/** A number at the point's precision, "1,234.5"; very large and very small numbers with an exponent. */
export function numberText(value: number, precision: number | null): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+∞' : '−∞'
  const size = Math.abs(value)
  if (size >= 1e15 || (size > 0 && size < 1e-6)) return value.toExponential(precision ?? 3)
  return formatOf(precision).format(value)
}

export function withUnits(text: string, units: string): string {
  return units === '' || text === '–' ? text : `${text} ${units}`
}

/** What a point shows, with its units: the value that was read last, or the one of the entity model. */
export function shownText(point: Point, last?: { value: unknown } | null): string {
  const text =
    last && last.value !== null && last.value !== undefined
      ? valueText(point, last.value)
      : modelText(point) || '–'
  return withUnits(text, point.kind === 'Numeric' ? point.units : '')
}

/** Looks like a value that was read, but a number keeps its decimals. */
function modelText(point: Point): string {
  const { kind, out, precision } = point
  if (kind !== 'Numeric') return valueText(point, out.value)
  const number = numberOrNull(out.value)
  if (number === null) return out.value
  return numberText(number, precision ?? out.value.split('.')[1]?.length ?? 0)
}

export type Written = number | boolean | string

const DECIMAL = /^[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:e[+-]?\d+)?$/i

/** Parses the value to write from a typed text. A value outside the point's range is a problem. */
export function readWritten(
  point: Point,
  text: string
): { value: Written; rounded?: true } | { problem: string } {
  const typed = text.trim()
  if (typed === '') return { problem: 'Enter a value.' }
  if (point.kind === 'Boolean') return { value: typed === 'true' }
  if (point.kind === 'String') return { value: text }
  const number = Number(typed.replace(',', '.'))
  if (!Number.isFinite(number) || !DECIMAL.test(typed)) return { problem: 'Enter a number.' }
  if (point.kind === 'Enum') {
    const isKnown = point.texts.some(({ ordinal }) => ordinal === number)
    return isKnown ? { value: number } : { problem: 'Choose one of the values of this point.' }
  }
  const { low, high, units, precision } = point
  // The value is sent as the dialog shows it: rounded to the precision.
  const value = precision === null ? number : Number(number.toFixed(precision))
  if (low !== null && Math.min(number, value) < low)
    return { problem: `The lowest value is ${withUnits(String(low), units)}.` }
  if (high !== null && Math.max(number, value) > high)
    return { problem: `The highest value is ${withUnits(String(high), units)}.` }
  return value === number ? { value } : { value, rounded: true }
}

/** Whether the value that was read equals the written value at the point's precision. */
export function isTaken(point: Point, written: Written, read: unknown): boolean {
  if (point.kind === 'Boolean') return booleanOf(point, read) === written
  if (point.kind === 'Enum') return chartValue(point, read) === written
  if (typeof written !== 'number') return String(read) === String(written)
  const tolerance = Math.max(0.5 * 10 ** -(point.precision ?? 6), Math.abs(written) * 1e-9)
  return typeof read === 'number' && Math.abs(read - written) <= tolerance
}

/** Why a point cannot be charted; null if it can. */
export function notChartable(point: Point): string | null {
  if (point.historyName === null || point.pointId === null) return 'No history is recorded for this point'
  return point.kind === 'String' ? 'Texts cannot be charted' : null
}
