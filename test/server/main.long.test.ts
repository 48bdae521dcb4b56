import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { connect } from 'node:net'
import t from 'tap'
import { freePort, signIn } from '#test/support/portal.ts'
import { productionAt, runGateway, SECRET, startGatewayProcess } from '../support/gateway-process.ts'
import { inspectable, runIn } from '../support/inspector.ts'
import { createPrivateAuthority } from '../support/private-authority.ts'
import { eventually, startRedis } from '../support/redis-server.ts'
import { openSandbox } from '../support/scenes/gateway.ts'

const WITHIN_MS = 60_000
const NO_DELAY = { SHUTDOWN_DELAY_SECONDS: '0', SHUTDOWN_DEADLINE_SECONDS: '60', LOG_LEVEL: 'info' }

// Many processes start here, which takes long on a busy machine.
t.setTimeout(400_000)
const sandbox = await openSandbox(t)
const redis = await startRedis(t)
const settings = productionAt(sandbox, redis.url)

t.test('does not start if its port is taken', async (t) => {
  const { port } = await startGatewayProcess(t, settings)
  const result = await runGateway({ ...settings, HOST: 'localhost', PORT: `${port}`, METRICS_PORT: '0' })
  t.equal(result.code, 1)
  t.match(result.stderr, /EADDRINUSE.*choose another PORT/)
})

t.test('starts without Redis, and is not ready until Redis is reachable', async (t) => {
  const ownRedis = await startRedis(t)
  await ownRedis.kill()
  const metrics = await freePort()
  const env = { ...settings, REDIS_URL: ownRedis.url, METRICS_PORT: `${metrics}` }
  const reason = /it cannot be reached \(ECONNREFUSED\): check REDIS_URL/
  const checkResult = await runGateway(env, '--check')
  t.equal(checkResult.code, 1)
  t.match(checkResult.stdout, reason)
  const gateway = await startGatewayProcess(t, { ...env, LOG_LEVEL: 'info' })
  await eventually(() => gateway.output().includes('sign-in does not work yet: Redis: it cannot'), WITHIN_MS)
  const signInAnswer = await fetch(`${gateway.url}/auth/login`, { redirect: 'manual' })
  t.match(signInAnswer.headers.get('location'), /^\/signin-failed\?reason=unavailable/)
  const readiness = () => fetch(`http://localhost:${metrics}/readyz`)
  const answer = await readiness()
  t.equal(answer.status, 503)
  t.match(await answer.json(), { ready: false, checks: { redis: reason } })
  await ownRedis.restart()
  await eventually(async () => (await readiness()).status === 200, WITHIN_MS)
  t.equal((await (await signIn(gateway.url, sandbox, 'customer.user')).call('/auth/session')).status, 200)
  await eventually(() => gateway.output().includes('"msg":"sign-in works now"'), WITHIN_MS)
  t.match(gateway.output(), /there is no connection to Redis/)
  t.notMatch(gateway.output(), /writeable|offlineQueue/i)
})

/** Blocks the event loop while the app is built, and writes warnings. */
const SLOW_START = `
  import http from 'node:http'
  const { createServer } = http
  http.createServer = (...values) => {
    process.emitWarning('a warning of Node')
    console.warn('a warning of a library')
    for (const until = performance.now() + 2_000; performance.now() < until; );
    return createServer(...values)
  }`

t.test('a slow start does not report Redis, and all lines of the log are JSON', async (t) => {
  const metrics = await freePort()
  const gateway = await startGatewayProcess(t, {
    ...settings,
    METRICS_PORT: `${metrics}`,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(SLOW_START)}`
  })
  await eventually(
    async () => (await fetch(`http://localhost:${metrics}/readyz`).catch(() => null))?.status === 200,
    WITHIN_MS
  )
  for (const text of ['a warning of Node', 'a warning of a library'])
    await eventually(() => gateway.output().includes(text), WITHIN_MS)
  for (const line of gateway.output().trim().split('\n')) t.doesNotThrow(() => JSON.parse(line), line)
  t.notMatch(gateway.output(), /does not work yet|lost the connection/)
})

