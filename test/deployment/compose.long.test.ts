// Checks docker-compose.yml and runs the programs of its services with their configured commands.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { APIS, readConfig, SETTINGS } from '#server/config/settings.ts'
import { checkRedis } from '#server/doctor/redis.ts'
import { createLog } from '#server/observability/log.ts'
import { CLIENT } from '#test/sandbox/identity/settings.ts'
import { freePort } from '#test/support/portal.ts'
import { documentedUser } from '../support/documented-users.ts'
import { leastConfig } from '../support/least-config.ts'
import { optionalProgram } from '../support/machine.ts'
import { eventually } from '../support/redis-server.ts'
import { ROOT } from './image-files.ts'

interface Service {
  image: string
  build?: { target: string }
  profiles?: string[]
  environment?: string[]
  command?: string[]
  entrypoint?: string[]
  volumes?: string[]
  ports?: string[]
  depends_on?: Record<string, { condition: string }> | string[]
  [key: string]: unknown
}

const text = readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8')
const file = parse(text, { merge: true }) as {
  services: Record<string, Service>
  volumes: Record<string, unknown>
}
const { services } = file
const swarmText = readFileSync(join(ROOT, '.github/operations/swarm.yml'), 'utf8')
// Docker reads YAML 1.1, in which modes are octal.
const stack = (parse(swarmText, { version: '1.1' }) as typeof file).services
interface StackSecret {
  source: string
  uid: string
  mode: number
}
const serviceOf = (name: string): Service => services[name] as Service
const longRunningServices = Object.entries(services).filter(([name]) => name !== 'secrets')

const substitute = (value: string, env: Record<string, string> = {}) =>
  value
    .replace(/\$\{(\w+)(:?-)([^}]*)\}/g, (_, name, _how, fallback) => env[name] ?? fallback)
    .replaceAll('$$', '$')

function commandOf(name: string, secrets: string): string[] {
  return (serviceOf(name).command ?? []).map((part) => substitute(part).replaceAll('/run/portal', secrets))
}

function folder(t: Test): string {
  const path = mkdtempSync(join(tmpdir(), 'portal-compose-'))
  t.teardown(() => rmSync(path, { recursive: true, force: true }))
  return path
}

t.test('runs every service read-only, without capabilities and with resource limits', async (t) => {
  for (const [name, service] of longRunningServices) {
    t.match(service, { read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] }, name)
    t.equal(service.restart, 'unless-stopped', name)
    t.notOk('privileged' in service || 'cap_add' in service || 'user' in service === (name !== 'redis'), name)
  }
  t.match(serviceOf('secrets'), { read_only: true, cap_drop: ['ALL'], network_mode: 'none', restart: 'no' })
})

t.test(
  'only the gateway reaches Redis, and each service has limits of CPU, memory and processes',
  async (t) => {
    const { networks } = parse(text) as { networks: object }
    t.strictSame(networks, { front: null, back: { internal: true } })
    const reaching = (network: string) =>
      Object.keys(services).filter((name) =>
        (serviceOf(name).networks as string[] | undefined)?.includes(network)
      )
    t.strictSame(reaching('back'), ['gateway', 'redis'])
    t.strictSame(reaching('front'), ['gateway', 'balancer', 'sandbox'])
    // Compose 2 refuses a `pids_limit` beside limits in `deploy`, and Compose 1 does not know `pids` there.
    for (const [name, service] of Object.entries(services)) {
      t.match(service, { cpus: Number, mem_limit: /^\d+[mg]$/, pids_limit: 200 }, name)
      t.notMatch(service, { deploy: { resources: Object } }, name)
    }
    t.strictSame(stack.gateway?.networks, ['front', 'back'])
    t.strictSame(stack.balancer?.networks, ['front'])
    for (const [name, service] of Object.entries(stack))
      t.match(service, { deploy: { resources: { limits: { pids: 200 } } } }, name)
  }
)

/** Compose 2 is a command of `docker`. Its checks are stricter than those of Compose 1, which Debian 12 has. */
function composeCommand(t: Test): string[] | null {
  if (spawnSync('docker', ['compose', 'version']).status === 0) return ['docker', 'compose']
  const compose = optionalProgram(t, 'docker-compose')
  return compose === null ? null : [compose]
}

t.test('Compose accepts the file and its settings', async (t) => {
  const compose = composeCommand(t)
  if (compose === null) return
  const read = (env: Record<string, string>) => {
    const profiles = ['--profile', 'demo', '--profile', 'balanced']
    const [program = '', ...command] = compose
    const parameters = [...command, '-f', join(ROOT, 'docker-compose.yml'), ...profiles, 'config']
    const { PATH = '', HOME = '', DOCKER_CONFIG = '' } = process.env
    const options = { env: { PATH, HOME, DOCKER_CONFIG, ...env }, encoding: 'utf8' } as const
    return parse(execFileSync(program, parameters, options)).services
  }
  const defaultServices = read({})
  t.strictSame(Object.keys(defaultServices).sort(), Object.keys(services).sort())
  t.match(defaultServices.gateway, { image: 'portal-gateway', deploy: { replicas: 1 } })
  const customServices = read({ GATEWAY_REPLICAS: '3', GATEWAY_PORT: '', GATEWAY_IMAGE: 'gateway:1.1.0' })
  t.match(customServices.gateway, { image: 'gateway:1.1.0', deploy: { replicas: 3 } })
})

