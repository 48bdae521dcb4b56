// What aggregation is measured with: the upstream of large customers, the other ways to put one together, and a gateway
// of its own for each run, with people signed in.
import { readFileSync } from 'node:fs'
import { request } from 'undici'
import { type Config, readConfig } from '#server/config/settings.ts'
import { freePort } from '#test/support/portal.ts'
import { startRedis } from '#test/support/redis-server.ts'
import { OTHER_CORE } from './cores.ts'
import { signInMany } from './people.ts'
import { type Program, startProgram, startServer } from './program.ts'
import type { Call } from './programs/load.ts'
import type { Bench } from './run.ts'

export const LATENCY_MS = 25
const PEOPLE = 20

export interface Gateway {
  program: Program
  origin: string
  /** The call of one of the people. */
  call(path: string, headers?: Record<string, string>): Call
  /** The body's bytes and the time to its end, in milliseconds. Throws unless it is answered as expected. */
  get(path: string, headers?: Record<string, string>): Promise<Got>
  /** As after a write on another replica. */
  forget(devices: number | string): Promise<void>
}

export interface Got {
  status: number
  ms: number
  bytes: number
  etag: string
}

export interface Scene {
  upstream: Program
  upstreamOrigin: string
  assemblers: Program
  load: Program
  startGateway(): Promise<Gateway>
}

/** @param devices how many the customer has, or its name after `c-` */
export const pathOf = (devices: number | string, rest: string) =>
  `/api/portal/v1/customers/c-${devices}/${rest}`

/** Those of `npm start`, so that memory is that of production. */
function startOptions(): string[] {
  const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  return String(scripts.start).match(/--[\w-]+=\S+/g) ?? []
}

export async function startScene(bench: Bench): Promise<Scene> {
  const redis = await startRedis(bench)
  const upstreamPort = await freePort()
  const upstreamOrigin = `http://127.0.0.1:${upstreamPort}`
  const kept = <T extends Program>(program: T) => {
    bench.teardown(() => program.stop())
    return program
  }
  const env = { LATENCY_MS: String(LATENCY_MS) }
  const upstream = kept(
    await startServer('programs/inventory-upstream.ts', upstreamPort, { core: OTHER_CORE, env })
  )
  const secret = 'for-measuring-only-for-measuring-only-for-measuring'

  // Costs next to nothing, so that what it is called through shows.
  const plainPort = await freePort()
  kept(await startServer('programs/upstream.ts', plainPort, { core: OTHER_CORE }))

  async function startGateway(): Promise<Gateway> {
    const port = await freePort()
    const origin = `http://127.0.0.1:${port}`
    const env = {
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      METRICS_PORT: String(await freePort()),
      PUBLIC_URL: origin,
      OIDC_ISSUER: 'http://127.0.0.1:1',
      OIDC_CLIENT_ID: 'portal',
      OIDC_CLIENT_SECRET: 'unused',
      REDIS_URL: redis.url,
      SESSION_SECRETS: secret,
      UPSTREAM_URL: upstreamOrigin,
      UPSTREAM_RECOVER_URL: `http://127.0.0.1:${plainPort}`,
      // A few people make the calls of many.
      SESSION_CALLS_PER_MINUTE: '1000000',
      CALLS_IN_FLIGHT: '1000'
    }
    const config: Config = readConfig({ ...env, PORT: String(port) })
    const nodeOptions = startOptions()
    // On any core, as the other ways: its worker is there to use a second one.
    const program = kept(await startServer('../../server/main.ts', port, { env, nodeOptions }))
    const cookies = await signInMany(config, [secret], PEOPLE)
    let next = 0
    const call = (path: string, headers: Record<string, string> = {}): Call => {
      const cookie = cookies[next++ % cookies.length] ?? ''
      return { path, headers: { accept: 'application/json', 'x-portal-csrf': '1', cookie, ...headers } }
    }
    return {
      program,
      origin,
      call,
      async get(path, headers) {
        const begun = performance.now()
        const { statusCode, headers: given, body } = await request(origin, call(path, headers))
        let bytes = 0
        for await (const chunk of body) bytes += chunk.length
        const ms = performance.now() - begun
        if (statusCode !== 200 && statusCode !== 304) throw new Error(`${path} answered ${statusCode}`)
        return { status: statusCode, ms, bytes, etag: String(given.etag) }
      },
      async forget(devices) {
        const heard = await redis.look.publish('portal:inventory-changed', `another-replica c-${devices}`)
        if (heard === 0) throw new Error('the gateway does not listen to what other replicas tell')
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    }
  }

  return {
    upstream,
    upstreamOrigin,
    assemblers: kept(startProgram('programs/assemblers.ts', {})),
    load: kept(startProgram('programs/load.ts', { core: OTHER_CORE })),
    startGateway
  }
}
