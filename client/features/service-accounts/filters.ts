// Filter and order of the list, which is there whole.
import type { Role } from '#shared/permissions.ts'
import { listOf } from '../../lib/use-list-query.ts'
import { type Filter, severalOf } from '../../ui/list/filters/filters.tsx'
import { type SecretState, secretExpiry } from '../access/secret-expiry.ts'
import type { ServiceAccount } from './api.ts'

export const ACCOUNTS_VIEW = { q: '', secret: '', role: '', sort: 'serviceName', order: 'asc', page: '1' }

type View = typeof ACCOUNTS_VIEW

const SECRETS: readonly { value: SecretState; label: string }[] = [
  { value: 'expired', label: 'Expired' },
  { value: 'soon', label: '≤ 30 days' },
  { value: 'active', label: 'Active' },
  { value: 'none', label: 'No secret' }
]

/** The roles that service accounts can have, with what they are called for them. */
const ROLES: readonly { value: Role; label: string }[] = [
  { value: 'customer_user', label: 'User' },
  { value: 'nds_operator', label: 'NDS operator' }
]

export const ACCOUNT_FILTERS: readonly Filter<View>[] = [
  severalOf('secret', 'Secret', SECRETS),
  severalOf('role', 'Role', ROLES)
]

const SORTS = ['serviceName', 'secretExpires', 'lastUsed', 'created'] as const

export function sortedBy(view: View): { sort: (typeof SORTS)[number]; order: 'asc' | 'desc' } {
  const sort = SORTS.find((one) => one === view.sort) ?? 'serviceName'
  return { sort, order: view.order === 'desc' ? 'desc' : 'asc' }
}

const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** Those that the filters let through, in order. What has no date comes last, in either order. */
export function findAccounts(
  accounts: readonly ServiceAccount[],
  view: View,
  nowMs: number
): ServiceAccount[] {
  const secrets = listOf(view.secret)
  const roles = listOf(view.role)
  const { sort, order } = sortedBy(view)
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
