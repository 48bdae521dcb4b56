// Runs the commands of running.md in their order, and the health check that the demo's workflow waits for.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { basename, join } from 'node:path'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { readArguments } from '#server/arguments.ts'
import { freePort } from '#test/support/portal.ts'
import { productionAt, startGatewayProcess } from '../support/gateway-process.ts'
import { eventually, startRedis } from '../support/redis-server.ts'
import { openSandbox } from '../support/scenes/gateway.ts'
import { ROOT } from './image-files.ts'

const WITHIN_MS = 120_000
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const running = read('.github/operations/running.md')
/** The shell blocks of a section of running.md. */
const blocksOf = (heading: string) =>
  [...(running.split(`\n## ${heading}`)[1]?.split('\n## ')[0] ?? '').matchAll(/```sh\n(.*?)```/gs)].map(
    ([, block = '']) => block
  )
const isRoot = userInfo().uid === 0

/** A folder like a clone, in which `sudo` needs no password. */
function clone(t: Test, programs: Record<string, string> = {}) {
  const bin = { sudo: '#!/bin/sh\nexec "$@"\n', ...programs }
  const path = t.testdir({ bin })
  for (const name of Object.keys(bin)) chmodSync(join(path, 'bin', name), 0o755)
  for (const name of ['package.json', 'server', 'shared', 'node_modules', 'dist', '.env.example'])
    if (existsSync(join(ROOT, name))) symlinkSync(join(ROOT, name), join(path, name))
  return path
}

async function operatorsSettings(t: Test) {
  const sandbox = await openSandbox(t)
  const [port, metricsPort] = [await freePort(), await freePort()]
  const { SESSION_SECRETS, OIDC_CLIENT_SECRET, REDIS_URL, NODE_ENV, ...settings } = productionAt(sandbox, '')
  return {
    ...settings,
    PORT: `${port}`,
    METRICS_PORT: `${metricsPort}`,
    PUBLIC_URL: `http://localhost:${port}`
  }
}

const SANDBOX_SECRET = 'sandbox-portal-client-secret-0123456789'

async function runBlock(block: string, path: string, env: Record<string, string> = {}) {
  const script = `set -euo pipefail\n${block.replace('the client secret', SANDBOX_SECRET)}`
  const PATH = `${path}/bin:${join(ROOT, 'node_modules/.bin')}:${process.env.PATH}`
  const shell = spawn('bash', ['-c', script], { cwd: path, env: { PATH, HOME: path, ...env } })
  const [stdout, stderr, [status]] = await Promise.all([
    text(shell.stdout),
    text(shell.stderr),
    once(shell, 'close')
  ])
  return { status: status as number | null, output: stdout + stderr }
}

t.test('the commands with containers work in their order', { skip: !isRoot && 'needs root' }, async (t) => {
  const docker = `#!/bin/sh\nexec '${process.execPath}' '${join(ROOT, 'test/support/compose-engine.ts')}' "$@"\n`
  const path = clone(t, { docker })
  // Not the test's own folder, which is removed before the processes are stopped.
  const state = mkdtempSync(join(tmpdir(), 'portal-compose-'))
  const env = {
    COMPOSE: state,
    REDIS_PORT: `${await freePort()}`,
    SANDBOX_ENV: JSON.stringify(await operatorsSettings(t))
  }
  t.teardown(() => {
    const pids = join(state, 'pids')
    const groups = existsSync(pids) ? readFileSync(pids, 'utf8').split('\n').filter(Boolean) : []
    for (const group of groups) process.kill(-Number(group), 'SIGKILL')
    rmSync(state, { recursive: true, force: true })
  })
  const [configure = ''] = blocksOf('2. Configure')
  t.match(await runBlock(configure, path), { status: 0 })
  const [start = ''] = blocksOf('3. Check, and start')
  t.match(start, /--check/)
  const { status, output } = await runBlock(start, path, env)
  t.equal(status, 0, output)
  t.match(output, /^Redis +.* ok$/m)
})

