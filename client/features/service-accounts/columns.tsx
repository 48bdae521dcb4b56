import type { Role } from '#shared/permissions.ts'
import { paths } from '../../lib/paths.ts'
import { listOf } from '../../lib/use-list-query.ts'
import { ClippedText } from '../../ui/clipped-text.tsx'
import { fileColumn, type ListColumn } from '../../ui/list/columns/column.ts'
import { type Filter, severalOf } from '../../ui/list/filters/filters.tsx'
import { PrefetchLink } from '../../ui/prefetch-link.tsx'
import { Timestamp } from '../../ui/timestamp.tsx'
import { accessText, RoleBadges, roleLabel, type ScopeNames } from '../access/roles.tsx'
import { type SecretState, secretExpiry } from '../access/secret-expiry.ts'
import type { AccountsCustomer } from './accounts-frame.tsx'
import type { ServiceAccount } from './api.ts'
import { SecretBadge } from './secret.tsx'

interface AccountCells {
  customer: AccountsCustomer
  nowMs: number
  nameOf: ScopeNames
  /** Whether the upstream tells when an account was used last. */
  withUse: boolean
}

export function accountColumns(cells: AccountCells): ListColumn<ServiceAccount>[] {
  const { customer, nowMs, nameOf, withUse } = cells
  return [
    {
      id: 'serviceName',
      header: 'Name',
      sort: 'Name',
      value: ({ serviceName }) => serviceName,
      cell: ({ id, serviceName }) => (
        <PrefetchLink to={paths.serviceAccount(customer.path, id)}>
          <ClippedText text={serviceName} />
        </PrefetchLink>
      ),
      card: 'heading'
    },
    {
      id: 'description',
      header: 'Description',
      width: '12%',
      value: ({ description }) => description,
      // Clipped; the whole of it by focus and pointer.
      cell: ({ description }) =>
        description ? <ClippedText text={description} /> : <span className="muted">None</span>,
      card: { as: 'more', cell: ({ description }) => description || 'None' }
    },
    {
      id: 'roles',
      header: 'Roles',
      width: '9.5rem',
      value: ({ roleAssignments }) =>
        roleAssignments.map(({ role, scope }) => `${roleLabel(role)} at ${nameOf(scope)}`).join('; '),
      cell: ({ roleAssignments, unknownRoles }) => (
        <RoleBadges held={roleAssignments} unknown={unknownRoles} nameOf={nameOf} />
      ),
      card: 'fact'
    },
    {
      id: 'scope',
      header: 'Scope',
      width: '10%',
      cell: ({ roleAssignments }) => scopeText(roleAssignments, cells)
    },
    fileColumn('Client ID', ({ clientId }) => clientId),
    {
      id: 'secretExpires',
      header: 'Secret expires',
      width: '12rem',
      sort: 'Secret expires',
      value: ({ secretExpires }) => secretExpires,
      cell: ({ secretExpires }) => <SecretBadge expires={secretExpires} nowMs={nowMs} />,
      card: 'fact'
    },
    {
      id: 'lastUsed',
      header: 'Last used',
      width: '8rem',
      sort: 'Last used',
      value: ({ lastUsed }) => lastUsed,
      cell: ({ lastUsed }) => <Timestamp iso={lastUsed} as="ago" nowMs={nowMs} none="Never" />,
      ...(withUse ? {} : ({ table: false, card: false } as const))
    },
    fileColumn('Created by', ({ createdBy }) => createdBy),
    {
      id: 'created',
      header: 'Created',
      width: '9rem',
      sort: 'Created',
      value: ({ created }) => created,
      cell: ({ created, createdBy }) => (
        <span title={createdBy ?? ''}>
          <Timestamp iso={created} as="day" nowMs={nowMs} /> <span className="muted">{createdBy}</span>
        </span>
      )
    }
  ]
}

function scopeText(
  held: ServiceAccount['roleAssignments'],
  { customer, nameOf }: Pick<AccountCells, 'customer' | 'nameOf'>
): string {
  const text = accessText(held)
  const onlyHere = held.length > 0 && held.every(({ scope }) => scope === customer.scope)
  return onlyHere && text === '1 customer' ? nameOf(customer.scope) : text
}

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
