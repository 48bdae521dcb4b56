// Starts the gateway and the sandbox in separate processes, so that they do not delay each other.
import { existsSync } from 'node:fs'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { gatewaySettings, type Sandbox, type SandboxOptions } from '#test/sandbox/app.ts'
import { fillSignIn } from '#test/support/browser/browser.ts'
import { freePort } from '#test/support/free-port.ts'
import { signIn } from '#test/support/portal.ts'
import { sentCookies } from '#test/support/sent-cookies.ts'
import type { Bench } from './frame.ts'
import { type Server, startGateway, startProgram } from './program.ts'

type StartedSandbox = Pick<Sandbox, 'issuer' | 'url' | 'client'>

export interface PortalApart {
  url: string
  gateway: Server
  upstreamCalls(): Promise<number>
  headersOf(username: string): Promise<Record<string, string>>
  open(browser: Browser, username: string, path: string, options?: BrowserContextOptions): Promise<Page>
}

/** @param settings added to the settings that the gateway requires */
export async function startPortalApart(
  bench: Bench,
  options: SandboxOptions = {},
  settings: Record<string, string> = {}
): Promise<PortalApart> {
  const port = String(await freePort())
  const url = `http://localhost:${port}`
  const program = startProgram(bench, 'programs/sandbox.ts')
  const sandbox = await program.ask<StartedSandbox>('start', { ...options, gatewayUrl: url })
  const gateway = await startGateway(bench, {
    PORT: port,
    // Production refuses to keep sessions in memory.
    NODE_ENV: 'development',
    LOG_LEVEL: 'silent',
    PUBLIC_URL: url,
    ...gatewaySettings(sandbox),
    ...settings
  })
  return {
    url,
    gateway,
    upstreamCalls: () => program.ask<number>('calls'),
    async headersOf(username) {
      const { jar } = await signIn(url, sandbox as Sandbox, username)
      return { cookie: (await sentCookies(jar)).join('; '), 'x-portal-csrf': '1' }
    },
    async open(browser, username, path, contextOptions) {
      if (!existsSync('dist/client/index.html')) throw new Error('build the client first: npm run build')
      const viewport = { width: 1440, height: 900 }
      const context = await browser.newContext({ baseURL: url, viewport, ...contextOptions })
      const page = await context.newPage()
      await page.goto(path)
      await fillSignIn(page, username)
      await page
        .locator('h1')
        .filter({ hasNotText: /^Loading$/ })
        .waitFor()
      return page
    }
  }
}
