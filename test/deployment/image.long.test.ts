// Checks the contents of the production image, and runs the gateway from them as a user without write access.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { gatewaySettings } from '#test/sandbox/app.ts'
import { freePort, signIn } from '#test/support/portal.ts'
import { eventually, startRedis } from '../support/redis-server.ts'
import { openSandbox } from '../support/scenes/gateway.ts'
import { copies, packagesOf, productionPackages, ROOT, stages } from './image-files.ts'

const MANIFEST = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const TIMEOUT_MS = 60_000
const NOBODY = 65_534

const instruction = (stage: string, name: string): string =>
  stages()
    .get(stage)
    ?.find(([item]) => item === name)?.[1] ?? ''
const commands = (stages().get('dependencies') ?? []).flatMap(([name, rest]) =>
  name === 'RUN' ? [rest] : []
)

t.test('the production image contains no tests, client sources or tools', async (t) => {
  const paths = ['dist/client', 'node_modules', 'package.json', 'server', 'shared']
  t.strictSame(copies('gateway').sort(), paths)
  t.equal(commands[0], 'npm ci --omit=dev --ignore-scripts', 'production packages only')
  t.strictSame(copies('sandbox').sort(), ['package.json', 'test/sandbox'])
  t.equal([...stages().keys()].at(-1), 'gateway', 'the gateway is the default target')
})

t.test('builders of 2022 know every option of the Dockerfile', async (t) => {
  const knownOptions: Record<string, string[]> = {
    FROM: ['platform'],
    COPY: ['chown', 'chmod', 'from'],
    HEALTHCHECK: ['interval', 'timeout', 'start-period', 'retries']
  }
  for (const [stage, instructions] of stages())
    for (const [name, rest] of instructions) {
      const [options = ''] = /^(?:--\S+\s+)*/.exec(rest) ?? []
      for (const [, option = ''] of options.matchAll(/--([\w-]+)/g))
        t.ok(knownOptions[name]?.includes(option), `${name} --${option} in ${stage}`)
    }
})

t.test('the build context has no secrets and no unneeded files', async (t) => {
  const text = readFileSync(join(ROOT, '.dockerignore'), 'utf8')
  const rules = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  t.equal(rules[0], '*', 'excludes everything by default')
  const sources = ['client', 'server', 'shared', 'test/sandbox']
  const includedPaths = rules.filter((rule) => rule.startsWith('!')).map((rule) => rule.slice(1))
  t.strictSame(includedPaths.filter((path) => !path.includes('.')).sort(), sources)
  for (const rule of ['**/node_modules', '**/.env'])
    t.ok(rules.lastIndexOf(rule) > rules.indexOf('!test/sandbox'))
})

t.test('runs the tested version of Node, without root, npm or a shell', async (t) => {
  const version = /^ARG NODE_VERSION=(.+)$/m.exec(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'))?.[1]
  t.equal(version, MANIFEST.devDependencies.node)
  for (const stage of ['gateway', 'sandbox']) {
    t.match(instruction(stage, 'USER'), /^[1-9]\d*:[1-9]\d*$/)
    t.match(instruction(stage, 'ENTRYPOINT'), /^\["node", (?:"--[\w-]+=\d+", )*"[\w/]+\.ts"\]$/)
    t.equal(instruction(stage, 'STOPSIGNAL'), 'SIGTERM')
  }
  const command = (JSON.parse(instruction('gateway', 'ENTRYPOINT')) as string[]).join(' ')
  t.equal(MANIFEST.scripts.start, `NODE_ENV=production exec ${command}`)
  t.match(instruction('gateway', 'LABEL'), /org\.opencontainers\.image\.title=.*version=.*revision=/)
})

/** Lays the files of an image into a folder of its own. */
function unpackImage(t: Test, paths: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'portal-image-'))
  t.teardown(() => {
    // Only root can delete from a read-only folder.
    execFileSync('chmod', ['-R', 'u+w', folder])
    rmSync(folder, { recursive: true, force: true })
  })
  const app = join(folder, 'app')
  for (const path of paths) {
    // The lock file also lists packages for other platforms.
    if (path.startsWith('node_modules/') && !existsSync(join(ROOT, path))) continue
    if (/node_modules\/.*\/node_modules\//.test(path)) continue
    mkdirSync(dirname(join(app, path)), { recursive: true })
    cpSync(join(ROOT, path), join(app, path), { recursive: true })
  }
  copyFileSync(process.execPath, join(folder, 'node'))
  chmodSync(join(folder, 'node'), 0o755)
  chmodSync(folder, 0o755)
  return folder
}

