// Checks upstream identifiers and scope paths (.github/product.md#scopes): `/`, `/organizations/{o}` and
// `/organizations/{o}/customers/{c}`.

// An id is an opaque string and one plain path segment. Texts that could be read as a path, a query or a list are refused, so
// that the upstream reads the same address that the gateway has authorized.

export const ID_MAX_CHARACTERS = 128
/** Maximum length of an encoded id: a UTF-16 unit takes up to three bytes, each byte three characters (RFC 3986, section 2.1). */
export const ID_MAX_ENCODED_CHARACTERS = 9 * ID_MAX_CHARACTERS

/**
 * Characters that NFKC turns into a refused character or a dot, such as ／ and ¨, whose form begins with a space. An upstream
 * that normalizes texts would read `℅` as `c/o` and `‥` as `..`. A test compares the list with NFKC of the whole of Unicode.
 */
const COMPATIBILITY = [
  // Accents with a space.
  '\\u00a8\\u00af\\u00b4\\u00b8\\u02d8-\\u02dd\\u037a\\u0384\\u0385\\u1fbd\\u1fbf-\\u1fc1\\u1fcd-\\u1fcf\\u1fdd-\\u1fdf',
  '\\u1fed\\u1fee\\u1ffd\\u1ffe\\u2017\\u203e\\u309b\\u309c\\ufc5e-\\ufc63\\ufdfa\\ufdfb\\ufe49-\\ufe4c\\ufe70\\ufe72\\ufe74\\ufe76',
  '\\ufe78\\ufe7a\\ufe7c\\ufe7e\\uffe3',
  // Fractions and units with a slash.
  '\\u00bc-\\u00be\\u2044\\u2100\\u2101\\u2105\\u2106\\u2150-\\u215f\\u2189\\u2215\\u33a7\\u33a8\\u33ae\\u33af\\u33c6\\u33de\\u33df',
  // Texts with dots.
  '\\u2024-\\u2026\\u2488-\\u249b\\u33c2\\u33c7\\u33d8',
  // Variants of one character.
  '\\u037e\\u2047-\\u2049\\ufe10\\ufe14\\ufe16\\ufe19\\ufe30\\ufe50\\ufe52\\ufe54\\ufe56\\ufe5f\\ufe64\\ufe65\\ufe68\\ufe6a',
  '\\uff02\\uff03\\uff05\\uff0c\\uff0e\\uff0f\\uff1b\\uff1c\\uff1e\\uff1f\\uff3c'
].join('')
/** The same beyond 16 bits, in a form for patterns with and without the flag `u`. */
const COMPATIBILITY_PAIRS = [...'🄀🄁🄂🄃🄄🄅🄆🄇🄈🄉🄊'].join('|')
/** A JSON Schema pattern: no white space, control character or separator, also after NFKC, and not only dots. */
export const ID_PATTERN = `^(?!\\.+$)(?!.*(?:${COMPATIBILITY_PAIRS}))[^\\s/\\\\?#%;,"<>\\u0000-\\u001f\\u007f${COMPATIBILITY}]{1,${ID_MAX_CHARACTERS}}$`

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
