// Starts the sandbox as a separate program.
import { startSandbox } from './app.ts'
import { readSettings, startFailure } from './settings.ts'
import { signInTable } from './sign-ins.ts'

try {
  const sandbox = await startSandbox(readSettings(process.env))
  console.log(`Sandbox:           ${sandbox.url}`)
  console.log(`Identity provider: ${sandbox.issuer}`)
  console.log(`Client:            ${sandbox.client.id} / ${sandbox.client.secret}`)
  console.log(`Audience:          ${sandbox.audience}`)
  console.log(`Raise an alarm:    curl -X POST ${sandbox.url}/sandbox/alarms\n\n${signInTable()}`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void sandbox.stop())
} catch (error) {
  console.error(startFailure(error, 'SANDBOX_PORT'))
  process.exitCode = 1
}
