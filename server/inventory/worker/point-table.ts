// Filters, sorts and sums up the points of a customer's devices, in steps.
import type { Device } from '#shared/answers/customers.ts'
import type { SitePoint, SitePoints } from '#shared/answers/site-points.ts'
import { FLAG_ORDER, flagRank } from '#shared/history/point-value.ts'
import { POINT_NAMES_MAX } from '#shared/limits.ts'
import { compareTexts } from '#shared/text-order.ts'
import { ranksInSteps, sortInSteps } from '../../sort-in-steps.ts'
import type { PointFilter } from '../point-query.ts'
import type { Site, StoredPoint } from './point-store.ts'

const STATES_MAX = 20
/** Bytes of a row, with its place in the list. */
const ROW_BYTES = 48
/** Points between two pauses. */
const POINTS_PER_STEP = 500

export interface PointRow {
  point: StoredPoint
  device: Device
}

export interface PointTable {
  /** The rows that match, in their order. */
  rows: readonly PointRow[]
  /** The median by units. */
  medians: ReadonlyMap<string, number>
  /** An upper bound of the heap that the rows keep in addition to the site: also points that the site no longer has. */
  heapBytes(): number
  described: Pick<SitePoints, 'names' | 'exceptions' | 'statuses' | 'summary'>
}

/** @param devices those whose points are shown, in the order of their names */
export function* pointTable(
  site: Site,
  devices: readonly Device[],
  filter: PointFilter
): Generator<void, PointTable> {
  const names = new Map<string, number>()
  /** The first spelling of each name. */
  const spellings = new Map<string, string>()
  const statuses = new Map<string, number>()
  const states = new Map<string, number>()
  const numbers = new Map<string, number[]>()
  const rows: PointRow[] = []
  const { replacedBytes } = site
  let pointBytes = 0
  let exceptions = 0
  const formOf = nameForms()
  const hasName = nameFilter(filter, formOf)

  function take(point: StoredPoint, device: Device): void {
    const form = formOf(point.name)
    addOne(names, form)
    if (!spellings.has(form)) spellings.set(form, point.name)
    if (isException(point)) exceptions += 1
    if (!hasName(point)) return
    for (const flag of flagsOf(point)) addOne(statuses, flag)
    if (point.isValid && point.text !== null) addOne(states, point.text)
    if (point.isValid && point.text === null) {
      const others = numbers.get(point.units)
      if (others === undefined) numbers.set(point.units, [point.number])
      else others.push(point.number)
    }
    if (!hasStatus(point, filter.status)) return
    rows.push({ point, device })
    pointBytes += point.heapBytes
  }

  let taken = 0
  for (const device of devices)
    for (const point of site.systems.get(device.systemGuid)?.values() ?? []) {
      take(point, device)
      taken += 1
      if (taken % POINTS_PER_STEP === 0) yield
    }

  const summaries: SitePoints['summary']['numbers'] = []
  const medians = new Map<string, number>()
  for (const [units, values] of numbers) {
    const sorted = yield* sortInSteps(values, (a, b) => a - b)
    const [lowest = 0, highest = 0] = [sorted[0], sorted.at(-1)]
    const median = medianOf(sorted)
    // Numbers of all names have no median that says something.
    if (filter.name.trim() !== '') medians.set(units, median)
    const distances = sorted.map((value) => Math.abs(value - median))
    const spread = medianOf(yield* sortInSteps(distances, (a, b) => a - b))
    summaries.push({
      units,
      count: sorted.length,
      lowest,
      median: rounded(median),
      highest,
      spread: rounded(spread)
    })
  }
  summaries.sort((a, b) => b.count - a.count)
  const described = {
    names: (yield* mostFrequent(names, POINT_NAMES_MAX)).map(([form, count]) => ({
      name: spellings.get(form) as string,
      count
    })),
    exceptions,
    statuses: [...statuses].map(([flag, count]) => ({ flag, count })).slice(0, STATES_MAX),
    summary: {
      numbers: summaries.slice(0, STATES_MAX),
      states: (yield* mostFrequent(states, STATES_MAX)).map(([text, count]) => ({ text, count }))
    }
  }
  const heapBytes = () => {
    const ownBytes = site.isReleased ? pointBytes : Math.min(pointBytes, site.replacedBytes - replacedBytes)
    return ROW_BYTES * rows.length + ownBytes
  }
  return { rows: yield* sorted(rows, filter, medians), medians, heapBytes, described }
}

export function itemOf({ point, device }: PointRow, medians: ReadonlyMap<string, number>): SitePoint {
  const { subscriptions: _, partial: _partial, ...fields } = device
  const { number, text, units, flags, isValid, readAt, noticedAt, json } = point
  return {
    point: { ...JSON.parse(json), systemGuid: device.systemGuid },
    device: fields,
    number: Number.isFinite(number) ? number : null,
    text,
    units,
    flags: flags && [...flags],
    isValid,
    fromMedian: fromMedian(point, medians),
    readAt: new Date(readAt).toISOString(),
    noticedAt: new Date(noticedAt).toISOString()
  }
}

function fromMedian(
  { isValid, text, number, units }: StoredPoint,
  medians: ReadonlyMap<string, number>
): number | null {
  const median = medians.get(units)
  if (!isValid || text !== null || median === undefined) return null
  return rounded(number - median)
}

