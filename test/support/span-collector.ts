// A collector that receives spans by OTLP over HTTP, as JSON.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { closeServer } from './close-server.ts'
import type { Test } from './teardown.ts'

export interface ReceivedSpan {
  name: string
  kind: 'server' | 'client' | 'internal'
  traceId: string
  spanId: string
  parentSpanId: string | undefined
  attributes: Record<string, unknown>
  isFailed: boolean
}

export interface SpanCollector {
  url: string
  spans: ReceivedSpan[]
  /** Everything that was received, and the headers of each call. */
  bodies: string[]
  headers: NodeJS.Dict<string | string[]>[]
  /** The status of the next answers. */
  status: number
}

/** The part of OTLP that is read: opentelemetry/proto/trace/v1/trace.proto. */
interface Export {
  resourceSpans: {
    scopeSpans: {
      spans: {
        name: string
        kind: number
        traceId: string
        spanId: string
        parentSpanId?: string
        attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
        status: { code: number }
      }[]
    }[]
  }[]
}

const KINDS = ['internal', 'internal', 'server', 'client'] as const
const FAILED = 2

export async function startSpanCollector(t: Test): Promise<SpanCollector> {
  const server = createServer(async (request, response) => {
    const body = (await json(request)) as Export
    collector.headers.push(request.headers)
    if (collector.status === 200 && request.url === '/v1/traces') {
      collector.bodies.push(JSON.stringify(body))
      collector.spans.push(...spansOf(body))
    }
    response.writeHead(collector.status, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  t.teardown(() => closeServer(server))
  const collector: SpanCollector = {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    spans: [],
    bodies: [],
    headers: [],
    status: 200
  }
  return collector
}

function spansOf({ resourceSpans }: Export): ReceivedSpan[] {
  const spans = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
  return spans.map(({ name, kind, traceId, spanId, parentSpanId, attributes, status }) => ({
    name,
    kind: KINDS[kind] ?? 'internal',
    traceId,
    spanId,
    parentSpanId,
    attributes: Object.fromEntries(
      attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)])
    ),
    isFailed: status.code === FAILED
  }))
}
