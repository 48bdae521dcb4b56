import { useEffect } from 'react'
import type { NamedCustomer } from '../../api/all-customers.ts'
import { Combobox } from '../../components/combobox.tsx'
import { FilterMenu } from '../../components/filter-menu.tsx'
import { FilterSheet } from '../../components/filter-sheet.tsx'
import { listOf } from '../../session/use-list-query.ts'
import type { Place } from './use-places.ts'
import {
  ROLE_CHOICES,
  TYPE_CHOICES,
  USER_DEFAULTS,
  USER_FILTERS,
  USER_SORTS,
  type UserList
} from './user-query.ts'

interface UserFiltersProps {
  list: UserList
  place: Place | null
  /** Undefined until they are known: their place is kept, for most integrators have several. */
  customers: readonly NamedCustomer[] | undefined
}

/** By role, by type, by customer; and the key that leads to the search beside them. */
export default function UserFilters({ list, ...people }: UserFiltersProps) {
  useSlashToSearch()
  return (
    <FilterSheet
      query={list}
      count={USER_FILTERS.filter((name) => list.values[name] !== '').length}
      defaults={USER_DEFAULTS}
      names={USER_FILTERS}
      sorts={USER_SORTS}
    >
      {(query) => <Filters list={query} {...people} />}
    </FilterSheet>
  )
}

type FiltersProps = Omit<UserFiltersProps, 'list'> & { list: Pick<UserList, 'values' | 'change'> }

function Filters({ list: { values, change }, place, customers }: FiltersProps) {
  const roles = listOf(values.role)
  const customer = customers?.find(({ id }) => id === values.customer)
  return (
    <>
      <FilterMenu
        label="Role"
        choices={ROLE_CHOICES}
        chosen={roles}
        onChange={(chosen) => change({ role: chosen.join(',') })}
      />
      {place?.customerId === null || place === null ? (
        <select
          className="select"
          aria-label="Type"
          value={values.type}
          onChange={(event) => change({ type: event.target.value })}
        >
          <option value="">Any type</option>
          {TYPE_CHOICES.filter(
            ({ value }) => place === null || value === 'PARTNER' || value === 'CUSTOMER'
          ).map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      ) : null}
      {(customers === undefined || customers.length > 1) && (
        <Combobox
          label="Customer"
          placeholder="Any customer"
          options={customers ?? []}
          chosen={customer ?? null}
          emptyText={customers ? 'No customer has this name.' : 'Loading customers…'}
          onChoose={({ id }) => change({ customer: id })}
        />
      )}
    </>
  )
}

/** `/` leads to the search, unless one is typing. */
function useSlashToSearch() {
  useEffect(() => {
    const search = (event: KeyboardEvent) => {
      const typing = (event.target as HTMLElement | null)?.closest?.('input, textarea, select, dialog')
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || typing) return
      event.preventDefault()
      document.querySelector<HTMLInputElement>('.users input[type="search"]')?.focus()
    }
    document.addEventListener('keydown', search)
    return () => document.removeEventListener('keydown', search)
  }, [])
}
