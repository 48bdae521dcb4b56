import type { NamedCustomer } from '../../api/all-customers.ts'
import { FilterChips } from '../../components/filter-chips.tsx'
import { listOf } from '../../session/use-list-query.ts'
import { ROLE_CHOICES, typeLabel, type UserList } from './user-query.ts'

interface UserChipsProps {
  list: UserList
  /** Undefined until they are known. */
  customers: readonly NamedCustomer[] | undefined
  onClear: () => void
}

/** The filters that hold on the list of users. */
export default function UserChips({ list: { values, change, clear }, customers, onClear }: UserChipsProps) {
  const roles = listOf(values.role)
  const customer = customers?.find(({ id }) => id === values.customer)
  const chips = [
    ...roles.map((role) => ({
      label: `Role: ${ROLE_CHOICES.find(({ value }) => value === role)?.label ?? role}`,
      onRemove: () => change({ role: roles.filter((one) => one !== role).join(',') })
    })),
    ...(values.type ? [{ label: `Type: ${typeLabel(values.type)}`, onRemove: () => clear('type') }] : []),
    ...(values.customer
      ? [{ label: `Customer: ${customer?.name ?? values.customer}`, onRemove: () => clear('customer') }]
      : [])
  ]
  return <FilterChips chips={chips} onClear={onClear} />
}
