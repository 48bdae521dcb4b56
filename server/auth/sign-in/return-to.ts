// Checks the address after sign-in, which must never lead to another site (open redirect).

const HOME = '/'
const MAX_CHARACTERS = 1024
/** The only page below `/api`. */
const API_DOCS = '/api/docs'
/** Addresses that would redirect again or show raw data. */
const NOT_SCREENS = ['/auth', '/api', '/callback', '/signin-failed', '/signed-out', '/logout']

/** The path, query and fragment to return to; `/` for anything that is not a screen of `publicUrl`. */
export function safeReturnTo(value: unknown, publicUrl: string): string {
  if (typeof value !== 'string' || value.length > MAX_CHARACTERS) return HOME
  // Refuses tabs and line breaks, which browsers drop, and backslashes, which they read as slashes.
  if (!/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(value)) return HOME
  if (!URL.canParse(value, publicUrl)) return HOME
  const url = new URL(value, publicUrl)
  if (url.origin !== new URL(publicUrl).origin || url.pathname.startsWith('//')) return HOME
  if (
    url.pathname !== API_DOCS &&
    NOT_SCREENS.some((path) => url.pathname === path || url.pathname.startsWith(`${path}/`))
  )
    return HOME
  return url.pathname + url.search + url.hash
}
