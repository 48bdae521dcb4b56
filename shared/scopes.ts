// Checks upstream identifiers and scope paths (.github/product.md#scopes): `/`, `/organizations/{o}` and
// `/organizations/{o}/customers/{c}`.

// An id is an opaque string and one plain path segment. Texts that could be read as a path, a query or a list are refused, so
// that the upstream reads the same address that the gateway has authorized.

export const ID_MAX_CHARACTERS = 128
/** Maximum length of an encoded id: a UTF-16 unit takes up to three bytes, each byte three characters (RFC 3986, section 2.1). */
export const ID_MAX_ENCODED_CHARACTERS = 9 * ID_MAX_CHARACTERS

/** Characters that NFKC or a code page may map to a slash, a backslash or a dot: ⁄ ∕ ／ ＼ ． */
const LIKE_SEPARATORS = '\\u2044\\u2215\\uff0f\\uff3c\\uff0e'
/** A JSON Schema pattern: no white space, control character or separator, and not only dots. */
export const ID_PATTERN = `^(?!\\.+$)[^\\s/\\\\?#%;,"<>\\u0000-\\u001f\\u007f${LIKE_SEPARATORS}]{1,${ID_MAX_CHARACTERS}}$`

const ID = new RegExp(ID_PATTERN)

/** Whether a text can be the id of an object. */
export function isId(text: string): boolean {
  return ID.test(text)
}

/** Number of parts when a scope path is split at its slashes. The first part is empty. */
const ORGANIZATION_SEGMENTS = 3
const CUSTOMER_SEGMENTS = 5

/** The scope that contains all others. */
export const ROOT_SCOPE = '/'

/** `/organizations/{organizationId}`. */
export function organizationScope(organizationId: string): string {
  return `/organizations/${organizationId}`
}

/** `/organizations/{organizationId}/customers/{customerId}`. */
export function customerScope(organizationId: string, customerId: string): string {
  return `/organizations/${organizationId}/customers/${customerId}`
}

export const SCOPE_MAX_CHARACTERS = customerScope('', '').length + 2 * ID_MAX_CHARACTERS

export interface Scope {
  organizationId: string | null
  customerId: string | null
}

/** Parses a scope path; null for any other text. */
export function parseScope(path: string): Scope | null {
  if (path === ROOT_SCOPE) return { organizationId: null, customerId: null }
  if (path.length > SCOPE_MAX_CHARACTERS) return null
  const [start, organizations, organizationId = '', customers, customerId = '', ...rest] = path.split('/')
  if (start !== '' || organizations !== 'organizations' || !isId(organizationId)) return null
  if (customers === undefined) return { organizationId, customerId: null }
  return customers === 'customers' && isId(customerId) && rest.length === 0
    ? { organizationId, customerId }
    : null
}

/** Whether a role at `outer` also holds at `inner`. Compares whole segments: `/organizations/1` does not cover `/organizations/10`. */
export function covers(outer: string, inner: string): boolean {
  if (outer === ROOT_SCOPE) return inner.startsWith('/')
  if (outer === '') return false
  return inner === outer || inner.startsWith(`${outer}/`)
}

/** The scopes above a path: the root, and the organization and customer of the path. */
export function ancestors(scope: string): string[] {
  if (scope === ROOT_SCOPE || !scope.startsWith('/')) return []
  const segments = scope.split('/', CUSTOMER_SEGMENTS + 1)
  const counts = [ORGANIZATION_SEGMENTS, CUSTOMER_SEGMENTS].filter((count) => count < segments.length)
  return [ROOT_SCOPE, ...counts.map((count) => segments.slice(0, count).join('/'))]
}
