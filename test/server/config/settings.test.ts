// How settings are read, which values and combinations are refused, and the documents that list settings.
import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { configWarnings } from '#server/config/checks.ts'
import { APIS, ConfigError, readConfig, SETTINGS } from '#server/config/settings.ts'
import { FLAGS } from '#shared/entities.ts'
import { leastConfig } from '../../support/least-config.ts'

const SECRET = 'a-secret-of-at-least-thirty-two-characters'
const REQUIRED = {
  OIDC_ISSUER: 'https://idp.example.com',
  OIDC_CLIENT_ID: 'portal',
  OIDC_CLIENT_SECRET: 'client-secret-value',
  UPSTREAM_URL: 'https://api.example.com'
}
const PRODUCTION = {
  ...REQUIRED,
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://portal.example.com',
  TRUST_PROXY: '10.0.0.0/8',
  REDIS_URL: 'redis://redis:6379',
  SESSION_SECRETS: SECRET
}

const WEAK_KEYS = [
  generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey,
  generateKeyPairSync('ec', { namedCurve: 'P-521' }).privateKey,
  generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey
].map((key) =>
  key.export({ type: key.type === 'public' ? 'spki' : 'pkcs8', format: 'pem' } as never).toString()
)

type Env = Record<string, string | undefined>

function problemsOf(env: Env): readonly string[] {
  try {
    readConfig(env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

const inProduction = (changes: Env) => problemsOf({ ...PRODUCTION, ...changes })
const namesOf = (problems: readonly string[]) => problems.map((problem) => problem.split(' ')[0])

t.test('names every missing setting at once; production requires more settings', async (t) => {
  const common = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'UPSTREAM_URL', 'OIDC_CLIENT_SECRET']
  t.strictSame(namesOf(problemsOf({})), common)
  for (const problem of problemsOf({})) t.match(problem, /^\w+ is missing: \w/)
  t.strictSame(namesOf(problemsOf({ NODE_ENV: 'production' })), [...common, 'REDIS_URL', 'SESSION_SECRETS'])
  t.strictSame(problemsOf(PRODUCTION), [])
  for (const name of ['REDIS_URL', 'SESSION_SECRETS'] as const)
    t.strictSame(namesOf(inProduction({ [name]: undefined })), [name])
})

t.test('accepts Sentinels or a Cluster instead of REDIS_URL', async (t) => {
  const store = (env: Env) => namesOf(inProduction({ REDIS_URL: undefined, ...env }))
  t.strictSame(store({ REDIS_CLUSTER: 'a:1,b:2' }), [])
  t.strictSame(store({ REDIS_SENTINELS: 'a:1', REDIS_SENTINEL_NAME: 'main' }), [])
  t.strictSame(store({ REDIS_SENTINELS: 'a:1' }), ['REDIS_SENTINEL_NAME'])
})

t.test('refuses an address without TLS in production and names the alternative', async (t) => {
  for (const name of ['OIDC_ISSUER', 'UPSTREAM_URL', 'UPSTREAM_ALARMS_URL', 'REMOTE_URL', 'PUBLIC_URL']) {
    const problems = inProduction({ [name]: 'http://somewhere.example.com:8080' })
    t.equal(problems.length, 1, `${name}: ${problems}`)
    t.match(problems[0], new RegExp(`^${name} is http://somewhere.example.com, .*use https://.*HTTP_HOSTS`))
  }
})

t.test('accepts http on this machine, at hosts in HTTP_HOSTS, and in development', async (t) => {
  for (const host of ['localhost:4000', '127.0.0.1', '127.1.2.3:8080', '[::1]:8080', 'api.localhost'])
    t.strictSame(inProduction({ UPSTREAM_URL: `http://${host}` }), [], host)
  const httpUrls = { UPSTREAM_URL: 'http://api.internal:8080', UPSTREAM_EGRESS_URL: 'http://10.0.0.5' }
  t.strictSame(inProduction({ ...httpUrls, HTTP_HOSTS: 'API.internal,10.0.0.5' }), [])
  t.equal(inProduction({ ...httpUrls, HTTP_HOSTS: 'api.internal' }).length, 1)
  t.equal(inProduction({ ...httpUrls, HTTP_HOSTS: 'internal' }).length, 2, 'does not accept a domain')
  t.equal(inProduction({ UPSTREAM_URL: 'http://localhost.example.com' }).length, 1)
  const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }
  t.strictSame(inProduction(collector), [], 'spans contain no secrets')
  t.match(inProduction({ ...collector, OTEL_EXPORTER_OTLP_HEADERS: 'key=secret' }), [
    /^OTEL_EXPORTER_OTLP_ENDPOINT is http:.*unencrypted/
  ])
  t.strictSame(inProduction({ ...httpUrls, NODE_ENV: 'development' }), [])
})

t.test('requires the secret or the key that OIDC_CLIENT_AUTH needs', async (t) => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const keyAuth = { OIDC_CLIENT_AUTH: 'private_key_jwt', OIDC_CLIENT_SECRET: undefined }
  t.match(inProduction({ OIDC_CLIENT_SECRET: undefined, OIDC_CLIENT_AUTH: 'post' }), [/^OIDC_CLIENT_SECRET/])
  t.match(inProduction(keyAuth), [/^OIDC_CLIENT_KEY is missing/])
  const problems = inProduction({ ...keyAuth, OIDC_CLIENT_KEY: 'x' })
  t.match(problems, [/^OIDC_CLIENT_KEY must be/])
  t.equal(problems.length, 1)
  const jwk = JSON.stringify({ ...privateKey.export({ format: 'jwk' }), kid: 'one' })
  for (const OIDC_CLIENT_KEY of [key, key.trim().replaceAll('\n', '\\n'), jwk])
    t.strictSame(inProduction({ ...keyAuth, OIDC_CLIENT_KEY }), [])
})

