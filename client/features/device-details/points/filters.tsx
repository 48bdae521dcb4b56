import type { ListQuery } from '../../../lib/use-list-query.ts'
import { type Filter, severalOf } from '../../../ui/list/filters/filters.tsx'
import { comparisonNamed, PointSearchChoices, searchTypeNamed } from '../../points/point-search.tsx'
import { KIND_CHOICES, STATUS_CHOICES, WRITABLE_CHOICES } from './point-filter.ts'

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

export const POINT_FILTERS: readonly Filter<typeof FIRST_VIEW>[] = [
  {
    names: ['in', 'how'],
    field: ({ values, change }) => (
      <PointSearchChoices
        type={searchTypeNamed(values.in) ?? 'pointNames'}
        comparison={comparisonNamed(values.how) ?? 'CONTAINS'}
        onChange={({ type = values.in, comparison = values.how }) => change({ in: type, how: comparison })}
      />
    )
  },
  severalOf('type', 'Type', KIND_CHOICES),
  severalOf('writable', 'Writable', WRITABLE_CHOICES),
  severalOf('status', 'Status', STATUS_CHOICES)
]
