import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { ConfigError } from '#server/config/config-error.ts'
import { readConfig, SETTINGS } from '#server/config/settings.ts'

const SECRET = 'a-secret-of-at-least-thirty-two-characters'
const LEAST = {
  OIDC_ISSUER: 'https://idp.example.com',
  OIDC_CLIENT_ID: 'portal',
  UPSTREAM_URL: 'https://api.example.com'
}
const folder = mkdtempSync(join(tmpdir(), 'portal-secrets-'))
t.teardown(() => rmSync(folder, { recursive: true }))

function file(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig({ ...LEAST, ...env })
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

t.test('a file that is not there, empty, or one too many is named with its setting', async (t) => {
  const path = join(folder, 'missing')
  t.match(problemsOf({ OIDC_CLIENT_SECRET_FILE: path }), [
    `OIDC_CLIENT_SECRET_FILE cannot be read: ${path} (ENOENT); check the path, and that the gateway's user may read it`
  ])
  t.match(problemsOf({ OIDC_CLIENT_SECRET_FILE: folder }), [
    /^OIDC_CLIENT_SECRET_FILE cannot be read: .*EISDIR/
  ])
  t.match(problemsOf({ OIDC_CLIENT_SECRET_FILE: file('empty', ' \n') }), [
    /^OIDC_CLIENT_SECRET_FILE names an empty file/
  ])
  const both = { OIDC_CLIENT_SECRET: 'one', OIDC_CLIENT_SECRET_FILE: file('two', 'two') }
  t.strictSame(problemsOf(both), [
    'OIDC_CLIENT_SECRET_FILE and OIDC_CLIENT_SECRET are both set: keep one of them'
  ])
})

t.test('what a file holds has to be as good as the setting itself, and is not told', async (t) => {
  const problems = problemsOf({ OIDC_CLIENT_SECRET: 'x', SESSION_SECRETS_FILE: file('short', 'abcde') })
  t.match(problems, [/^SESSION_SECRETS must be secrets of at least 32 characters/])
  t.notOk(problems.join().includes('abcde'))
})

t.test('every secret may stand in a file, with the line end that editors leave', async (t) => {
  const config = readConfig({
    ...LEAST,
    OIDC_CLIENT_SECRET_FILE: file('client', 'from a file\n'),
    SESSION_SECRETS_FILE: file('session', `${SECRET},\n${SECRET}2\r\n`),
    REDIS_URL_FILE: file('redis', 'redis://redis:6379\n'),
    REDIS_PASSWORD_FILE: file('password', 'letmein\n')
  })
  t.match(config, {
    OIDC_CLIENT_SECRET: 'from a file',
    SESSION_SECRETS: [SECRET, `${SECRET}2`],
    REDIS_URL: 'redis://redis:6379',
    REDIS_PASSWORD: 'letmein'
  })
})

t.test('what is no secret has no file', async (t) => {
  const config = readConfig({ ...LEAST, OIDC_CLIENT_SECRET: 'x', LOG_LEVEL_FILE: file('level', 'debug') })
  t.equal(config.LOG_LEVEL, 'info')
  const secrets = Object.entries(SETTINGS)
    .filter(([, setting]) => 'secret' in setting)
    .map(([name]) => name)
  t.strictSame(secrets, [
    'OIDC_CLIENT_SECRET',
    'OIDC_CLIENT_KEY',
    'REDIS_URL',
    'REDIS_PASSWORD',
    'REDIS_SENTINEL_PASSWORD',
    'SESSION_SECRETS'
  ])
})
