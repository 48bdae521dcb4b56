import type { CookieJar } from '#test/sandbox/sign-in-flow.ts'

/** The gateway's cookies as `name=value`. The jar holds the authority's cookies too. */
export async function sentCookies(jar: CookieJar): Promise<string[]> {
  return jar.pairs().filter((cookie) => /^(?:__Host-)?portal/.test(cookie))
}
