// `--check` against a real Redis, authority and upstream: it reports each fault in one line that names the setting.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from 'node:tls'
import t from 'tap'
import { readConfig } from '#server/config/settings.ts'
import { check, runCheck, tableOf } from '#server/doctor/check.ts'
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
const unreachable = `127.0.0.1:${await freePort()}`
const noDisk = ['save ""', 'appendonly no']
const redis = await launch(t, noDisk)
const redisWith = async (...settings: string[]) => launch(t, [...noDisk, ...settings])
const [evictingRedis, clusterNode, replica, securedRedis] = await Promise.all([
  redisWith('maxmemory 100mb', 'maxmemory-policy allkeys-lru'),
  redisWith('cluster-enabled yes'),
  redisWith(`replicaof 127.0.0.1 ${redis.port}`),
  redisWith()
])
await securedRedis.client.call('ACL', 'SETUSER', 'reader', 'on', '>reader', '~*', '+@all', '-@write')
await securedRedis.client.call('ACL', 'SETUSER', 'default', 'resetpass', '>right')
const watch = `sentinel monitor portal 127.0.0.1 ${redis.port} 1`
const [sentinel, sentinel2] = await Promise.all([
  launch(t, [watch], '--sentinel'),
  launch(t, [watch], '--sentinel')
])
await sentinel2.client.call('ACL', 'SETUSER', 'default', 'resetpass', '>right')

const issuer = (OIDC_ISSUER: string) => ({ OIDC_ISSUER })
const provider = async (token: Answer) => {
  const server = await startFakeAuthority(t)
  server.changes.instead = { token }
  return { OIDC_ISSUER: server.issuer }
}
const refuse = (response: Parameters<Answer>[1], error: string) =>
  json(response, error === 'invalid_client' ? 401 : 400, { error })
const unknownClient = await provider((_request, response) => refuse(response, 'invalid_client'))
const tokenFirst = await provider((_request, response, form) =>
  refuse(response, form.get('grant_type') === 'refresh_token' ? 'invalid_grant' : 'invalid_client')
)
const postOnly = await provider((request, response) =>
  refuse(response, request.headers.authorization === undefined ? 'invalid_grant' : 'invalid_client')
)
const authorizing = async (authorize: Answer) => {
  const server = await startFakeAuthority(t)
  server.changes.instead = { authorize }
  return { OIDC_ISSUER: server.issuer }
}
const unknownRedirect = await authorizing(
  (_request, response) => void response.writeHead(400).end('mismatch')
)
const failingAuthorize = await authorizing((_request, response) => void response.writeHead(502).end())
const redirecting = (error: string) =>
  authorizing((_request, response) =>
    response.writeHead(302, { location: `http://localhost:3000/callback?error=${error}` }).end()
  )
