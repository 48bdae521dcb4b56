// How far somebody's roles reach, in two words for a list.
import type { Assignment } from '#shared/permissions.ts'
import { parseScope, ROOT_SCOPE } from '#shared/scopes.ts'
import { count } from './format.ts'

export function accessText(held: readonly Assignment[]): string {
  const real = held.filter(({ role }) => role !== 'custom' && role !== 'noaccess')
  if (real.some(({ scope }) => scope === ROOT_SCOPE)) return 'Everything'
  const places = real.map(({ scope }) => parseScope(scope))
  if (places.some((place) => place && place.customerId === null)) return 'All customers'
  const customers = new Set(places.flatMap((place) => place?.customerId ?? []))
  return customers.size === 0 ? 'None' : count(customers.size, 'customer')
}