function unpackGateway(t: Test): string {
  const paths = copies('gateway').flatMap((item) => (item === 'node_modules' ? productionPackages() : [item]))
  const folder = unpackImage(t, paths)
  execFileSync('sh', ['-c', commands[1] ?? ''], { cwd: join(folder, 'app') })
  execFileSync('chmod', ['-R', 'a+rX,a-w', join(folder, 'app')])
  return folder
}

const ADDED_MAX_BYTES = 25_000_000

const pathsIn = (folder: string) => readdirSync(folder, { recursive: true }).map(String).sort()

t.test(
  'serves the portal from the files of the image only, without write access, and its health check works',
  async (t) => {
    const sandbox = await openSandbox(t)
    const redis = await startRedis(t)
    const folder = unpackGateway(t)
    const pathsBefore = pathsIn(folder)
    const unneededPath = /^app\/node_modules\/.*(?:\/(?:test|tests|__tests__)\/|\.map$|\.d\.[cm]?ts$)/
    t.strictSame(
      pathsBefore.filter((path) => unneededPath.test(path)),
      [],
      'no tests, source maps or types of packages'
    )
    const files = pathsBefore.map((path) => statSync(join(folder, path))).filter((file) => file.isFile())
    const addedBytes = files.reduce((sum, { size }) => sum + size, 0) - statSync(join(folder, 'node')).size
    t.ok(addedBytes < ADDED_MAX_BYTES, `adds ${addedBytes} bytes to Node`)
    const [port, metricsPort] = [await freePort(), await freePort()]
    const env = {
      ...Object.fromEntries(
        instruction('gateway', 'ENV')
          .split(' ')
          .map((pair) => pair.split('='))
      ),
      PORT: `${port}`,
      METRICS_PORT: `${metricsPort}`,
      PUBLIC_URL: `http://localhost:${port}`,
      ...gatewaySettings(sandbox),
      REDIS_URL: redis.url,
      SESSION_SECRETS: 'a-secret-of-at-least-thirty-two-characters',
      SHUTDOWN_DELAY_SECONDS: '0'
    }
    const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
    const [, ...command] = JSON.parse(instruction('gateway', 'ENTRYPOINT')) as string[]
    const child = spawn(join(folder, 'node'), command, { cwd: join(folder, 'app'), env, ...user })
    t.teardown(() => void child.kill('SIGKILL'))
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk
      })
    const url = env.PUBLIC_URL
    await eventually(async () => {
      if (child.exitCode !== null) throw new Error(output)
      return (await fetch(`${url}/auth/session`).catch(() => null))?.status === 200
    }, TIMEOUT_MS)

    t.match(await (await fetch(`${url}/customers`)).text(), /<title>/, 'serves the client')
    const person = await signIn(url, sandbox, 'partner.admin')
    t.equal((await person.call('/api/portal/v1/bootstrap')).status, 200)
    t.equal((await person.call('/api/openapi.json')).status, 200)

    const [, health = ''] = /CMD (\[.*\])$/.exec(instruction('gateway', 'HEALTHCHECK')) ?? []
    const [program = '', ...parameters] = JSON.parse(health) as string[]
    const isHealthy = (port: number) =>
      spawnSync(program, parameters, { env: { METRICS_PORT: `${port}` } }).status === 0
    t.equal(isHealthy(metricsPort), true, 'healthy while the gateway runs')
    t.equal(isHealthy(await freePort()), false, 'unhealthy without an answer')

    child.kill('SIGTERM')
    await eventually(() => child.exitCode !== null, TIMEOUT_MS)
    t.equal(child.exitCode, 0, output)
    t.strictSame(pathsIn(folder), pathsBefore, 'writes no files')
  }
)

t.test('the sandbox runs with the packages of its image only, without those for development', async (t) => {
  const [[, command = ''] = []] = (stages().get('sandbox') ?? []).filter(([name]) => name === 'RUN')
  t.match(command, /^npm install .*--omit=dev .*oidc-provider$/)
  const packages = [...productionPackages(), ...packagesOf('oidc-provider')]
  const folder = unpackImage(t, ['package.json', 'test/sandbox', ...packages])
  const port = await freePort()
  const [, program = ''] = JSON.parse(instruction('sandbox', 'ENTRYPOINT')) as string[]
  const child = spawn(join(folder, 'node'), [program], {
    cwd: join(folder, 'app'),
    env: { SANDBOX_PORT: `${port}` },
    stdio: 'ignore'
  })
  t.teardown(() => void child.kill('SIGKILL'))
  const discovery = `http://localhost:${port}/oidc/.well-known/openid-configuration`
  await eventually(async () => (await fetch(discovery).catch(() => null))?.status === 200, TIMEOUT_MS)
  t.equal((await fetch(`http://localhost:${port}/api/v2/management/myUser`)).status, 401)
})
