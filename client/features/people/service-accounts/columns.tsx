import type { Role } from '#shared/permissions.ts'
import { organizationScope, parseScope } from '#shared/scopes.ts'
import { compareTexts } from '#shared/text-order.ts'
import { paths } from '../../../lib/paths.ts'
import { listOf } from '../../../lib/use-list-query.ts'
import { fileColumn, type ListColumn } from '../../../ui/list/columns/column.ts'
import { type Filter, severalOf } from '../../../ui/list/filters/filters.tsx'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { Timestamp } from '../../../ui/timestamp.tsx'
import type { Customer } from '../../sites/customers/customer.tsx'
import { accessText, roleLabel, rolesColumn, scopeNames } from '../access/roles.tsx'
import { type SecretState, secretExpiry } from '../access/secret-expiry.ts'
import type { ServiceAccount } from './api.ts'
import { SecretBadge } from './secret.tsx'

const HIDDEN = { table: false, card: false } as const

/** Columns that would say the same in every row are left out. */
export function accountColumns(
  { customerPath, orgName = '', list }: Customer,
  accounts: readonly ServiceAccount[]
): ListColumn<ServiceAccount>[] {
  const { scope: ownScope = '' } = list?.customer ?? {}
  const organizationId = parseScope(ownScope)?.organizationId ?? ''
  // Not every upstream reports the last use.
  const withUse = accounts.some(({ lastUsedDate }) => lastUsedDate !== undefined)
  const withCreator = new Set(accounts.map(({ createdBy }) => createdBy)).size > 1
  const withScope = accounts.some(({ roleAssignments }) =>
    roleAssignments.some(({ scope }) => scope !== ownScope)
  )
  const nameOf = scopeNames(organizationScope(organizationId), [{ scope: ownScope, name: orgName }])
  return [
    {
      id: 'serviceName',
      header: 'Name',
      width: 12,
      sort: 'Name',
      value: ({ serviceName }) => serviceName,
      cell: ({ id, serviceName }) => (
        <PrefetchLink to={paths.serviceAccount(customerPath, id)}>{serviceName}</PrefetchLink>
      ),
      card: 'heading'
    },
    {
      id: 'description',
      header: 'Description',
      width: 12,
      from: 'desktop',
      value: ({ description }) => description,
      cell: ({ description }) =>
        description ? <span className="free-text">{description}</span> : <span className="muted">None</span>
    },
    rolesColumn(nameOf),
    {
      id: 'scope',
      header: 'Scope',
      from: 'desktop',
      cell: ({ roleAssignments }) => accessText(roleAssignments),
      ...(withScope ? {} : HIDDEN)
    },
    fileColumn('Client ID', ({ clientId }) => clientId),
    {
      id: 'secretExpires',
      header: 'Secret expires',
      width: 9,
      whole: true,
      sort: 'Secret expires',
      value: ({ secretExpiration }) => secretExpiration,
      cell: ({ secretExpiration }) => <SecretBadge expires={secretExpiration} />,
      card: 'fact'
    },
    {
      id: 'lastUsed',
      header: 'Last used',
      width: 8.5,
      whole: true,
      sort: 'Last used',
      value: ({ lastUsedDate }) => lastUsedDate,
      cell: ({ lastUsedDate }) => <Timestamp iso={lastUsedDate} as="ago" none="Never" />,
      ...(withUse ? {} : HIDDEN)
    },
    {
      id: 'createdBy',
      header: 'Created by',
      width: 8,
      from: 'desktop',
      value: ({ createdBy }) => createdBy,
      ...(withCreator ? {} : ({ table: 'on-demand', card: 'more' } as const))
    },
    {
      id: 'created',
      header: 'Created',
      width: 7.5,
      whole: true,
      from: 'desktop',
      sort: 'Created',
      value: ({ createdDate }) => createdDate,
      cell: ({ createdDate }) => <Timestamp iso={createdDate} as="day" />
    }
  ]
}

export const ACCOUNTS_VIEW = { q: '', secret: '', role: '', sort: 'serviceName', order: 'asc', page: '1' }

type View = typeof ACCOUNTS_VIEW

const SECRETS: readonly { value: SecretState; label: string }[] = [
  { value: 'expired', label: 'Expired' },
  { value: 'soon', label: '≤ 30 days' },
  { value: 'active', label: 'Active' },
  { value: 'none', label: 'No secret' }
]

/** The portal gives the first two, the API also the last one, at the integrator. */
const ROLES: readonly Role[] = ['customer_user', 'nds_operator', 'partner_user']

export const ACCOUNT_FILTERS: readonly Filter<View>[] = [
  severalOf('secret', 'Secret', SECRETS),
  severalOf(
    'role',
    'Role',
    ROLES.map((role) => ({ value: role, label: roleLabel(role) }))
  )
]

/** The field of each column that sorts by date. Other columns sort by name. */
const DATE_FIELDS: Record<string, 'secretExpiration' | 'lastUsedDate' | 'createdDate' | undefined> = {
  secretExpires: 'secretExpiration',
  lastUsed: 'lastUsedDate',
  created: 'createdDate'
}

/** The accounts that match the filters, sorted. Accounts without a date come last in either order. */
export function findAccounts(
  accounts: readonly ServiceAccount[],
  view: View,
  nowMs: number
): ServiceAccount[] {
  const secrets = listOf(view.secret)
  const roles = listOf(view.role)
  const dateField = DATE_FIELDS[view.sort]
  const sign = view.order === 'desc' ? -1 : 1
  return accounts
    .filter(
      (account) =>
        (secrets.length === 0 || secrets.includes(secretExpiry(account.secretExpiration, nowMs).state)) &&
        (roles.length === 0 || account.roleAssignments.some(({ role }) => roles.includes(role)))
    )
    .sort((a, b) => {
      const nameOrder = compareTexts(a.serviceName, b.serviceName)
      if (!dateField) return sign * nameOrder
      const [dateA, dateB] = [a[dateField] ?? '', b[dateField] ?? '']
      if (dateA === dateB) return nameOrder
      if (dateA === '' || dateB === '') return dateA === '' ? 1 : -1
      return dateA < dateB ? -sign : sign
    })
}
