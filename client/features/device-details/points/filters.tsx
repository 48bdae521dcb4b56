import { POINT_KINDS } from '#shared/history/point-type.ts'
import { type ListQuery, listOf } from '../../../lib/use-list-query.ts'
import { type Filter, severalOf } from '../../../ui/list/filters/filters.tsx'
import type { Point } from '../../data/points/point.ts'
import { comparisonNamed, PointSearchChoices, searchTypeNamed } from '../../data/points/point-search.tsx'
import { STATUS_FLAGS } from '../../data/points/point-value-format.ts'

/** The default state of the points tab, which the address contains. */
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
/** Each field may list several values; an empty text matches all points. */
export type PointFilter = Pick<typeof FIRST_VIEW, 'type' | 'writable' | 'status'>

const KINDS = POINT_KINDS.map((kind) => ({ value: kind, label: kind }))

export const POINT_FILTERS: readonly Filter<typeof FIRST_VIEW>[] = [
  severalOf('type', 'Type', KINDS),
  severalOf('status', 'Status', [
    { value: 'ok', label: 'OK' },
    ...STATUS_FLAGS.map(({ flag, name }) => ({ value: flag, label: name }))
  ]),
  severalOf('writable', 'Writable', [
    { value: 'yes', label: 'Writable' },
    { value: 'no', label: 'Read only' }
  ]),
  {
    names: ['in', 'how'],
    field: ({ values, change }) => (
      <PointSearchChoices
        type={searchTypeNamed(values.in) ?? 'pointNames'}
        comparison={comparisonNamed(values.how)}
        onChange={({ type = values.in, comparison = values.how }) => change({ in: type, how: comparison })}
      />
    )
  }
]

export const isFiltered = ({ type, writable, status }: PointFilter) => type + writable + status !== ''

/** Whether a point, as last published by its device, matches the filter. */
export function passes({ type, writable, status }: PointFilter, { kind, out, ...point }: Point): boolean {
  const matches = (filterText: string, pointValues: readonly string[]) =>
    filterText === '' || listOf(filterText).some((value) => pointValues.includes(value))
  return (
    matches(type, [kind]) &&
    matches(writable, [point.writable ? 'yes' : 'no']) &&
    matches(status, out.flags?.length === 0 ? ['ok'] : (out.flags ?? []))
  )
}
