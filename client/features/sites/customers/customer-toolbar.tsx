import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { formatNumber } from '../../../lib/format.ts'
import { useLayout, useTablet } from '../../../lib/layout.ts'
import type { ListQuery } from '../../../lib/use-list-query.ts'
import { useStored } from '../../../lib/use-stored.ts'
import { SearchField } from '../../../ui/input/search-field.tsx'
import { RefreshButton } from '../../../ui/list/refresh-button.tsx'
import { SORTS } from './attention.ts'
import type { CustomerList, CustomerView } from './use-customer-list.ts'

const VIEWS = { list: 'List', cards: 'Cards' }
type ViewName = keyof typeof VIEWS

export type ChosenView = ReturnType<typeof useChosenView>

/** List or cards: as the address says, or as last chosen, or as the width suggests. A phone always shows cards. */
export function useChosenView({ values: { view }, change }: ListQuery<CustomerView>) {
  const [stored, store] = useStored<ViewName | null>('portal.customers-view', null)
  const tablet = useTablet()
  const layout = useLayout()
  const isPhone = layout === 'mobile' && !tablet
  const chosen = view in VIEWS ? (view as ViewName) : stored
  const byWidth: ViewName = layout === 'desktop' ? 'list' : 'cards'
  const name: ViewName = isPhone ? 'cards' : (chosen ?? byWidth)
  function choose(option: ViewName) {
    store(option)
    change({ view: option })
  }
  return { name, isPhone, choose }
}

interface CustomerToolbarProps {
  query: ListQuery<CustomerView>
  list: CustomerList
  view: ChosenView
}

export function CustomerToolbar({ query, list, view }: CustomerToolbarProps) {
  const { values, change } = query
  const { attention, busy, reload } = list
  const chosen = values.show === 'attention'
  return (
    <div className="row customers-tools">
      <SearchField label="Search customers" value={values.q} onSearch={(q) => change({ q })} />
      {attention && (
        <>
          <button
            type="button"
            className="button needs-attention"
            aria-pressed={chosen}
            onClick={() => change({ show: chosen ? '' : 'attention' })}
          >
            <TriangleAlert />
            Needs attention{' '}
            {(attention.needing > 0 || attention.unread === 0) && (
              <span className="badge plain">{formatNumber(attention.needing)}</span>
            )}
          </button>
          {view.name === 'cards' && (
            <select
              className="select"
              aria-label="Sort customers"
              value={values.sort in SORTS ? values.sort : 'attention'}
              onChange={({ target }) => change({ sort: target.value, order: '' })}
            >
              {Object.entries(SORTS).map(([sort, label]) => (
                <option key={sort} value={sort}>
                  {label}
                </option>
              ))}
            </select>
          )}
          {!view.isPhone && (
            <fieldset className="view-switch">
              <legend className="sr-only">Show customers as</legend>
              {(Object.keys(VIEWS) as ViewName[]).map((option) => (
                <button
                  key={option}
                  type="button"
                  className="button"
                  aria-pressed={view.name === option}
                  onClick={() => view.choose(option)}
                >
                  {VIEWS[option]}
                </button>
              ))}
            </fieldset>
          )}
          <RefreshButton busy={busy} onRefresh={reload} />
        </>
      )}
    </div>
  )
}
