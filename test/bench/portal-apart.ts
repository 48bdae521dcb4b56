// A portal for a browser to work in: gateway and sandbox in processes of their own, so that neither waits for the other
// nor for what drives the browser.
import type { Browser, Page } from 'playwright-core'
import type { SandboxOptions } from '#test/sandbox/app.ts'
import { fillSignIn } from '#test/support/browser/browser.ts'
import { freePort } from '#test/support/portal.ts'
import { OTHER_CORE, SERVER_CORE } from './cores.ts'
import { type Program, startProgram, startServer } from './program.ts'
import type { Bench } from './run.ts'

export interface StartedSandbox {
  issuer: string
  url: string
  client: { id: string; secret: string }
}

export interface PortalApart {
  url: string
  sandbox: StartedSandbox
  /** How many calls of the APIs there were since the last time. */
  upstreamCalls(): Promise<number>
  gateway: Program
  /** A page of their own, at that path, as soon as its first screen is there. */
  signIn(browser: Browser, username: string, path: string): Promise<Page>
}

/**
 * Starts both; they end with the benchmark.
 * @param settings of the gateway, beside those that it needs
 */
export async function startPortalApart(
  bench: Bench,
  options: SandboxOptions,
  settings: Record<string, string> = {}
): Promise<PortalApart> {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const program = startProgram('programs/sandbox.ts', { core: OTHER_CORE })
  bench.teardown(() => program.stop())
  const sandbox = await program.ask<StartedSandbox>('start', { ...options, gatewayUrl: url })
  const gateway = await startServer('../../server/main.ts', port, {
    core: SERVER_CORE,
    env: {
      LOG_LEVEL: 'silent',
      METRICS_PORT: String(await freePort()),
      PUBLIC_URL: url,
      OIDC_ISSUER: sandbox.issuer,
      OIDC_CLIENT_ID: sandbox.client.id,
      OIDC_CLIENT_SECRET: sandbox.client.secret,
      UPSTREAM_URL: sandbox.url,
      ...settings
    }
  })
  bench.teardown(() => gateway.stop())
  return {
    url,
    sandbox,
    upstreamCalls: () => program.ask<number>('calls'),
    gateway,
    async signIn(browser, username, path) {
      const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 } })
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
