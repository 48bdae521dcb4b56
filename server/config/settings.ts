// The settings: a table of every environment variable, read once into a typed, frozen Config. All problems are collected
// and reported together. What the gateway does with a setting is decided where it is used.
import { readFileSync } from 'node:fs'
import { FLAGS, type Flag } from '#shared/entities.ts'
import { SESSION_NOTICE_SECONDS } from '#shared/limits.ts'
import { crossChecks } from './checks.ts'
import { ConfigError } from './config-error.ts'
import { fileText, type ReadText, SecretFileError, secretText } from './secrets.ts'
import { unknownNames } from './unknown-names.ts'
import {
  certificates,
  clientKey,
  fileHosts,
  flags,
  hostNames,
  hostsAndPorts,
  httpUrl,
  integer,
  issuer,
  links,
  list,
  oneOf,
  origin,
  pageUrl,
  parameters,
  proxies,
  type Reader,
  redisUrl,
  secrets,
  text
} from './values.ts'

/** The upstream APIs, named as in the settings `UPSTREAM_<API>_URL`. */
export const APIS = [
  'MANAGEMENT',
  'DEVICEMANAGEMENT',
  'SUBSCRIPTION',
  'SUBSCRIPTION_USAGE',
  'NOTIFICATIONS',
  'NOTIFIER',
  'ENTITYMODEL',
  'EGRESS',
  'CHARTS_AND_REPORTS',
  'CONTROL',
  'ALARMS',
  'RECOVER',
  'REMOTE'
] as const
export type Api = (typeof APIS)[number]

export interface Setting<T = unknown> {
  read: Reader<T>
  meaning: string
  fallback?: string
  required?: true
  /** Never shown. It may come from the file that `NAME_FILE` names. */
  secret?: true
  /** Names a file, whose text is what is read. */
  file?: true
}

const FLAG_DEFAULTS = Object.fromEntries(
  FLAGS.map((flag) => [flag, flag !== 'enableServiceBanner'])
) as Record<Flag, boolean>

type Traits = Omit<Setting, 'read' | 'meaning'>
function setting<T, const R extends Traits = Record<never, never>>(
  read: Reader<T>,
  meaning: string,
  traits?: R
): Setting<T> & R {
  return { read, meaning, ...(traits as R) }
}

