// Checks the address after sign-in, which must never lead to another site (open redirect) nor sign out again.

const HOME = '/'
const MAX_CHARACTERS = 1024
/** The only page below `/api`. */
const API_DOCS = '/api/docs'
/** First segments of addresses that would redirect again, sign out or show raw data. */
const NOT_SCREENS = ['auth', 'api', 'callback', 'signin-failed', 'signed-out', 'logout']

/** The path, query and fragment to return to; `/` for anything that is not a screen of `publicUrl`. */
export function safeReturnTo(value: unknown, publicUrl: string): string {
  if (typeof value !== 'string' || value.length > MAX_CHARACTERS) return HOME
  // Refuses tabs and line breaks, which browsers drop, and backslashes, which they read as slashes.
  if (!/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(value)) return HOME
  if (!URL.canParse(value, publicUrl)) return HOME
  const url = new URL(value, publicUrl)
  if (url.origin !== new URL(publicUrl).origin || url.pathname.startsWith('//')) return HOME
  if (url.pathname !== API_DOCS && NOT_SCREENS.includes(firstSegment(url.pathname))) return HOME
  return url.pathname + url.search + url.hash
}

/** The first segment in one spelling, because a router may decode a path, resolve its dots or ignore its case. */
function firstSegment(path: string): string {
  const segments: string[] = []
  for (const segment of decoded(path).toLowerCase().split(/[/\\]/)) {
    if (segment === '..') segments.pop()
    else if (segment !== '' && segment !== '.') segments.push(segment)
  }
  return segments[0] ?? ''
}

/** Decodes the ASCII characters of a path, also those that are encoded several times. */
function decoded(path: string): string {
  const once = path.replace(/%([0-7][\da-f])/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16))
  )
  return once === path ? path : decoded(once)
}
