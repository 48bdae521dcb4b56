import { count } from '../../../lib/format.ts'
import { type ListQuery, listOf } from '../../../lib/use-list-query.ts'
import { Checkbox } from '../../../ui/input/field.tsx'
import { SearchField } from '../../../ui/input/search-field.tsx'
import { FilterMenu } from '../../../ui/list/filters/filter-menu.tsx'
import { FilterSheet } from '../../../ui/list/filters/filter-sheet.tsx'
import { FilterChips } from '../../../ui/list/filters/filters.tsx'
import { comparisonNamed, PointSearchChoices, searchTypeNamed } from '../../points/point-search.tsx'
import { KIND_CHOICES, type PointFilter, STATUS_CHOICES, WRITABLE_CHOICES } from './point-filter.ts'

/** The tab's state in the address, as it is when the address says nothing. */
export const POINTS_VIEW = {
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

const FILTERS = ['type', 'writable', 'status'] as const

/** What a server can sort points by, in words. */
const SORTS = { displayName: 'point', 'tags.dataType': 'type' }

interface PointsToolbarProps extends ListQuery<typeof POINTS_VIEW> {
  filter: PointFilter
  /** Null while it is not known. */
  total: number | null
  /** Null for those who may not read live values. */
  live: boolean | null
}

/** Which of a device's points show, and whether they are read again and again. */
export function PointsToolbar({ values, change, clear, filter, total, live }: PointsToolbarProps) {
  const filters = [
    { id: 'type', label: 'Type', choices: KIND_CHOICES, chosen: filter.kinds },
    { id: 'writable', label: 'Writable', choices: WRITABLE_CHOICES, chosen: filter.writable },
    { id: 'status', label: 'Status', choices: STATUS_CHOICES, chosen: filter.statuses }
  ] as const
  const chips = filters.flatMap(({ id, label, choices, chosen }) =>
    choices
      .filter(({ value }) => (chosen as readonly string[]).includes(value))
      .map((choice) => ({
        label: `${label}: ${choice.label}`,
        onRemove: () => change({ [id]: chosen.filter((one) => one !== choice.value).join() })
      }))
  )
  return (
    <>
      <div className="toolbar">
        <SearchField label="Search points" value={values.q} onSearch={(q) => change({ q })} />
        <FilterSheet
          query={{ values, change }}
          count={chips.length}
          defaults={POINTS_VIEW}
          names={FILTERS}
          sorts={SORTS}
        >
          {(edited) => (
            <>
              <PointSearchChoices
                type={searchTypeNamed(edited.values.in) ?? 'pointNames'}
                comparison={comparisonNamed(edited.values.how) ?? 'CONTAINS'}
                onChange={(choice) =>
                  edited.change({
                    ...(choice.type ? { in: choice.type } : {}),
                    ...(choice.comparison ? { how: choice.comparison } : {})
                  })
                }
              />
              {filters.map(({ id, label, choices }) => (
                <FilterMenu
                  key={id}
                  label={label}
                  choices={choices}
                  chosen={listOf(edited.values[id])}
                  onChange={(next) => edited.change({ [id]: next.join() })}
                />
              ))}
            </>
          )}
        </FilterSheet>
        <div className="toolbar-end">
          {total !== null && <span className="muted">{count(total, 'point')}</span>}
          {live !== null && (
            <Checkbox
              kind="switch"
              label="Live values"
              checked={live}
              onChange={(on) => change({ live: on ? '1' : '0', page: values.page })}
            />
          )}
        </div>
      </div>
      <FilterChips chips={chips} onClear={() => clear(...FILTERS)} />
    </>
  )
}
