// Live streams of the fake gateway: each connection gets what the test sends.
import assert from 'node:assert/strict'
import { waitFor } from '@testing-library/react'
import type { LiveEvent } from '#shared/answers/events.ts'
import { type Call, NOW } from './gateway.ts'

export const EVENTS = '/api/portal/v1/events'

export interface OpenStream {
  query: URLSearchParams
  signal: AbortSignal | null
  /** Sends events together. */
  send: (...events: LiveEvent[]) => void
}

export function liveStreams() {
  const streams: OpenStream[] = []
  return {
    streams,
    /** The answer to EVENTS. */
    open({ query, signal }: Call): Response {
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
      const writer = writable.getWriter()
      writer.closed.catch(() => {})
      signal?.addEventListener('abort', () => writer.abort().catch(() => {}))
      const send = (...events: LiveEvent[]) => {
        const texts = events.map(({ event, data }) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
        writer.write(new TextEncoder().encode(texts.join(''))).catch(() => {})
      }
      streams.push({ query, signal, send })
      return new Response(readable)
    },
    /** Waits for a connection; 0 is the first. */
    async at(number: number): Promise<OpenStream> {
      await waitFor(() => assert.ok(streams.length > number))
      return streams[number] as OpenStream
    }
  }
}

/** An event about customer 9, whose alarms were read long before the page was opened. */
export function alarmsEvent(tag: string, rest: object = {}): LiveEvent {
  const data = { customerId: '9', count: 1, newestAt: NOW, tag, readAt: '2026-01-01T00:00:00.000Z', ...rest }
  return { event: 'alarms', data }
}
