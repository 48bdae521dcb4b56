import { once } from 'node:events'
import { Agent, get } from 'node:http'
import t from 'tap'
import { freePort, signIn } from '#test/support/portal.ts'
import { productionAt, runGateway, SECRET, startGatewayProcess } from '../support/gateway-process.ts'
import { eventually, startRedis } from '../support/redis-server.ts'
import { openSandbox } from '../support/scenes/gateway.ts'

const WITHIN_MS = 60_000
const sandbox = await openSandbox(t)
const redis = await startRedis(t)
const settings = productionAt(sandbox, redis.url)

t.test('exits if settings are missing, names each of them, and prints no stack trace', async (t) => {
  const { code, stdout, stderr } = await runGateway({ NODE_ENV: 'production' })
  t.equal(code, 1)
  t.equal(stdout, '')
  t.match(stderr, /^The gateway cannot start with this environment:\n/)
  t.equal(stderr.match(/^ {2}- \w+ is missing: ./gm)?.length, 6)
  t.notMatch(stderr, /\.ts:|node:/)
})

t.test('--check prints the state of each dependency, and exits with 1 after a fault', async (t) => {
  const wrongSettings = { OIDC_CLIENT_SECRET: 'wrong', UPSTREAM_URL: 'http://127.0.0.1:1' }
  const [validResult, wrongResult] = await Promise.all([
    runGateway(settings, '--check'),
    runGateway({ ...settings, ...wrongSettings }, '--check')
  ])
  t.equal(validResult.code, 0, validResult.stdout)
  const lines = /^(?:settings|Redis|authority|client at the authority|upstream) .* ok$/gm
  t.equal(validResult.stdout.match(lines)?.length, 5)
  t.equal(wrongResult.code, 1)
  t.match(wrongResult.stdout, /^client at the authority .*check OIDC_CLIENT_ID/m)
  t.match(wrongResult.stdout, /^upstream .*check UPSTREAM_URL/m)
  t.match(wrongResult.stdout, /^Redis .* ok$/m)
  t.notMatch(wrongResult.stdout + wrongResult.stderr, /wrong|a-secret-of/)
})

t.test('logs its settings without secrets', async (t) => {
  const gateway = await startGatewayProcess(t, {
    ...settings,
    GATEWAY_VERSION: '1.1.0',
    GATEWAY_REVISION: 'abc',
    LOG_LEVEL: 'info'
  })
  await eventually(() => gateway.output().includes('"listening"'), WITHIN_MS)
  t.match(JSON.parse(gateway.output().split('\n')[0] ?? ''), {
    msg: 'starting',
    version: '1.1.0',
    revision: 'abc',
    config: { UPSTREAM_URL: sandbox.url, SESSION_SECRETS: '1 (set)' }
  })
  t.equal(gateway.output().match(/listening/gi)?.length, 1, 'logs once where it listens')
  t.notMatch(gateway.output(), new RegExp(`${SECRET}|${sandbox.client.secret}`))
})

t.test('finishes running calls after SIGTERM', async (t) => {
  const metrics = await freePort()
  const gateway = await startGatewayProcess(t, {
    ...settings,
    SHUTDOWN_DELAY_SECONDS: '300',
    SHUTDOWN_DEADLINE_SECONDS: '600',
    METRICS_PORT: `${metrics}`,
    LOG_LEVEL: 'info'
  })
  await eventually(() => gateway.output().includes('"listening"'), WITHIN_MS)
  const person = await signIn(gateway.url, sandbox, 'customer.user')
  const exit = once(gateway.child, 'exit')
  // A balancer keeps an idle connection.
  const agent = new Agent({ keepAlive: true })
  t.teardown(() => agent.destroy())
  await new Promise((resolve) =>
    get(gateway.url, { agent }, (answer) => answer.resume().once('end', resolve))
  )
  gateway.child.kill('SIGTERM')
  const readyStatus = async () => (await fetch(`http://localhost:${metrics}/readyz`)).status
  await eventually(async () => (await readyStatus()) === 503, WITHIN_MS)
  t.equal((await person.call('/auth/session')).status, 200, 'still answers calls before it closes')
  const before = sandbox.faults.met('management')
  sandbox.faults.set('management', 'slow:1000', 1)
  const call = person.call('/api/v2/management/myUser')
  await eventually(() => sandbox.faults.met('management') > before, WITHIN_MS)
  // A second signal ends the wait for balancers.
  gateway.child.kill('SIGTERM')
  const answer = await call
  t.equal(answer.status, 200)
  t.match(await answer.json(), { userType: 'CUSTOMER' })
  t.strictSame(await exit, [0, null])
  t.match(gateway.output(), /"msg":"stopped"/)
})
