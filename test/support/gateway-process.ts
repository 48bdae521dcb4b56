// The gateway as a process, configured by environment and stopped by signals.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { gatewaySettings, type Sandbox } from '#test/sandbox/app.ts'
import { freePort } from '#test/support/portal.ts'
import type { Test } from './teardown.ts'

export interface GatewayProcess {
  url: string
  port: number
  child: ChildProcess
  output: () => string
  kill: () => Promise<void>
}

const MAIN = fileURLToPath(new URL('../../server/main.ts', import.meta.url))
const READY_WITHIN_MS = 90_000

export const SECRET = 'a-secret-of-at-least-thirty-two-characters'

export const productionAt = (sandbox: Sandbox, redisUrl: string) => ({
  NODE_ENV: 'production',
  ...gatewaySettings(sandbox),
  REDIS_URL: redisUrl,
  SESSION_SECRETS: SECRET
})

export async function runGateway(settings: Record<string, string>, ...parameters: string[]) {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const env = { PATH, NODE_COMPILE_CACHE, ...settings }
  const child = spawn(process.execPath, [MAIN, ...parameters], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close')
  ])
  return { code: code as number | null, stdout, stderr }
}

/** Starts the gateway on a free port, without the test runner's environment. */
export async function startGatewayProcess(
  t: Test,
  settings: Record<string, string>
): Promise<GatewayProcess> {
  const [port, metricsPort] = [Number(settings.PORT ?? (await freePort())), await freePort()]
  const url = `http://localhost:${port}`
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const env = {
    PATH,
    NODE_COMPILE_CACHE,
    PORT: `${port}`,
    HOST: 'localhost',
    METRICS_PORT: `${metricsPort}`,
    PUBLIC_URL: url,
    LOG_LEVEL: 'warn',
    ...settings
  }
  const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const kill = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await exit
  }
  t.teardown(kill)

  const deadline = performance.now() + READY_WITHIN_MS
  for (;;) {
    const answer = await fetch(`${url}/api/nowhere`).catch(() => null)
    await answer?.body?.cancel()
    if (answer !== null) return { url, port, child, output: () => output, kill }
    if (child.exitCode !== null || performance.now() > deadline)
      throw new Error(
        `the gateway did not start (${child.exitCode ?? child.signalCode ?? 'still running'}): ${output}`
      )
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
