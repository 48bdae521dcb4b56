// Replicas of the gateway, each in its own process, behind HAProxy.
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { gatewaySettings, type Sandbox } from '#test/sandbox/app.ts'
import { freePort, signIn } from '#test/support/portal.ts'
import { eventually } from './eventually.ts'
import { type GatewayProcess, startGatewayProcess } from './gateway-process.ts'
import type { Haproxy } from './haproxy.ts'
import { sentCookies } from './sent-cookies.ts'
import type { Test } from './teardown.ts'

export interface Replicas {
  cookies: readonly string[]
  endEach(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
  stop(): Promise<void>
}

interface Options {
  sandbox: Pick<Sandbox, 'issuer' | 'client' | 'url'>
  haproxy: Haproxy
  redis: Record<string, string>
  count: number
}

const PEOPLE = [
  'global.admin',
  'partner.admin',
  'partner.user',
  'customer.admin',
  'customer.user',
  'customer.multi'
]
const WITHIN_MS = 60_000
const SEEN_AFTER_MS = 2_000

export async function startReplicas(t: Test, { sandbox, haproxy, redis, count }: Options): Promise<Replicas> {
  const places: { port: number; metricsPort: number }[] = []
  while (places.length < count) places.push({ port: await freePort(), metricsPort: await freePort() })
  const start = async ({ port, metricsPort }: (typeof places)[number]): Promise<GatewayProcess> => {
    const started = await startGatewayProcess(t, {
      NODE_ENV: 'production',
      PORT: `${port}`,
      METRICS_PORT: `${metricsPort}`,
      HOST: '127.0.0.1',
      PUBLIC_URL: haproxy.url,
      TRUST_PROXY: 'loopback',
      ...gatewaySettings(sandbox),
      SESSION_SECRETS: 'for-several-replicas-for-several-replicas',
      // A few people make the calls of many.
      SESSION_CALLS_PER_MINUTE: '1000000',
      CALLS_IN_FLIGHT: '1000',
      ...redis
    })
    await eventually(async () => (await fetch(`http://127.0.0.1:${metricsPort}/readyz`)).ok, WITHIN_MS)
    return started
  }

  const running = await Promise.all(places.map(start))
  const stopBalancer = await haproxy.start(places)
  return {
    cookies: await Promise.all(PEOPLE.map((person) => cookieOf(haproxy.url, sandbox, person))),
    async endEach(signal) {
      for (const [index, place] of places.entries()) {
        const child = running[index]?.child
        if (child === undefined) throw new Error('it does not run')
        const ended = once(child, 'exit')
        child.kill(signal)
        const [code] = await ended
        if (signal === 'SIGTERM' && code !== 0) throw new Error(`it ended with ${code}`)
        running[index] = await start(place)
        await wait(SEEN_AFTER_MS)
      }
    },
    async stop() {
      await stopBalancer()
      for (const one of running) await one.kill()
    }
  }
}

async function cookieOf(url: string, sandbox: Options['sandbox'], username: string): Promise<string> {
  const { jar } = await signIn(url, sandbox as Sandbox, username)
  const cookie = (await sentCookies(jar)).find((one) => one.startsWith('__Host-portal='))
  if (cookie === undefined) throw new Error(`${username} got no cookie`)
  return cookie
}
