// Runs upgrade.sh with gateways as local processes behind the shipped HAProxy configuration, which finds them by DNS. A healthy
// image replaces the old image, a failing image does not, and no call fails.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { gatewaySettings } from '#test/sandbox/app.ts'
import { freePort, signIn } from '#test/support/portal.ts'
import { type Engine, isRunning } from '../support/engine-state.ts'
import { prepareHaproxy } from '../support/haproxy.ts'
import { optionalProgram } from '../support/machine.ts'
import { startRedis } from '../support/redis-server.ts'
import { openSandbox } from '../support/scenes/gateway.ts'
import { sentCookies } from '../support/sent-cookies.ts'
import { startSteadyLoad } from '../support/steady-load.ts'
import { ROOT } from './image-files.ts'

const ME = '/api/v2/management/myUser'
const CALLS_PER_SECOND = 100
const REPLICAS = 2
const ADDRESSES = ['127.0.1.1', '127.0.1.2', '127.0.1.3', '127.0.1.4']
const GOOD_IMAGE = 'portal-gateway:1.1.0'

t.setTimeout(400_000)

t.test('upgrades under 100 calls a second without a failed call', async (t) => {
  if (optionalProgram(t, 'haproxy') === null) return
  const haproxy = await prepareHaproxy(t)
  const sandbox = await openSandbox(t, { accessTokenSeconds: 3600, gatewayUrl: haproxy.url })
  const redis = await startRedis(t)
  const folder = mkdtempSync(join(tmpdir(), 'portal-upgrade-'))
  const path = (name: string) => join(folder, name)
  const engine = () => JSON.parse(readFileSync(path('engine.json'), 'utf8')) as Engine
  const ids = () => engine().containers.map(({ id }) => id)
  t.teardown(() => {
    for (const { pid } of engine().containers) process.kill(pid, 'SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  const [port, metricsPort] = [await freePort(), await freePort()]
  const initialEngine: Engine = {
    settings: {
      NODE_ENV: 'production',
      PORT: `${port}`,
      METRICS_PORT: `${metricsPort}`,
      PUBLIC_URL: haproxy.url,
      TRUST_PROXY: 'loopback',
      ...gatewaySettings(sandbox),
      REDIS_URL: redis.url,
      SESSION_SECRETS: 'for-all-that-run-beside-each-other-here',
      SESSION_CALLS_PER_MINUTE: '1000000',
      CALLS_IN_FLIGHT: '1000',
      UPSTREAM_CONNECTIONS: '1000'
    },
    images: {
      'portal-gateway:1.0.0': {},
      [GOOD_IMAGE]: {},
      'never-ready': { OIDC_ISSUER: `http://127.0.0.1:${await freePort()}` }
    },
    addresses: ADDRESSES,
    containers: []
  }
  writeFileSync(path('engine.json'), JSON.stringify(initialEngine))
  writeFileSync(path('.env'), '#GATEWAY_IMAGE=portal-gateway:1.0.0\nPUBLIC_URL=x\n')
  mkdirSync(path('bin'))
  writeFileSync(
    path('bin/docker'),
    `#!/bin/sh\nexec '${process.execPath}' '${join(ROOT, 'test/support/engine.ts')}' "$@"\n`
  )
  chmodSync(path('bin/docker'), 0o755)
  const env = { PATH: `${path('bin')}:${process.env.PATH}`, ENGINE: folder }
  const run = async (command: string, image: string, ...parameters: string[]) => {
    const child = spawn(command, parameters, { cwd: folder, env: { ...env, GATEWAY_IMAGE: image } })
    const exit = once(child, 'exit')
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), exit])
    return { code, output: stdout + stderr }
  }
  const upgradeTo = (image: string) => run(join(ROOT, '.github/operations/upgrade.sh'), '', image)

  const upCommand = `compose up -d --no-recreate --scale gateway=${REPLICAS} --wait --wait-timeout 90 gateway`
  t.match(await run('docker', 'portal-gateway:1.0.0', ...upCommand.split(' ')), { code: 0 })
  const runningAddresses = () =>
    engine()
      .containers.filter(isRunning)
      .map(({ address }) => address)
  await haproxy.start({ port, metricsPort, addresses: runningAddresses })
  const { jar } = await signIn(haproxy.url, sandbox, 'partner.admin')
  const load = startSteadyLoad(haproxy.url, ME, await sentCookies(jar), CALLS_PER_SECOND)
  const idsBefore = ids()

  t.match(await upgradeTo('unknown'), { code: 1, output: /there is no image unknown/ })
  t.match(await upgradeTo('never-ready'), {
    code: 1,
    output: /never-ready does not get ready; .* as they were/
  })
  t.strictSame(ids(), idsBefore)
  writeFileSync(
    path('engine.json'),
    JSON.stringify({ ...engine(), settings: { ...initialEngine.settings, OIDC_CLIENT_SECRET: 'wrong' } })
  )
  t.match(await upgradeTo(GOOD_IMAGE), { code: 1, output: /check OIDC_CLIENT_ID/ })
  writeFileSync(path('engine.json'), JSON.stringify({ ...engine(), settings: initialEngine.settings }))
  t.strictSame(ids(), idsBefore)
  t.match(readFileSync(path('.env'), 'utf8'), '#GATEWAY_IMAGE=portal-gateway:1.0.0')

  const { code, output } = await upgradeTo(GOOD_IMAGE)
  t.equal(code, 0, output)
  t.strictSame(
    engine().containers.map(({ image }) => image),
    [GOOD_IMAGE, GOOD_IMAGE]
  )
  t.match(readFileSync(path('.env'), 'utf8'), `PUBLIC_URL=x\nGATEWAY_IMAGE=${GOOD_IMAGE}\n`)

  const answers = await load.end()
  t.ok(answers.length > 10 * CALLS_PER_SECOND, `${answers.length} calls`)
  t.strictSame(
    answers.filter(({ status }) => status !== 200).map(({ status, problem }) => `${status} ${problem}`),
    []
  )
  const commands = readFileSync(path('commands.log'), 'utf8')
  t.notMatch(commands, /redis/)
  t.notMatch(commands, /compose run(?!.*--no-deps)|compose up(?!.*--no-recreate|.*--no-start)/)
  t.match(commands, /^compose up --no-start --no-deps secrets$/m, 'so that a later up restarts nothing')
})
