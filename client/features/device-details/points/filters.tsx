import { type ListQuery, listOf } from '../../../lib/use-list-query.ts'
import { type Filter, severalOf } from '../../../ui/list/filters/filters.tsx'
import { POINT_KINDS, type Point } from '../../points/point.ts'
import { comparisonNamed, PointSearchChoices, searchTypeNamed } from '../../points/point-search.tsx'
import { STATUS_FLAGS } from '../../points/point-value-format.ts'

/** The tab's state in the address. */
export const FIRST_VIEW = {
  q: '',
  in: 'pointNames',
  how: 'CONTAINS',
  type: '',
  writable: '',
  status: '',
  sort: 'displayName',
  order: 'asc',
  page: '1',
  live: '1'
}

export type PointsQuery = ListQuery<typeof FIRST_VIEW>
/** Each has several values; an empty text matches all. */
export type PointFilter = Pick<typeof FIRST_VIEW, 'type' | 'writable' | 'status'>

export const POINT_FILTERS: readonly Filter<typeof FIRST_VIEW>[] = [
  {
    names: ['in', 'how'],
    field: ({ values, change }) => (
      <PointSearchChoices
        type={searchTypeNamed(values.in) ?? 'pointNames'}
        comparison={comparisonNamed(values.how)}
        onChange={({ type = values.in, comparison = values.how }) => change({ in: type, how: comparison })}
      />
    )
  },
  severalOf(
    'type',
    'Type',
    POINT_KINDS.map((kind) => ({ value: kind, label: kind }))
  ),
  severalOf('writable', 'Writable', [
    { value: 'yes', label: 'Writable' },
    { value: 'no', label: 'Read only' }
  ]),
  severalOf('status', 'Status', [
    { value: 'ok', label: 'OK' },
    ...STATUS_FLAGS.map(({ flag, name }) => ({ value: flag, label: name }))
  ])
]

export const isFiltered = ({ type, writable, status }: PointFilter) => type + writable + status !== ''

/** Compares a point, as its device last published it, with the filter. */
export function passes({ type, writable, status }: PointFilter, { kind, out, ...point }: Point): boolean {
  const matches = (wanted: string, own: readonly string[]) =>
    wanted === '' || listOf(wanted).some((value) => own.includes(value))
  return (
    matches(type, [kind]) &&
    matches(writable, [point.writable ? 'yes' : 'no']) &&
    matches(status, out.flags?.length === 0 ? ['ok'] : (out.flags ?? []))
  )
}
