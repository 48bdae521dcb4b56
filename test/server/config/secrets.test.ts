// Secrets from files, the files that the image creates, and the settings in the log.
import { generateKeyPairSync } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { prepareSecrets } from '#server/config/secret-files.ts'
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
  t.equal(secrets.map(([name]) => name).join(' '), `${names} SESSION_SECRETS`)
})

const NOW_MS = 1_800_000_000_000
const SESSION_SECONDS = 43_200
const FOLDER = {
  ...{ shownAs: './mine', sandbox: false, rotate: false },
  ...{ sessionSeconds: SESSION_SECONDS, nowMs: NOW_MS }
}
const { uid: OWN_USER } = userInfo()
const modeOf = (path: string) => statSync(path).mode & 0o777

function setUp(t: Test, files: Record<string, string> = {}) {
  const folders = t.testdir({ gateway: files, redis: {} })
  const path = join(folders, 'gateway')
  const redisPath = join(folders, 'redis')
  chmodSync(path, 0o755)
  // Only root may give a file to another user.
  const containers = { redisPath, gatewayUser: OWN_USER, redisUser: OWN_USER }
  const prepare = (changes: Partial<Parameters<typeof prepareSecrets>[0]> = {}) =>
    prepareSecrets({ ...FOLDER, path, containers, ...changes })
  const read = (name: string) => readFileSync(join(path, name), 'utf8')
  return { path, redisPath, containers, prepare, read }
}

t.test('reports how to make the files readable in containers', async (t) => {
  const { path, prepare, containers } = setUp(t)
  writeFileSync(join(path, 'oidc_client_secret'), 'x', { mode: 0o040 })
  chmodSync(path, 0o700)
  t.match(prepare(), [
    /^\.\/mine .*: chmod 711 \.\/mine$/,
    `cannot be read by the gateway: chown ${OWN_USER} ./mine/oidc_client_secret && chmod 400 ./mine/oidc_client_secret`
  ])
  chmodSync(path, 0o711)
  for (const mode of [0o400, 0o004]) {
    chmodSync(join(path, 'oidc_client_secret'), mode)
    t.strictSame(prepare(), [], mode.toString(8))
  }
  chmodSync(join(path, 'oidc_client_secret'), 0o400)
  const otherUser = { ...containers, gatewayUser: OWN_USER + 1 }
  if (OWN_USER === 0) t.match(prepare({ containers: otherUser }), [/oidc_client_secret cannot be read/])
  t.throws(() => prepareSecrets({ ...FOLDER, path: '/nowhere', containers: null }), /ENOENT/)
})

t.test(
  'creates missing secrets once, readable only by their owner, and keeps existing secrets',
  async (t) => {
    const { path, prepare, read } = setUp(t, { redis_password: 'my own' })
    t.strictSame(prepare(), [])
    t.equal(read('redis_password'), 'my own')
    t.throws(() => read('oidc_client_secret'), 'the identity provider creates the secret')
    const first = read('session_secrets')
    t.ok(first.length >= 32)
    t.equal(modeOf(join(path, 'session_secrets')), 0o400)
    t.strictSame(prepare({ sandbox: true }), [])
    t.equal(read('session_secrets'), first)
    t.match(read('oidc_client_secret'), /^sandbox/)
  }
)

t.test('gives Redis a copy of its password and no other secret', async (t) => {
  const { path, redisPath, prepare, read } = setUp(t)
  const redisFiles = () =>
    Object.fromEntries(
      readdirSync(redisPath).map((name) => [name, readFileSync(join(redisPath, name), 'utf8')])
    )
  prepare({ sandbox: true })
  t.strictSame(redisFiles(), { redis_password: read('redis_password') })
  t.equal(modeOf(join(redisPath, 'redis_password')), 0o400)
  writeFileSync(join(path, 'redis_password'), 'changed by the operator')
  prepare({ rotate: true })
  t.strictSame(redisFiles(), { redis_password: 'changed by the operator' })
  prepare({ containers: null })
  t.strictSame(redisFiles(), { redis_password: 'changed by the operator' })
})

t.test('rotation puts a new session secret first, and keeps secrets of running sessions', async (t) => {
  const { path, prepare, read } = setUp(t, {
    session_secrets: 'the-first-one-of-the-operator-himself\n'
  })
  const secrets = () => read('session_secrets').split(',')
  const rotateAt = (nowMs: number) => {
    prepare({ rotate: true, nowMs })
    return secrets()
  }
  const [second = '', ...older] = rotateAt(NOW_MS)
  t.strictSame(older, ['the-first-one-of-the-operator-himself'])
  t.ok(second.length >= 32)
  for (const count of [1, 2, 3]) t.equal(rotateAt(NOW_MS + count).length, 2 + count)
  t.equal(rotateAt(NOW_MS + SESSION_SECONDS * 1000 - 1).length, 6, 'the oldest may still be in use')
  const rotatedSecrets = rotateAt(NOW_MS + SESSION_SECONDS * 1000)
  t.equal(rotatedSecrets.length, 6)
  t.notOk(rotatedSecrets.includes('the-first-one-of-the-operator-himself'))
  t.ok(rotatedSecrets.includes(second))
  t.equal(modeOf(join(path, 'session_secrets')), 0o400)
})

t.test('a failed rotation changes no file', async (t) => {
  const { path, prepare, read } = setUp(t, { session_secrets: 'the-first-one-of-the-operator-himself' })
  mkdirSync(join(path, '.session_secrets.new'))
  t.throws(() => prepare({ rotate: true }))
  t.equal(read('session_secrets'), 'the-first-one-of-the-operator-himself')
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
