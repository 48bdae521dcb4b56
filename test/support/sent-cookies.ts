import type { CookieJar } from '#test/sandbox/sign-in-flow.ts'

export async function sentCookies(jar: CookieJar): Promise<string[]> {
  return jar.pairs().filter((cookie) => /^(?:__Host-)?portal/.test(cookie))
}
