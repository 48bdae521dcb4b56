// What roles and scopes are called.
import { ROLES, type Role } from '#shared/permissions.ts'
import { ROOT_SCOPE } from '#shared/scopes.ts'

export function roleLabel(role: Role): string {
  if (role === 'custom') return 'Custom'
  if (role === 'noaccess') return 'No access'
  return ROLES.find(({ name }) => name === role)?.label ?? role
}

/** What a scope is called. */
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
