// Every kind of answer that Redis gives gets lost once: the gateway's process lives, leaves nothing unhandled, and works
// again. What a person notices of a Redis in trouble show the tests of auth/.
import t from 'tap'
import { startSandbox } from '#test/sandbox/app.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { type Browser, freePort, signIn } from '#test/support/portal.ts'
import { startGatewayProcess } from '../support/gateway-process.ts'
import { eventually, startRedis } from '../support/redis-server.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'

const WITHIN_MS = 60_000
/** Every command that the gateway sends, in the order of a day: connecting, signing in, working, leaving. */
const COMMANDS = [
  'hello',
  'client',
  'info',
  'subscribe',
  'set',
  'getdel',
  'exec',
  'hmget',
  'get',
  'eval',
  'role',
  'publish',
  'zrange',
  'del'
]

const sandbox = await startSandbox()
t.teardown(sandbox.stop)
const redis = await startRedis(t, sandbox.confided)
const wire = await startTcpProxy(t, Number(new URL(redis.url).port))
const metricsPort = await freePort()
const gateway = await startGatewayProcess(t, {
  NODE_ENV: 'production',
  METRICS_PORT: `${metricsPort}`,
  OIDC_ISSUER: sandbox.issuer,
  OIDC_CLIENT_ID: sandbox.client.id,
  OIDC_CLIENT_SECRET: sandbox.client.secret,
  UPSTREAM_URL: sandbox.url,
  REDIS_URL: `redis://127.0.0.1:${wire.port}`,
  SESSION_SECRETS: 'a-secret-of-at-least-thirty-two-characters'
})
const operations = `http://localhost:${metricsPort}`
const [project] = sandbox.state.projects.of(NOTABLE.northwind)

/** Everything that makes the gateway ask Redis. Rejects at what is not answered as it should be. */
async function aDay(): Promise<void> {
  const person = await signIn(gateway.url, sandbox, 'partner.admin')
  await expect(person, 200, '/api/v2/management/myUser')
  await expect(person, 200, '/auth/session/renew', { method: 'POST' })
  await expect(person, 200, `/api/v2/management/projects/${project?.id}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json', 'x-customer-id': NOTABLE.northwind },
    body: JSON.stringify({ projectName: 'Renamed' })
  })
  const ready = await fetch(`${operations}/readyz`)
  if (ready.status !== 200) throw new Error(`not ready: ${await ready.text()}`)
  await expect(person, 200, '/auth/logout/everywhere', { method: 'POST' })
  await expect(person, 401, '/api/v2/management/myUser')
}

async function expect(person: Browser, status: number, path: string, init?: RequestInit): Promise<void> {
  const answer = await person.call(path, init)
  if (answer.status !== status) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  await answer.arrayBuffer()
}

const worksAgain = () =>
  eventually(
    () =>
      aDay().then(
        () => true,
        () => false
      ),
    WITHIN_MS
  )

await worksAgain()

for (const command of COMMANDS) {
  t.test(`a lost answer to ${command.toUpperCase()}`, async (t) => {
    const before = wire.lost()
    wire.loseAnswerTo(command)
    // Connections are made anew for what is said at their beginning.
    if (['hello', 'client', 'info', 'subscribe'].includes(command)) wire.reset()
    await eventually(async () => {
      await aDay().catch(() => {})
      return wire.lost() > before
    }, WITHIN_MS)
    await worksAgain()
    t.equal(wire.lost(), before + 1, 'it got lost')
    t.equal(gateway.child.exitCode, null, 'the process lives')
  })
}

t.test('and nothing was left unhandled', async (t) => {
  const figures = await (await fetch(`${operations}/metrics`)).text()
  t.match(figures, /^gateway_unhandled_rejections_total 0$/m)
  t.notMatch(gateway.said(), /nobody handles|nothing catches|"unexpected failure"/)
})
