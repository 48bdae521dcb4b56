// Four gateways, one Redis, and tokens that expire under hundreds of calls while one of them is killed. Refreshes without
// that: token-refresh.test.ts.
import { randomBytes } from 'node:crypto'
import t, { type Test } from 'tap'
import { createEncryption } from '#server/auth/encryption.ts'
import { createSessionStore } from '#server/auth/sessions/store.ts'
import { startSandbox } from '#test/sandbox/app.ts'
import { signIn } from '#test/support/portal.ts'
import { type GatewayProcess, startGatewayProcess } from '../../support/gateway-process.ts'
import { eventually, startRedis } from '../../support/redis-server.ts'
import { sentCookies } from '../../support/sent-cookies.ts'

const ME = '/api/v2/management/myUser'
const CALLS_OF_EACH = 200

const sandbox = await startSandbox()
t.teardown(() => sandbox.stop())
const redis = await startRedis(t)
const secret = randomBytes(32).toString('base64')
const settings = {
  SESSION_CALLS_PER_MINUTE: '1000000',
  CALLS_IN_FLIGHT: '1000',
  OIDC_ISSUER: sandbox.issuer,
  OIDC_CLIENT_ID: sandbox.client.id,
  OIDC_CLIENT_SECRET: sandbox.client.secret,
  UPSTREAM_URL: sandbox.url,
  // A quarter of them, for the calls of one person.
  UPSTREAM_CONNECTIONS: '1024',
  REDIS_URL: redis.url,
  SESSION_SECRETS: secret
}
const first = await startGatewayProcess(t, settings)
const [second, third, fourth] = await Promise.all(
  [2, 3, 4].map(() => startGatewayProcess(t, { ...settings, PUBLIC_URL: first.url }))
)
const gateways = [first, second, third, fourth] as GatewayProcess[]
const others = gateways.slice(0, 3)
/** Gateways that start together on a busy machine may wait for Redis. */
const startLines = gateways.map(({ said }) => said().split('\n').length - 1)

const store = createSessionStore(
  redis.patientBackend(),
  createEncryption([secret]),
  { idleSeconds: 1800, absoluteSeconds: 43_200 },
  Date.now
)

async function person(username = 'customer.admin') {
  const browser = await signIn(first.url, sandbox, username)
  const cookie = (await sentCookies(browser.jar)).find((one) => one.startsWith('portal=')) ?? ''
  const id = decodeURIComponent(cookie.slice('portal='.length)).split('.')[0] ?? ''
  return {
    cookie,
    async expire() {
      const session = await store.read(id)
      if (session === null) throw new Error('there is no session')
      const past = { expiresAt: Date.now() - 1000, renewAt: Date.now() - 2000 }
      if (!(await store.replaceTokens(session, { ...session.tokens, ...past })))
        throw new Error('it has changed')
    }
  }
}

async function call({ url }: GatewayProcess, cookie: string): Promise<number> {
  const answer = await fetch(url + ME, { headers: { cookie, 'x-portal-csrf': '1' } }).catch(() => null)
  await answer?.arrayBuffer().catch(() => {})
  return answer?.status ?? 0
}

async function storm(
  at: GatewayProcess[],
  cookie: string,
  calls = CALLS_OF_EACH
): Promise<Record<string, number>> {
  const statuses = await Promise.all(
    at.flatMap((gateway) => Array.from({ length: calls }, () => call(gateway, cookie)))
  )
  return countsOf(statuses)
}

function countsOf(statuses: readonly number[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** The status after repeating 503: a busy machine may answer it first. */
const callToTheEnd = (gateway: GatewayProcess, cookie: string): Promise<number> =>
  eventually(async () => {
    const status = await call(gateway, cookie)
    return status === 503 ? null : status
  }, 120_000)

function watchGrants() {
  const { refresh_token, reused_refresh, refused_refresh } = { ...sandbox.grants }
  return () => ({
    granted: sandbox.grants.refresh_token - refresh_token,
    reused: sandbox.grants.reused_refresh - reused_refresh,
    refused: sandbox.grants.refused_refresh - refused_refresh
  })
}
const ONCE = { granted: 1, reused: 0, refused: 0 }
function watchAuthority() {
  const before = sandbox.faults.met('oidc')
  return () => sandbox.faults.met('oidc') > before
}
const leased = () => redis.look.keys('portal:*:lease').then((keys) => keys.length > 0)

/** Only 200, and 503 on a busy machine; then every call succeeds. */
async function allWell(t: Test, at: GatewayProcess[], cookie: string, counts: Record<string, number>) {
  const others = Object.keys(counts).filter((status) => status !== '200' && status !== '503')
  t.strictSame(others, [], JSON.stringify(counts))
  const well = async () => (await storm(at, cookie, 5))[200] === 5 * at.length
  t.ok(await eventually(well, 30_000), 'the same cookie works everywhere')
}

t.test('another gateway takes over from one killed before its refresh is granted', async (t) => {
  const { cookie, expire } = await person('partner.admin')
  const doomed = await startGatewayProcess(t, { ...settings, PUBLIC_URL: first.url })
  await expire()
  // The authority never answers this request. Others ask after it and are answered.
  sandbox.faults.set('oidc', 'timeout', 1)
  const grants = watchGrants()
  const asked = watchAuthority()
  const lost = call(doomed, cookie)
  await eventually(asked)
  const calls = storm(others, cookie)
  await doomed.kill()
  t.ok(await leased(), 'it was killed while it held the lease')
  const begun = performance.now()
  const counts = await calls
  t.comment(`the others went on after ${Math.round(performance.now() - begun)} ms`)
  await allWell(t, others, cookie, counts)
  t.equal(await lost, 0)
  t.strictSame(grants(), ONCE)
})

t.test('ends the session of a gateway killed between grant and saving: the one known loss', async (t) => {
  const { cookie, expire } = await person('partner.user')
  const bystander = await person('nds.operator')
  await expire()
  const grants = watchGrants()
  const asked = watchAuthority()
  sandbox.faults.set('oidc', 'slow:300', 1)
  const lost = call(fourth as GatewayProcess, cookie)
  await eventually(asked)
  // Stopped before its answer arrives.
  fourth?.child.kill('SIGSTOP')
  await eventually(() => grants().granted === 1)
  await fourth?.kill()
  const begun = performance.now()
  const statuses = await Promise.all(
    others.flatMap((gateway) => Array.from({ length: CALLS_OF_EACH }, () => callToTheEnd(gateway, cookie)))
  )
  t.comment(`after ${Math.round(performance.now() - begun)} ms`)
  t.equal(await lost, 0)
  t.strictSame(countsOf(statuses), { 401: 3 * CALLS_OF_EACH }, 'the refresh token was used up')
  t.strictSame(grants(), { granted: 1, reused: 1, refused: 1 }, 'tried once by all of them')
  await allWell(t, others, bystander.cookie, await storm(others, bystander.cookie, 10))
  const again = await person('partner.user')
  await allWell(t, others, again.cookie, await storm(others, again.cookie, 10))
})

t.test('no gateway logged another error', async (t) => {
  for (const [index, { said }] of gateways.entries())
    t.strictSame(
      said()
        .split('\n')
        .slice(startLines[index])
        .filter((line) => line.includes('"level":"error"') && !line.includes('Redis is away')),
      []
    )
})