const [unknownScope, noCodeFlow] = [
  await redirecting('invalid_scope'),
  await redirecting('unauthorized_client')
]
const listingScopes = await startFakeAuthority(t)
listingScopes.changes.discovery = { scopes_supported: ['openid', 'ncp:read', 'ncp:write'] }
const misspeltScope = { ...issuer(listingScopes.issuer), OIDC_SCOPES: 'openid ncp:wirte custom:scope' }
const failingToken = await provider((_request, response) => void response.writeHead(502).end())
const hangingToken = await provider(() => {})
const slash = await startTinyUpstream(t)
const metadata = await (await fetch(`${fake.issuer}/.well-known/openid-configuration`)).text()
slash.answer = (_request, response) => response.end(metadata.replace(fake.issuer, `${slash.url}/`))
const otherIssuer = await startFakeAuthority(t)
otherIssuer.changes.discovery = { issuer: 'https://another.example.com' }
const bare = await startFakeAuthority(t)
bare.changes.discovery = { token_endpoint: undefined }
const failingIssuer = await startFakeAuthority(t)
failingIssuer.changes.instead = {
  api: (_request, response) => void response.writeHead(502).end(),
  discovery: (_request, response) => void response.writeHead(502).end()
}
const untrustedUrl = await authority.serve((_request, response) => void response.end())
const apiThat = async (answer: Answer) => {
  const server = await startFakeAuthority(t)
  server.changes.instead = { api: answer }
  return { UPSTREAM_URL: server.url }
}
const html = { 'content-type': 'text/html; charset=utf-8' }
const htmlPage = await apiThat((_request, response) => void response.writeHead(200, html).end('<p>Hello'))
const htmlRefusal = await apiThat((_request, response) => void response.writeHead(401, html).end('<p>No'))
const openApi = await apiThat((_request, response) => json(response, 200, {}))
const signInPage = await apiThat(
  (_request, response) => void response.writeHead(302, { location: 'https://login.example.com/' }).end()
)
const challenging = await apiThat(
  (_request, response) => void response.writeHead(401, { 'www-authenticate': 'Bearer' }).end()
)
const redisOf = ({ port }: { port: number }) => ({ REDIS_URL: `redis://127.0.0.1:${port}` })
const sentinels = ({ address }: { address: string }, name: string) => ({
  REDIS_URL: undefined,
  REDIS_SENTINELS: address,
  REDIS_SENTINEL_NAME: name
})
const url = (REDIS_URL: string) => ({ REDIS_URL })
const api = (UPSTREAM_URL: string) => ({ UPSTREAM_URL })
const reader = { ...redisOf(securedRedis), REDIS_USERNAME: 'reader', REDIS_PASSWORD: 'reader' }
const notCluster = { REDIS_URL: undefined, REDIS_CLUSTER: redis.address }
const primary = new RegExp(
  `^Redis it is a read-only replica.*REDIS_URL to its primary, 127.0.0.1:${redis.port}`
)
const wrongIssuer = /^authority its issuer is https:\/\/another.example.com, but OIDC_ISSUER is http:/
const noSentinel = sentinels({ address: unreachable }, 'portal')

const protectedRedis = createServer((socket) => {
  const refusal =
    '-DENIED Redis is running in protected mode because no password is set for the default user.'
  socket.on('error', () => {}).end(`${refusal}\r\n`, () => socket.resetAndDestroy())
}).listen(0, '127.0.0.1')
await once(protectedRedis, 'listening')
t.teardown(() => protectedRedis.close())
const protectedMode = {
  ...redisOf(protectedRedis.address() as AddressInfo),
  REDIS_PASSWORD: 'secret',
  REDIS_USERNAME: 'portal'
}

