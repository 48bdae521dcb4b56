// Two gateway processes whose machines' clocks differ, as the deployment runs them.
import t from 'tap'
import type { SessionState } from '#shared/answers/session.ts'
import { Browser, freePort, signIn } from '#test/support/portal.ts'
import { productionAt, startGatewayProcess } from '../support/gateway-process.ts'
import { eventually, startRedis } from '../support/redis-server.ts'
import { openSandbox } from '../support/scenes/gateway.ts'

const AHEAD_MS = 240_000
const WITHIN_MS = 60_000
const AGREED_WITHIN_MS = 20_000

/** Settings of a process in which `Date` is ahead. */
const ahead = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`
    const now = Date.now
    Date.now = () => now() + ${AHEAD_MS}
    globalThis.Date = class extends Date {
      constructor(...values) {
        super(...(values.length > 0 ? values : [Date.now()]))
      }
    }`)}`
}

t.test('gateways four minutes apart agree about sessions, and report the difference', async (t) => {
  const sandbox = await openSandbox(t)
  const redis = await startRedis(t)
  const metricsPort = await freePort()
  const settings = productionAt(sandbox, redis.url)
  const [behindProcess, aheadProcess] = await Promise.all([
    startGatewayProcess(t, settings),
    startGatewayProcess(t, { ...settings, ...ahead, METRICS_PORT: `${metricsPort}` })
  ])
  const figures = async () => (await fetch(`http://localhost:${metricsPort}/metrics`)).text()
  await eventually(async () => /^gateway_clock_offset_seconds -2\d\d/m.test(await figures()), WITHIN_MS)
  const person = await signIn(aheadProcess.url, sandbox, 'customer.user')
  t.equal((await person.call('/auth/sessions', { method: 'DELETE' })).status, 204)
  // The clocks agree but for a moment, in which the other replica may take a new sign-in for an ended one.
  const elsewhere = await eventually(
    () => signIn(behindProcess.url, sandbox, 'customer.user').catch(() => null),
    AGREED_WITHIN_MS
  )
  for (const { url } of [aheadProcess, behindProcess]) {
    const { expires_in } = await new Browser(url, elsewhere.jar).json<SessionState>('/auth/session')
    t.ok(expires_in > 1700 && expires_in <= 1800, `${expires_in} s`)
  }
})
