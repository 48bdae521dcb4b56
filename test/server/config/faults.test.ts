// Whatever is wrong is told in one line that names what to change: each fault alone and in pairs. What is wrong with the
// settings themselves keeps the gateway from starting; what is wrong with the world around it, `--check` finds.
import t from 'tap'
import { check } from '#server/config/check.ts'
import { ConfigError } from '#server/config/config-error.ts'
import { readConfig } from '#server/config/settings.ts'
import { createLog } from '#server/observability/log.ts'
import { freePort } from '#test/support/portal.ts'
import { type Answer, json, startFakeAuthority } from '../../support/fake-authority.ts'
import { createPrivateAuthority } from '../../support/private-authority.ts'
import { launch } from '../../support/redis-processes.ts'

type Env = Record<string, string | undefined>
/** What is set otherwise, and what is said of it. A setting that a fault depends on is named as it was. */
type Fault = [name: string, env: Env, line: RegExp]

const ELSEWHERE = 'http://somewhere.example.com'
const GOOD: Env = {
  NODE_ENV: 'production',
  PORT: '3000',
  PUBLIC_URL: 'https://portal.example.com',
  TRUST_PROXY: '10.0.0.0/8',
  OIDC_ISSUER: 'https://idp.example.com',
  OIDC_CLIENT_ID: 'portal',
  OIDC_CLIENT_SECRET: 'client-secret-value',
  UPSTREAM_URL: 'https://api.example.com',
  REDIS_URL: 'redis://redis:6379',
  SESSION_SECRETS: 'a-secret-of-at-least-thirty-two-characters'
}
const { PORT, PUBLIC_URL, OIDC_CLIENT_SECRET } = GOOD
const BY_KEY = { OIDC_CLIENT_AUTH: 'private_key_jwt', OIDC_CLIENT_SECRET }