/** Every setting of the gateway but `UPSTREAM_<API>_URL`, in the order of .github/operations/settings.md. */
export const SETTINGS = {
  NODE_ENV: setting(
    oneOf('production', 'development', 'test'),
    'production refuses what is fit for development only',
    { fallback: 'development' }
  ),
  PORT: setting(integer(0, 65535), 'where it listens', { fallback: '3000' }),
  HOST: setting(text, 'address that it listens on', { fallback: '127.0.0.1' }),
  PUBLIC_URL: setting(origin, 'the address that browsers use', { fallback: 'http://localhost:3000' }),
  TRUST_PROXY: setting(proxies, 'addresses or networks of the proxies in front'),
  OIDC_ISSUER: setting(issuer, 'the OIDC authority', { required: true }),
  OIDC_CLIENT_ID: setting(text, 'client id at the authority', { required: true }),
  OIDC_CLIENT_SECRET: setting(text, 'client secret at the authority', { secret: true }),
  OIDC_CLIENT_AUTH: setting(
    oneOf('basic', 'post', 'private_key_jwt'),
    'how the client proves itself at the token endpoint',
    { fallback: 'basic' }
  ),
  OIDC_CLIENT_KEY: setting(clientKey, 'private key of the client for private_key_jwt, PEM or JWK', {
    secret: true
  }),
  OIDC_CLIENT_KEY_ID: setting(
    text,
    'key id that the authority knows the key by; default: the `kid` of a JWK'
  ),
  OIDC_SCOPES: setting(text, 'scopes asked for', {
    fallback: 'openid profile email offline_access ncp:read ncp:write'
  }),
  OIDC_AUTHORIZATION_PARAMS: setting(
    parameters,
    'further parameters of the sign-in address, such as prompt=consent'
  ),
  OIDC_AUDIENCE: setting(text, "audience of bearer callers' access tokens; without it they are refused"),
  BEARER_CALLS_PER_MINUTE: setting(
    integer(1, 1_000_000),
    'calls a minute of one bearer client, on each replica',
    { fallback: '6000' }
  ),
  SESSION_CALLS_PER_MINUTE: setting(
    integer(1, 1_000_000),
    'calls a minute of one signed-in person, on each replica',
    { fallback: '6000' }
  ),
  ANONYMOUS_CALLS_PER_MINUTE: setting(
    integer(1, 1_000_000),
    'calls a minute of one route by one address while nobody is signed in, on each replica',
    { fallback: '300' }
  ),
  CALLS_IN_FLIGHT: setting(integer(1, 10_000), 'calls of one caller under way at a time, on each replica', {
    fallback: '32'
  }),
  BODY_MB_PER_MINUTE: setting(integer(1, 10_000), 'MB of bodies a minute of one caller', { fallback: '8' }),
  ROLES_MAX_AGE_SECONDS: setting(
    integer(1, 900),
    "a caller's user and role assignments are read again when older",
    { fallback: '60' }
  ),
  UPSTREAM_URL: setting(httpUrl, 'the API host', { required: true }),
  UPSTREAM_TIMEOUT_MS: setting(integer(100, 600_000), 'time limit of one upstream call', {
    fallback: '15000'
  }),
  UPSTREAM_CONNECTIONS: setting(integer(1, 1024), 'connections per upstream', { fallback: '64' }),
  UPSTREAM_PAGE_MAX_MB: setting(integer(1, 64), 'largest page of projects or devices, decoded, in MB', {
    fallback: '4'
  }),
  INVENTORY_MEMORY_MB: setting(
    integer(64, 65_536),
    'heap for customers in the inventory thread, in MB: half for those that are kept, and at most half for one',
    { fallback: '512' }
  ),
  INVENTORY_TIMEOUT_MS: setting(
    integer(1_000, 600_000),
    'the inventory thread is replaced when it makes no progress for so long',
    { fallback: '10000' }
  ),
  DOWNLOAD_HOSTS: setting(
    fileHosts,
    "where files may be fetched from; default: the upstreams' hosts and ports"
  ),
  REDIS_URL: setting(redisUrl, 'where sessions live', { secret: true }),
  REDIS_USERNAME: setting(text, 'user name at the Redis, where REDIS_URL carries none'),
  REDIS_PASSWORD: setting(text, 'password of the Redis, where REDIS_URL carries none', { secret: true }),
  REDIS_SENTINELS: setting(hostsAndPorts, 'Sentinels of the Redis, host:port separated by commas'),
  REDIS_SENTINEL_NAME: setting(text, 'name of the Redis that the Sentinels watch'),
  REDIS_SENTINEL_USERNAME: setting(text, 'user name at the Sentinels'),
  REDIS_SENTINEL_PASSWORD: setting(text, 'password of the Sentinels themselves', { secret: true }),
  REDIS_CLUSTER: setting(hostsAndPorts, 'nodes of a Redis Cluster, host:port separated by commas'),
  SESSION_SECRETS: setting(secrets, 'sign the cookie and encrypt the tokens at rest; newest first', {
    secret: true
  }),
  SESSION_IDLE_SECONDS: setting(integer(10, 604_800), 'a session ends after this long without a call', {
    fallback: '1800'
  }),
  SESSION_ABSOLUTE_SECONDS: setting(integer(10, 2_592_000), 'a session ends after this long in any case', {
    fallback: '43200'
  }),
  SESSIONS_PER_PERSON: setting(integer(1, 100), 'one sign-in more ends the oldest session of the person'),
  SESSION_NOTICE_SECONDS: setting(integer(1, 3600), 'when the Session Expiring prompt shows', {
    fallback: String(SESSION_NOTICE_SECONDS)
  }),
  LOGOUT_URLS: setting((value) => list(value).map(pageUrl), 'single-logout addresses, separated by commas'),
  REMOTE_URL: setting(httpUrl, 'host of the Remote service'),
  FEATURE_FLAGS: setting(flags(FLAGS, FLAG_DEFAULTS), 'flags to turn on, or with a leading minus off', {
    fallback: ','
  }),
  SERVICE_BANNER: setting(text, 'text of the service banner'),
  THIRD_PARTY_APP_URL: setting(pageUrl, 'third-party application linked in the sidebar'),
  THIRD_PARTY_APP_NAME: setting(text, 'its name'),
  SUPPORT_PHONE: setting(text, 'support phone on error screens'),
  SUPPORT_EMAIL: setting(text, 'support e-mail on error screens'),
  PRIVACY_LINKS: setting(links, 'Label|address, separated by commas'),
  LICENSING_URL: setting(pageUrl, 'licensing web site'),
  HTTP_HOSTS: setting(
    hostNames,
    'hosts that production may reach by http://, or be reached at: a network of your own'
  ),
  EXTRA_CA_CERTS_FILE: setting(
    certificates,
    'PEM file of further certificate authorities, for provider, upstreams and Redis',
    { file: true }
  ),
  METRICS_PORT: setting(integer(0, 65535), 'where health and metrics are, on the same HOST', {
    fallback: '9464'
  }),
  SHUTDOWN_DELAY_SECONDS: setting(
    integer(0, 300),
    'after SIGTERM it goes on taking calls this long, while /readyz says no',
    { fallback: '5' }
  ),
  SHUTDOWN_DEADLINE_SECONDS: setting(integer(1, 600), 'calls still running then are cut off', {
    fallback: '25'
  }),
  LOG_LEVEL: setting(oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent'), 'log level', {
    fallback: 'info'
  })
} as const

