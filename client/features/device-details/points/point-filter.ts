// Filters of points by kind, writability and status. The entity model answers one search at a time: it finds a kind by its
// tag. The other filters apply to its answer.
import { listOf } from '../../../lib/use-list-query.ts'
import { POINT_KINDS, type Point } from '../../points/point.ts'
import { type Comparison, type SearchType, searchTypeNamed } from '../../points/point-search.tsx'
import { STATUS_FLAGS } from '../../points/point-value-format.ts'

/** An empty list matches all. */
export interface PointFilter {
  kinds: readonly string[]
  /** `yes`, `no`. */
  writable: readonly string[]
  /** Flags, or `ok`. */
  statuses: readonly string[]
}

interface Choice {
  value: string
  label: string
}

export const KIND_CHOICES: readonly Choice[] = POINT_KINDS.map((kind) => ({ value: kind, label: kind }))
export const WRITABLE_CHOICES: readonly Choice[] = [
  { value: 'yes', label: 'Writable' },
  { value: 'no', label: 'Read only' }
]
export const STATUS_CHOICES: readonly Choice[] = [
  { value: 'ok', label: 'OK' },
  ...STATUS_FLAGS.map(({ flag, name }) => ({ value: flag, label: name }))
]

/** Reads comma-separated words of an address; ignores unknown ones. */
export function readPointFilter(words: Record<'type' | 'writable' | 'status', string>): PointFilter {
  const known = (choices: readonly Choice[], some: string) =>
    choices.map(({ value }) => value).filter((value) => listOf(some).includes(value))
  return {
    kinds: known(KIND_CHOICES, words.type),
    writable: known(WRITABLE_CHOICES, words.writable),
    statuses: known(STATUS_CHOICES, words.status)
  }
}

export function isFiltered({ kinds, writable, statuses }: PointFilter): boolean {
  return kinds.length + writable.length + statuses.length > 0
}

/** Compares a point, as its device last published it, with the filter. */
export function passes({ kinds, writable, statuses }: PointFilter, point: Point): boolean {
  const flags = point.out.flags ?? ['unknown']
  const states = flags.length === 0 ? ['ok'] : flags
  return (
    (kinds.length === 0 || kinds.includes(point.kind)) &&
    (writable.length === 0 || writable.includes(point.writable ? 'yes' : 'no')) &&
    (statuses.length === 0 || states.some((state) => statuses.includes(state)))
  )
}

interface Searched {
  items: readonly string[]
  type: SearchType
  comparison: Comparison
}

/** The search to send. With `sift`, the filter still applies to the answer. */
export function searchFor(search: Searched, filter: PointFilter): { search: Searched; sift: boolean } {
  const { kinds, writable, statuses } = filter
  const byType = search.items.length === 0 && kinds.length > 0
  // The API refuses an unknown kind of search.
  if (!searchTypeNamed(search.type) || !isFiltered(filter)) return { search, sift: false }
  if (!byType) return { search, sift: true }
  return {
    search: { items: kinds, type: 'tagValues', comparison: 'EQUALS' },
    sift: writable.length + statuses.length > 0
  }
}
