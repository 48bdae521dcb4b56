// docker-compose.yml, read as Compose reads it; the programs that it carries are run as they stand there.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { APIS, readConfig, SETTINGS } from '#server/config.ts'
import { freePort } from '#test/helper.ts'
import { CLIENT } from '#test/sandbox/identity/settings.ts'
import { eventually } from '../server/redis-server.ts'
import { ROOT, stages } from './image-files.ts'

interface Service {
  image: string
  build?: { target: string }
  profiles?: string[]
  environment?: string[]
  command?: string[]
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
const of = (name: string): Service => services[name] as Service
const long = Object.entries(services).filter(([name]) => name !== 'secrets')

/** As Compose fills in variables of the shell. */
const filledIn = (value: string, env: Record<string, string> = {}) =>
  value
    .replace(/\$\{(\w+)(:?-)([^}]*)\}/g, (_, name, _how, otherwise) => env[name] ?? otherwise)
    .replaceAll('$$', '$')

/** The program of a service, with the folder of the secrets where the test has it. */
function commandOf(name: string, secrets: string): string[] {
  return (of(name).command ?? []).map((part) => filledIn(part).replaceAll('/run/portal', secrets))
}

function folder(t: Test): string {
  const path = mkdtempSync(join(tmpdir(), 'portal-compose-'))
  t.teardown(() => rmSync(path, { recursive: true, force: true }))
  return path
}

t.test('nothing runs with more rights than it needs, or without bounds', async (t) => {
  for (const [name, service] of long) {
    t.match(service, { read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] }, name)
    t.equal(service.restart, 'unless-stopped', name)
    t.match(service, { deploy: { resources: { limits: { cpus: /^\d/, memory: /^\d+[mg]$/ } } } }, name)
    t.notOk('privileged' in service || 'cap_add' in service || 'user' in service === (name !== 'redis'), name)
  }
  t.match(of('secrets'), { read_only: true, cap_drop: ['ALL'], network_mode: 'none', restart: 'no' })
})

t.test(
  'what starts without a profile is the gateway, its Redis and their secrets; the demo adds the sandbox',
  async (t) => {
    const named = (demo: boolean) =>
      Object.keys(services).filter((name) => (of(name).profiles?.includes('demo') ?? false) === demo)
    t.strictSame(named(false), ['gateway', 'redis', 'secrets'])
    t.strictSame(named(true), ['sandbox', 'sandbox-at-localhost'])
    for (const { build } of Object.values(services)) if (build) t.ok(stages().has(build.target), build.target)
    t.match(of('gateway').depends_on, { redis: { condition: 'service_healthy' } })
  }
)

t.test('no secret stands in the environment, nor in the file', async (t) => {
  const secrets = Object.entries(SETTINGS).filter(([name, one]) => 'secret' in one && name !== 'REDIS_URL')
  const names = (of('gateway').environment ?? []).map((line) => line.split('=')[0])
  for (const [name] of secrets) {
    t.notOk(names.includes(name), name)
    t.ok(names.includes(`${name}_FILE`), `${name}_FILE`)
  }
})

t.test('every setting can be set', async (t) => {
  const names = (of('gateway').environment ?? []).map((line) => line.split('=')[0]?.replace(/_FILE$/, ''))
  // Fixed in the image: the ports are inside the container.
  const fixed = ['NODE_ENV', 'PORT', 'HOST', 'METRICS_PORT']
  const all = [...Object.keys(SETTINGS), ...APIS.map((api) => `UPSTREAM_${api}_URL`)]
  t.strictSame(
    all.filter((name) => !fixed.includes(name) && !names.includes(name)),
    []
  )
  t.strictSame(
    names.filter((name) => !all.includes(name ?? '')),
    [],
    'and nothing that there is not'
  )
})

t.test('several gateways find ports, and only on this machine', async (t) => {
  const [ports = '', ...more] = (of('gateway').ports ?? []).map((one) => filledIn(one))
  t.strictSame(more, [])
  const [, first, last] = /^127\.0\.0\.1:(\d+)-(\d+):3000$/.exec(ports) ?? []
  t.ok(Number(last) - Number(first) >= 2, ports)
  t.notOk('container_name' in of('gateway'))
  const grace = Number(/^(\d+)s$/.exec(String(of('gateway').stop_grace_period))?.[1])
  t.ok(grace > Number(SETTINGS.SHUTDOWN_DEADLINE_SECONDS.fallback), 'running calls can end')
})