const SETTINGS: Fault[] = [
  ['a port that is none', { PORT: 'x' }, /^PORT must be a whole number/],
  ['equal ports', { PORT, METRICS_PORT: PORT }, /^METRICS_PORT must not be PORT/],
  ['a public address with a path', { PUBLIC_URL: `${PUBLIC_URL}/portal` }, /^PUBLIC_URL must be an origin/],
  ['a public address in clear', { PUBLIC_URL: ELSEWHERE }, /^PUBLIC_URL is http:.*use https:/],
  ['no proxy named', { PUBLIC_URL, TRUST_PROXY: undefined }, /^TRUST_PROXY is missing/],
  ['everybody as a proxy', { TRUST_PROXY: '0.0.0.0/0' }, /^TRUST_PROXY must be addresses or networks/],
  ['no issuer', { OIDC_ISSUER: undefined }, /^OIDC_ISSUER is missing/],
  ['an issuer in clear', { OIDC_ISSUER: ELSEWHERE }, /^OIDC_ISSUER is http:.*HTTP_HOSTS/],
  ['no client', { OIDC_CLIENT_ID: undefined }, /^OIDC_CLIENT_ID is missing/],
  [
    'no secret',
    { OIDC_CLIENT_SECRET: undefined, OIDC_CLIENT_AUTH: 'basic' },
    /^OIDC_CLIENT_SECRET is missing/
  ],
  [
    'a secret twice',
    { OIDC_CLIENT_SECRET, OIDC_CLIENT_SECRET_FILE: '/x' },
    /^OIDC_CLIENT_SECRET_FILE and OIDC_CLIENT_SECRET are both set/
  ],
  [
    'a file that is not there',
    { OIDC_CLIENT_SECRET: undefined, OIDC_CLIENT_SECRET_FILE: '/nowhere' },
    /^OIDC_CLIENT_SECRET_FILE cannot be read: \/nowhere/
  ],
  ['a way to prove itself that is none', { OIDC_CLIENT_AUTH: 'none' }, /^OIDC_CLIENT_AUTH must be one of/],
  ['no key', { ...BY_KEY, OIDC_CLIENT_KEY: undefined }, /^OIDC_CLIENT_KEY is missing/],
  ['a key that is none', { ...BY_KEY, OIDC_CLIENT_KEY: 'x' }, /^OIDC_CLIENT_KEY must be a private key/],
  ['scopes without openid', { OIDC_SCOPES: 'profile' }, /^OIDC_SCOPES must contain openid/],
  [
    'a parameter of our own',
    { OIDC_AUTHORIZATION_PARAMS: 'state=x' },
    /^OIDC_AUTHORIZATION_PARAMS must be without state/
  ],
  ['no API host', { UPSTREAM_URL: undefined }, /^UPSTREAM_URL is missing/],
  ['an API in clear', { UPSTREAM_EGRESS_URL: ELSEWHERE }, /^UPSTREAM_EGRESS_URL is http:/],
  ['an API that is no address', { UPSTREAM_ALARMS_URL: 'alarms' }, /^UPSTREAM_ALARMS_URL must be an http/],
  ['no Redis', { REDIS_URL: undefined, REDIS_SENTINELS: undefined }, /^REDIS_URL is missing/],
  ['a Redis that is none', { REDIS_URL: 'http://redis' }, /^REDIS_URL must be a redis:/],
  ['Sentinels without a name', { REDIS_SENTINELS: 'one:26379' }, /^REDIS_SENTINEL_NAME is missing/],
  ['Sentinels without a port', { REDIS_SENTINELS: 'one' }, /^REDIS_SENTINELS must be host:port/],
  ['no session secret', { SESSION_SECRETS: undefined }, /^SESSION_SECRETS is missing.*openssl/],
  ['a short session secret', { SESSION_SECRETS: 'short' }, /^SESSION_SECRETS must be secrets of at least 32/],
  [
    'lifetimes the wrong way round',
    { SESSION_ABSOLUTE_SECONDS: '60' },
    /^SESSION_ABSOLUTE_SECONDS must not be below/
  ],
  ['no time to stop', { SHUTDOWN_DEADLINE_SECONDS: '5' }, /^SHUTDOWN_DEADLINE_SECONDS must be above/],
  [
    'certificates that are none',
    { EXTRA_CA_CERTS_FILE: import.meta.filename },
    /^EXTRA_CA_CERTS_FILE must be a file of certificates/
  ],
  ['a flag that is none', { FEATURE_FLAGS: 'enableAll' }, /^FEATURE_FLAGS must be made of/],
  ['a level that is none', { LOG_LEVEL: 'loud' }, /^LOG_LEVEL must be one of/]
]

