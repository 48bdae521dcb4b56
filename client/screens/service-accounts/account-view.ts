// Filter, order and page of the list, which is there whole (§7).

import { USER_PAGE_SIZE } from '#shared/limits.ts'
import type { Role } from '#shared/permissions.ts'
import type { ServiceAccount } from '../../api/service-accounts.ts'
import { type SecretState, secretExpiry } from '../../lib/secret-expiry.ts'

export const ACCOUNT_SORTS = {
  serviceName: 'Name',
  secretExpires: 'Secret expires',
  lastUsed: 'Last used',
  created: 'Created'
} as const
export type AccountSort = keyof typeof ACCOUNT_SORTS

export const ACCOUNT_DEFAULTS = { q: '', secret: '', role: '', sort: 'serviceName', order: 'asc', page: '1' }

export const SECRET_CHOICES: readonly { value: SecretState; label: string }[] = [
  { value: 'expired', label: 'Expired' },
  { value: 'soon', label: '≤ 30 days' },
  { value: 'active', label: 'Active' },
  { value: 'none', label: 'No secret' }
]

export const ACCOUNT_PAGE_SIZE = USER_PAGE_SIZE

export interface AccountView {
  secrets: readonly string[]
  roles: readonly string[]
  sort: AccountSort
  order: 'asc' | 'desc'
}

const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** Those that the filters let through, in order. What has no date comes last, in either order. */
export function viewOf(
  accounts: readonly ServiceAccount[],
  view: AccountView,
  nowMs: number
): ServiceAccount[] {
  const { secrets, roles, sort, order } = view
  const sign = order === 'asc' ? 1 : -1
  return accounts
    .filter(
      (account) =>
        (secrets.length === 0 || secrets.includes(secretExpiry(account.secretExpires, nowMs).state)) &&
        (roles.length === 0 || account.roleAssignments.some(({ role }) => roles.includes(role)))
    )
    .sort((a, b) => {
      const names = byName.compare(a.serviceName, b.serviceName)
      if (sort === 'serviceName') return sign * names
      const [one, other] = [a[sort] ?? '', b[sort] ?? '']
      if (one === other) return names
      if (one === '' || other === '') return one === '' ? 1 : -1
      return one < other ? -sign : sign
    })
}

/** The roles that service accounts can have, with what they are called for them. */
export const ACCOUNT_ROLES: readonly { role: Role; label: string }[] = [
  { role: 'customer_user', label: 'User' },
  { role: 'nds_operator', label: 'NDS operator' }
]
