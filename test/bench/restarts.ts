// Three replicas behind HAProxy as we ship it, under 300 calls a second: restarted one after the other, killed one after the
// other, and while their Redis fails over under Sentinel. Which calls fail, who is signed out, how soon all is well.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import type { Sandbox } from '#test/sandbox/app.ts'
import { type GatewayProcess, startGatewayProcess } from '#test/support/gateway-process.ts'
import { type Haproxy, prepareHaproxy } from '#test/support/haproxy.ts'
import { freePort, signIn } from '#test/support/portal.ts'
import { createPrivateAuthority } from '#test/support/private-authority.ts'
import { eventually, startRedis } from '#test/support/redis-server.ts'
import { sentCookies } from '#test/support/sent-cookies.ts'
import { startSentinels } from '#test/support/sentinels.ts'
import { type Answered, startSteadyLoad } from '#test/support/steady-load.ts'
import { OTHER_CORE } from './cores.ts'
import { table } from './figures.ts'
import type { StartedSandbox } from './portal-apart.ts'
import { startProgram } from './program.ts'
import type { Bench, Benchmark } from './run.ts'

const PER_SECOND = 300
const REPLICAS = 3
const RUNS = 3
const ME = '/api/v2/management/myUser'
const PEOPLE = [
  'global.admin',
  'partner.admin',
  'partner.user',
  'customer.admin',
  'customer.user',
  'customer.multi'
]
const SETTLE_MS = 4_000
const READY_WITHIN_MS = 60_000

export const restarts: Benchmark = { name: 'restarts', weight: 1, alone: true, run }

async function run(bench: Bench): Promise<void> {
  const authority = createPrivateAuthority(bench)
  setDefaultCACertificates([...getCACertificates('default'), readFileSync(authority.path, 'utf8')])
  const haproxy = await prepareHaproxy(bench, authority.certificates)
  const program = startProgram('programs/sandbox.ts', { core: OTHER_CORE })
  bench.teardown(() => program.stop())
  const options = { accessTokenSeconds: 3600, gatewayUrl: haproxy.url }
  const sandbox = await program.ask<StartedSandbox>('start', options)

  const single = await startRedis(bench)
  const calm = await startBalanced(bench, sandbox, haproxy, { REDIS_URL: single.url })
  const rows: (string | number)[][] = []
  for (let time = 1; time <= RUNS; time += 1) {
    rows.push([`rolling restart, ${time}`, ...(await measured(calm, () => calm.endEach('SIGTERM')))])
    rows.push([`kill -9 of each, ${time}`, ...(await measured(calm, () => calm.endEach('SIGKILL')))])
  }
  await calm.stop()
  for (let time = 1; time <= RUNS; time += 1) {
    const redis = await startSentinels(bench)
    const watched = await startBalanced(bench, sandbox, haproxy, redis.env)
    await redis.copied()
    rows.push([`Redis fails over, ${time}`, ...(await measured(watched, () => redis.failOver()))])
    await watched.stop()
  }
  const head = [
    `${PER_SECOND} calls/s`,
    'calls',
    '200',
    '503 + Retry-After',
    'failed',
    'signed out',
    'told to wait for'
  ]
  bench.print(table(head, rows))
}

interface Balanced {
  url: string
  sandbox: StartedSandbox
  /** Each ends by that signal, and starts again before the next one does. */
  endEach(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
  stop(): Promise<void>
}

async function startBalanced(
  bench: Bench,
  sandbox: StartedSandbox,
  haproxy: Haproxy,
  redis: Record<string, string>
): Promise<Balanced> {
  const places: { port: number; metricsPort: number }[] = []
  for (let place = 0; place < REPLICAS; place += 1)
    places.push({ port: await freePort(), metricsPort: await freePort() })

  async function start({
    port,
    metricsPort
  }: {
    port: number
    metricsPort: number
  }): Promise<GatewayProcess> {
    const started = await startGatewayProcess(bench, {
      NODE_ENV: 'production',
      PORT: `${port}`,
      METRICS_PORT: `${metricsPort}`,
      HOST: '127.0.0.1',
      PUBLIC_URL: haproxy.url,
      TRUST_PROXY: 'loopback',
      OIDC_ISSUER: sandbox.issuer,
      OIDC_CLIENT_ID: sandbox.client.id,
      OIDC_CLIENT_SECRET: sandbox.client.secret,
      UPSTREAM_URL: sandbox.url,
      SESSION_SECRETS: 'for-several-replicas-for-several-replicas',
      // A few people make the calls of many.
      SESSION_CALLS_PER_MINUTE: '1000000',
      CALLS_IN_FLIGHT: '1000',
      ...redis
    })
    const ready = async () => (await fetch(`http://127.0.0.1:${metricsPort}/readyz`)).status === 200
    await eventually(ready, READY_WITHIN_MS)
    return started
  }

  const running = await Promise.all(places.map(start))
  const stopBalancer = await haproxy.start(places)
  return {
    url: haproxy.url,
    sandbox,
    async endEach(signal) {
      for (const [index, place] of places.entries()) {
        const child = running[index]?.child
        if (child === undefined) throw new Error('it does not run')
        const ended = once(child, 'exit')
        child.kill(signal)
        await ended
        running[index] = await start(place)
        // A balancer has to see it before the next one goes.
        await new Promise((resolve) => setTimeout(resolve, 2_000))
      }
    },
    async stop() {
      await stopBalancer()
      for (const one of running) await one.kill()
    }
  }
}

async function signedIn(url: string, sandbox: StartedSandbox): Promise<string[]> {
  const cookies: string[] = []
  for (const username of PEOPLE) {
    const { jar } = await signIn(url, sandbox as unknown as Sandbox, username)
    const cookie = (await sentCookies(jar)).find((one) => one.startsWith('__Host-portal='))
    if (cookie === undefined) throw new Error(`${username} got no cookie`)
    cookies.push(cookie)
  }
  return cookies
}

async function measured({ url, sandbox }: Balanced, disturb: () => Promise<unknown>) {
  const cookies = await signedIn(url, sandbox)
  const load = startSteadyLoad(url, ME, cookies, PER_SECOND)
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
  await disturb()
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
  const answered = await load.end()
  const told = ({ status, retryAfter }: Answered) => status === 503 && retryAfter !== undefined
  const waited = answered.filter(told).map(({ ended }) => ended)
  const out = await Promise.all(
    cookies.map(
      async (cookie) => (await fetch(url + ME, { headers: { cookie, 'x-portal-csrf': '1' } })).status
    )
  )
  return [
    answered.length,
    answered.filter(({ status }) => status === 200).length,
    waited.length,
    answered.filter((one) => one.status !== 200 && !told(one)).length,
    out.filter((status) => status === 401).length,
    waited.length === 0 ? '' : `${Math.round(Math.max(...waited) - Math.min(...waited))} ms`
  ]
}
