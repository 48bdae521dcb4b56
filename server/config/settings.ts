// The table of settings, read once from the environment into a typed, frozen Config. Reports all problems together.
import { readFileSync } from 'node:fs'
import { closest, distance } from 'fastest-levenshtein'
import { FLAGS, type Flag } from '#shared/entities.ts'

import { crossChecks } from './checks.ts'
import * as kind from './values.ts'

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
  read: kind.Reader<T>
  fallback?: string
  /** The meaning of a required setting, for the message if it is missing. */
  required?: string
  /** The value is never shown. `NAME_FILE` may give the path of a file that contains the value. */
  secret?: true
  /** The setting gives the path of a file that contains the value. */
  file?: true
}

/** The highest value of `SESSIONS_PER_PERSON`. */
export const SESSIONS_PER_PERSON_MAX = 100

const FLAG_DEFAULTS = Object.fromEntries(
  FLAGS.map((flag) => [flag, flag !== 'enableServiceBanner'])
) as Record<Flag, boolean>

const required = <T>(read: kind.Reader<T>, meaning: string) => ({ read, required: meaning })
const secret = <T>(read: kind.Reader<T>) => ({ read, secret: true }) as const
const withDefault = <T>(read: kind.Reader<T>, fallback: string) => ({ read, fallback })

/** All settings except `UPSTREAM_<API>_URL`, in the order of .github/operations/settings.md, which explains them. */
export const SETTINGS = {
  NODE_ENV: withDefault(kind.oneOf('production', 'development', 'test'), 'development'),
  PORT: withDefault(kind.integer(0, 65535), '3000'),
  HOST: withDefault(kind.text, '127.0.0.1'),
  PUBLIC_URL: withDefault(kind.origin, 'http://localhost:3000'),
  TRUST_PROXY: { read: kind.proxies },
  OIDC_ISSUER: required(kind.issuer, 'the OIDC authority'),
  OIDC_CLIENT_ID: required(kind.text, 'client id at the authority'),
  OIDC_CLIENT_SECRET: secret(kind.text),
  OIDC_CLIENT_AUTH: withDefault(kind.oneOf('basic', 'post', 'private_key_jwt'), 'basic'),
  OIDC_CLIENT_KEY: secret(kind.clientKey),
  OIDC_CLIENT_KEY_ID: { read: kind.text },
  OIDC_SCOPES: withDefault(kind.text, 'openid profile email offline_access ncp:read ncp:write'),
  OIDC_AUTHORIZATION_PARAMS: { read: kind.parameters },
  OIDC_AUDIENCE: { read: kind.text },
  BEARER_CALLS_PER_MINUTE: withDefault(kind.integer(1, 1_000_000), '6000'),
  SESSION_CALLS_PER_MINUTE: withDefault(kind.integer(1, 1_000_000), '6000'),
  ANONYMOUS_CALLS_PER_MINUTE: withDefault(kind.integer(1, 1_000_000), '300'),
  CALLS_IN_FLIGHT: withDefault(kind.integer(1, 10_000), '32'),
  BODY_MB_PER_MINUTE: withDefault(kind.integer(1, 10_000), '8'),
  ROLES_MAX_AGE_SECONDS: withDefault(kind.integer(1, 900), '60'),
  LIVE_STREAMS: withDefault(kind.integer(0, 100_000), '2000'),
  LIVE_POLL_SECONDS: withDefault(kind.integer(1, 300), '4'),
  UPSTREAM_URL: required(kind.httpUrl, 'the API host'),
  UPSTREAM_TIMEOUT_MS: withDefault(kind.integer(100, 600_000), '15000'),
  UPSTREAM_CONNECTIONS: withDefault(kind.integer(1, 1024), '64'),
  UPSTREAM_MIN_BYTES_PER_SECOND: withDefault(kind.integer(0, 1_048_576), '1024'),
  UPSTREAM_PAGE_MAX_MB: withDefault(kind.integer(1, 64), '4'),
  INVENTORY_MEMORY_MB: withDefault(kind.integer(64, 65_536), '512'),
  INVENTORY_TIMEOUT_MS: withDefault(kind.integer(1_000, 600_000), '10000'),
  DOWNLOAD_HOSTS: { read: kind.fileHosts },
  REDIS_URL: secret(kind.redisUrl),
  REDIS_USERNAME: { read: kind.text },
  REDIS_PASSWORD: secret(kind.text),
  REDIS_SENTINELS: { read: kind.sentinels },
  REDIS_SENTINEL_NAME: { read: kind.text },
  REDIS_SENTINEL_USERNAME: { read: kind.text },
  REDIS_SENTINEL_PASSWORD: secret(kind.text),
  REDIS_CLUSTER: { read: kind.hostsAndPorts },
  SESSION_SECRETS: secret(kind.secrets),
  SESSION_IDLE_SECONDS: withDefault(kind.integer(10, 604_800), '1800'),
  SESSION_ABSOLUTE_SECONDS: withDefault(kind.integer(10, 2_592_000), '43200'),
  SESSIONS_PER_PERSON: withDefault(kind.integer(1, SESSIONS_PER_PERSON_MAX), '50'),
  SESSION_NOTICE_SECONDS: withDefault(kind.integer(1, 3600), '60'),
  LOGOUT_URLS: { read: (value: string) => kind.list(value).map(kind.pageUrl) },
  REMOTE_URL: { read: kind.httpUrl },
  FEATURE_FLAGS: withDefault(kind.flags(FLAGS, FLAG_DEFAULTS), ','),
  SERVICE_BANNER: { read: kind.text },
  THIRD_PARTY_APP_URL: { read: kind.pageUrl },
  THIRD_PARTY_APP_NAME: { read: kind.text },
  SUPPORT_PHONE: { read: kind.text },
  SUPPORT_EMAIL: { read: kind.text },
  PRIVACY_LINKS: { read: kind.links },
  LICENSING_URL: { read: kind.pageUrl },
  HTTP_HOSTS: { read: kind.hostNames },
  EXTRA_CA_CERTS_FILE: { read: kind.certificates, file: true },
  METRICS_PORT: withDefault(kind.integer(0, 65535), '9464'),
  OTEL_EXPORTER_OTLP_ENDPOINT: { read: kind.httpUrl },
  OTEL_EXPORTER_OTLP_HEADERS: secret(kind.headers),
  OTEL_SERVICE_NAME: withDefault(kind.text, 'portal-gateway'),
  OTEL_TRACES_SAMPLER_ARG: withDefault(kind.share, '1'),
  SHUTDOWN_DELAY_SECONDS: withDefault(kind.integer(0, 300), '5'),
  SHUTDOWN_DEADLINE_SECONDS: withDefault(kind.integer(1, 600), '25'),
  LOG_LEVEL: withDefault(kind.oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent'), 'info')
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

/** Lists all problems of the environment. */
export class ConfigError extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    const lines = problems.map((problem) => `  - ${problem}`)
    super(`The gateway cannot start with this environment:\n${lines.join('\n')}`)
    this.problems = problems
  }
}

