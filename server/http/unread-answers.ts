// Breaks off answers that their callers do not read: each holds a connection, often also one to an upstream, that others
// wait for. A slow upstream is not the reader's fault and has a time limit of its own.
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

interface Options {
  /** An answer is broken off when nothing of it was read for this long, or up to a tenth longer. */
  unreadMs: number
}

interface Reading {
  /** Bytes that the socket has sent. */
  sent: number
  /** Checks in a row that found no progress. */
  stalledChecks: number
  brokenOff: () => void
}

const CHECKS = 10
/** Longer answers are written in pieces: the progress of one large write cannot be seen. */
const WHOLE_MAX_BYTES = 256 * 1024
const PIECE_BYTES = 64 * 1024

export const unreadAnswers = fp(async (app: FastifyInstance, { unreadMs }: Options) => {
  const answers = new Map<ServerResponse, Reading>()
  // Not the socket's own time-out: data that the caller goes on sending would postpone it.
  const timer = setInterval(() => {
    for (const [answer, reading] of answers) check(answer, reading)
  }, unreadMs / CHECKS).unref()
  app.addHook('onClose', async () => clearInterval(timer))

  app.addHook('onRequest', (request, reply, done) => {
    const brokenOff = () => {
      request.problemId = 'answer_not_read'
    }
    answers.set(reply.raw, { sent: 0, stalledChecks: 0, brokenOff })
    reply.raw.once('close', () => answers.delete(reply.raw))
    done()
  })

  app.addHook('onSend', (_request, reply, payload, done) => {
    const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload)
    if (!isWhole || payload.length <= WHOLE_MAX_BYTES) return done(null, payload)
    const bytes = Buffer.from(payload as Buffer)
    reply.header('content-length', bytes.length)
    done(null, Readable.from(pieces(bytes)))
  })
})

function check({ socket }: ServerResponse, reading: Reading): void {
  if (socket === null) return
  const sent = socket.bytesWritten - socket.writableLength
  const stalled = socket.writableLength > 0 && sent === reading.sent
  reading.stalledChecks = stalled ? reading.stalledChecks + 1 : 0
  reading.sent = sent
  if (reading.stalledChecks < CHECKS) return
  reading.brokenOff()
  socket.destroy()
}

function* pieces(bytes: Buffer): Generator<Buffer> {
  for (let from = 0; from < bytes.length; from += PIECE_BYTES) yield bytes.subarray(from, from + PIECE_BYTES)
}
