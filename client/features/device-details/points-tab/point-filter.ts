// Points narrowed by what they are. The entity model answers one search at a time: it finds a type by its tag, and
// whatever it cannot tell is looked for in all that it answers.

import { POINT_KINDS, type Point, type PointKind } from '../../points/point.ts'
import { type Comparison, type SearchType, searchTypeNamed } from '../../points/point-search.tsx'
import { STATUS_FLAGS } from '../../points/point-value-format.ts'

export interface PointFilter {
  /** Empty is any, here and below. */
  kinds: readonly PointKind[]
  writable: readonly ('yes' | 'no')[]
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

/** From the words of an address; what there is not is left out. */
export function readPointFilter(
  words: Record<'type' | 'writable' | 'status', readonly string[]>
): PointFilter {
  const known = (choices: readonly Choice[], some: readonly string[]) =>
    choices.map(({ value }) => value).filter((value) => some.includes(value))
  return {
    kinds: known(KIND_CHOICES, words.type) as PointKind[],
    writable: known(WRITABLE_CHOICES, words.writable) as PointFilter['writable'],
    statuses: known(STATUS_CHOICES, words.status)
  }
}

export function isFiltered({ kinds, writable, statuses }: PointFilter): boolean {
  return kinds.length + writable.length + statuses.length > 0
}

/** Whether all of it holds of the point, as the device last published it. */
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

/** What to ask the entity model, and whether its answer still has to be looked through for the filter. */
export function searchFor(search: Searched, filter: PointFilter): { search: Searched; sift: boolean } {
  const { kinds, writable, statuses } = filter
  const anew = search.items.length === 0 && kinds.length > 0
  // An unknown kind of search is the API's to refuse.
  if (!searchTypeNamed(search.type) || !isFiltered(filter)) return { search, sift: false }
  if (!anew) return { search, sift: true }
  return {
    search: { items: kinds, type: 'tagValues', comparison: 'EQUALS' },
    sift: writable.length + statuses.length > 0
  }
}
