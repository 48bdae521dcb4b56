// Replaces `docker` for the commands of running.md: runs the services of docker-compose.yml as processes, and starts those that a
// service depends on unless `--no-deps` forbids it. COMPOSE is the folder with the state; .env is read where the command runs.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'

interface Service {
  command?: string[]
  entrypoint?: string[]
  depends_on?: Record<string, unknown>
  environment?: string[]
  healthcheck?: { test: string[] }
}

const { COMPOSE: folder = '', REDIS_PORT = '', SANDBOX_ENV = '{}', PATH = '' } = process.env
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const { services } = parse(readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
  services: Record<string, Service>
}
const secrets = join(process.cwd(), 'secrets')
const redisSecrets = join(folder, 'redis-secrets')
const pidFile = join(folder, 'pids')
const HEALTHY_WITHIN_MS = 60_000

const inThisFolder = (text: string) =>
  text.replaceAll('/run/portal', secrets).replaceAll('/run/redis', redisSecrets).replaceAll('$$', '$')

function settings(): Record<string, string> {
  const lines = (services.gateway?.environment ?? []).filter((line) => /^\w+_FILE=\/run/.test(line))
  const files = lines.map((line) => inThisFolder(line).split('=') as [string, string])
  return {
    PATH,
    NODE_ENV: 'production',
    HOST: 'localhost',
    ...Object.fromEntries(files),
    OIDC_CLIENT_SECRET_FILE: join(secrets, 'oidc_client_secret'),
    REDIS_URL: `redis://127.0.0.1:${REDIS_PORT}`,
    ...JSON.parse(SANDBOX_ENV)
  }
}

function start(name: string, command: string, parameters: string[], env: Record<string, string>): void {
  const log = openSync(join(folder, `${name}.log`), 'a')
  const child = spawn(command, parameters, { env, cwd: folder, detached: true, stdio: ['ignore', log, log] })
  child.unref()
  writeFileSync(pidFile, `${child.pid}\n`, { flag: 'a' })
  writeFileSync(join(folder, `${name}.started`), '')
}

const STARTS: Record<string, () => void> = {
  secrets: () => void run('secrets', []),
  redis() {
    const [shell = '', flag = '', script = ''] = (services.redis?.command ?? []).map((part) =>
      part.replaceAll('/tmp/', `${folder}/`).replace('/data', folder).replaceAll('$$', '$')
    )
    const here = script.replaceAll('/run/portal', redisSecrets)
    start('redis', shell, [flag, `${here} --port ${REDIS_PORT}`], { PATH })
  },
  gateway: () => start('gateway', process.execPath, [join(ROOT, 'server/main.ts')], settings())
}

/** Starts a service that does not run yet, after those that it depends on. */
function up(name: string): void {
  for (const other of Object.keys(services[name]?.depends_on ?? {})) up(other)
  if (!existsSync(join(folder, `${name}.started`))) STARTS[name]?.()
}

function run(name: string, parameters: string[]): number {
  mkdirSync(redisSecrets, { recursive: true })
  const program = (services[name]?.entrypoint ?? ['node', 'server/main.ts']).slice(1).map(inThisFolder)
  const env = name === 'secrets' ? { PATH } : settings()
  const options = { cwd: ROOT, env, stdio: 'inherit' } as const
  return spawnSync(process.execPath, [...program, ...parameters], options).status ?? 1
}

const CHECKS: Record<string, () => boolean | Promise<boolean>> = {
  redis() {
    const [, test = ''] = services.redis?.healthcheck?.test ?? []
    const here = test.replaceAll('/run/portal', redisSecrets).replaceAll('$$', '$')
    return spawnSync('sh', ['-c', here.replace('redis-cli', `redis-cli -p ${REDIS_PORT}`)]).status === 0
  },
  gateway: () =>
    fetch(`http://localhost:${settings().METRICS_PORT}/startedz`).then(
      ({ ok }) => ok,
      () => false
    )
}

async function isHealthy(name: string): Promise<boolean> {
  for (const until = performance.now() + HEALTHY_WITHIN_MS; performance.now() < until; await wait(100))
    if (await CHECKS[name]?.()) return true
  return false
}

const command = process.argv.slice(2).join(' ')
const [, noDeps, service = '', rest = ''] = /^compose run --rm( --no-deps)? (\w+) ?(.*)$/.exec(command) ?? []
if (service !== '') {
  if (noDeps === undefined) for (const other of Object.keys(services[service]?.depends_on ?? {})) up(other)
  process.exitCode = run(service, rest === '' ? [] : rest.split(' '))
} else if (command.startsWith('compose up -d --wait')) {
  const [, name = 'gateway'] = /--wait (\w+)$/.exec(command) ?? []
  up(name)
  process.exitCode = (await isHealthy(name)) ? 0 : 1
} else if (command !== 'compose build') throw new Error(`unknown command: ${command}`)
