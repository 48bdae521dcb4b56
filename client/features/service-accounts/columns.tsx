import { paths } from '../../lib/paths.ts'
import { ClippedText } from '../../ui/clipped-text.tsx'
import { fileColumn, type ListColumn } from '../../ui/list/columns/column.ts'
import { PrefetchLink } from '../../ui/prefetch-link.tsx'
import { Timestamp } from '../../ui/timestamp.tsx'
import { RoleBadges } from '../access/role-badges.tsx'
import { accessText, roleLabel, type ScopeNames } from '../access/role-text.ts'
import type { ServiceAccount } from './api.ts'
import { SecretBadge } from './secrets/secret-badge.tsx'
import type { AccountsCustomer } from './use-customer.ts'

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
      width: '15%',
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
      width: '16%',
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
      width: '12%',
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
        <span className="two-lines">
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
