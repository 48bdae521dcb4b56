import type { ReactNode } from 'react'
import { FilterChips } from '../../components/filter-chips.tsx'
import { FilterMenu } from '../../components/filter-menu.tsx'
import { FilterSheet } from '../../components/filter-sheet.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { count } from '../../lib/format.ts'
import { REPORT_SORTS } from '../../lib/report-list.ts'
import { type ListQuery, listOf } from '../../session/use-list-query.ts'

/** The list's state in the address, as it is when the address says nothing. */
export const REPORTS_VIEW = {
  q: '',
  customer: '',
  owner: '',
  kind: '',
  sort: 'modified',
  order: 'desc',
  page: '1'
}

interface ReportFiltersProps extends ListQuery<typeof REPORTS_VIEW> {
  customers: readonly { id: string; orgName: string }[]
  /** How many reports show; null while it is not known. */
  shown: number | null
  /** What else can be done with the list. */
  children?: ReactNode
}

const FILTERS = ['customer', 'owner', 'kind'] as const

export function ReportFilters({ customers, shown, children, ...query }: ReportFiltersProps) {
  const { values, change, clear } = query
  const filters = [
    {
      id: 'customer',
      label: 'Customer',
      choices: customers.map(({ id: value, orgName: label }) => ({ value, label }))
    },
    { id: 'owner', label: 'Owner', choices: [{ value: 'me', label: 'Me' }] },
    {
      id: 'kind',
      label: 'Range',
      choices: [
        { value: 'relative', label: 'Relative range' },
        { value: 'fixed', label: 'Fixed range' }
      ]
    }
  ] as const
  const offered = filters.filter(({ id }) => id !== 'customer' || customers.length > 1)
  const chips = filters.flatMap(({ id, label, choices }) => {
    const chosen = listOf(values[id])
    return chosen.map((value) => ({
      label: `${label}: ${choices.find((choice) => choice.value === value)?.label ?? value}`,
      onRemove: () => change({ [id]: chosen.filter((one) => one !== value).join() })
    }))
  })
  return (
    <>
      <div className="toolbar">
        <SearchField label="Search name, point, device" value={values.q} onSearch={(q) => change({ q })} />
        <FilterSheet
          query={query}
          count={chips.length}
          defaults={REPORTS_VIEW}
          names={FILTERS}
          sorts={REPORT_SORTS}
        >
          {(edited) =>
            offered.map(({ id, label, choices }) => (
              <FilterMenu
                key={id}
                label={label}
                choices={choices}
                chosen={listOf(edited.values[id])}
                onChange={(next) => edited.change({ [id]: next.join() })}
              />
            ))
          }
        </FilterSheet>
        <div className="toolbar-end">
          <span className="muted">{shown === null ? '\u00a0' : count(shown, 'report')}</span>
          {children}
        </div>
      </div>
      <FilterChips chips={chips} onClear={() => clear(...FILTERS)} />
    </>
  )
}
