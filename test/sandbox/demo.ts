// The whole portal on one machine, without configuration: the sandbox, and the gateway in front of it.
import { randomBytes } from 'node:crypto'
import { build as buildClient } from 'vite'
import { build } from '../../server/app.ts'
import { createMemoryBackend } from '../../server/auth/memory-backend.ts'
import { readConfig } from '../../server/config.ts'
import { createLog } from '../../server/log.ts'
import { startSandbox } from './app.ts'
import { readSettings } from './settings.ts'
import { signInTable } from './sign-ins.ts'

const { PORT = '3000', LOG_LEVEL = 'warn' } = process.env
const publicUrl = `http://localhost:${PORT}`

try {
  await buildClient({ root: 'client', logLevel: 'warn' })
  const sandbox = await startSandbox({ ...readSettings(process.env), gatewayUrl: publicUrl })
  const config = readConfig({
    LOG_LEVEL,
    PORT,
    PUBLIC_URL: publicUrl,
    OIDC_ISSUER: sandbox.issuer,
    OIDC_CLIENT_ID: sandbox.client.id,
    OIDC_CLIENT_SECRET: sandbox.client.secret,
    UPSTREAM_URL: sandbox.url,
    REMOTE_URL: `${sandbox.url}/remote`,
    SUPPORT_PHONE: '+1 555 0100',
    SUPPORT_EMAIL: 'support@portal.example',
    PRIVACY_LINKS: 'Privacy|https://portal.example/privacy, Terms|https://portal.example/terms'
  })
  const backend = createMemoryBackend(Date.now)
  const secrets = [randomBytes(32).toString('base64')]
  const app = await build(config, { backend, secrets, clock: Date.now, log: createLog(LOG_LEVEL) })
  await app.listen({ port: config.PORT, host: 'localhost' })

  console.log(`\nThe portal is ready:  ${publicUrl}\n\n${signInTable()}\n\nCtrl-C stops it.`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, async () => {
      await Promise.all([app.close(), backend.close(), sandbox.stop()])
    })
  }
} catch (error) {
  const { message, code } = error as NodeJS.ErrnoException
  console.error(code === 'EADDRINUSE' ? `${message}: choose another PORT or SANDBOX_PORT` : message)
  process.exit(1)
}