t.test('refuses equal ports, and a deadline that leaves running calls no time', async (t) => {
  t.match(inProduction({ PORT: '3000', METRICS_PORT: '3000' }), [/^METRICS_PORT must differ from PORT/])
  const times = (delay: string, deadline: string) =>
    inProduction({ SHUTDOWN_DELAY_SECONDS: delay, SHUTDOWN_DEADLINE_SECONDS: deadline })
  t.match(times('25', '25'), [/^SHUTDOWN_DEADLINE_SECONDS must be above/])
  t.strictSame(times('24', '25'), [])
  t.strictSame(times('0', '1'), [])
})

t.test('refuses an unknown name that resembles a setting, and suggests the setting', async (t) => {
  t.strictSame(inProduction({ UPSTREAM_ALARM_URL: 'https://alarms.example.com', OIDC_AUDIANCE: 'portal' }), [
    'UPSTREAM_ALARM_URL is not a setting: did you mean UPSTREAM_ALARMS_URL?',
    'OIDC_AUDIANCE is not a setting: did you mean OIDC_AUDIENCE?'
  ])
  t.strictSame(
    inProduction({ LOG_LEVL: 'debug', TRUSTPROXY: '10.0.0.1', FEATURE_FLAG: 'x', log_level: 'debug' }),
    [
      'LOG_LEVL is not a setting: did you mean LOG_LEVEL?',
      'TRUSTPROXY is not a setting: did you mean TRUST_PROXY?',
      'FEATURE_FLAG is not a setting: did you mean FEATURE_FLAGS?',
      'log_level is not a setting: did you mean LOG_LEVEL?'
    ]
  )
  t.strictSame(inProduction({ OTEL_EXPORTER_OTLP_ENDPONT: 'http://collector:4318' }), [
    'OTEL_EXPORTER_OTLP_ENDPONT is not a setting: did you mean OTEL_EXPORTER_OTLP_ENDPOINT?'
  ])
  const foreign = {
    OTEL_RESOURCE_ATTRIBUTES: 'k8s.pod.name=a',
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector:4318/v1/traces',
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    SESSION_MANAGER: 'local',
    REDIS_SERVICE_HOST: '10.0.0.1',
    HTTP_PROXY: 'http://proxy',
    PATH: '/bin',
    HOME: '/'
  }
  t.strictSame(inProduction({ ...foreign, REDIS_PORT: 'tcp://10.0.0.1:6379', REDIS_PORT_6379_TCP: 'x' }), [])
  t.match(inProduction({ METRICS_PORT: 'tcp://10.0.0.1:9090' }), [
    /^METRICS_PORT .*enableServiceLinks: false/
  ])
})

