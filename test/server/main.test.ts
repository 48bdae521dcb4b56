// The process as operators run it: what it says when it cannot start, what it shows when it does, and how it ends.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { startSandbox } from '#test/sandbox/app.ts'
import { freePort, signIn } from '#test/support/portal.ts'
import { startGatewayProcess } from '../support/gateway-process.ts'
import { inspectable, runIn } from '../support/inspector.ts'
import { eventually, startRedis } from '../support/redis-server.ts'

const MAIN = fileURLToPath(new URL('../../server/main.ts', import.meta.url))
const WITHIN_MS = 60_000
const SECRET = 'a-secret-of-at-least-thirty-two-characters'
const REMOTE = 'https://somewhere.example.com'
const PRODUCTION = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://portal.example.com',
  TRUST_PROXY: '10.0.0.0/8',
  OIDC_ISSUER: REMOTE,
  OIDC_CLIENT_ID: 'portal',
  OIDC_CLIENT_SECRET: 'client-secret-value',
  UPSTREAM_URL: REMOTE,
  REDIS_URL: 'redis://127.0.0.1:1',
  SESSION_SECRETS: SECRET
}

// Many processes start here, which takes long where all cores are busy.
t.setTimeout(400_000)
const sandbox = await startSandbox()
t.teardown(() => sandbox.stop())
const redis = await startRedis(t, sandbox.confided)
const AT_THE_SANDBOX = {
  NODE_ENV: 'production',
  OIDC_ISSUER: sandbox.issuer,
  OIDC_CLIENT_ID: sandbox.client.id,
  OIDC_CLIENT_SECRET: sandbox.client.secret,
  UPSTREAM_URL: sandbox.url,
  REDIS_URL: redis.url,
  SESSION_SECRETS: SECRET
}

/** Runs it to its end. */
async function run(settings: Record<string, string>, ...parameters: string[]) {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const child = spawn(process.execPath, [MAIN, ...parameters], {
    env: { PATH, NODE_COMPILE_CACHE, ...settings }
  })
  let [said, complained] = ['', '']
  child.stdout.on('data', (chunk) => {
    said += chunk
  })
  child.stderr.on('data', (chunk) => {
    complained += chunk
  })
  const [code] = await once(child, 'close')
  return { code, said, complained }
}

t.test('with nothing set it names everything that is missing, at once', async (t) => {
  const { code, said, complained } = await run({ NODE_ENV: 'production' })
  t.equal(code, 1)
  t.equal(said, '')
  t.match(complained, /^The gateway cannot start with this environment:\n/)
  const named = [...complained.matchAll(/^ {2}- (\w+) is missing: ./gm)].map(([, name]) => name)
  t.strictSame(named, [
    'OIDC_ISSUER',
    'OIDC_CLIENT_ID',
    'UPSTREAM_URL',
    'OIDC_CLIENT_SECRET',
    'REDIS_URL',
    'SESSION_SECRETS'
  ])
  t.notMatch(complained, /\.ts:|node:/, 'and shows no code')
})

t.test('what it cannot start with is named with its remedy', async (t) => {
  const cases: [name: string, changes: Record<string, string>, said: RegExp][] = [
    [
      'a secret of five characters',
      { SESSION_SECRETS: 'abcde' },
      /SESSION_SECRETS must be .* at least 32 .*openssl rand/
    ],
    [
      'an upstream without TLS',
      { UPSTREAM_URL: 'http://api.example.com' },
      /UPSTREAM_URL is http:.*use https:/
    ],
    ['an unreachable Redis', {}, /cannot start: it cannot be reached \(ECONNREFUSED\): check REDIS_URL/],
    [
      'a missing file',
      { SESSION_SECRETS: '', SESSION_SECRETS_FILE: '/nowhere' },
      /SESSION_SECRETS_FILE cannot be read: \/nowhere/
    ]
  ]
  const check = async ([name, changes, pattern]: (typeof cases)[number]) => {
    const { code, complained } = await run({ ...PRODUCTION, ...changes })
    t.equal(code, 1, name)
    t.match(complained, pattern)
    t.notMatch(complained, /abcde|client-secret-value|\bat .*\.ts/)
  }
  await Promise.all(cases.map(check))
})

t.test('a port that is taken is named', async (t) => {
  const taken = await startGatewayProcess(t, AT_THE_SANDBOX)
  const { code, complained } = await run({
    ...AT_THE_SANDBOX,
    HOST: 'localhost',
    PORT: `${taken.port}`,
    METRICS_PORT: '0'
  })
  t.equal(code, 1)
  t.match(complained, /EADDRINUSE.*choose another PORT/)
})

