import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { readArguments } from '#server/arguments.ts'
import { runSecrets } from '#server/secrets/program.ts'

/** Runs the program with these arguments and returns its exit code and output. */
function run(args: string[], env: Record<string, string> = {}) {
  const output = { stdout: '', stderr: '' }
  const streamTo = (name: keyof typeof output) =>
    ({
      write(text: string) {
        output[name] += text
        return true
      }
    }) as unknown as NodeJS.WriteStream & { fd: 1 } & { fd: 2 }
  const streams = { stdout: streamTo('stdout'), stderr: streamTo('stderr') }
  const code = runSecrets(readArguments(args), { env, ...streams })
  return { code, ...output }
}
const emptyFolder = (t: Test) => t.testdir()

t.test('fails with a message for a folder that does not exist', async (t) => {
  const { code, stdout, stderr } = run(['--secrets', '/nowhere'], { SECRETS_FOLDER: './mine' })
  t.equal(code, 1)
  t.equal(stdout, '')
  t.match(stderr, /^Cannot write the secrets to \.\/mine: .*ENOENT/)
})

t.test('creates the secrets of the folder', async (t) => {
  const folder = emptyFolder(t)
  t.strictSame(run(['--secrets', folder]), { code: 0, stdout: 'The secrets are ready.\n', stderr: '' })
  t.ok(existsSync(join(folder, 'session_secrets')))
  t.notOk(existsSync(join(folder, 'oidc_client_secret')), 'only the sandbox has a known client secret')
})

t.test("creates the sandbox's client secret if the sandbox is the issuer", async (t) => {
  const folder = emptyFolder(t)
  run(['--secrets', folder], { OIDC_ISSUER: 'http://localhost:4000/oidc' })
  t.ok(existsSync(join(folder, 'oidc_client_secret')))
})

t.test('--rotate adds a session secret', async (t) => {
  const folder = emptyFolder(t)
  run(['--secrets', folder])
  t.match(run(['--secrets', folder, '--rotate']), { code: 0, stdout: /^Added a session secret/ })
})
