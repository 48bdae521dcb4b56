// Gateways of one deployment, each a process of its own, behind a balancer; they can be restarted and killed.
import { once } from 'node:events'
import type { Sandbox } from '#test/sandbox/app.ts'
import { freePort, signIn } from '#test/support/portal.ts'
import { type Balancer, type Behind, startBalancer } from './balancer.ts'
import { type GatewayProcess, startGatewayProcess } from './gateway-process.ts'
import { eventually } from './redis-server.ts'
import { sentCookies } from './sent-cookies.ts'
import type { Test } from './teardown.ts'

interface Replica extends Behind {
  process: GatewayProcess
}

export interface Replicas {
  balancer: Balancer
  /** One after the other ends as an orchestrator ends it, and another takes its place. */
  restartEach(): Promise<void>
  /** Ends the first one at once, and nobody takes its place. */
  killOne(): Promise<void>
  /** The session cookies of these people, signed in through the balancer. */
  signIn(usernames: readonly string[]): Promise<string[]>
}

const READY_WITHIN_MS = 60_000

/** @param redis settings that say where sessions are */
export async function startReplicas(
  t: Test,
  {
    sandbox,
    redis,
    count = 2
  }: { sandbox: Pick<Sandbox, 'issuer' | 'client' | 'url'>; redis: Record<string, string>; count?: number }
): Promise<Replicas> {
  const balancer = await startBalancer(t)
  const replicas: Replica[] = []

  async function start(): Promise<void> {
    const metricsPort = await freePort()
    const process = await startGatewayProcess(t, {
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      METRICS_PORT: `${metricsPort}`,
      PUBLIC_URL: balancer.url,
      OIDC_ISSUER: sandbox.issuer,
      OIDC_CLIENT_ID: sandbox.client.id,
      OIDC_CLIENT_SECRET: sandbox.client.secret,
      UPSTREAM_URL: sandbox.url,
      SESSION_SECRETS: 'for-several-replicas-for-several-replicas',
      SHUTDOWN_DELAY_SECONDS: '1',
      // A few people make the calls of many.
      SESSION_CALLS_PER_MINUTE: '1000000',
      CALLS_IN_FLIGHT: '1000',
      ...redis
    })
    const replica = { process, port: process.port, metricsPort }
    replicas.push(replica)
    balancer.add(replica)
    await eventually(() => balancer.ready() === replicas.length, READY_WITHIN_MS)
  }

  for (let started = 0; started < count; started += 1) await start()
  return {
    balancer,
    async restartEach() {
      for (const replica of [...replicas]) {
        const ended = once(replica.process.child, 'exit')
        replica.process.child.kill('SIGTERM')
        const [code] = await ended
        if (code !== 0) throw new Error(`it ended with ${code}: ${replica.process.said()}`)
        balancer.remove(replica)
        replicas.splice(replicas.indexOf(replica), 1)
        await start()
      }
    },
    async killOne() {
      await replicas[0]?.process.kill()
    },
    async signIn(usernames) {
      const cookies: string[] = []
      for (const username of usernames) {
        const { jar } = await signIn(balancer.url, sandbox as Sandbox, username)
        const cookie = (await sentCookies(jar)).find((one) => one.startsWith('portal='))
        if (cookie === undefined) throw new Error(`${username} got no cookie`)
        cookies.push(cookie)
      }
      return cookies
    }
  }
}