t.test('--check tells what is reachable and what is not, and exits accordingly', async (t) => {
  const good = await run(AT_THE_SANDBOX, '--check')
  t.equal(good.code, 0, good.said)
  const lines = good.said.trim().split('\n')
  t.match(lines, [
    /^settings .* ok$/,
    /^Redis .* ok$/,
    /^authority .* ok$/,
    /^client at the .* ok$/,
    /^upstream .* ok$/
  ])
  const bad = await run(
    { ...AT_THE_SANDBOX, OIDC_CLIENT_SECRET: 'wrong', UPSTREAM_URL: 'http://127.0.0.1:1' },
    '--check'
  )
  t.equal(bad.code, 1)
  t.match(bad.said, /^client at the authority .*check OIDC_CLIENT_ID/m)
  t.match(bad.said, /^upstream .*check UPSTREAM_URL/m)
  t.match(bad.said, /^Redis .* ok$/m)
  t.notMatch(bad.said + bad.complained, /wrong|a-secret-of/)
  const invalid = await run({ ...AT_THE_SANDBOX, PORT: 'x' }, '--check')
  t.equal(invalid.code, 1)
  t.match(invalid.complained, /PORT must be/)
})

t.test('with a wrong issuer it starts, is not ready, and says what to change', async (t) => {
  const metrics = await freePort()
  const env = { OIDC_ISSUER: `${sandbox.issuer}/other`, LOG_LEVEL: 'info', METRICS_PORT: `${metrics}` }
  const gateway = await startGatewayProcess(t, { ...AT_THE_SANDBOX, ...env })
  await eventually(() => /nobody can sign in yet: .*OIDC_ISSUER/.test(gateway.said()), WITHIN_MS)
  const answer = await fetch(`http://localhost:${metrics}/readyz`)
  t.equal(answer.status, 503)
  t.match(await answer.json(), { ready: false, checks: { redis: 'ok', authority: /./ } })
})

t.test('it shows its settings at the start, and no secret', async (t) => {
  const build = { GATEWAY_VERSION: '1.1.0', GATEWAY_REVISION: 'abc' }
  const gateway = await startGatewayProcess(t, { ...AT_THE_SANDBOX, ...build, LOG_LEVEL: 'info' })
  await eventually(() => gateway.said().includes('"listening"'), WITHIN_MS)
  const [first = ''] = gateway.said().split('\n')
  t.match(JSON.parse(first), {
    msg: 'starting',
    version: '1.1.0',
    revision: 'abc',
    config: { UPSTREAM_URL: sandbox.url, SESSION_SECRETS: '1 (set)' }
  })
  t.notMatch(gateway.said(), new RegExp(`${SECRET}|${sandbox.client.secret}`))
})

t.test(
  'on SIGTERM it says that it is not ready, takes calls on for a while, and lets those running end',
  async (t) => {
    const metrics = await freePort()
    const times = { SHUTDOWN_DELAY_SECONDS: '300', SHUTDOWN_DEADLINE_SECONDS: '600' }
    const env = { ...times, METRICS_PORT: `${metrics}`, LOG_LEVEL: 'info' }
    const gateway = await startGatewayProcess(t, { ...AT_THE_SANDBOX, ...env })
    const person = await signIn(gateway.url, sandbox, 'customer.user')
    const ended = once(gateway.child, 'exit')
    // Keeps its connection, idle, as a balancer does.
    const agent = new Agent({ keepAlive: true })
    await new Promise((resolve) =>
      get(gateway.url, { agent }, (answer) => answer.resume().once('end', resolve))
    )

    gateway.child.kill('SIGTERM')
    const ready = async () => (await fetch(`http://localhost:${metrics}/readyz`)).status
    await eventually(async () => (await ready()) === 503, WITHIN_MS)
    t.equal((await person.call('/auth/session')).status, 200, 'it takes calls for a while')
    const before = sandbox.faults.met('management')
    sandbox.faults.set('management', 'slow:2000', 1)
    const running = person.call('/api/v2/management/myUser')
    await eventually(() => sandbox.faults.met('management') > before, WITHIN_MS)
    // The while is over: however long it is, a slow machine may need longer to make its calls.
    gateway.child.kill('SIGTERM')
    const answer = await running
    t.equal(answer.status, 200, 'a call that takes longer than that is still answered')
    t.match(await answer.json(), { userType: 'CUSTOMER' }, 'as a whole')
    const [code] = await ended
    t.equal(code, 0)
    t.match(gateway.said(), /"msg":"stopped"/)
    agent.destroy()
  }
)

