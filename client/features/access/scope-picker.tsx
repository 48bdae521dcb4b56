import { useState } from 'react'
import type { Role } from '#shared/permissions.ts'
import { count } from '../../lib/format.ts'
import { useLayout } from '../../lib/layout.ts'
import { Checkbox } from '../../ui/input/field.tsx'
import { SearchField } from '../../ui/input/search-field.tsx'
import { Pager } from '../../ui/list/pager.tsx'
import { type Draft, rolesAt } from './access-draft.ts'
import type { PickedScope } from './scope-boxes.tsx'
import { ScopeList } from './scope-list.tsx'
import { ScopeTable } from './scope-table.tsx'

export interface ScopePickerProps {
  /** What the table is about: "Access by customer". */
  label: string
  /** Whose customers they are. */
  integratorName: string
  places: readonly PickedScope[]
  /** The roles that may be given at a customer. */
  roles: readonly Role[]
  draft: Draft
  onChange: (draft: Draft) => void
  /** What is amiss with the whole choice. */
  error?: string | null
}

const PAGE_SIZE = 25
/** An integrator and its customers, with a box for each role: at each customer, and at all of those that show. */
export function ScopePicker(props: ScopePickerProps) {
  const { label, places, draft, roles, error } = props
  const [keyword, setKeyword] = useState('')
  const [onlyHeld, setOnlyHeld] = useState(false)
  const [page, setPage] = useState(0)
  const layout = useLayout()
  const wanted = keyword.trim().toLowerCase()
  const isHeld = ({ scope }: PickedScope) => rolesAt(draft, scope).some((role) => roles.includes(role))
  const found = places.filter(
    (place) => place.name.toLowerCase().includes(wanted) && (!onlyHeld || isHeld(place))
  )
  const totalPages = Math.ceil(found.length / PAGE_SIZE)
  const number = Math.min(page, Math.max(totalPages - 1, 0))
  const shown = found.slice(number * PAGE_SIZE, (number + 1) * PAGE_SIZE)
  const List = layout === 'mobile' ? ScopeList : ScopeTable
  return (
    <section className="scope-picker card" aria-label={label}>
      <div className="toolbar">
        <SearchField
          label="Search customers"
          value={keyword}
          debounceMs={0}
          onSearch={(text) => {
            setKeyword(text)
            setPage(0)
          }}
        />
        <Checkbox kind="switch" label="Only with access" checked={onlyHeld} onChange={setOnlyHeld} />
      </div>
      {shown.length > 0 ? (
        <List {...props} found={found} shown={shown} />
      ) : (
        <p className="scope-picker-none">
          {places.length === 0 ? 'There are no customers yet.' : 'No customer matches.'}
        </p>
      )}
      {totalPages > 1 && (
        <div className="card-foot">
          <Pager
            label="Pages of customers"
            page={{ number, size: PAGE_SIZE, totalPages, totalElements: found.length }}
            onPage={setPage}
          />
        </div>
      )}
      <p role="status" className="sr-only">
        {count(places.filter(isHeld).length, 'customer')} with access
      </p>
      {error && (
        <p className="field-error scope-picker-error" role="alert">
          {error}
        </p>
      )}
    </section>
  )
}
