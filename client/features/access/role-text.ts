// What roles and scopes are called.
import { type Assignment, ROLES, type Role } from '#shared/permissions.ts'
import { parseScope, ROOT_SCOPE } from '#shared/scopes.ts'
import { count } from '../../lib/format.ts'

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

export function accessText(held: readonly Assignment[]): string {
  const real = held.filter(({ role }) => role !== 'custom' && role !== 'noaccess')
  if (real.some(({ scope }) => scope === ROOT_SCOPE)) return 'Everything'
  const places = real.map(({ scope }) => parseScope(scope))
  if (places.some((place) => place && place.customerId === null)) return 'All customers'
  const customers = new Set(places.flatMap((place) => place?.customerId ?? []))
  return customers.size === 0 ? 'None' : count(customers.size, 'customer')
}