t.test('passes secrets to the gateway only as files', async (t) => {
  const secrets = Object.entries(SETTINGS).filter(
    ([name, setting]) => 'secret' in setting && name !== 'REDIS_URL'
  )
  const names = (serviceOf('gateway').environment ?? []).map((line) => line.split('=')[0])
  for (const [name] of secrets) {
    t.notOk(names.includes(name), name)
    t.ok(names.includes(`${name}_FILE`), `${name}_FILE`)
  }
})

t.test('each service sees only its own secrets', async (t) => {
  const sources = ['secrets:', 'redis-secrets:', './certificates:']
  const mountsOf = ({ volumes = [] }: Service) =>
    volumes
      .map((volume) => substitute(volume))
      .filter((volume) => sources.some((source) => volume.startsWith(source)))
  const mounts = Object.entries(services).map(([name, service]) => [name, mountsOf(service)] as const)
  t.strictSame(Object.fromEntries(mounts.filter(([, volumes]) => volumes.length > 0)), {
    gateway: ['secrets:/run/portal:ro'],
    redis: ['redis-secrets:/run/portal:ro'],
    secrets: ['secrets:/run/portal', 'redis-secrets:/run/redis'],
    balancer: ['./certificates:/etc/haproxy/certificates:ro']
  })
})

t.test('each service of swarm.yml sees only its own secrets, as the only user', async (t) => {
  const seen = Object.entries(stack).map(([name, { secrets = [] }]) => [
    name,
    (secrets as StackSecret[]).map(({ source, uid, mode }) => `${source} ${uid} ${mode.toString(8)}`)
  ])
  t.strictSame(Object.fromEntries(seen), {
    gateway: ['oidc_client_secret', 'session_secrets', 'redis_password'].map((name) => `${name} 1000 400`),
    balancer: ['certificate 99 400']
  })
})

t.test('passes every setting to the gateway', async (t) => {
  const names = (serviceOf('gateway').environment ?? [])
    .map((line) => line.split('=')[0] ?? '')
    .map((name) => (name in SETTINGS ? name : name.replace(/_FILE$/, '')))
  // The image sets these settings.
  const imageSettings = ['NODE_ENV', 'PORT', 'HOST', 'METRICS_PORT']
  const settingNames = [...Object.keys(SETTINGS), ...APIS.map((api) => `UPSTREAM_${api}_URL`)]
  t.strictSame(
    settingNames.filter((name) => !imageSettings.includes(name) && !names.includes(name)),
    []
  )
  t.strictSame(
    names.filter((name) => !settingNames.includes(name)),
    [],
    'no unknown setting'
  )
})

t.test('swarm.yml runs the same gateway and replaces one replica at a time', async (t) => {
  const [stackGateway, composeGateway] = [stack.gateway as Service, serviceOf('gateway')]
  const deployOf = ({ deploy }: Service) => deploy as Record<string, unknown>
  for (const key of ['read_only', 'cap_drop', 'stop_grace_period'])
    t.strictSame(stackGateway[key], composeGateway[key], key)
  const { cpus, mem_limit: memory, pids_limit: pids } = composeGateway
  t.strictSame(deployOf(stackGateway).resources, { limits: { cpus: `${cpus}`, memory, pids } })
  for (const key of ['update_config', 'rollback_config'])
    t.strictSame(deployOf(stackGateway)[key], deployOf(composeGateway)[key], key)
  t.match(deployOf(composeGateway).update_config, {
    parallelism: 1,
    order: 'start-first',
    failure_action: 'rollback'
  })
  const environment = stackGateway.environment ?? []
  const nameOf = (line: string) => line.split('=')[0] ?? ''
  const files = environment.map(nameOf).filter((name) => name.endsWith('_FILE'))
  const composeNames = (composeGateway.environment ?? []).map(nameOf)
  t.strictSame(
    environment.map(nameOf).filter((name) => !files.includes(name)),
    composeNames.filter((name) => !name.endsWith('_FILE'))
  )
})

// Only root may give files to the users of the containers.
const isRoot = userInfo().uid === 0

function makeSecrets(path: string, env: Record<string, string>, ...otherParameters: string[]) {
  const redisPath = join(path, 'redis')
  if (existsSync(path)) mkdirSync(redisPath, { recursive: true })
  const [, ...parameters] = (serviceOf('secrets').entrypoint ?? []).map((part) =>
    part.replace('/run/portal', path).replace('/run/redis', redisPath)
  )
  const run = spawnSync(process.execPath, [...parameters, ...otherParameters], {
    cwd: ROOT,
    env,
    encoding: 'utf8'
  })
  return { status: run.status, output: run.stdout + run.stderr }
}

