import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Test } from 'tap'
import type { Sandbox } from '#test/sandbox/app.ts'
import type { Report } from './gateway.ts'

export interface Gateway {
  routes: Report['routes']
  /** Rejects if the process has ended. */
  report(): Promise<Report>
}

/** @param upstreamUrl the address of all upstreams, which have a timeout of 3 s */
export async function startGateway(
  t: Test,
  url: string,
  sandbox: Sandbox,
  upstreamUrl: string
): Promise<Gateway> {
  const settings = {
    PORT: new URL(url).port,
    PUBLIC_URL: url,
    OIDC_ISSUER: sandbox.issuer,
    OIDC_CLIENT_ID: sandbox.client.id,
    OIDC_CLIENT_SECRET: sandbox.client.secret,
    UPSTREAM_URL: upstreamUrl,
    UPSTREAM_TIMEOUT_MS: '3000',
    SESSION_CALLS_PER_MINUTE: '1000000'
  }
  const file = new URL('gateway.ts', import.meta.url)
  const child = fork(file, { execArgv: [], env: { SETTINGS: JSON.stringify(settings) } })
  t.teardown(() => child.kill('SIGKILL'))
  const exit = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`the gateway has ended: ${code ?? signal}`)
  })
  exit.catch(() => {})
  const nextReport = async (): Promise<Report> => {
    const [report] = await Promise.race([once(child, 'message'), exit])
    return report
  }
  const { routes } = await nextReport()
  return {
    routes,
    report: () => {
      child.send('report')
      return nextReport()
    }
  }
}
