// Runs the portal on one machine without configuration: the sandbox, and the gateway in front of it.
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:net'
import { build as buildClient } from 'vite'
import { build } from '../../server/app.ts'
import { createMemoryBackend } from '../../server/auth/sessions/memory.ts'
import { readConfig } from '../../server/config/settings.ts'
import { buildOperations } from '../../server/lifecycle/operations.ts'
import { createLog } from '../../server/observability/log.ts'
import { createMetrics } from '../../server/observability/metrics.ts'
import { gatewaySettings, startSandbox } from './app.ts'
import { loseNewBackups } from './seed/lost-backups.ts'
import { NOTABLE } from './seed/notable.ts'
import { portIn, readSettings, startFailure } from './settings.ts'
import { signInTable } from './sign-ins.ts'

// Health and metrics use any free port, so that several demos can run.
const { LOG_LEVEL } = process.env
/** Often enough to see that the screens follow. */
const ALARM_PACE_SECONDS = '20'
const DEVICES_PER_LOST_BACKUP = 25

try {
  // Read before the build, which takes a while.
  const settings = readSettings({ SANDBOX_ALARM_PACE: ALARM_PACE_SECONDS, ...process.env })
  const METRICS_PORT = portIn(process.env, 'METRICS_PORT', '0')
  const chosenPort = portIn(process.env, 'PORT', '3000')
  const PORT = chosenPort === '0' ? await freePort() : chosenPort
  const publicUrl = `http://localhost:${PORT}`
  await buildClient({ root: 'client', logLevel: 'warn' })
  const sandbox = await startSandbox({ ...settings, gatewayUrl: publicUrl })
  // Elsewhere every device has a new backup, so that a test says itself which one has not.
  const { state } = sandbox
  for (const id of [NOTABLE.northwind, ...NOTABLE.multi])
    for (const [index, device] of state.devices.of(id).entries())
      if (index % DEVICES_PER_LOST_BACKUP === 0) loseNewBackups(state, device.id)
  const config = readConfig({
    LOG_LEVEL: LOG_LEVEL ?? 'warn',
    PORT,
    METRICS_PORT,
    PUBLIC_URL: publicUrl,
    ...gatewaySettings(sandbox),
    OIDC_AUDIENCE: sandbox.audience,
    REMOTE_URL: `${sandbox.url}/remote`,
    SUPPORT_PHONE: '+1 555 0100',
    SUPPORT_EMAIL: 'support@portal.example',
    PRIVACY_LINKS: 'Privacy|https://portal.example/privacy, Terms|https://portal.example/terms'
  })
  const backend = createMemoryBackend(Date.now)
  const secrets = [randomBytes(32).toString('base64')]
  // Hide the audit log, which would push the list of sign-ins off the screen.
  const auditFilter = {
    write: (line: string) => void (line.includes('"audit":true') || process.stdout.write(line))
  }
  const log = LOG_LEVEL ? createLog(LOG_LEVEL) : createLog('warn', auditFilter)
  const metrics = createMetrics()
  metrics.watchProcess()
  const { recorder } = metrics
  const app = await build(config, { backend, secrets, clock: Date.now, log, recorder })
  await app.listen({ port: config.PORT, host: 'localhost' })
  const operations = await buildOperations({ app, config, metrics, clock: Date.now })
  const operationsUrl = await operations.listen({ port: config.METRICS_PORT, host: '127.0.0.1' })

  console.log(
    `\nThe portal is ready:  ${publicUrl}\n\n${signInTable()}\n\nHealth and metrics:   ${operationsUrl}/readyz and /metrics\nRaise an alarm:       curl -X POST ${sandbox.url}/sandbox/alarms\n\nCtrl-C stops the portal.`
  )
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, async () => {
      await Promise.all([app.close(), operations.close(), backend.close(), sandbox.stop()])
    })
  }
} catch (error) {
  console.error(startFailure(error, 'PORT, SANDBOX_PORT or METRICS_PORT'))
  process.exit(1)
}

function freePort(): Promise<string> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, 'localhost', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(String(port)))
    })
  })
}
