import './style.css'
import { type Assignment, ROLES, type Role } from '#shared/permissions.ts'
import { parseScope, ROOT_SCOPE } from '#shared/scopes.ts'
import { count } from '../../../lib/format.ts'
import type { ListColumn } from '../../../ui/list/columns/column.ts'
import { Notice } from '../../../ui/state/notice.tsx'
import type { DividedRoles } from './api.ts'

export function roleLabel(role: Role): string {
  if (role === 'custom') return 'Custom'
  if (role === 'noaccess') return 'No access'
  return ROLES.find(({ name }) => name === role)?.label ?? role
}

export type ScopeNames = (scope: string) => string

export function scopeNames(
  integratorScope: string | null,
  customers: readonly { scope: string; name: string }[]
): ScopeNames {
  const names = new Map(customers.map(({ scope, name }) => [scope, name]))
  return (scope) => {
    if (scope === ROOT_SCOPE) return 'the whole portal'
    if (scope === integratorScope) return 'all customers'
    return names.get(scope) ?? scope
  }
}

/** False for the roles `custom` and `noaccess`, which allow nothing. */
export const isReal = ({ role }: Assignment) => role !== 'custom' && role !== 'noaccess'

export const roleAt = ({ role, scope }: Assignment, nameOf: ScopeNames) =>
  `${roleLabel(role)} at ${nameOf(scope)}`

export function accessText(assignments: readonly Assignment[]): string {
  const realRoles = assignments.filter(isReal)
  if (realRoles.some(({ scope }) => scope === ROOT_SCOPE)) return 'Everything'
  const scopes = realRoles.map(({ scope }) => parseScope(scope))
  if (scopes.some((scope) => scope && scope.customerId === null)) return 'All customers'
  const customers = new Set(scopes.flatMap((scope) => scope?.customerId ?? []))
  return customers.size === 0 ? 'None' : count(customers.size, 'customer')
}

/** A warning about unknown roles of a user or a service account. */
export function UnknownRoles({ roles, of }: { roles: readonly { name: string }[]; of: string }) {
  if (roles.length === 0) return null
  return (
    <Notice tone="warn">
      The portal does not know {count(roles.length, 'role')} of this {of} (
      {roles.map(({ name }) => name).join(', ')}). Unknown roles allow nothing in the portal and cannot be
      changed here.
    </Notice>
  )
}

export function rolesColumn<Row extends DividedRoles>(nameOf: ScopeNames): ListColumn<Row> {
  return {
    id: 'roles',
    header: 'Roles',
    width: 12,
    value: ({ roleAssignments, unknownRoles }) =>
      [
        ...roleAssignments.map((assignment) => roleAt(assignment, nameOf)),
        ...unknownRoles.map(({ name, scope }) => `${name} at ${nameOf(scope)}`)
      ].join('; '),
    cell: ({ roleAssignments, unknownRoles }) => (
      <RoleBadges assignments={roleAssignments} unknown={unknownRoles} nameOf={nameOf} />
    ),
    card: 'fact'
  }
}

interface RoleBadgesProps {
  assignments: readonly Assignment[]
  unknown: DividedRoles['unknownRoles']
  nameOf: ScopeNames
  shown?: number
}

/** Shows the first roles. A disclosure lists all of them with their scopes. */
export function RoleBadges({ assignments, unknown, nameOf, shown = 1 }: RoleBadgesProps) {
  const labels = [
    ...new Set(assignments.map(({ role }) => roleLabel(role))),
    ...new Set(unknown.map(({ name }) => `Unknown: ${name}`))
  ]
  if (labels.length === 0) return <span className="muted">None</span>
  const hiddenCount = labels.length - shown
  return (
    <span className="row role-badges">
      {labels.slice(0, shown).map((label) => (
        <span key={label} className={`badge ${label.startsWith('Unknown') ? 'warn' : 'plain'}`}>
          {label}
        </span>
      ))}
      {hiddenCount > 0 && (
        <details>
          <summary className="badge plain" aria-label={`${hiddenCount} more roles`}>
            +{hiddenCount}
          </summary>
          <ul>
            {assignments.map((assignment) => (
              <li key={`${assignment.role} ${assignment.scope}`}>{roleAt(assignment, nameOf)}</li>
            ))}
          </ul>
        </details>
      )}
    </span>
  )
}