t.test('requires TRUST_PROXY with https, but not with http', async (t) => {
  const httpsEnv = { ...REQUIRED, PUBLIC_URL: 'https://portal.example.com' }
  t.strictSame(namesOf(problemsOf(httpsEnv)), ['TRUST_PROXY'])
  t.strictSame(problemsOf({ ...httpsEnv, TRUST_PROXY: '10.0.0.0/8, 127.0.0.1' }), [])
  t.strictSame(problemsOf({ ...REQUIRED, PUBLIC_URL: 'http://portal.example.com' }), [])
})

t.test('names the accepted values of a setting, without repeating a secret', async (t) => {
  const addresses = ['api', '//api', 'localhost:3000', 'ftp://api', 'javascript:alert(1)', 'http://']
  const extras = ['api/?', 'api/?x=1', 'api/#x', 'user@api', 'user:pw@api', ':pw@api']
  const longUrls = extras.map((rest) => `https://${rest}`)
  const cases: Record<string, string[]> = {
    NODE_ENV: ['Production', 'staging', 'prod'],
    PORT: ['-1', '65536', '80.5', 'http', '3000x', 'NaN', 'Infinity'],
    PUBLIC_URL: [...addresses, ...longUrls, 'http://portal/path'],
    TRUST_PROXY: ['true', 'all', '10.0.0.0/33', '10.0.0.0/0', '::/129', '10.0.0', '10.0.0.1,x'],
    OIDC_ISSUER: [...addresses, ...longUrls],
    OIDC_CLIENT_AUTH: ['none', 'Basic', 'basic,post'],
    OIDC_SCOPES: ['profile'],
    OIDC_AUTHORIZATION_PARAMS: ['prompt', 'prompt=', 'a-b=c', 'state=x', 'a=b&request_uri=x', 'prompt=none'],
    EXTRA_CA_CERTS_FILE: [import.meta.filename],
    OIDC_CLIENT_KEY: ['a key', '{', '{}', '-----BEGIN PRIVATE KEY-----', ...WEAK_KEYS],
    HTTP_HOSTS: ['http://api', 'api/v1', 'a b', 'api:80'],
    DOWNLOAD_HOSTS: ['http://api', 'api/v1', 'a b', 'api:', ':80', 'api:0', 'api:65536', '::1:80x', '[api]'],
    BODY_MB_PER_MINUTE: ['0', '10001', '1.5'],
    METRICS_PORT: ['-1', '65536', 'metrics'],
    SHUTDOWN_DELAY_SECONDS: ['-1', '301', '5s'],
    SHUTDOWN_DEADLINE_SECONDS: ['0', '601', 'soon'],
    UPSTREAM_URL: [...addresses, ...longUrls],
    UPSTREAM_MANAGEMENT_URL: [...addresses, ...longUrls],
    UPSTREAM_CHARTS_AND_REPORTS_URL: addresses,
    UPSTREAM_TIMEOUT_MS: ['0', '99', '600001', '1.5', '15s'],
    UPSTREAM_CONNECTIONS: ['0', '1025', 'many'],
    REDIS_URL: ['redis', 'http://redis:6379', 'unix:/tmp/redis.sock', 'redis://:50%off@redis'],
    REDIS_SENTINELS: ['a', 'a:', ':1', 'a:b', 'a:1,b', 'a:0', 'a:65536', 'redis://a:1', 'rediss://a:1,b:2'],
    REDIS_CLUSTER: ['a', 'a:1 b:2', 'a:1,,b'],
    SESSION_SECRETS: ['x', 'x'.repeat(31), `${SECRET},short`, ','],
    SESSION_IDLE_SECONDS: ['9', '604801', '1h'],
    SESSION_ABSOLUTE_SECONDS: ['9', '2592001'],
    SESSIONS_PER_PERSON: ['0', '101', 'one'],
    SESSION_NOTICE_SECONDS: ['0', '3601', '-5'],
    LOGOUT_URLS: ['nowhere', 'https://a.example.com,nowhere', 'javascript:alert(1)'],
    REMOTE_URL: addresses,
    FEATURE_FLAGS: ['enableEverything', 'enabledarktheme', '--enableDarkTheme', 'enableDarkTheme off'],
    THIRD_PARTY_APP_URL: addresses,
    LICENSING_URL: addresses,
    PRIVACY_LINKS: ['Privacy', 'Privacy|', '|https://a', 'Privacy|nowhere', 'Privacy|javascript:alert(1)'],
    OTEL_EXPORTER_OTLP_ENDPOINT: addresses,
    OTEL_EXPORTER_OTLP_HEADERS: ['key', 'key=', '=value', 'a key=value', 'key=a value', 'key=%', 'a=b,c'],
    OTEL_TRACES_SAMPLER_ARG: ['-0.1', '1.1', 'all'],
    LOG_LEVEL: ['INFO', 'loud']
  }
  for (const [name, values] of Object.entries(cases)) {
    for (const value of values) {
      const problems = problemsOf({ ...REQUIRED, [name]: value }).filter((problem) =>
        problem.startsWith(`${name} `)
      )
      t.equal(problems.length, 1, `${name}=${value}`)
      t.match(problems[0], new RegExp(`^${name} must (?:be|contain) \\w`))
      if (['SESSION_SECRETS', 'OIDC_CLIENT_KEY'].includes(name) && value.length > 20)
        t.notOk(problems[0]?.includes(value), 'does not repeat the secret')
    }
  }
})

