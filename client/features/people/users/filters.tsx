import { ROLES, type Role } from '#shared/permissions.ts'
import { type ListQuery, listOf } from '../../../lib/use-list-query.ts'
import { Combobox } from '../../../ui/input/combobox.tsx'
import { type Filter, oneOf, severalOf } from '../../../ui/list/filters/filters.tsx'
import type { NamedCustomer } from '../../sites/customers/api.ts'
import type { RoleNumbers } from '../access/api.ts'
import { roleLabel } from '../access/roles.tsx'
import type { UserQuery } from '../access/users.ts'
import type { Place } from './users-organization.ts'

/** The default values of the list's query parameters. */
export const USERS_VIEW = {
  tab: 'users',
  at: '',
  q: '',
  role: '',
  type: '',
  customer: '',
  sort: 'fullName',
  order: 'asc',
  page: '1'
}

type View = typeof USERS_VIEW
export type UsersQuery = ListQuery<View>

const TYPES = [
  { value: 'PARTNER', label: 'Integrator' },
  { value: 'CUSTOMER', label: 'Customer' },
  { value: 'INTERNAL', label: 'Internal' },
  { value: 'UNASSIGNED', label: 'Unassigned' }
]

const ROLE_NAMES = [...ROLES.map(({ name }) => name), 'custom', 'noaccess'] as const
const ROLE_CHOICES = ROLE_NAMES.map((value) => ({ value, label: roleLabel(value) }))

export function typeLabel(userType: string): string {
  return TYPES.find(({ value }) => value === userType)?.label ?? userType
}

export function userQueryOf(view: View, numbers: RoleNumbers | undefined): UserQuery {
  return {
    keyword: view.q,
    roles: listOf(view.role).flatMap((role) => numbers?.get(role as Role) ?? []),
    userType: view.type,
    customerId: view.customer,
    sort: view.sort,
    order: view.order
  }
}

/** @param customers undefined while the customers load */
export function userFilters(
  place: Place | null,
  customers: readonly NamedCustomer[] | undefined
): Filter<View>[] {
  const types = place ? TYPES.filter(({ value }) => value === 'PARTNER' || value === 'CUSTOMER') : TYPES
  const type = oneOf<View>('type', 'Type', 'Any type', types)
  return [
    severalOf('role', 'Role', ROLE_CHOICES),
    place === null || place.customerId === null ? type : { ...type, field: () => null },
    {
      ...oneOf<View>(
        'customer',
        'Customer',
        'Any customer',
        (customers ?? []).map(({ id, name }) => ({ value: id, label: name }))
      ),
      field: ({ values, change }) =>
        place?.customerId === null &&
        (customers === undefined || customers.length > 1) && (
          <Combobox
            label="Customer"
            placeholder="Any customer"
            options={customers ?? []}
            chosen={customers?.find(({ id }) => id === values.customer) ?? null}
            emptyText={customers ? 'No customer has this name.' : 'Loading customers…'}
            onChoose={({ id }) => change({ customer: id })}
          />
        )
    }
  ]
}