t.test('trusts only the private certificate authority in EXTRA_CA_CERTS_FILE', async (t) => {
  const authority = createPrivateAuthority(t)
  const answer: RequestListener = (request, response) => {
    const [isTokenCall, issuer] = [request.url === '/token', `https://${request.headers.host}`]
    const endpoints = { authorization_endpoint: `${issuer}/sign-in`, token_endpoint: `${issuer}/token` }
    const document = { issuer, jwks_uri: `${issuer}/keys`, ...endpoints }
    const isApiCall = request.url?.startsWith('/api/') ?? false
    const status = isApiCall ? 401 : isTokenCall ? 400 : 200
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(status === 200 ? document : { error: 'invalid_grant' }))
  }
  const [address, REDIS_URL] = await Promise.all([authority.serve(answer), authority.redis()])
  const env = { ...settings, OIDC_ISSUER: address, UPSTREAM_URL: address, REDIS_URL }
  const [untrustedResult, trustedResult] = await Promise.all([
    runGateway(env, '--check'),
    runGateway({ ...env, EXTRA_CA_CERTS_FILE: authority.path }, '--check')
  ])
  t.equal(untrustedResult.code, 1)
  const refusals = untrustedResult.stdout.match(/unknown certificate authority\).*EXTRA_CA_CERTS_FILE/g)
  t.equal(refusals?.length, 3, untrustedResult.stdout)
  t.equal(trustedResult.code, 0, trustedResult.stdout)
})

t.test('aborts a call that does not end before the deadline', async (t) => {
  const gateway = await startGatewayProcess(t, { ...settings, ...NO_DELAY, SHUTDOWN_DEADLINE_SECONDS: '1' })
  const person = await signIn(gateway.url, sandbox, 'customer.user')
  const exit = once(gateway.child, 'exit')
  const before = sandbox.faults.met('management')
  sandbox.faults.set('management', 'timeout', 1)
  const call = person.call('/api/v2/management/myUser').then(
    () => 'answered',
    () => 'aborted'
  )
  await eventually(() => sandbox.faults.met('management') > before, WITHIN_MS)
  gateway.child.kill('SIGTERM')
  t.equal(await call, 'aborted')
  t.strictSame(await exit, [0, null])
  t.match(gateway.output(), /calls beyond the deadline were aborted/)
})

t.test('does not wait for an unused connection', async (t) => {
  const gateway = await startGatewayProcess(t, { ...settings, ...NO_DELAY })
  const socket = connect(gateway.port, 'localhost')
  socket.on('error', () => {})
  t.teardown(() => socket.destroy())
  await once(socket, 'connect')
  const close = once(socket, 'close')
  const exit = once(gateway.child, 'exit')
  gateway.child.kill('SIGTERM')
  await close
  t.strictSame(await exit, [0, null])
})

const FAILURE = `Object.assign(new Error('it went wrong'), { command: { args: ['${SECRET}'] } })`

t.test('logs and counts an unhandled rejection, and keeps running', async (t) => {
  const [port, metrics] = [await freePort(), await freePort()]
  const env = { ...inspectable(port), METRICS_PORT: `${metrics}` }
  const gateway = await startGatewayProcess(t, { ...settings, ...env })
  await runIn(port, `void Promise.reject(${FAILURE})`)
  await eventually(
    () => /"level":"error".*it went wrong.*unhandled rejection/.test(gateway.output()),
    WITHIN_MS
  )
  const figures = await (await fetch(`http://localhost:${metrics}/metrics`)).text()
  t.match(figures, /^gateway_unhandled_rejections_total 1$/m)
  t.equal((await fetch(`${gateway.url}/auth/session`)).status, 200)
  t.notMatch(gateway.output(), SECRET)
})

t.test('logs an uncaught exception without its properties, and exits', async (t) => {
  const port = await freePort()
  const gateway = await startGatewayProcess(t, { ...settings, ...inspectable(port) })
  const exit = once(gateway.child, 'close')
  await runIn(port, `void setImmediate(() => { throw ${FAILURE} })`)
  t.strictSame(await exit, [1, null])
  t.match(gateway.output(), /"level":"fatal".*it went wrong.*uncaught exception/)
  t.notMatch(gateway.output(), SECRET)
})
