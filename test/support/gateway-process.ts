// The gateway as a process of its own, as operators run it: configured by environment, ended by signals.
import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { freePort } from '#test/support/portal.ts'

/** What tap gives a test; only the part that is used. */
interface Test {
  teardown: (work: () => unknown) => void
}

export interface GatewayProcess {
  url: string
  port: number
  child: ChildProcess
  /** What it said, standard output and errors. */
  said: () => string
  /** Ends it at once, as a crash does. */
  kill: () => Promise<void>
}

const MAIN = fileURLToPath(new URL('../../server/main.ts', import.meta.url))
const READY_WITHIN_MS = 90_000

/** Starts it on a free port, without the instruments of the test runner. */
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
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      said += chunk
    })
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const kill = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await gone
  }
  t.teardown(kill)

  const until = performance.now() + READY_WITHIN_MS
  for (;;) {
    const answer = await fetch(`${url}/api/nowhere`).catch(() => null)
    await answer?.body?.cancel()
    if (answer !== null) return { url, port, child, said: () => said, kill }
    if (child.exitCode !== null || performance.now() > until)
      throw new Error(`it does not start (${child.exitCode ?? child.signalCode ?? 'it runs'}): ${said}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
