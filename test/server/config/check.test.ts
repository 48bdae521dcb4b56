// `--check` against a real Redis, authority and upstream: each fault is one line that names the setting to change.
import t from 'tap'
import { check, tableOf } from '#server/config/check.ts'
import { readConfig } from '#server/config/settings.ts'
import { createLog } from '#server/observability/log.ts'
import { freePort } from '#test/support/portal.ts'
import { type Answer, json, startFakeAuthority } from '../../support/fake-authority.ts'
import { createPrivateAuthority } from '../../support/private-authority.ts'
import { launch } from '../../support/redis-processes.ts'
import { startTinyUpstream } from '../../support/tiny-upstream.ts'

type Env = Record<string, string | undefined>
type Fault = [name: string, env: Env, line: RegExp]

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
const hanging = await provider(() => {})
const slashed = await startTinyUpstream(t)
const described = await (await fetch(`${fake.issuer}/.well-known/openid-configuration`)).text()
slashed.answer = (_request, response) => response.end(described.replace(fake.issuer, `${slashed.url}/`))
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

const FAULTS: Fault[] = [
  ['a Redis that is away', { REDIS_URL: `redis://${away}` }, /^Redis it cannot be reached .*check REDIS_URL/],
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
  [
    'an issuer of another name',
    { OIDC_ISSUER: other.issuer },
    /^authority it calls itself https:\/\/another.example.com, and OIDC_ISSUER is http:/
  ],
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
  ['a client that is unknown', strict, /^client .*invalid_client.*OIDC_CLIENT_ID.*OIDC_CLIENT_SECRET/],
  [
    'one that is unknown where tokens are looked at first',
    curious,
    /^client .*invalid_client.*OIDC_CLIENT_ID/
  ],
  ['a secret that only goes another way', postOnly, /^client .*taken with post: set OIDC_CLIENT_AUTH=post/],
  ['a token endpoint in trouble', failing, /^client .*in trouble \(status 502\)/],
  ['a token endpoint that hangs', hanging, /^client .*the token endpoint is slow \(no answer in time\)/],
  ['an API that is away', { UPSTREAM_URL: `http://${away}` }, api('cannot be reached')],
  ['an API in trouble', { UPSTREAM_URL: `${troubled.url}/api/v2` }, api('answers 502')],
  [
    'an API of an unknown authority',
    { UPSTREAM_URL: secure },
    /^upstream it is not trusted .*EXTRA_CA_CERTS_FILE/
  ]
]
const well = { ...fake.env, REDIS_URL: redisOf(good).REDIS_URL }
const findings = (...envs: Env[]) =>
  check(readConfig(Object.assign({}, well, ...envs)), Date.now, createLog('silent'))
async function linesOf(...envs: Env[]): Promise<string[]> {
  const found = await findings(...envs)
  return found.flatMap(({ what, problem }) => (problem === null ? [] : [`${what} ${problem}`]))
}

t.test('finds nothing where all is well, and leaves nothing behind', async (t) => {
  t.strictSame(await linesOf(), [])
  t.strictSame(await linesOf({ ...sentinels(guarded, 'portal'), REDIS_SENTINEL_PASSWORD: 'right' }), [])
  t.equal(fake.count.code + fake.count.refresh, 0, 'no sign-in at the authority')
  t.strictSame(await good.look.keys('*'), [], 'no key in Redis')
})

t.test('accepts an issuer that differs by a slash at its end', async (t) => {
  t.strictSame(await linesOf({ OIDC_ISSUER: slashed.url }), [])
})

for (const [name, env, line] of FAULTS)
  t.test(`names ${name} in one line`, async (t) => {
    const [found, ...more] = await linesOf(env)
    t.match(found, line)
    t.strictSame(more, [])
  })

t.test('names faults of Redis, authority and upstreams together, each with its settings', async (t) => {
  const url = `http://${away}`
  const other = { UPSTREAM_EGRESS_URL: url, UPSTREAM_ALARMS_URL: url }
  const lines = await linesOf({ REDIS_URL: `redis://${away}`, OIDC_ISSUER: url, ...other })
  t.match(lines, [/^Redis /, /^authority /, /^upstream .*UPSTREAM_EGRESS_URL, UPSTREAM_ALARMS_URL/])
  t.equal(lines.length, 3, 'the client is not checked without its authority')
  t.match(tableOf(await findings(other)), new RegExp(`^upstream +${url} +it cannot be reached`, 'm'))
})
