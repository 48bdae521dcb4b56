import type { Role } from '#shared/permissions.ts'
import { ROLES } from '#shared/permissions.ts'
import type { RoleNumbers } from '../../api/roles.ts'
import type { UserQuery } from '../../api/users.ts'
import { roleLabel } from '../../lib/role-text.ts'
import { type ListQuery, listOf } from '../../session/use-list-query.ts'

export const USER_SORTS = {
  fullName: 'Name',
  email: 'E-mail',
  organizationName: 'Organization',
  lastActiveDate: 'Last active'
} as const

/** What the address says of the list of users, and what it need not say. */
export const USER_DEFAULTS = {
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

/** Those of them that narrow the list, beside the keyword. */
export const USER_FILTERS = ['role', 'type', 'customer'] as const

export type UserList = ListQuery<typeof USER_DEFAULTS>

export const ROLE_CHOICES: readonly { value: Role; label: string }[] = [
  ...ROLES.map(({ name }) => name),
  'custom' as const,
  'noaccess' as const
].map((value) => ({ value, label: roleLabel(value) }))

export const TYPE_CHOICES = [
  { value: 'PARTNER', label: 'Integrator' },
  { value: 'CUSTOMER', label: 'Customer' },
  { value: 'INTERNAL', label: 'Internal' },
  { value: 'UNASSIGNED', label: 'Unassigned' }
]

export function typeLabel(userType: string): string {
  return TYPE_CHOICES.find(({ value }) => value === userType)?.label ?? userType
}

export function userQueryOf({ values }: UserList, numbers: RoleNumbers | undefined): UserQuery {
  return {
    keyword: values.q,
    roles: listOf(values.role).flatMap((role) => numbers?.get(role as Role) ?? []),
    userType: values.type,
    customerId: values.customer,
    sort: values.sort in USER_SORTS ? values.sort : USER_DEFAULTS.sort,
    order: values.order === 'desc' ? 'desc' : 'asc'
  }
}

/** Numbered from 0; what is no number is the first. */
export function pageOfQuery(text: string): number {
  const number = Number(text)
  return Number.isInteger(number) && number > 1 ? number - 1 : 0
}
