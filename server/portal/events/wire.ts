// Writes server-sent events to one answer (HTML, section 9.2). Keeps no queue: callers write only while `isFull` is false.
import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { LiveEvent } from '#shared/answers/events.ts'

export interface Wire {
  /** Whether the reader has yet to read what was written. `onDrain` says when it has. */
  readonly isFull: boolean
  send(event: LiveEvent): void
  /** Sends a comment, which shows that the connection lives. */
  beat(): void
  /** Tells the reader how long to wait before it connects again, sends a last event and ends the answer. */
  end(event: LiveEvent, retryMs: number): void
}

interface Options {
  /** Time to wait before the next connection. */
  retryMs: number
  onDrain: () => void
  /** Called once when the connection has closed. */
  onClose: () => void
}

/** Begins the answer at once, so that the reader and all proxies know that it has begun. */
export function openWire(reply: FastifyReply, { retryMs, onDrain, onClose }: Options): Wire {
  reply.hijack()
  const { raw } = reply
  raw.on('drain', onDrain)
  raw.once('close', onClose)
  // A connection that breaks while it is written to also emits `close`.
  raw.on('error', () => {})
  raw.writeHead(200, {
    ...(reply.getHeaders() as OutgoingHttpHeaders),
    'content-type': 'text/event-stream; charset=utf-8',
    // A proxy that transforms the answer, for example by compressing it, would hold events back.
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no'
  })
  raw.write(`:\nretry: ${retryMs}\n\n`)
  const textOf = ({ event, data }: LiveEvent) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

  return {
    get isFull() {
      return raw.writableNeedDrain
    },
    send: (event) => void raw.write(textOf(event)),
    beat: () => void raw.write(':\n\n'),
    end: (event, retryMs) => void raw.end(`retry: ${retryMs}\n${textOf(event)}`)
  }
}
