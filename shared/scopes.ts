// Scope paths (§3, §6): `/`, `/organizations/{o}`, `/organizations/{o}/customers/{c}`.
// Decides which scope lies inside which. Says nothing about roles.

/** Of a path cut at its slashes; the first one is empty. */
const ORGANIZATION_SEGMENTS = 3
const CUSTOMER_SEGMENTS = 5

/** The scope above all others. */
export const ROOT_SCOPE = '/'

/** `/organizations/{organizationId}`. */
export function organizationScope(organizationId: string): string {
  return `/organizations/${organizationId}`
}

/** `/organizations/{organizationId}/customers/{customerId}`. */
export function customerScope(organizationId: string, customerId: string): string {
  return `/organizations/${organizationId}/customers/${customerId}`
}

export interface Scope {
  organizationId: string | null
  customerId: string | null
}

/** Reads a scope path; null when it has none of the three forms. */
export function parseScope(path: string): Scope | null {
  if (path === ROOT_SCOPE) return { organizationId: null, customerId: null }
  const segments = path.split('/')
  if (segments[0] !== '' || segments.some((segment, index) => index > 0 && segment === '')) return null
  const [, organizations, organizationId, customers, customerId] = segments
  if (organizations !== 'organizations' || !organizationId) return null
  if (segments.length === 3) return { organizationId, customerId: null }
  if (segments.length === 5 && customers === 'customers' && customerId) return { organizationId, customerId }
  return null
}

/** Whether a role held at `outer` holds at `inner`: whole segments, so `/organizations/1` does not cover `/organizations/10`. */
export function covers(outer: string, inner: string): boolean {
  if (outer === ROOT_SCOPE) return inner.startsWith('/')
  if (outer === '') return false
  return inner === outer || inner.startsWith(`${outer}/`)
}

/** The scopes strictly above a path: the root, its organization, its customer; so three at most, however long the path. */
export function ancestors(scope: string): string[] {
  if (scope === ROOT_SCOPE || !scope.startsWith('/')) return []
  const segments = scope.split('/', CUSTOMER_SEGMENTS + 1)
  const above = [ORGANIZATION_SEGMENTS, CUSTOMER_SEGMENTS].filter((count) => count < segments.length)
  return [ROOT_SCOPE, ...above.map((count) => segments.slice(0, count).join('/'))]
}
