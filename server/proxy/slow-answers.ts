// Aborts streamed answers that the upstream sends too slowly, because each occupies a connection to the upstream. Time in which
// the client does not read does not count: server/http/unread-answers.ts limits that.
import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { problems } from '../errors.ts'

interface Options {
  /** Minimum bytes per second; 0 for no limit. */
  minBytesPerSecond: number
  /** The rate is an average over this time. */
  windowMs: number
}

interface Progress {
  request: FastifyRequest
  reply: FastifyReply
  /** Bytes that the connection had sent at the start of the window. */
  sentBefore: number
  /** Checks in this window that found the gateway waiting for the upstream. */
  waitingChecks: number
}

/** Number of checks per window. */
const CHECKS = 30

export type SlowAnswers = ReturnType<typeof createSlowAnswers>

export function createSlowAnswers({ minBytesPerSecond, windowMs }: Options) {
  const answers = new Map<Readable, Progress>()
  const minBytes = (minBytesPerSecond * windowMs) / 1000
  const timer = setInterval(() => {
    for (const [body, progress] of answers) check(body, progress)
  }, windowMs / CHECKS).unref()

  function check(body: Readable, progress: Progress): void {
    const { request, reply, sentBefore } = progress
    // Otherwise the client is slow, and the upstream may have to wait for it.
    if (body.readableLength === 0 && reply.raw.writableLength === 0) progress.waitingChecks += 1
    if (progress.waitingChecks < CHECKS) return
    const sent = sentBy(reply)
    if (sent - sentBefore >= minBytes) {
      Object.assign(progress, { sentBefore: sent, waitingChecks: 0 })
      return
    }
    const problem = problems.upstreamTooSlow(`fewer than ${minBytesPerSecond} bytes per second`)
    // For the log and the metrics: the headers of the answer are already sent.
    request.problemId = problem.id
    body.destroy(problem)
  }

  return {
    /** Watches the body of an answer while it is sent to the client. */
    watch(request: FastifyRequest, reply: FastifyReply, body: Readable): void {
      if (minBytes === 0) return
      answers.set(body, { request, reply, sentBefore: sentBy(reply), waitingChecks: 0 })
      body.once('close', () => answers.delete(body))
    },
    close: () => clearInterval(timer)
  }
}

const sentBy = ({ raw }: FastifyReply) => raw.socket?.bytesWritten ?? 0