t.test('accepts values at their limits', async (t) => {
  const proxies = '10.0.0.0/8, 127.0.0.1, ::1, fd00::/8, loopback'
  const hosts = 'Files.example.com, 10.0.0.5:8443,127.1'
  const logout = 'https://a.example.com/out?x=1,https://b/'
  const nodes = [
    { host: 'a', port: 1 },
    { host: '::1', port: 2 }
  ]
  const cases: [name: keyof typeof SETTINGS, text: string, value: unknown][] = [
    ['PORT', '0', 0],
    ['PORT', '65535', 65_535],
    ['METRICS_PORT', '0', 0],
    ['PUBLIC_URL', 'https://portal.example.com/', 'https://portal.example.com'],
    ['PUBLIC_URL', 'HTTPS://Portal.example.com:443', 'https://portal.example.com'],
    ['PUBLIC_URL', ' http://localhost:3000 ', 'http://localhost:3000'],
    ['OIDC_ISSUER', 'https://idp.example.com/realms/one', 'https://idp.example.com/realms/one'],
    ['OIDC_ISSUER', 'https://idp.example.com/', 'https://idp.example.com/'],
    ['OIDC_CLIENT_AUTH', 'post', 'post'],
    ['DOWNLOAD_HOSTS', hosts, ['files.example.com', '10.0.0.5:8443', '127.0.0.1']],
    ['DOWNLOAD_HOSTS', '::1,[::1]:8443,[0:0::1]', ['[::1]', '[::1]:8443', '[::1]']],
    ['HTTP_HOSTS', 'API.internal, 10.0.0.5,fd00::1', ['api.internal', '10.0.0.5', 'fd00::1']],
    ['UPSTREAM_URL', 'https://api.example.com/base//', 'https://api.example.com/base'],
    ['UPSTREAM_TIMEOUT_MS', '100', 100],
    ['UPSTREAM_TIMEOUT_MS', '600000', 600_000],
    ['UPSTREAM_CONNECTIONS', '1', 1],
    ['UPSTREAM_CONNECTIONS', '1024', 1024],
    ['SESSION_SECRETS', 'x'.repeat(32), ['x'.repeat(32)]],
    ['SESSION_SECRETS', ` ${SECRET} , ${SECRET}2 `, [SECRET, `${SECRET}2`]],
    ['SESSION_IDLE_SECONDS', '10', 10],
    ['SESSION_ABSOLUTE_SECONDS', '2592000', 2_592_000],
    ['SESSIONS_PER_PERSON', '100', 100],
    ['REDIS_URL', 'rediss://:pw@redis:6380/2', 'rediss://:pw@redis:6380/2'],
    ['REDIS_CLUSTER', 'a:1, [::1]:2', nodes],
    ['REDIS_SENTINELS', 'a:1, [::1]:2', nodes.map((node) => ({ ...node, tls: false }))],
    ['REDIS_SENTINELS', 'rediss://a:1, rediss://[::1]:2', nodes.map((node) => ({ ...node, tls: true }))],
    ['LOGOUT_URLS', logout, logout.split(',')],
    ['PRIVACY_LINKS', 'Privacy | https://a/b', [{ label: 'Privacy', url: 'https://a/b' }]],
    ['TRUST_PROXY', proxies, proxies.split(', ')],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://collector:4318/', 'http://collector:4318'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'Api-Key=a%20b==, b=c', { 'api-key': 'a b==', b: 'c' }],
    ['OTEL_TRACES_SAMPLER_ARG', '0', 0],
    ['OTEL_TRACES_SAMPLER_ARG', '0.05', 0.05],
    ['OTEL_TRACES_SAMPLER_ARG', '1', 1],
    ['SERVICE_BANNER', ' Maintenance tonight ', 'Maintenance tonight']
  ]
  for (const [name, text, value] of cases) {
    const config = readConfig({
      ...REQUIRED,
      TRUST_PROXY: '10.0.0.1',
      SESSION_NOTICE_SECONDS: '1',
      REDIS_SENTINEL_NAME: 'main',
      [name]: text
    })
    t.strictSame(config[name], value, `${name}=${text}`)
  }
})