t.test('a call that does not end is cut off at the deadline', async (t) => {
  const env = { SHUTDOWN_DELAY_SECONDS: '0', SHUTDOWN_DEADLINE_SECONDS: '1', LOG_LEVEL: 'info' }
  const gateway = await startGatewayProcess(t, { ...AT_THE_SANDBOX, ...env })
  const person = await signIn(gateway.url, sandbox, 'customer.user')
  const ended = once(gateway.child, 'exit')
  const before = sandbox.faults.met('management')
  sandbox.faults.set('management', 'timeout', 1)
  const running = person.call('/api/v2/management/myUser').then(
    () => 'answered',
    () => 'cut off'
  )
  await eventually(() => sandbox.faults.met('management') > before, WITHIN_MS)
  gateway.child.kill('SIGTERM')
  t.equal(await running, 'cut off')
  const [code] = await ended
  t.equal(code, 0)
  t.match(gateway.said(), /calls that took too long were cut off/)
})

t.test('a connection over which nothing was ever sent holds up no stop', async (t) => {
  const env = { SHUTDOWN_DELAY_SECONDS: '0', SHUTDOWN_DEADLINE_SECONDS: '60', LOG_LEVEL: 'info' }
  const gateway = await startGatewayProcess(t, { ...AT_THE_SANDBOX, ...env })
  const unused = connect(Number(new URL(gateway.url).port), 'localhost')
  unused.on('error', () => {})
  t.teardown(() => unused.destroy())
  await once(unused, 'connect')
  const closed = once(unused, 'close')
  const ended = once(gateway.child, 'exit')
  gateway.child.kill('SIGTERM')
  await closed
  const [code] = await ended
  t.equal(code, 0)
  t.match(gateway.said(), /"msg":"stopped"/)
})

t.test('a stop that comes while it begins to listen waits for that', async (t) => {
  // It serves at one address of its host already, and looks up all of them.
  const slowLookUps = `import dns from 'node:dns'
    const { lookup } = dns
    dns.lookup = (...given) => setTimeout(() => lookup(...given), given[1].all ? 3000 : 0)`
  const env = {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(slowLookUps)}`,
    SHUTDOWN_DELAY_SECONDS: '0',
    LOG_LEVEL: 'info'
  }
  const gateway = await startGatewayProcess(t, { ...AT_THE_SANDBOX, ...env })
  t.notMatch(gateway.said(), /"msg":"listening"/)
  // Half a request keeps it from ending before the look-up does.
  const half = connect(gateway.port, '127.0.0.1')
  half.on('error', () => {})
  half.write('GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\nGET /healthz HTTP/1.1\r\n')
  await once(half, 'data')
  const ended = once(gateway.child, 'exit')
  gateway.child.kill('SIGTERM')
  await eventually(() => /"msg":"listening"|"level":"fatal"/.test(gateway.said()), WITHIN_MS)
  half.destroy()
  const [code] = await ended
  t.equal(code, 0)
  t.match(gateway.said(), /"msg":"stopped"/)
})

t.test('whoever asks a second time does not wait for balancers', async (t) => {
  const env = { SHUTDOWN_DELAY_SECONDS: '300', SHUTDOWN_DEADLINE_SECONDS: '600' }
  const gateway = await startGatewayProcess(t, { ...AT_THE_SANDBOX, ...env })
  const ended = once(gateway.child, 'exit')
  gateway.child.kill('SIGTERM')
  gateway.child.kill('SIGINT')
  const [code] = await ended
  t.equal(code, 0)
})

/** As libraries make them: what went wrong, and what they carry along. */
const FAILURE = `Object.assign(new Error('it went wrong'), { command: { args: ['${SECRET}'] } })`

t.test('a rejection that nobody handles is logged and counted, and ends nothing', async (t) => {
  const [port, metrics] = [await freePort(), await freePort()]
  const gateway = await startGatewayProcess(t, {
    ...AT_THE_SANDBOX,
    ...inspectable(port),
    METRICS_PORT: `${metrics}`
  })
  await runIn(port, `void Promise.reject(${FAILURE})`)
  await eventually(() => /"level":"error".*it went wrong.*nobody handles/.test(gateway.said()), WITHIN_MS)
  const figures = await (await fetch(`http://localhost:${metrics}/metrics`)).text()
  t.match(figures, /^gateway_unhandled_rejections_total 1$/m)
  t.equal((await fetch(`${gateway.url}/auth/session`)).status, 200)
  t.equal(gateway.child.exitCode, null)
  t.notMatch(gateway.said(), SECRET)
})

t.test('an exception that nothing catches is logged, and ends the process', async (t) => {
  const port = await freePort()
  const gateway = await startGatewayProcess(t, { ...AT_THE_SANDBOX, ...inspectable(port) })
  const ended = once(gateway.child, 'close')
  await runIn(port, `void setImmediate(() => { throw ${FAILURE} })`)
  const [code] = await ended
  t.equal(code, 1)
  t.match(gateway.said(), /"level":"fatal".*it went wrong.*nothing catches/)
  t.notMatch(gateway.said(), SECRET, 'without what the error carries along')
})
