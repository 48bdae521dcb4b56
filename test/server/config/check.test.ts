// What `--check` finds, and what it says to do about it.
import { spawn } from 'node:child_process'
import t from 'tap'
import { check, tableOf } from '#server/config/check.ts'
import { readConfig } from '#server/config/settings.ts'
import { createLog } from '#server/observability/log.ts'
import { startSandbox } from '#test/sandbox/app.ts'
import { freePort } from '#test/support/portal.ts'
import { eventually, startRedis } from '../../support/redis-server.ts'

const sandbox = await startSandbox()
t.teardown(() => sandbox.stop())
const redis = await startRedis(t, sandbox.confided)
const GOOD = {
  OIDC_ISSUER: sandbox.issuer,
  OIDC_CLIENT_ID: sandbox.client.id,
  OIDC_CLIENT_SECRET: sandbox.client.secret,
  UPSTREAM_URL: sandbox.url,
  REDIS_URL: redis.url
}

/** Problems by what they are about. */
async function problemsOf(changes: Record<string, string>): Promise<Record<string, string | null>> {
  const found = await check(readConfig({ ...GOOD, ...changes }), Date.now, createLog('silent'))
  return Object.fromEntries(found.map(({ what, problem }) => [what, problem]))
}

const FINE = { Redis: null, authority: null, 'client at the authority': null, upstream: null }

t.test('where all is well nothing is said, and the authority counts no sign-in', async (t) => {
  t.strictSame(await problemsOf({}), FINE)
  t.equal(sandbox.grants.authorization_code + sandbox.grants.refresh_token, 0)
  t.strictSame(await redis.look.keys('*'), [], 'nor does Redis hold anything')
})

t.test('a Redis that does not answer is named with its setting', async (t) => {
  const { Redis, ...others } = await problemsOf({ REDIS_URL: `redis://127.0.0.1:${await freePort()}` })
  t.match(Redis, /^it cannot be reached \(ECONNREFUSED\): check REDIS_URL, /)
  t.strictSame(
    others,
    { authority: null, 'client at the authority': null, upstream: null },
    'and nothing else'
  )
})

t.test('a Redis with another password says so', async (t) => {
  const port = await freePort()
  const server = spawn('redis-server', ['--port', `${port}`, '--requirepass', 'right', '--save', ''], {
    stdio: 'ignore'
  })
  t.teardown(() => void server.kill('SIGKILL'))
  const REDIS_URL = `redis://127.0.0.1:${port}`
  await eventually(async () => (await problemsOf({ REDIS_URL, REDIS_PASSWORD: 'right' })).Redis === null)
  t.match(
    (await problemsOf({ REDIS_URL, REDIS_PASSWORD: 'wrong' })).Redis,
    /check REDIS_USERNAME and REDIS_PASSWORD/
  )
  t.match((await problemsOf({ REDIS_URL })).Redis, /check REDIS_USERNAME and REDIS_PASSWORD/)
})

t.test('a Redis that throws sessions away is named', async (t) => {
  await redis.look.config('SET', 'maxmemory', '100mb')
  await redis.look.config('SET', 'maxmemory-policy', 'allkeys-lru')
  t.match((await problemsOf({})).Redis, /allkeys-lru throws sessions away: set it to noeviction/)
  await redis.look.config('SET', 'maxmemory-policy', 'noeviction')
  t.equal((await problemsOf({})).Redis, null)
})

t.test('an issuer that is none, another, or away is named with what to change', async (t) => {
  const cases: [issuer: string, problem: RegExp][] = [
    [`${sandbox.url}/nowhere`, /answers 40[14].*: OIDC_ISSUER must be the address of the issuer/],
    [
      sandbox.issuer.replace('localhost', '127.0.0.1'),
      /calls itself http:\/\/localhost.*set OIDC_ISSUER to exactly that/
    ],
    [`http://127.0.0.1:${await freePort()}`, /cannot be reached \(ECONNREFUSED\): check OIDC_ISSUER/]
  ]
  for (const [issuer, problem] of cases) {
    const found = await problemsOf({ OIDC_ISSUER: issuer })
    t.match(found.authority, problem, issuer)
    t.notOk('client at the authority' in found, 'the client is not asked about')
  }
})

t.test('a client that the authority does not take is named', async (t) => {
  for (const changes of [{ OIDC_CLIENT_SECRET: 'wrong' }, { OIDC_CLIENT_ID: 'somebody' }])
    t.match(
      (await problemsOf(changes))['client at the authority'],
      /(?:invalid_client|status 401).*check OIDC_CLIENT_ID/
    )
})

t.test('an upstream that is away is named with the settings that lead there', async (t) => {
  const away = `http://127.0.0.1:${await freePort()}`
  const config = readConfig({ ...GOOD, UPSTREAM_EGRESS_URL: away, UPSTREAM_ALARMS_URL: away })
  const found = await check(config, Date.now, createLog('silent'))
  const upstreams = found.filter(({ what }) => what === 'upstream')
  t.strictSame(
    upstreams.map(({ where, problem }) => [where, problem === null]),
    [
      [sandbox.url, true],
      [away, false]
    ]
  )
  t.match(upstreams[1]?.problem, /ECONNREFUSED.*check UPSTREAM_EGRESS_URL, UPSTREAM_ALARMS_URL/)
  t.match(tableOf(found), new RegExp(`^upstream +${away} +it cannot be reached`, 'm'))
})