type Values = {
  [K in keyof typeof SETTINGS]:
    | ReturnType<(typeof SETTINGS)[K]['read']>
    | ((typeof SETTINGS)[K] extends { fallback: string } | { required: true } ? never : undefined)
}

/** The settings by name, and the address of each upstream API. */
export type Config = Readonly<Values & { UPSTREAMS: Readonly<Record<Api, string>> }>

type Env = Record<string, string | undefined>

const NAMES = [
  ...Object.entries<Setting>(SETTINGS).flatMap(([name, { secret }]) =>
    secret ? [name, `${name}_FILE`] : [name]
  ),
  ...APIS.map((api) => `UPSTREAM_${api}_URL`)
]

/** Reads the environment, and the files that it names. Throws a ConfigError that names every problem. */
export function readConfig(env: Env, readText: ReadText = (path) => readFileSync(path, 'utf8')): Config {
  const problems: string[] = []
  const values: Record<string, unknown> = {}

  const textOf = (name: string, { secret, file }: Setting) => {
    if (secret) return secretText(env, name, readText)
    const given = env[name]?.trim()
    return file && given ? fileText(name, given, readText) : given
  }
  const read = (name: string, setting: Setting) => {
    const { read, fallback, required, meaning } = setting
    try {
      const given = textOf(name, setting) || fallback
      if (given !== undefined) return read(given)
      if (required) problems.push(`${name} is missing: ${meaning}`)
    } catch (error) {
      const { message } = error as Error
      problems.push(error instanceof SecretFileError ? message : `${name} ${message}`)
    }
    return undefined
  }

  for (const [name, setting] of Object.entries(SETTINGS)) values[name] = read(name, setting)
  values.UPSTREAMS = Object.fromEntries(
    APIS.map((api) => [api, read(`UPSTREAM_${api}_URL`, setting(httpUrl, '')) ?? values.UPSTREAM_URL])
  )
  problems.push(...unknownNames(env, NAMES))
  const config = values as Config
  // A setting with a problem of its own is not reported as missing too.
  const known = new Set(problems.map((problem) => problem.split(/_FILE | /)[0]))
  problems.push(...crossChecks(config).filter((problem) => !known.has(problem.split(' ')[0])))
  if (problems.length > 0) throw new ConfigError(problems)
  return frozen(config)
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen)
  return value
}