t.test(
  'creates and rotates secrets that the gateway can read',
  { skip: !isRoot && 'needs root' },
  async (t) => {
    const path = folder(t)
    const read = (name: string) => readFileSync(join(path, name), 'utf8')
    writeFileSync(join(path, 'redis_password'), 'my own')
    const demo = { OIDC_ISSUER: 'http://localhost:4000/oidc', SECRETS_FOLDER: './mine' }
    t.match(makeSecrets(path, demo), {
      status: 1,
      output: /^\.\/mine is not accessible .*: chmod 711 \.\/mine\n$/
    })
    chmodSync(path, 0o755)
    const firstSecret = read('session_secrets')
    t.match(makeSecrets(path, demo, '--rotate'), { status: 0, output: /Restart the replicas/ })
    const [newSecret = '', ...oldSecrets] = read('session_secrets').split(',')
    t.strictSame(oldSecrets, [firstSecret])
    t.match(makeSecrets(join(path, 'nowhere'), demo), {
      status: 1,
      output: /Cannot write the secrets to .\/mine: ENOENT/
    })
    t.equal(read('oidc_client_secret'), CLIENT.secret)

    const lines = (serviceOf('gateway').environment ?? [])
      .filter((line) => line.includes('='))
      .map((line) => substitute(line).replace('/run/portal', path))
    const env = Object.fromEntries(
      lines.map((line) => [line.split('=')[0], line.slice(line.indexOf('=') + 1)])
    )
    t.match(readConfig({ NODE_ENV: 'production', ...env }), {
      OIDC_CLIENT_SECRET: CLIENT.secret,
      REDIS_PASSWORD: 'my own',
      SESSION_SECRETS: [newSecret, firstSecret]
    })
  }
)

t.test(
  'the users of the gateway and Redis read only their secrets',
  { skip: !isRoot && 'needs root' },
  async (t) => {
    const path = folder(t)
    chmodSync(path, 0o755)
    t.match(makeSecrets(path, { OIDC_ISSUER: 'http://localhost:4000/oidc' }), { status: 0 })
    const mayRead = (uid: number, name: string) =>
      spawnSync('cat', [join(path, name)], { uid, gid: 1000 }).status === 0
    for (const name of ['session_secrets', 'oidc_client_secret', 'redis_password']) {
      t.ok(mayRead(1000, name), name)
      t.notOk(mayRead(999, name), name)
    }
    t.equal(serviceOf('redis').user, '999:1000')
    t.ok(mayRead(999, 'redis/redis_password'))
    t.notOk(mayRead(1000, 'redis/redis_password'))
  }
)

t.test('Compose and swarm.yml show the permissions of Redis that running.md documents', async (t) => {
  const [, rules = ''] = documentedUser.split('>PASSWORD ')
  t.match(rules, /^resetkeys .*\+set/)
  const [, , script = ''] = commandOf('redis', '/run/portal')
  t.ok(script.includes(`'${rules}'`))
  t.ok(swarmText.replaceAll(/\n# +/g, ' ').includes(documentedUser))
})

t.test('Redis persists, never evicts, and requires its password', async (t) => {
  const path = folder(t)
  writeFileSync(join(path, 'redis_password'), 'let-me-in')
  const port = await freePort()
  const command = commandOf('redis', path).map((part) =>
    part.replaceAll('/tmp/redis.conf', `${path}/redis.conf`).replace('/data', path)
  )
  const [shell = '', flag = '', script = ''] = command
  const redis = spawn(shell, [flag, `${script} --port ${port}`], { stdio: 'ignore' })
  t.teardown(() => void redis.kill('SIGKILL'))
  const connect = (password: string) => {
    const client = new Redis({ port, password, lazyConnect: true, retryStrategy: () => null })
    client.on('error', () => {})
    t.teardown(() => client.disconnect())
    return client
  }
  const client = await eventually(async () => {
    const candidate = connect('let-me-in')
    return (await candidate.ping().catch(() => null)) === 'PONG' ? candidate : null
  })
  if (client === null) return t.fail('Redis does not answer')
  const info = await client.info()
  for (const line of [/^aof_enabled:1\r$/m, /^maxmemory_policy:noeviction\r$/m, /^maxmemory:[1-9]\d+\r$/m])
    t.match(info, line)
  const config = leastConfig({ REDIS_URL: `redis://127.0.0.1:${port}`, REDIS_PASSWORD: 'let-me-in' })
  t.match(await checkRedis(config, createLog('silent')), [{ problem: null }])
  await t.rejects(client.config('GET', 'requirepass'), /NOPERM/)
  await t.rejects(connect('wrong').ping())
  t.notMatch(
    readFileSync(`/proc/${redis.pid}/cmdline`, 'utf8'),
    'let-me-in',
    'keeps the password out of the process list'
  )
})