t.test('secrets are made once, for those who have none, and can be read by whoever needs them', async (t) => {
  const path = folder(t)
  const make = (issuer: string) => {
    const command = commandOf('secrets', path)
    execFileSync(process.execPath, ['-e', ...command], { env: { OIDC_ISSUER: issuer } })
  }
  const read = (name: string) => readFileSync(join(path, name), 'utf8')
  writeFileSync(join(path, 'redis_password'), 'my own')
  make('https://idp.example.com')
  t.equal(read('redis_password'), 'my own', 'what is there stays')
  t.throws(() => read('oidc_client_secret'), 'that of the identity provider is not made up')
  const first = read('session_secrets')
  t.equal(statSync(join(path, 'session_secrets')).mode & 0o777, 0o444)
  make('http://localhost:4000/oidc')
  t.equal(read('session_secrets'), first)
  t.equal(read('oidc_client_secret'), CLIENT.secret, 'the sandbox’s is known to everybody')

  const lines = (of('gateway').environment ?? [])
    .filter((line) => line.includes('='))
    .map((line) => filledIn(line))
  const env = Object.fromEntries(lines.map((line) => [line.split('=')[0], line.slice(line.indexOf('=') + 1)]))
  const config = readConfig({ NODE_ENV: 'production', ...env }, (name) =>
    read(name.replace('/run/portal/', ''))
  )
  t.match(config, { OIDC_CLIENT_SECRET: CLIENT.secret, REDIS_PASSWORD: 'my own', SESSION_SECRETS: [first] })
})

t.test('Redis keeps what it holds, throws nothing away, and wants its password', async (t) => {
  const path = folder(t)
  writeFileSync(join(path, 'redis_password'), 'let-me-in')
  const port = await freePort()
  const command = commandOf('redis', path).map((part) =>
    part.replaceAll('/tmp/redis.conf', `${path}/redis.conf`).replace('/data', path)
  )
  const [shell = '', flag = '', script = ''] = command
  const redis = spawn(shell, [flag, `${script} --port ${port}`], { stdio: 'ignore' })
  t.teardown(() => void redis.kill('SIGKILL'))
  const open = (password: string) => {
    const client = new Redis({ port, password, lazyConnect: true, retryStrategy: () => null })
    client.on('error', () => {})
    t.teardown(() => client.disconnect())
    return client
  }
  const client = await eventually(async () => {
    const candidate = open('let-me-in')
    return (await candidate.ping().catch(() => null)) === 'PONG' ? candidate : null
  }, 30_000)
  if (client === null) return t.fail('it does not answer')
  const setting = async (name: string) => String((await client.config('GET', name)) as unknown)
  for (const [name, value] of Object.entries({ appendonly: 'yes', 'maxmemory-policy': 'noeviction' }))
    t.equal(await setting(name), `${name},${value}`)
  t.not(await setting('maxmemory'), 'maxmemory,0')
  await t.rejects(open('wrong').ping())
  t.notMatch(readFileSync(`/proc/${redis.pid}/cmdline`, 'utf8'), 'let-me-in', 'not in the process list')
})

t.test('the gateway reaches the sandbox where browsers do', async (t) => {
  const target = createServer((socket) => void socket.end('the sandbox'))
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
  t.teardown(() => target.close())
  const [program = ''] = commandOf('sandbox-at-localhost', '')
  const { port } = target.address() as { port: number }
  const own = await freePort()
  const moved = program
    .replace("connect(4000, 'sandbox')", `connect(${port}, '127.0.0.1')`)
    .replace('listen(4000', `listen(${own}`)
  t.notMatch(moved, /\b4000\b/)
  const wire: ChildProcess = spawn(process.execPath, ['-e', moved], { stdio: 'ignore' })
  t.teardown(() => void wire.kill('SIGKILL'))
  const said = () =>
    new Promise<string>((resolve) => {
      let got = ''
      connect(own, '127.0.0.1')
        .on('data', (bytes) => {
          got += bytes
        })
        .on('close', () => resolve(got))
        .on('error', () => resolve(''))
    })
  await eventually(async () => (await said()) === 'the sandbox', 30_000)
  t.equal(of('sandbox-at-localhost').network_mode, 'service:gateway')
  t.match(of('sandbox').ports, ['127.0.0.1:4000:4000'])
  t.match(of('sandbox').environment?.join(), 'SANDBOX_URL=http://localhost:4000')
})
