import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { prepareSecrets } from '#server/secrets/secret-files.ts'

const NOW_MS = 1_800_000_000_000
const SESSION_SECONDS = 43_200
const FOLDER = {
  shownAs: './mine',
  sandbox: false,
  rotate: false,
  sessionSeconds: SESSION_SECONDS,
  nowMs: NOW_MS
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