t.test(
  'the commands without containers work in their order',
  { skip: !isRoot && 'needs root' },
  async (t) => {
    const path = clone(t)
    const redis = await startRedis(t)
    const [configure = ''] = blocksOf('2. Configure')
    t.match(await runBlock(configure, path), { status: 0 })
    const [, start = ''] = blocksOf('3. Check, and start')
    const [install = '', ...commands] = start.split('\n')
    t.equal(install, 'npm ci && npm run build')
    const settings = {
      ...(await operatorsSettings(t)),
      REDIS_URL: redis.url,
      SESSION_SECRETS_FILE: 'secrets/session_secrets',
      OIDC_CLIENT_SECRET_FILE: 'secrets/oidc_client_secret'
    }
    const lines = Object.entries(settings).map(([name, value]) => `${name}='${value}'`)
    // The shell of the block exports what .env says, as an operator edits it.
    writeFileSync(join(path, '.env'), `${lines.join('\n')}\n`)
    const script = `set -euo pipefail\n${commands.join('\n')}`
    const env = { PATH: `${join(ROOT, 'node_modules/.bin')}:${process.env.PATH}`, HOME: path }
    const shell = spawn('bash', ['-c', script], { cwd: path, env, detached: true })
    let output = ''
    for (const stream of [shell.stdout, shell.stderr])
      stream.on('data', (chunk) => {
        output += chunk
      })
    t.teardown(() => {
      if (shell.exitCode === null) process.kill(-(shell.pid ?? 0), 'SIGKILL')
    })
    const isReady = () =>
      fetch(`http://localhost:${settings.METRICS_PORT}/readyz`).then(
        ({ ok }) => ok,
        () => false
      )
    await eventually(async () => shell.exitCode !== null || (await isReady()), WITHIN_MS)
    t.equal(shell.exitCode, null, output)
    t.match(output, /^Redis +.* ok$/m)
    // The gateway answers before its line has come through the pipe.
    await eventually(() => output.includes('"msg":"listening"'), WITHIN_MS)
  }
)

t.test('the health check of the demo succeeds when people can sign in', async (t) => {
  const sandbox = await openSandbox(t)
  const redis = await startRedis(t)
  const metricsPort = await freePort()
  const settings = { ...productionAt(sandbox, redis.url), METRICS_PORT: `${metricsPort}` }
  const gateway = await startGatewayProcess(t, settings)
  const { services } = parse(read('docker-compose.yml'), { merge: true })
  const [, , ...parameters] = services['sandbox-at-localhost'].healthcheck.test as string[]
  const [flag = '', script = ''] = parameters
  const here = script
    .replace('http://127.0.0.1:3000', gateway.url)
    .replace('http://127.0.0.1:9464', `http://localhost:${metricsPort}`)
    .replace('http://localhost:4000', sandbox.url)
  const check = () =>
    new Promise((resolve) => spawn(process.execPath, [flag, here]).once('exit', (code) => resolve(code)))
  await eventually(async () => (await check()) === 0, WITHIN_MS)
  await redis.kill()
  t.equal(await check(), 1, 'fails while nobody can sign in')
})

t.test('every command in documents and workflows names what exists', async (t) => {
  const paths = ['README.md', '.ci/run', ...globSync('.github/**/*.{md,yml,sh}', { cwd: ROOT })]
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const { services } = parse(read('docker-compose.yml'), { merge: true }) as { services: object }
  const profiles = new Set(Object.values(services).flatMap(({ profiles = [] }) => profiles))
  for (const path of paths) {
    const document = read(path)
    for (const [command, script = ''] of document.matchAll(/npm run ([\w:-]+)/g))
      t.ok(script in scripts, `${command} in ${path}`)
    for (const [command, profile = ''] of document.matchAll(/--profile (\w+)/g))
      t.ok(profiles.has(profile), `${command} in ${path}`)
    for (const [command, args = ''] of document.matchAll(/npm start -- ((?:--?[\w-]+(?: secrets)? ?)+)/g))
      t.doesNotThrow(() => readArguments(args.trim().split(' ')), `${command} in ${path}`)
    for (const [command, service = ''] of document.matchAll(/docker compose run (?:--[\w-]+ )*(\w+)/g))
      t.ok(service in services, `${command} in ${path}`)
    for (const [, block = ''] of document.matchAll(/```sh\n(.*?)```/gs))
      t.equal(
        spawnSync('bash', ['-n', '-c', block.replace(/<[\w -]+>/g, 'x')]).status,
        0,
        `${basename(path)}: ${block}`
      )
  }
})
