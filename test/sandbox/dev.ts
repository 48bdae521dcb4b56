// `npm run dev`: the sandbox, the gateway with a restart on every change, and Vite's dev server in front of the gateway.
import { spawn } from 'node:child_process'
import { createServer } from 'vite'
import { gatewaySettings, startSandbox } from './app.ts'
import { portIn, readSettings, startFailure } from './settings.ts'
import { signInTable } from './sign-ins.ts'

try {
  const settings = readSettings(process.env)
  const PORT = portIn(process.env, 'PORT', '3000')
  const GATEWAY_PORT = portIn(process.env, 'GATEWAY_PORT', '3001')
  const publicUrl = `http://localhost:${PORT}`
  const gateway = `http://localhost:${GATEWAY_PORT}`

  // A taken port ends the program here, before the gateway's watcher runs.
  const vite = await createServer({
    root: 'client',
    server: {
      host: 'localhost',
      port: Number(PORT),
      strictPort: true,
      proxy: { '/api': gateway, '/auth': gateway, '/callback': gateway }
    }
  })
  await vite.listen()
  const sandbox = await startSandbox({ ...settings, gatewayUrl: publicUrl })
  const gatewayProcess = spawn(process.execPath, ['--watch', 'server/main.ts'], {
    stdio: 'inherit',
    env: {
      ...process.env,
      HOST: 'localhost',
      PORT: GATEWAY_PORT,
      PUBLIC_URL: publicUrl,
      ...gatewaySettings(sandbox),
      OIDC_AUDIENCE: sandbox.audience,
      SHUTDOWN_DELAY_SECONDS: '0',
      REMOTE_URL: `${sandbox.url}/remote`,
      // Sessions survive restarts if Redis is configured.
      SESSION_SECRETS: process.env.SESSION_SECRETS ?? 'for-development-only-for-development-only'
    }
  })
  console.log(`\nThe portal is at ${publicUrl}\n\n${signInTable()}\n`)

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      gatewayProcess.kill()
      void vite.close()
      void sandbox.stop()
    })
  }
} catch (error) {
  console.error(startFailure(error, 'PORT or SANDBOX_PORT'))
  process.exit(1)
}
