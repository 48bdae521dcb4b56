// An upstream that records requests. A test chooses the answers.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { createMetrics } from '#server/observability/metrics.ts'
import { createUpstreamClient, type UpstreamClient } from '#server/upstreams/client.ts'
import { openUpstreams } from '#server/upstreams/transport/pools.ts'
import { leastConfig } from './least-config.ts'
import type { Test } from './teardown.ts'

export interface Received {
  method: string
  url: string
  headers: [name: string, value: string][]
  body: Buffer
}

export type Behaviour = (request: IncomingMessage, response: ServerResponse) => unknown

export interface TinyUpstream {
  url: string
  received: Received[]
  /** Number of answers that the client did not read to the end. */
  aborted: number
  answer: Behaviour
}

const json: Behaviour = (_request, response) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"fine":true}')

export async function startTinyUpstream(t: Test): Promise<TinyUpstream> {
  const server = createServer(async (request, response) => {
    response.once('close', () => {
      if (!response.writableFinished) upstream.aborted += 1
    })
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method = '', url = '', rawHeaders } = request
    const headers = rawHeaders.flatMap((name, index): [string, string][] =>
      index % 2 === 0 ? [[name.toLowerCase(), rawHeaders[index + 1] ?? '']] : []
    )
    upstream.received.push({ method, url, headers, body: Buffer.concat(chunks) })
    upstream.answer(request, response)
  })
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    return new Promise((resolve) => server.close(resolve))
  })
  const upstream: TinyUpstream = {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    received: [],
    aborted: 0,
    answer: json
  }
  return upstream
}

export function clientOf(t: Test, url: string, env: Record<string, string> = {}): UpstreamClient {
  const config = leastConfig({ UPSTREAM_URL: url, ...env })
  const upstreams = openUpstreams(config, createMetrics().recorder)
  t.teardown(() => upstreams.close())
  return createUpstreamClient(upstreams, config.UPSTREAM_TIMEOUT_MS)
}