const FAULTS: Fault[] = [
  ['an unreachable Redis', url(`redis://${unreachable}`), /^Redis it cannot be reached .*check REDIS_URL/],
  ['a Redis in protected mode', protectedMode, /^Redis it ends the connection .*REDIS_URL.*protected mode/],
  ['a Redis with a password', redisOf(securedRedis), /^Redis it rejects the .*REDIS_PASSWORD/],
  ['a user that may only read', reader, /^Redis its user lacks permissions .*REDIS_USERNAME/],
  ['a replica', redisOf(replica), primary],
  ['one node of a Cluster', redisOf(clusterNode), /^Redis it is one node of a Cluster: set REDIS_CLUSTER/],
  ['a single node set as a Cluster', notCluster, /^Redis it is not a Cluster: set REDIS_URL/],
  ['a Redis that evicts', redisOf(evictingRedis), /^Redis .*allkeys-lru evicts sessions/],
  ['an untrusted Redis', url(await authority.redis()), /^Redis it is not trusted .*EXTRA_CA_CERTS_FILE/],
  [
    'Sentinels with a password',
    sentinels(sentinel2, 'portal'),
    /^Redis its Sentinels reject .*_SENTINEL_PASSWORD/
  ],
  [
    'a name unknown to Sentinels',
    sentinels(sentinel, 'x'),
    /^Redis its Sentinels do not know .*_SENTINEL_NAME/
  ],
  ['unreachable Sentinels', noSentinel, /^Redis it cannot be reached .*REDIS_SENTINELS/],
  ['an unreachable issuer', issuer(`http://${unreachable}`), /^authority it cannot be reached .*OIDC_ISSUER/],
  ['an address that is not an issuer', issuer(`${fake.url}/x`), /^authority .*answers 404.*OIDC_ISSUER/],
  ['an issuer of another name', issuer(otherIssuer.issuer), wrongIssuer],
  ['an issuer without code flow', issuer(bare.issuer), /^authority .*lacks token_endpoint: OIDC_ISSUER/],
  ['a failing issuer', issuer(failingIssuer.issuer), /^authority it fails: .*answers 502/],
  ['an untrusted issuer', issuer(untrustedUrl), /^authority it is not trusted .*EXTRA_CA_CERTS_FILE/],
  ['an unknown client', unknownClient, /^client .*invalid_client.*OIDC_CLIENT_ID.*OIDC_CLIENT_SECRET/],
  ['an unknown client, checked after the token', tokenFirst, /^client .*invalid_client.*OIDC_CLIENT_ID/],
  ['a secret that must be posted', postOnly, /^client .*set OIDC_CLIENT_AUTH=post, which works/],
  ['a failing token endpoint', failingToken, /^client .*fails \(status 502\)/],
  ['a hanging token endpoint', hangingToken, /^client .*the token endpoint is slow \(no answer in time\)/],
  [
    'a redirect URI that is not registered',
    unknownRedirect,
    /^sign-in .*redirect URI \(status 400\).*PUBLIC_URL/
  ],
  ['a failing authorization endpoint', failingAuthorize, /^sign-in .*authorization endpoint fails/],
  ['refused scopes', unknownScope, /^sign-in .*invalid_scope.*OIDC_SCOPES/],
  ['a client without code flow', noCodeFlow, /^sign-in .*unauthorized_client.*code flow/],
  ['a misspelt scope', misspeltScope, /^sign-in .*ncp:wirte: did you mean ncp:write in OIDC_SCOPES/],
  ['an unreachable API', api(`http://${unreachable}`), /^upstream .*cannot be reached.*UPSTREAM_URL/],
  ['a failing API', api(`${failingIssuer.url}/api/v2`), /^upstream .*answers 502.*UPSTREAM_URL/],
  ['the provider in place of the API', api(`${fake.url}/op`), /^upstream .*404 to GET .*UPSTREAM_URL/],
  ['a page in place of the API', htmlPage, /^upstream it is not the API: it answers 200 with an HTML page/],
  ['a page that refuses', htmlRefusal, /^upstream .*401 with an HTML page .*instead of 401 with JSON/],
  ['an API that needs no token', openApi, /^upstream .*answers 200 to GET .*myUser without a token/],
  ['an API behind a sign-in page', signInPage, /^upstream .*302 to https:\/\/login.example.com\//],
  [
    'a wrong server for a single API',
    { UPSTREAM_EGRESS_URL: `${fake.url}/op` },
    /^upstream .*404 to GET \/api\/v\d\/.*check UPSTREAM_EGRESS_URL$/
  ],
  [
    'a wrong server for several APIs, the first of them without GET calls',
    { UPSTREAM_ENTITYMODEL_URL: `${fake.url}/op`, UPSTREAM_ALARMS_URL: `${fake.url}/op` },
    /^upstream .*404 to GET \/api\/v\d\/.*check UPSTREAM_ENTITYMODEL_URL, UPSTREAM_ALARMS_URL$/
  ],
  [
    'an unreachable API without GET calls',
    { UPSTREAM_CONTROL_URL: `http://${unreachable}` },
    /^upstream it cannot be reached .*check UPSTREAM_CONTROL_URL/
  ],
  ['an untrusted API', api(untrustedUrl), /^upstream it is not trusted .*EXTRA_CA_CERTS_FILE/]
]
const VALID = { ...fake.env, REDIS_URL: redisOf(redis).REDIS_URL }
const findings = (...envs: Env[]) =>
  check(readConfig(Object.assign({}, VALID, ...envs)), Date.now, createLog('silent'))
async function linesOf(...envs: Env[]): Promise<string[]> {
  const results = await findings(...envs)
  return results.flatMap(({ what, problem }) => (problem === null ? [] : [`${what} ${problem}`]))
}

t.test('finds no fault in a good environment, and stores nothing', async (t) => {
  t.strictSame(await linesOf(), [])
  t.strictSame(await linesOf({ ...sentinels(sentinel2, 'portal'), REDIS_SENTINEL_PASSWORD: 'right' }), [])
  t.equal(fake.count.code + fake.count.refresh, 0, 'no sign-in at the authority')
  t.strictSame(await redis.client.keys('*'), [], 'no key in Redis')
})

t.test('accepts an API without GET calls at an address of its own', async (t) => {
  const { url } = await startFakeAuthority(t)
  for (const name of ['ENTITYMODEL', 'CONTROL', 'REMOTE'])
    t.strictSame(await linesOf({ [`UPSTREAM_${name}_URL`]: url }), [], name)
})

t.test('accepts an API that names the tokens that it wants', async (t) => {
  t.strictSame(await linesOf(challenging), [])
})

t.test('connects to Sentinels with TLS, if it trusts their certificate', async (t) => {
  const pem = readFileSync(join(authority.certificates, 'portal.pem'))
  const proxy = createTlsServer({ cert: pem, key: pem }, (socket) =>
    pipeline(socket, connect(sentinel.port, '127.0.0.1'), socket, () => {})
  ).listen(0, 'localhost')
  await once(proxy, 'listening')
  t.teardown(() => proxy.close())
  const { port } = proxy.address() as AddressInfo
  const env = sentinels({ address: `rediss://localhost:${port}` }, 'portal')
  t.match(await linesOf(env), [/^Redis it cannot be reached .*REDIS_SENTINELS/])
  const trusted = getCACertificates('default')
  t.teardown(() => setDefaultCACertificates(trusted))
  setDefaultCACertificates([...trusted, readFileSync(authority.path, 'utf8')])
  t.strictSame(await linesOf(env), [])
})

t.test('says which scopes are probably missing', async (t) => {
  let output = ''
  const write = (text: string) => {
    output += text
  }
  const code = await runCheck(readConfig({ ...VALID, OIDC_SCOPES: 'openid' }), { stdout: { write } as never })
  t.equal(code, 0)
  t.match(output, /^settings +environment +ok, but OIDC_SCOPES lacks offline_access/m)
})

t.test(
  'says how far the clock is from that of Redis, and refuses a clock with which tokens are refused',
  async (t) => {
    const findingFor = async (aheadMs: number) => {
      const results = await check(readConfig(VALID), () => Date.now() + aheadMs, createLog('silent'))
      return results.find(({ what }) => what === 'clock')
    }
    t.match(await findingFor(0), { where: /^-?0\.\d s to that of Redis$/, problem: null, note: undefined })
    t.match(await findingFor(60_000), { problem: null, note: /60 s ahead of that of Redis: synchronize/ })
    t.match(await findingFor(-60_000), { problem: null, note: /60 s behind that of Redis/ })
    t.match(await findingFor(1_200_000), { problem: /1200 s ahead of that of Redis.*refuses tokens/ })
  }
)

t.test('accepts an issuer that differs by a trailing slash', async (t) => {
  t.strictSame(await linesOf({ OIDC_ISSUER: slash.url }), [])
})

// Some faults show only after five seconds, so they are checked side by side.
t.test('reports each fault in one line', { jobs: FAULTS.length }, async (t) => {
  for (const [name, env, line] of FAULTS)
    t.test(name, async (t) => {
      const [first, ...rest] = await linesOf(env)
      t.match(first, line)
      t.strictSame(rest, [])
    })
})

t.test('reports faults of Redis, authority and upstreams together, each with its settings', async (t) => {
  const address = `http://${unreachable}`
  const upstreams = { UPSTREAM_EGRESS_URL: address, UPSTREAM_ALARMS_URL: address }
  const lines = await linesOf({ REDIS_URL: `redis://${unreachable}`, OIDC_ISSUER: address, ...upstreams })
  t.match(lines, [/^Redis /, /^authority /, /^upstream .*UPSTREAM_EGRESS_URL, UPSTREAM_ALARMS_URL/])
  t.equal(lines.length, 3, 'does not check the client without an authority')
  t.match(tableOf(await findings(upstreams)), new RegExp(`^upstream +${address} +it cannot be reached`, 'm'))
})
