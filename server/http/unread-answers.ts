// Aborts answers that clients do not read: each occupies a connection, often also a connection to an upstream. Slow
// upstreams have their own time limit.
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { Problem } from '../errors.ts'

interface Options {
  /** Aborts an answer after this time without progress, or up to a tenth later. */
  unreadMs: number
}

interface Progress {
  /** Bytes that the socket has sent. */
  sent: number
  /** Checks in a row that found no progress. */
  stalledChecks: number
}

const CHECKS = 10
/** Longer answers are written in pieces, because the progress of one large write is unknown. */
const WHOLE_MAX_BYTES = 256 * 1024
const PIECE_BYTES = 64 * 1024

export const unreadAnswers = fp(async (app: FastifyInstance, { unreadMs }: Options) => {
  const connections = new Map<Socket, Progress>()
  // Does not use the socket's own timeout, because the client could postpone it by sending data.
  const timer = setInterval(() => {
    for (const [socket, progress] of connections) check(socket, progress)
  }, unreadMs / CHECKS).unref()
  app.addHook('onClose', async () => clearInterval(timer))
  app.server.on('connection', (socket: Socket) => {
    connections.set(socket, { sent: 0, stalledChecks: 0 })
    socket.once('close', () => connections.delete(socket))
  })

  app.addHook('onSend', (_request, reply, payload, done) => {
    const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload)
    if (!isWhole || payload.length <= WHOLE_MAX_BYTES) return done(null, payload)
    const bytes = Buffer.from(payload as Buffer)
    reply.header('content-length', bytes.length)
    done(null, Readable.from(pieces(bytes)))
  })
})

function check(socket: Socket, progress: Progress): void {
  const sent = socket.bytesWritten - socket.writableLength
  const isStalled = socket.writableLength > 0 && sent === progress.sent
  progress.stalledChecks = isStalled ? progress.stalledChecks + 1 : 0
  progress.sent = sent
  if (progress.stalledChecks === CHECKS) socket.destroy(new Problem(499, 'answer_not_read'))
}

function* pieces(bytes: Buffer): Generator<Buffer> {
  for (let from = 0; from < bytes.length; from += PIECE_BYTES) yield bytes.subarray(from, from + PIECE_BYTES)
}
