import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { prepareSecrets } from '#server/config/secret-files.ts'

function folder(t: Test, files: Record<string, string> = {}) {
  const path = t.testdir(files)
  chmodSync(path, 0o755)
  const prepare = (changes: { sandbox?: boolean; rotate?: boolean } = {}) =>
    prepareSecrets({ path, shownAs: './mine', sandbox: false, rotate: false, ...changes })
  const read = (name: string) => readFileSync(join(path, name), 'utf8')
  return { path, prepare, read }
}

t.test('what the containers cannot read is named with what to do', async (t) => {
  const { path, prepare } = folder(t)
  writeFileSync(join(path, 'oidc_client_secret'), 'x', { mode: 0o640 })
  chmodSync(path, 0o700)
  t.strictSame(prepare(), [
    './mine cannot be entered by the users of the containers: chmod 755 ./mine',
    './mine/oidc_client_secret cannot be read in the containers: chmod 644 ./mine/oidc_client_secret'
  ])
  chmodSync(path, 0o711)
  chmodSync(join(path, 'oidc_client_secret'), 0o644)
  t.strictSame(prepare(), [], 'what it made itself can be read')
})

t.test('secrets are made once, for those who have none, and can be read by whoever needs them', async (t) => {
  const { path, prepare, read } = folder(t, { redis_password: 'my own' })
  t.strictSame(prepare(), [])
  t.equal(read('redis_password'), 'my own', 'what is there stays')
  t.throws(() => read('oidc_client_secret'), 'that of the identity provider is not made up')
  const first = read('session_secrets')
  t.ok(first.length >= 32)
  t.equal(statSync(join(path, 'session_secrets')).mode & 0o777, 0o444)
  t.strictSame(prepare({ sandbox: true }), [])
  t.equal(read('session_secrets'), first)
  t.match(read('oidc_client_secret'), /^sandbox/)
})

t.test('a new session secret is put before the old ones, and the oldest go', async (t) => {
  const { path, prepare, read } = folder(t, { session_secrets: 'the-first-one-of-the-operator-himself\n' })
  const secrets = () => read('session_secrets').split(',')
  const rotate = () => {
    // Root, as the container has it, may write what can only be read; others run these tests as well.
    chmodSync(join(path, 'session_secrets'), 0o644)
    prepare({ rotate: true })
  }
  rotate()
  const [second = '', ...older] = secrets()
  t.strictSame(older, ['the-first-one-of-the-operator-himself'])
  t.ok(second.length >= 32)
  rotate()
  t.strictSame(secrets().slice(1), [second, ...older])
  rotate()
  t.equal(secrets().length, 3)
  t.notOk(secrets().includes('the-first-one-of-the-operator-himself'))
})

t.test('a folder that is not there is an error', async (t) => {
  t.throws(() => prepareSecrets({ path: '/nowhere', shownAs: 'x', sandbox: false, rotate: false }), /ENOENT/)
})
