// Runs upgrade.sh with a `docker` that always succeeds. upgrade.long.test.ts runs it with gateways.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  linkSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { ROOT } from './image-files.ts'

const SETTINGS = 'PUBLIC_URL=x\nGATEWAY_IMAGE=portal-gateway:1.0.0\nLOG_LEVEL=info'
const DOCKER = `#!/bin/sh
case "$*" in
  'compose ps -q gateway') echo old ;;
  'compose ps -aq gateway') echo old; if [ -e started ]; then echo new; fi ;;
  'compose up '*) touch started ;;
esac
`

function setUp(t: Test, programs: Record<string, string> = {}) {
  const path = t.testdir({ bin: { docker: DOCKER, ...programs }, '.env': SETTINGS })
  for (const name of ['docker', ...Object.keys(programs)]) chmodSync(join(path, 'bin', name), 0o755)
  const env = { PATH: `${join(path, 'bin')}:${process.env.PATH}` }
  const upgrade = () => {
    const script = join(ROOT, '.github/operations/upgrade.sh')
    const run = spawnSync(script, ['portal-gateway:1.1.0'], { cwd: path, env, encoding: 'utf8' })
    return { status: run.status, output: run.stdout + run.stderr }
  }
  return { file: (name: string) => join(path, name), upgrade }
}

t.test('upgrade.sh replaces .env at once and keeps its mode', async (t) => {
  const { file, upgrade } = setUp(t)
  chmodSync(file('.env'), 0o600)
  linkSync(file('.env'), file('before'))
  t.match(upgrade(), { status: 0, output: /done: 1 of portal-gateway:1.1.0/ })
  t.equal(
    readFileSync(file('.env'), 'utf8'),
    'PUBLIC_URL=x\nLOG_LEVEL=info\nGATEWAY_IMAGE=portal-gateway:1.1.0\n'
  )
  t.equal(statSync(file('.env')).mode & 0o777, 0o600)
  t.equal(readFileSync(file('before'), 'utf8'), SETTINGS, 'does not write into the old file')
  t.notOk(existsSync(file('.env.new')))
})

t.test('upgrade.sh writes the file to which .env links', async (t) => {
  const { file, upgrade } = setUp(t)
  writeFileSync(file('shared'), readFileSync(file('.env')))
  rmSync(file('.env'))
  symlinkSync('shared', file('.env'))
  t.match(upgrade(), { status: 0 })
  t.match(readFileSync(file('shared'), 'utf8'), 'GATEWAY_IMAGE=portal-gateway:1.1.0')
})

t.test('upgrade.sh leaves .env unchanged if it cannot be written', async (t) => {
  const { file, upgrade } = setUp(t, { mv: '#!/bin/sh\nexit 1\n' })
  t.match(upgrade(), { status: 1, output: /set GATEWAY_IMAGE=portal-gateway:1.1.0 there/ })
  t.equal(readFileSync(file('.env'), 'utf8'), SETTINGS)
  t.notOk(existsSync(file('.env.new')))
})