t.test('lists all problems together', async (t) => {
  const env = { ...REQUIRED, PORT: 'x', LOG_LEVEL: 'loud', OIDC_ISSUER: '', UPSTREAM_ALARMS_URL: 'nowhere' }
  t.strictSame(namesOf(problemsOf(env)), ['PORT', 'OIDC_ISSUER', 'LOG_LEVEL', 'UPSTREAM_ALARMS_URL'])
  t.throws(() => readConfig(env), {
    message: /^The gateway cannot start with this environment:\n(?: {2}- [A-Z_]+ .+(?:\n|$)){4}$/
  })
})

t.test('refuses an idle time above the absolute lifetime', async (t) => {
  const lifetimes = (idle: string, absolute: string) =>
    namesOf(problemsOf({ ...REQUIRED, SESSION_IDLE_SECONDS: idle, SESSION_ABSOLUTE_SECONDS: absolute }))
  t.strictSame(lifetimes('101', '100'), ['SESSION_ABSOLUTE_SECONDS'])
  t.strictSame(lifetimes('100', '100'), [])
})

t.test('refuses a notice of the end of a session that would show all the time', async (t) => {
  const times = (idle: string, notice: string) =>
    namesOf(problemsOf({ ...REQUIRED, SESSION_IDLE_SECONDS: idle, SESSION_NOTICE_SECONDS: notice }))
  t.strictSame(times('60', '60'), ['SESSION_NOTICE_SECONDS'])
  t.strictSame(times('61', '60'), [])
})

t.test('treats a blank value as missing', async (t) => {
  const blank = Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, ' ']))
  t.strictSame(readConfig({ ...blank, ...REQUIRED }), readConfig(REQUIRED))
})

t.test('every API has its own address, or the common address', async (t) => {
  const config = readConfig({ ...REQUIRED, UPSTREAM_ALARMS_URL: 'http://alarms:8080/' })
  for (const api of APIS)
    t.equal(config.UPSTREAMS[api], api === 'ALARMS' ? 'http://alarms:8080' : REQUIRED.UPSTREAM_URL, api)
})

t.test('turns each flag on or off; all flags but the banner are on by default', async (t) => {
  const defaults = Object.fromEntries(FLAGS.map((flag) => [flag, flag !== 'enableServiceBanner']))
  const flagsOf = (text: string) => readConfig({ ...REQUIRED, FEATURE_FLAGS: text }).FEATURE_FLAGS
  t.strictSame(readConfig(REQUIRED).FEATURE_FLAGS, defaults)
  t.strictSame(flagsOf('enableServiceBanner'), { ...defaults, enableServiceBanner: true })
  for (const flag of FLAGS) t.strictSame(flagsOf(`-${flag}`), { ...defaults, [flag]: false }, flag)
  t.strictSame(flagsOf(' -enableDarkTheme , enableServiceBanner,'), {
    ...defaults,
    enableDarkTheme: false,
    enableServiceBanner: true
  })
  t.strictSame(readConfig(REQUIRED).FEATURE_FLAGS, defaults, 'does not change the defaults')
})

