// Identifiers of the upstreams, and scope paths made of them (.github/product.md#scopes): `/`, `/organizations/{o}`,
// `/organizations/{o}/customers/{c}`, and which of them lies inside which. Roles are not known here.

// An id is an opaque string, one plain segment of a path. A text that could be read as a path, a query or a list is none, so
// an id that was decided on cannot mean another address upstream.

export const ID_MAX_CHARACTERS = 128
/** The longest id in a path: a UTF-16 unit takes up to three bytes of UTF-8, and each byte three characters (RFC 3986, section 2.1). */
export const ID_MAX_ENCODED_CHARACTERS = 9 * ID_MAX_CHARACTERS

/** Characters that servers may map to a slash, a backslash or a dot, by NFKC or by a code page: ⁄ ∕ ／ ＼ ． */
const LIKE_SEPARATORS = '\\u2044\\u2215\\uff0f\\uff3c\\uff0e'
/** As JSON Schema writes it: no white space, control character or separator, and not dots alone. */
export const ID_PATTERN = `^(?!\\.+$)[^\\s/\\\\?#%;,"<>\\u0000-\\u001f\\u007f${LIKE_SEPARATORS}]{1,${ID_MAX_CHARACTERS}}$`

const ID = new RegExp(ID_PATTERN)

/** Whether a text can name an object. */
export function isId(text: string): boolean {
  return ID.test(text)
}

/** The parts of a path between its slashes; the first one is empty. */
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

/** The longest form: two words, two ids. */
export const SCOPE_MAX_CHARACTERS = customerScope('', '').length + 2 * ID_MAX_CHARACTERS

export interface Scope {
  organizationId: string | null
  customerId: string | null
}

/** Reads a scope path; null when it has none of the three forms. */
export function parseScope(path: string): Scope | null {
  if (path === ROOT_SCOPE) return { organizationId: null, customerId: null }
  if (path.length > SCOPE_MAX_CHARACTERS) return null
  const [start, organizations, organizationId = '', customers, customerId = '', ...more] = path.split('/')
  if (start !== '' || organizations !== 'organizations' || !isId(organizationId)) return null
  if (customers === undefined) return { organizationId, customerId: null }
  return customers === 'customers' && isId(customerId) && more.length === 0
    ? { organizationId, customerId }
    : null
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