function refusalOf(env: Env): readonly string[] {
  try {
    readConfig(env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

const share = (one: Fault, other: Fault) => Object.keys(one[1]).some((name) => name in other[1])
const pairsOf = (faults: readonly Fault[]): Fault[][] =>
  faults.flatMap((one, index) =>
    faults.slice(index + 1).flatMap((other) => (share(one, other) ? [] : [[one, other]]))
  )

/** Each fault has its line, and there is no further one. */
function isTold(faults: readonly Fault[], lines: readonly string[]): boolean {
  const told = faults.every(([, , line]) => lines.filter((one) => line.test(one)).length === 1)
  return told && lines.length === faults.length
}

const named = (faults: readonly Fault[]) => faults.map(([name]) => name).join(' and ')

t.test('a mistake in the settings is one line, and two are two', async (t) => {
  t.strictSame(refusalOf(GOOD), [])
  for (const faults of [...SETTINGS.map((one) => [one]), ...pairsOf(SETTINGS)]) {
    const lines = refusalOf(Object.assign({}, GOOD, ...faults.map(([, env]) => env)))
    if (!isTold(faults, lines)) t.fail(named(faults), { lines })
  }
  t.ok(pairsOf(SETTINGS).length > 400)
})

t.test('so is what is wrong with the world around', async (t) => {
  const authority = createPrivateAuthority(t)
  const fake = await startFakeAuthority(t)
  const away = `127.0.0.1:${await freePort()}`
  const plain = ['save ""', 'appendonly no']
  const good = await launch(t, plain)
  const redisWith = async (...settings: string[]) => launch(t, [...plain, ...settings])
  const [evicting, clustered, replica, locked] = await Promise.all([
    redisWith('maxmemory 100mb', 'maxmemory-policy allkeys-lru'),
    redisWith('cluster-enabled yes'),
    redisWith(`replicaof 127.0.0.1 ${good.port}`),
    redisWith()
  ])
  await locked.look.call('ACL', 'SETUSER', 'reader', 'on', '>reader', '~*', '+@all', '-@write')
  await locked.look.call('ACL', 'SETUSER', 'default', 'resetpass', '>right')
  const watch = `sentinel monitor portal 127.0.0.1 ${good.port} 1`
  const [sentinel, guarded] = await Promise.all([
    launch(t, [watch], '--sentinel'),
    launch(t, [watch], '--sentinel')
  ])
  await guarded.look.call('ACL', 'SETUSER', 'default', 'resetpass', '>right')

  /** A provider whose token endpoint answers as it is told. */
  const provider = async (token: Answer) => {
    const one = await startFakeAuthority(t)
    one.lies.instead = { token }
    return { OIDC_ISSUER: one.issuer }
  }
  const refuse = (response: Parameters<Answer>[1], error: string) =>
    json(response, error === 'invalid_client' ? 401 : 400, { error })
  const strict = await provider((_request, response) => refuse(response, 'invalid_client'))
  const curious = await provider((_request, response, form) =>
    refuse(response, form.get('grant_type') === 'refresh_token' ? 'invalid_grant' : 'invalid_client')
  )
  const postOnly = await provider((request, response) =>
    refuse(response, request.headers.authorization === undefined ? 'invalid_grant' : 'invalid_client')
  )
  const failing = await provider((_request, response) => void response.writeHead(502).end())
  const other = await startFakeAuthority(t)
  other.lies.discovery = { issuer: 'https://another.example.com' }
  const bare = await startFakeAuthority(t)
  bare.lies.discovery = { token_endpoint: undefined }
  const troubled = await startFakeAuthority(t)
  troubled.lies.instead = {
    api: (_request, response) => void response.writeHead(502).end(),
    discovery: (_request, response) => void response.writeHead(502).end()
  }
  const secure = await authority.serve((_request, response) => void response.end())
  const redisOf = ({ port }: { port: number }) => ({ REDIS_URL: `redis://127.0.0.1:${port}` })
  const sentinels = ({ address }: { address: string }, name: string) => ({
    REDIS_URL: undefined,
    REDIS_SENTINELS: address,
    REDIS_SENTINEL_NAME: name
  })
  const api = (line: string) => new RegExp(`^upstream .*${line}.*UPSTREAM_URL`)

  const faults: Fault[] = [
    [
      'a Redis that is away',
      { REDIS_URL: `redis://${away}` },
      /^Redis it cannot be reached .*check REDIS_URL/
    ],
    ['a Redis with a password', redisOf(locked), /^Redis it wants another .*REDIS_PASSWORD/],
    [
      'a user that may only read',
      { ...redisOf(locked), REDIS_USERNAME: 'reader', REDIS_PASSWORD: 'reader' },
      /^Redis its user may not .*REDIS_USERNAME/
    ],
    [
      'a replica',
      redisOf(replica),
      new RegExp(`^Redis it is a replica.*REDIS_URL to its primary, 127.0.0.1:${good.port}`)
    ],
    ['one node of a Cluster', redisOf(clustered), /^Redis it is one node of a Cluster: set REDIS_CLUSTER/],
    [
      'a Cluster that is none',
      { REDIS_URL: undefined, REDIS_CLUSTER: good.address },
      /^Redis it is no Cluster: set REDIS_URL/
    ],
    ['a Redis that evicts', redisOf(evicting), /^Redis .*allkeys-lru throws sessions away/],
    [
      'a Redis of an unknown authority',
      { REDIS_URL: await authority.redis() },
      /^Redis it is not trusted .*EXTRA_CA_CERTS_FILE/
    ],
    [
      'Sentinels with a password',
      sentinels(guarded, 'portal'),
      /^Redis its Sentinels want .*REDIS_SENTINEL_PASSWORD/
    ],
    [
      'Sentinels that know another name',
      sentinels(sentinel, 'other'),
      /^Redis its Sentinels know no .*REDIS_SENTINEL_NAME/
    ],
    [
      'Sentinels that are away',
      sentinels({ address: away }, 'portal'),
      /^Redis it cannot be reached .*REDIS_SENTINELS/
    ],
    [
      'an issuer that is away',
      { OIDC_ISSUER: `http://${away}` },
      /^authority it cannot be reached .*OIDC_ISSUER/
    ],
    ['an issuer that is none', { OIDC_ISSUER: `${fake.url}/x` }, /^authority .*answers 404.*OIDC_ISSUER/],
    ['an issuer of another name', { OIDC_ISSUER: other.issuer }, /^authority it calls itself .*OIDC_ISSUER/],
    [
      'an issuer that knows no code flow',
      { OIDC_ISSUER: bare.issuer },
      /^authority .*no token_endpoint: OIDC_ISSUER/
    ],
    ['an issuer in trouble', { OIDC_ISSUER: troubled.issuer }, /^authority it is in trouble: .*answers 502/],
    [
      'an issuer of an unknown authority',
      { OIDC_ISSUER: secure },
      /^authority it is not trusted .*EXTRA_CA_CERTS_FILE/
    ],
    ['a client that is unknown', strict, /^client .*invalid_client.*OIDC_CLIENT_ID/],
    [
      'one that is unknown where tokens are looked at first',
      curious,
      /^client .*invalid_client.*OIDC_CLIENT_ID/
    ],
    ['a secret that only goes another way', postOnly, /^client .*taken with post: set OIDC_CLIENT_AUTH=post/],
    ['a token endpoint in trouble', failing, /^client .*status 502/],
    ['an API that is away', { UPSTREAM_URL: `http://${away}` }, api('cannot be reached')],
    ['an API in trouble', { UPSTREAM_URL: `${troubled.url}/api/v2` }, api('answers 502')],
    [
      'an API of an unknown authority',
      { UPSTREAM_URL: secure },
      /^upstream it is not trusted .*EXTRA_CA_CERTS_FILE/
    ]
  ]
  const well = { ...fake.env, REDIS_URL: redisOf(good).REDIS_URL }
  const linesOf = async (...all: Fault[]) => {
    const config = readConfig(Object.assign({}, well, ...all.map(([, env]) => env)))
    const found = await check(config, Date.now, createLog('silent'))
    return found.flatMap(({ what, problem }) => (problem === null ? [] : [`${what} ${problem}`]))
  }
  t.strictSame(await linesOf(), [])
  t.strictSame(
    await linesOf(['', { ...sentinels(guarded, 'portal'), REDIS_SENTINEL_PASSWORD: 'right' }, /x/]),
    [],
    'Sentinels with their password'
  )
  for (const fault of faults) {
    const lines = await linesOf(fault)
    t.ok(isTold([fault], lines), fault[0], { lines })
  }
  const pairs = pairsOf(faults)
  t.ok(pairs.length > 100, `${pairs.length} pairs`)
  for (const pair of pairs) {
    const lines = await linesOf(...pair)
    if (!isTold(pair, lines)) t.fail(named(pair), { lines })
  }
  t.ok(SETTINGS.length + faults.length >= 40, `${SETTINGS.length + faults.length} faults`)
})
