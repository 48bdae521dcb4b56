// Answers that their callers do not read are broken off, whatever makes them: each holds a connection, often one to an
// upstream, that others wait for. A slow upstream is not the reader's fault and has a time limit of its own.
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

interface Options {
  /** An answer of which nothing was read for so long is broken off, a tenth later at the latest. */
  unreadMs: number
}

interface Reading {
  /** Bytes that have left for the reader. */
  sent: number
  /** Looks in a row at which they were the same. */
  looks: number
  brokenOff: () => void
}

const LOOKS = 10
/** More is written in pieces: of a buffer that is written at once, it cannot be seen how much was read. */
const WHOLE_MAX_BYTES = 256 * 1024
const PIECE_BYTES = 64 * 1024

export const unreadAnswers = fp(async (app: FastifyInstance, { unreadMs }: Options) => {
  const answers = new Map<ServerResponse, Reading>()
  // Not the socket's own time-out: what the caller goes on sending would put that off.
  const timer = setInterval(() => {
    for (const [answer, reading] of answers) look(answer, reading)
  }, unreadMs / LOOKS).unref()
  app.addHook('onClose', async () => clearInterval(timer))

  app.addHook('onRequest', (request, reply, done) => {
    const brokenOff = () => {
      request.problemId = 'answer_not_read'
    }
    answers.set(reply.raw, { sent: 0, looks: 0, brokenOff })
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

function look({ socket }: ServerResponse, reading: Reading): void {
  if (socket === null) return
  const sent = socket.bytesWritten - socket.writableLength
  reading.looks = socket.writableLength > 0 && sent === reading.sent ? reading.looks + 1 : 0
  reading.sent = sent
  if (reading.looks < LOOKS) return
  reading.brokenOff()
  socket.destroy()
}

function* pieces(bytes: Buffer): Generator<Buffer> {
  for (let from = 0; from < bytes.length; from += PIECE_BYTES) yield bytes.subarray(from, from + PIECE_BYTES)
}
