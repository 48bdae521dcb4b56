// Secrets from files, and the settings in the log.
import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ConfigError, readConfig, SETTINGS } from '#server/config/settings.ts'
import { shownConfig } from '#server/config/shown.ts'

const SECRET = 'a-secret-of-at-least-thirty-two-characters'
const REQUIRED = {
  OIDC_ISSUER: 'https://idp.example.com',
  OIDC_CLIENT_ID: 'portal',
  UPSTREAM_URL: 'https://api.example.com'
}
const folder = t.testdir()

function file(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig({ ...REQUIRED, ...env })
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

t.test('names the setting whose file is missing, unreadable, empty or redundant', async (t) => {
  const problemOf = (path: string) => problemsOf({ OIDC_CLIENT_SECRET_FILE: path })
  t.match(problemOf(join(folder, 'missing')), [
    /^OIDC_CLIENT_SECRET_FILE cannot be read: .*missing \(ENOENT\); check the path/
  ])
  t.match(problemOf(folder), [/^OIDC_CLIENT_SECRET_FILE cannot be read: .*EISDIR/])
  t.match(problemOf(file('empty', ' \n')), [/^OIDC_CLIENT_SECRET_FILE names an empty file/])
  t.match(problemsOf({ OIDC_CLIENT_SECRET: 'one', OIDC_CLIENT_SECRET_FILE: file('two', 'two') }), [
    /^OIDC_CLIENT_SECRET_FILE and OIDC_CLIENT_SECRET are both set/
  ])
})

t.test('validates a secret from a file like the setting itself, without revealing it', async (t) => {
  const problems = problemsOf({ OIDC_CLIENT_SECRET: 'x', SESSION_SECRETS_FILE: file('short', 'abcde') })
  t.match(problems, [/^SESSION_SECRETS must be secrets of at least 32 characters/])
  t.notOk(problems.join().includes('abcde'))
})

t.test('reads every secret from a file, without the line break at its end', async (t) => {
  const config = readConfig({
    ...REQUIRED,
    OIDC_CLIENT_SECRET_FILE: file('client', 'from a file\n'),
    SESSION_SECRETS_FILE: file('session', `${SECRET},\n${SECRET}2\r\n`),
    REDIS_URL_FILE: file('redis', 'redis://redis:6379\n'),
    REDIS_PASSWORD_FILE: file('password', 'letmein\n'),
    LOG_LEVEL_FILE: file('level', 'debug')
  })
  t.match(config, {
    OIDC_CLIENT_SECRET: 'from a file',
    SESSION_SECRETS: [SECRET, `${SECRET}2`],
    REDIS_URL: 'redis://redis:6379',
    REDIS_PASSWORD: 'letmein',
    LOG_LEVEL: 'info'
  })
  const secrets = Object.entries(SETTINGS).filter(([, setting]) => 'secret' in setting)
  const names = 'OIDC_CLIENT_SECRET OIDC_CLIENT_KEY REDIS_URL REDIS_PASSWORD REDIS_SENTINEL_PASSWORD'
  t.equal(secrets.map(([name]) => name).join(' '), `${names} SESSION_SECRETS OTEL_EXPORTER_OTLP_HEADERS`)
})

t.test('logs every setting, but no part of a secret', async (t) => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const secrets = {
    OIDC_CLIENT_SECRET: 'the-client-secret',
    OIDC_CLIENT_KEY: pem,
    REDIS_URL: 'rediss://operator:the-redis-password@redis.internal:6380/2',
    REDIS_PASSWORD: 'another-redis-password',
    SESSION_SECRETS: `the-first-${SECRET},the-second-${SECRET}`
  }
  const config = readConfig({ ...REQUIRED, ...secrets, UPSTREAM_ALARMS_URL: 'https://alarms.example.com' })
  const logEntry = shownConfig(config)
  const text = JSON.stringify(logEntry)
  const parts = ['the-redis-password', 'the-first', 'the-second', pem.split('\n')[1] ?? '']
  for (const part of [...Object.values(secrets), ...parts]) t.notOk(text.includes(part), part)
  t.notMatch(text, /"d":|BEGIN|operator/)
  t.match(logEntry, {
    PORT: 3000,
    OIDC_CLIENT_SECRET: '(set)',
    OIDC_CLIENT_KEY: '(set)',
    REDIS_URL: 'rediss://redis.internal:6380/2',
    REDIS_PASSWORD: '(set)',
    SESSION_SECRETS: '2 (set)',
    UPSTREAM_URL: 'https://api.example.com',
    UPSTREAM_ALARMS_URL: 'https://alarms.example.com'
  })
  t.notOk('UPSTREAM_CONTROL_URL' in logEntry, 'omits an API at the common address')
  const setNames = Object.keys(SETTINGS).filter((name) => config[name as keyof typeof SETTINGS] !== undefined)
  for (const name of setNames) t.ok(name in logEntry, name)
})