/** 20.3 − 20.1 would be 0.1999… */
const rounded = (number: number) => Number(number.toPrecision(12))

const isException = ({ flags }: StoredPoint) => flags !== null && flags.length > 0

function flagsOf({ flags }: StoredPoint): readonly string[] {
  if (flags === null) return []
  return flags.length === 0 ? ['ok'] : flags
}

/** Returns the form in which names are compared: names that differ in case or outer spaces only are the same. */
function nameForms(): (name: string) => string {
  // Names repeat.
  const known = new Map<string, string>()
  return (name) => {
    let form = known.get(name)
    if (form === undefined) {
      form = name.trim().toLowerCase()
      known.set(name, form)
    }
    return form
  }
}

function nameFilter(
  { name, match }: PointFilter,
  formOf: (name: string) => string
): (point: StoredPoint) => boolean {
  const wanted = formOf(name)
  if (match === 'equals') return (point) => wanted === '' || formOf(point.name) === wanted
  return (point) => formOf(point.name).includes(wanted)
}

function hasStatus(point: StoredPoint, status: PointFilter['status']): boolean {
  if (status === undefined) return true
  return status === 'exception' ? isException(point) : flagsOf(point).includes(status)
}

/** The most severe status has the lowest number; NaN if it is unknown. */
function severityOf({ flags }: StoredPoint): number {
  if (flags === null) return Number.NaN
  const [worst] = flags
  if (worst === undefined) return FLAG_ORDER.length + 1
  return flagRank(worst)
}

function addOne(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

function* mostFrequent(
  counts: ReadonlyMap<string, number>,
  max: number
): Generator<void, [string, number][]> {
  const entries = yield* sortInSteps(
    [...counts],
    ([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1)
  )
  return entries.slice(0, max)
}

/** The middle value, or the average of the two in the middle. */
function medianOf(sorted: readonly number[]): number {
  const half = sorted.length / 2
  if (!Number.isInteger(half)) return sorted[Math.floor(half)] as number
  // The sum of two numbers may be infinite.
  return (sorted[half - 1] as number) / 2 + (sorted[half] as number) / 2
}

/** Rows of equal order are in the order of their devices, and of their names. Rows without a value come last in both orders. */
function* sorted(
  rows: readonly PointRow[],
  { sort, order }: PointFilter,
  medians: ReadonlyMap<string, number>
): Generator<void, readonly PointRow[]> {
  const keyOf = yield* sortKeys(rows, sort, medians)
  const nameRankOf = yield* rankOf(rows, ({ point }) => point.name)
  const keys = new Map<PointRow, number>()
  const places = new Map<Device, number>()
  for (const row of rows) {
    keys.set(row, keyOf(row))
    if (!places.has(row.device)) places.set(row.device, places.size)
    if (keys.size % POINTS_PER_STEP === 0) yield
  }
  const placeOf = ({ device }: PointRow) => places.get(device) as number
  const direction = order === 'desc' ? -1 : 1
  const byKey = (first: number, second: number) =>
    Number.isNaN(first) || Number.isNaN(second)
      ? Number(Number.isNaN(first)) - Number(Number.isNaN(second))
      : direction * (first - second)
  return yield* sortInSteps(
    rows,
    (a, b) =>
      byKey(keys.get(a) as number, keys.get(b) as number) ||
      placeOf(a) - placeOf(b) ||
      nameRankOf(a) - nameRankOf(b)
  )
}

function* rankOf(
  rows: readonly PointRow[],
  textOf: (row: PointRow) => string
): Generator<void, (row: PointRow) => number> {
  const ranks = yield* ranksInSteps([...new Set(rows.map(textOf))], compareTexts, 50)
  return (row) => ranks.get(textOf(row)) as number
}

/** The number that a row is sorted by; NaN for a row without the value. */
function* sortKeys(
  rows: readonly PointRow[],
  sort: PointFilter['sort'],
  medians: ReadonlyMap<string, number>
): Generator<void, (row: PointRow) => number> {
  switch (sort) {
    case 'device':
      return yield* rankOf(rows, ({ device }) => device.deviceName)
    case 'project':
      return yield* rankOf(rows, ({ device }) => device.projectName ?? '')
    case 'name':
      return yield* rankOf(rows, ({ point }) => point.name)
    case 'value': {
      const values = new Set(rows.map(({ point }) => point.number).filter(Number.isFinite))
      const sortedValues = yield* sortInSteps([...values], (a, b) => a - b)
      const rankOfNumber = new Map(sortedValues.map((value, index) => [value, index]))
      const rankOfText = yield* rankOf(rows, ({ point }) => point.text ?? '')
      // Texts follow numbers.
      return (row) => {
        const { text, number } = row.point
        return text === null ? (rankOfNumber.get(number) ?? Number.NaN) : values.size + rankOfText(row)
      }
    }
    case 'fromMedian':
      return ({ point }) => Math.abs(fromMedian(point, medians) ?? Number.NaN)
    case 'status':
      return ({ point }) => severityOf(point)
    case 'noticedAt':
      return ({ point }) => point.noticedAt
    case 'readAt':
      return ({ point }) => point.readAt
  }
}