/** Reads the environment and the files that it names. Throws a ConfigError with all problems. */
export function readConfig(env: Env): Config {
  const problems: string[] = []
  const values: Record<string, unknown> = {}

  const read = (name: string, setting: Setting) => {
    const { read, fallback, required } = setting
    const text = textOf(name, setting, env, problems) || fallback
    try {
      if (text !== undefined) return read(text)
      if (required) problems.push(`${name} is missing: ${required}`)
    } catch (error) {
      problems.push(`${name} ${(error as Error).message}`)
    }
    return undefined
  }

  for (const [name, setting] of Object.entries(SETTINGS)) values[name] = read(name, setting)
  values.UPSTREAMS = Object.fromEntries(
    APIS.map((api) => [api, read(`UPSTREAM_${api}_URL`, { read: kind.httpUrl }) ?? values.UPSTREAM_URL])
  )
  problems.push(...unknownNames(env))
  const config = values as Config
  // Don't report an invalid setting as missing too.
  const reportedNames = new Set(problems.map((problem) => problem.split(/_FILE | /)[0]))
  problems.push(...crossChecks(config).filter((problem) => !reportedNames.has(problem.split(' ')[0])))
  if (problems.length > 0) throw new ConfigError(problems)
  return deepFreeze(config)
}

/** The text of a setting, or of the file whose path is in the setting or in `NAME_FILE`. */
function textOf(name: string, { secret, file }: Setting, env: Env, problems: string[]): string | undefined {
  const value = env[name]?.trim()
  const setting = file ? name : `${name}_FILE`
  const path = file || secret ? env[setting]?.trim() : undefined
  if (!path) return value
  if (secret && value) {
    problems.push(`${setting} and ${name} are both set: remove one of them`)
    return undefined
  }
  try {
    const text = readFileSync(path, 'utf8').trim()
    if (text === '') problems.push(`${setting} names an empty file: ${path}`)
    return text
  } catch (error) {
    const { code = 'unreadable' } = error as NodeJS.ErrnoException
    problems.push(
      `${setting} cannot be read: ${path} (${code}); check the path, and that the gateway's user may read it`
    )
    return undefined
  }
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze)
  return value
}

/**
 * Names with our prefixes, except `SESSION_MANAGER`, which Linux desktops set. `OTEL_` is none: the SDK of OpenTelemetry has
 * further settings, and Kubernetes operators set some in every pod.
 */
const OURS = /^(?:OIDC|REDIS|UPSTREAM|SESSION(?!_MANAGER$))_/
/** Names that Kubernetes sets for each service of the namespace. */
const SERVICE_LINK = /_SERVICE_(?:HOST|PORT(?:_\w+)?)$|_PORT(?:_\d+_(?:TCP|UDP)\w*)?$/
/** Shorter names, such as PORT, resemble too many names of other programs. */
const LONG_NAME_LENGTH = 8
/** The number of changed characters up to which a name is taken for a misspelt setting. */
const TYPO_DISTANCE_MAX = 2

/** Reports unknown names with our prefixes or close to a setting: otherwise a misspelt setting would be ignored silently. */
function unknownNames(env: Env): string[] {
  return Object.keys(env)
    .filter((name) => !NAMES.includes(name) && !SERVICE_LINK.test(name))
    .filter((name) => OURS.test(name) || isMisspelt(name))
    .map((name) => `${name} is not a setting: did you mean ${closest(name, NAMES)}?`)
}

function isMisspelt(name: string): boolean {
  const longNames = NAMES.filter((known) => known.length >= LONG_NAME_LENGTH)
  return longNames.some((known) => distance(name.toUpperCase(), known) <= TYPO_DISTANCE_MAX)
}