t.test('the configuration cannot be changed', async (t) => {
  const config = readConfig(REQUIRED)
  const unfrozenPaths = (value: unknown, path: string): string[] =>
    typeof value !== 'object' || value === null
      ? []
      : [
          ...(Object.isFrozen(value) ? [] : [path]),
          ...Object.entries(value).flatMap(([name, part]) => unfrozenPaths(part, `${path}.${name}`))
        ]
  t.strictSame(unfrozenPaths(config, 'config'), [])
  t.throws(() => Object.assign(config, { PORT: 1 }), TypeError)
})

t.test('no secret has a default', async (t) => {
  for (const [name, setting] of Object.entries(SETTINGS))
    t.notOk('secret' in setting && 'fallback' in setting, name)
})

const read = (name: string) => readFileSync(join(import.meta.dirname, '../../..', name), 'utf8')
const settings = Object.entries(SETTINGS) as [name: string, setting: { fallback?: string; secret?: true }][]

t.test('settings.md names every setting with its default', async (t) => {
  const rows = read('.github/operations/settings.md')
    .split('\n')
    .filter((line) => /^\| `[A-Z]/.test(line))
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
  const defaultsOf = new Map<string, string>()
  for (const [, names = '', defaults = ''] of rows) {
    const all = [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)
    const text = all.length > 1 && defaults.includes(', ') ? defaults.split(', ') : all.map(() => defaults)
    for (const [index, name] of all.entries()) defaultsOf.set(name, text[index] ?? defaults)
  }
  for (const [name, { fallback }] of settings) {
    t.ok(defaultsOf.has(name), name)
    if (fallback !== undefined && !['FEATURE_FLAGS', 'NODE_ENV'].includes(name))
      t.match(defaultsOf.get(name), fallback, `${name}: ${fallback}`)
  }
})

t.test('.env.example has a line for every setting, and no secret', async (t) => {
  const text = read('.env.example')
  const settingOf = (name: string) => (name in SETTINGS ? name : name.replace(/_FILE$/, ''))
  const exampleNames = new Set([...text.matchAll(/^#?(\w+)=/gm)].map(([, name = '']) => settingOf(name)))
  for (const [name] of settings) t.ok(exampleNames.has(name), name)
  const knownNames = [
    ...settings.map(([name]) => name),
    ...APIS.map((api) => `UPSTREAM_${api}_URL`),
    // Settings of docker-compose.yml itself.
    ...'SECRETS_FOLDER CERTIFICATES_FOLDER COMPOSE_PROFILES GATEWAY_IMAGE GATEWAY_REPLICAS BUNDLED_REDIS'.split(
      ' '
    ),
    ...'ENV_FILE GATEWAY_PORT BALANCER_HTTP_PORT BALANCER_HTTPS_PORT'.split(' ')
  ].map(settingOf)
  for (const name of exampleNames) t.ok(knownNames.includes(name), name)
  for (const [name, { secret }] of settings)
    if (secret && name !== 'REDIS_URL') t.notMatch(text, new RegExp(`^#?${name}=.`, 'm'), name)
})

t.test('.env.example quotes each value that a shell would cut or run', async (t) => {
  const values = [...read('.env.example').matchAll(/^#?[A-Z_]+=(.*)$/gm)].map(([, value = '']) => value)
  t.ok(values.length > 50)
  t.strictSame(
    values.filter((value) => !/^(?:[\w.,:/@+=-]*|'[^']*')$/.test(value)),
    []
  )
})

t.test('warns of scopes without which tokens are of no use, and of no others', async (t) => {
  const warningsFor = (OIDC_SCOPES: string) => configWarnings(leastConfig({ OIDC_SCOPES }))
  t.strictSame(configWarnings(leastConfig()), [])
  t.strictSame(warningsFor('openid offline_access api://portal/ncp:read api://portal/ncp:write'), [])
  const [warning, ...rest] = warningsFor('openid')
  t.match(warning, /^OIDC_SCOPES lacks offline_access \(.*\), ncp:read \(.*\), ncp:write \(/)
  t.strictSame(rest, [])
  t.match(warningsFor('openid offline_access ncp:read ncp:writer'), [
    /^OIDC_SCOPES lacks ncp:write \([^)]*\)$/
  ])
})
