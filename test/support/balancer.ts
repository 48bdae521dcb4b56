// A balancer as operators have one in front of several gateways: it sends calls in turn to those that say they are ready,
// keeps connections, and asks again and again who is. When nobody is ready it asks everybody, as balancers do: the
// answer of a gateway says more than its own could.
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'
import { freePort } from '#test/support/portal.ts'
import type { Test } from './teardown.ts'

export interface Behind {
  port: number
  metricsPort: number
}

export interface Balancer {
  url: string
  port: number
  add(gateway: Behind): void
  remove(gateway: Behind): void
  /** How many are ready. */
  ready(): number
  /** Calls that found no gateway, or whose connection broke. */
  failures: string[]
}

const ASK_EVERY_MS = 100

export async function startBalancer(t: Test): Promise<Balancer> {
  const port = await freePort()
  const behind = new Map<Behind, { agent: Agent; ready: boolean }>()
  const failures: string[] = []
  let turn = 0

  const ask = async (gateway: Behind) => {
    const answer = await fetch(`http://127.0.0.1:${gateway.metricsPort}/readyz`).catch(() => null)
    await answer?.body?.cancel()
    const known = behind.get(gateway)
    if (known) known.ready = answer?.status === 200
  }
  const asking = setInterval(() => {
    for (const gateway of behind.keys()) void ask(gateway)
  }, ASK_EVERY_MS)

  const pass = (incoming: IncomingMessage, answer: ServerResponse, tried: Set<Behind>) => {
    const all = [...behind].filter(([gateway]) => !tried.has(gateway))
    const able = all.filter(([, { ready }]) => ready)
    const candidates = able.length > 0 ? able : all
    turn += 1
    const [gateway, state] = candidates[turn % candidates.length] ?? []
    if (gateway === undefined || state === undefined) {
      failures.push('nobody to ask')
      answer.writeHead(502).end()
      return
    }
    const { method, url, headers } = incoming
    const forwarded = request({
      host: '127.0.0.1',
      port: gateway.port,
      agent: state.agent,
      method,
      path: url,
      headers
    })
    forwarded.on('response', (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers)
      // An answer that breaks off is broken off.
      pipeline(got, answer, () => {})
    })
    forwarded.on('error', (error: NodeJS.ErrnoException) => {
      if (answer.headersSent) {
        answer.destroy()
        return
      }
      // Nobody listens there: nothing was sent, and another may take it.
      if (error.code === 'ECONNREFUSED') return pass(incoming, answer, tried.add(gateway))
      // A connection may be closed by its other side at any time: what changes nothing is sent again (RFC 9110 §9.2.2).
      if (method === 'GET') return pass(incoming, answer, tried.add(gateway))
      failures.push(`${method} ${url}: ${error.code}`)
      answer.writeHead(502).end()
    })
    forwarded.end()
  }
  const server = createServer((incoming, answer) => pass(incoming, answer, new Set()))
  server.keepAliveTimeout = 600_000
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  t.teardown(async () => {
    clearInterval(asking)
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    for (const { agent } of behind.values()) agent.destroy()
  })

  return {
    url: `http://localhost:${port}`,
    port,
    failures,
    add: (gateway) => void behind.set(gateway, { agent: new Agent({ keepAlive: true }), ready: false }),
    remove(gateway) {
      behind.get(gateway)?.agent.destroy()
      behind.delete(gateway)
    },
    ready: () => [...behind.values()].filter(({ ready }) => ready).length
  }
}
