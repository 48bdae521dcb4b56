// What a jar sends, seen by a server of its own. The jar holds the authority's cookies too; those are left out.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { CookieJar } from '#test/sandbox/sign-in-flow.ts'

/** The gateway's cookies as `name=value`. */
export async function sentCookies(jar: CookieJar): Promise<string[]> {
  const echo = createServer((request, response) => response.end(request.headers.cookie))
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve))
  const { port } = echo.address() as AddressInfo
  const sent = await (await jar.fetch(`http://127.0.0.1:${port}`)).text()
  echo.closeAllConnections()
  await new Promise((resolve) => echo.close(resolve))
  return sent.split('; ').filter((cookie) => /^(?:__Host-)?portal/.test(cookie))
}
