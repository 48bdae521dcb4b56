// The settings: a table of every environment variable, read once into a typed, frozen Config. All problems are collected
// and reported together. What the gateway does with a setting is decided where it is used.
import { readFileSync } from 'node:fs'
import { closest } from 'fastest-levenshtein'
import { FLAGS, type Flag } from '#shared/entities.ts'
import { SESSION_NOTICE_SECONDS } from '#shared/limits.ts'
import { crossChecks } from './checks.ts'
import { fileText, type ReadText, SecretFileError, secretText } from './secrets.ts'
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
  fallback?: string
  /** What is missing without it. */
  required?: string
  /** Never shown. It may come from the file that `NAME_FILE` names. */
  secret?: true
  /** Names a file, whose text is what is read. */
  file?: true
}

const FLAG_DEFAULTS = Object.fromEntries(
  FLAGS.map((flag) => [flag, flag !== 'enableServiceBanner'])
) as Record<Flag, boolean>

const required = <T>(read: Reader<T>, meaning: string) => ({ read, required: meaning })
const secret = <T>(read: Reader<T>) => ({ read, secret: true }) as const
const usual = <T>(read: Reader<T>, fallback: string) => ({ read, fallback })

/** Every setting of the gateway but `UPSTREAM_<API>_URL`. .github/operations/settings.md says what each means, in this order. */
export const SETTINGS = {
  NODE_ENV: usual(oneOf('production', 'development', 'test'), 'development'),
  PORT: usual(integer(0, 65535), '3000'),
  HOST: usual(text, '127.0.0.1'),
  PUBLIC_URL: usual(origin, 'http://localhost:3000'),
  TRUST_PROXY: { read: proxies },
  OIDC_ISSUER: required(issuer, 'the OIDC authority'),
  OIDC_CLIENT_ID: required(text, 'client id at the authority'),
  OIDC_CLIENT_SECRET: secret(text),
  OIDC_CLIENT_AUTH: usual(oneOf('basic', 'post', 'private_key_jwt'), 'basic'),
  OIDC_CLIENT_KEY: secret(clientKey),
  OIDC_CLIENT_KEY_ID: { read: text },
  OIDC_SCOPES: usual(text, 'openid profile email offline_access ncp:read ncp:write'),
  OIDC_AUTHORIZATION_PARAMS: { read: parameters },
  OIDC_AUDIENCE: { read: text },
  BEARER_CALLS_PER_MINUTE: usual(integer(1, 1_000_000), '6000'),
  SESSION_CALLS_PER_MINUTE: usual(integer(1, 1_000_000), '6000'),
  ANONYMOUS_CALLS_PER_MINUTE: usual(integer(1, 1_000_000), '300'),
  CALLS_IN_FLIGHT: usual(integer(1, 10_000), '32'),
  BODY_MB_PER_MINUTE: usual(integer(1, 10_000), '8'),
  ROLES_MAX_AGE_SECONDS: usual(integer(1, 900), '60'),
  UPSTREAM_URL: required(httpUrl, 'the API host'),
  UPSTREAM_TIMEOUT_MS: usual(integer(100, 600_000), '15000'),
  UPSTREAM_CONNECTIONS: usual(integer(1, 1024), '64'),
  UPSTREAM_PAGE_MAX_MB: usual(integer(1, 64), '4'),
  INVENTORY_MEMORY_MB: usual(integer(64, 65_536), '512'),
  INVENTORY_TIMEOUT_MS: usual(integer(1_000, 600_000), '10000'),
  DOWNLOAD_HOSTS: { read: fileHosts },
  REDIS_URL: secret(redisUrl),
  REDIS_USERNAME: { read: text },
  REDIS_PASSWORD: secret(text),
  REDIS_SENTINELS: { read: hostsAndPorts },
  REDIS_SENTINEL_NAME: { read: text },
  REDIS_SENTINEL_USERNAME: { read: text },
  REDIS_SENTINEL_PASSWORD: secret(text),
  REDIS_CLUSTER: { read: hostsAndPorts },
  SESSION_SECRETS: secret(secrets),
  SESSION_IDLE_SECONDS: usual(integer(10, 604_800), '1800'),
  SESSION_ABSOLUTE_SECONDS: usual(integer(10, 2_592_000), '43200'),
  SESSIONS_PER_PERSON: { read: integer(1, 100) },
  SESSION_NOTICE_SECONDS: usual(integer(1, 3600), String(SESSION_NOTICE_SECONDS)),
  LOGOUT_URLS: { read: (value: string) => list(value).map(pageUrl) },
  REMOTE_URL: { read: httpUrl },
  FEATURE_FLAGS: usual(flags(FLAGS, FLAG_DEFAULTS), ','),
  SERVICE_BANNER: { read: text },
  THIRD_PARTY_APP_URL: { read: pageUrl },
  THIRD_PARTY_APP_NAME: { read: text },
  SUPPORT_PHONE: { read: text },
  SUPPORT_EMAIL: { read: text },
  PRIVACY_LINKS: { read: links },
  LICENSING_URL: { read: pageUrl },
  HTTP_HOSTS: { read: hostNames },
  EXTRA_CA_CERTS_FILE: { read: certificates, file: true },
  METRICS_PORT: usual(integer(0, 65535), '9464'),
  SHUTDOWN_DELAY_SECONDS: usual(integer(0, 300), '5'),
  SHUTDOWN_DEADLINE_SECONDS: usual(integer(1, 600), '25'),
  LOG_LEVEL: usual(oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent'), 'info')
} as const

type Values = {
  [K in keyof typeof SETTINGS]:
    | ReturnType<(typeof SETTINGS)[K]['read']>
    | ((typeof SETTINGS)[K] extends { fallback: string } | { required: string } ? never : undefined)
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

/** Everything wrong with the environment, one line each. */
export class ConfigError extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    const lines = problems.map((problem) => `  - ${problem}`)
    super(`The gateway cannot start with this environment:\n${lines.join('\n')}`)
    this.problems = problems
  }
}

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
    const { read, fallback, required } = setting
    try {
      const given = textOf(name, setting) || fallback
      if (given !== undefined) return read(given)
      if (required) problems.push(`${name} is missing: ${required}`)
    } catch (error) {
      const { message } = error as Error
      problems.push(error instanceof SecretFileError ? message : `${name} ${message}`)
    }
    return undefined
  }

  for (const [name, setting] of Object.entries(SETTINGS)) values[name] = read(name, setting)
  values.UPSTREAMS = Object.fromEntries(
    APIS.map((api) => [api, read(`UPSTREAM_${api}_URL`, { read: httpUrl }) ?? values.UPSTREAM_URL])
  )
  problems.push(...unknownNames(env))
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

/** `SESSION_MANAGER` belongs to Linux desktops. */
const OURS = /^(?:OIDC|REDIS|UPSTREAM|SESSION(?!_MANAGER$))_/
/** Set by Kubernetes for each service of the namespace. */
const SERVICE_LINK = /_SERVICE_(?:HOST|PORT(?:_\w+)?)$|_PORT(?:_\d+_(?:TCP|UDP)\w*)?$/

/** Names that look like settings and are none: a misspelt one would be ignored without a word. */
function unknownNames(env: Env): string[] {
  return Object.keys(env)
    .filter((name) => OURS.test(name) && !SERVICE_LINK.test(name) && !NAMES.includes(name))
    .map((name) => `${name} is no setting: did you mean ${closest(name, NAMES)}?`)
}
