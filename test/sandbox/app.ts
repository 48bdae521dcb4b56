// Starts the sandbox: one HTTP server with the identity provider at /oidc and the upstream APIs.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { type Call, recordCalls } from './api/calls.ts'
import { createApi } from './api/router.ts'
import { answerCommand } from './commands.ts'
import { createFaults, type Faults } from './faults.ts'
import type { AuthorityHabits } from './identity/authority.ts'
import { createIdentity, type Identity } from './identity/identity.ts'
import { frontPage } from './identity/page.ts'
import { seed } from './seed.ts'
import type { State } from './state.ts'

export interface SandboxOptions {
  /** 0 (default): any free port. */
  port?: number
  /** The address to listen on; default 127.0.0.1. */
  host?: string
  /** The address that callers use; default `http://localhost:<port>`. */
  publicUrl?: string
  /** Milliseconds since the epoch, for the dates of the data. Tokens expire in real time. */
  clock?: () => number
  devices?: number
  customers?: number
  /** Interval in which alarms arise; 0 (default): never. */
  alarmPaceSeconds?: number
  latencyMs?: number
  /** Faults from the start, such as `subscription:503,egress:timeout`. */
  faults?: string
  accessTokenSeconds?: number
  /** Whether the entity model refuses a search of all systems. */
  asksForSystem?: boolean
  gatewayUrl?: string
  authority?: AuthorityHabits
}

export interface Sandbox extends Omit<Identity, 'trust' | 'answer'> {
  url: string
  state: State
  faults: Faults
  /** Every API call, oldest first; `calls.length = 0` clears the list. */
  calls: Call[]
  stop: () => Promise<void>
}

/** The settings of a gateway for this sandbox. */
export const gatewaySettings = ({ issuer, client, url }: Pick<Sandbox, 'issuer' | 'client' | 'url'>) => ({
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: client.id,
  OIDC_CLIENT_SECRET: client.secret,
  UPSTREAM_URL: url
})

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { port = 0, host = '127.0.0.1', latencyMs = 0, accessTokenSeconds = 300 } = options
  const faults = createFaults(options.faults)
  const state = seed(options.clock ?? Date.now, options)
  state.asksForSystem = options.asksForSystem ?? false
  const calls = recordCalls()

  let answer = (_request: IncomingMessage, response: ServerResponse): void =>
    void response.writeHead(503).end()
  const server = createServer((request, response) => answer(request, response))
  // Longer than callers keep idle connections, so that callers do not use a closed connection.
  server.keepAliveTimeout = 120_000
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  const url = options.publicUrl ?? `http://localhost:${(server.address() as AddressInfo).port}`

  const gatewayUrl = options.gatewayUrl ?? 'http://localhost:3000'
  const habits = options.authority ?? {}
  const {
    trust,
    answer: identify,
    ...identity
  } = await createIdentity(state, { url, gatewayUrl, accessTokenSeconds, habits })
  const api = await createApi(state, trust, calls, url)

  answer = async (request, response) => {
    const [, firstSegment] = request.url?.split(/[/?]/) ?? []
    if (firstSegment === '') {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(frontPage(identity.issuer))
      return
    }
    if (firstSegment === 'sandbox') return answerCommand(state, request, response)
    if (firstSegment !== 'oidc') {
      calls.begin(request)
      if (latencyMs > 0) await delay(latencyMs, undefined, { ref: false })
    }
    if (await faults.answered(request, response)) return
    if (firstSegment === 'oidc') identify(request, response)
    else api.routing(request, response)
  }

  return {
    ...identity,
    url,
    state,
    faults,
    calls: calls.list,
    async stop() {
      const serverClose = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await serverClose
      await api.close()
    }
  }
}
