import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { formatNumber } from '../../lib/format.ts'
import type { ListQuery } from '../../lib/use-list-query.ts'
import { SearchField } from '../../ui/input/search-field.tsx'
import { RefreshButton } from '../../ui/list/refresh-button.tsx'
import type { CustomerList, CustomerView } from './use-customer-list.ts'

interface CustomerToolbarProps {
  query: ListQuery<CustomerView>
  list: CustomerList
}

/** The search and, where counts are known, the choice of those that need somebody, and the order. */
export function CustomerToolbar({ query, list }: CustomerToolbarProps) {
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
          <select
            className="select"
            aria-label="Sort customers"
            value={values.sort}
            onChange={({ target }) => change({ sort: target.value })}
          >
            <option value="attention">Urgent first</option>
            <option value="name">Name</option>
          </select>
          <RefreshButton busy={busy} onRefresh={reload} />
        </>
      )}
    </div>
  )
}
