// Sends answers with one JSON text per line (NDJSON). A failure after the first lines becomes the last line.
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem, problemBody } from '../errors.ts'
import { preferredFormat } from './encoding.ts'

const LINES_TYPE = 'application/x-ndjson'

/** Describes the last line of an answer that ends early. */
export const ENDED_EARLY =
  'If sending fails halfway, for example because the caller signs out or loses a right, the last line is a problem as in `application/problem+json` (`type`, `title`, `status`, `detail`, `requestId`).'

/** Whether the caller prefers NDJSON to JSON. */
export const wantsLines = (request: FastifyRequest) =>
  preferredFormat(request, ['application/json', LINES_TYPE]) === LINES_TYPE

/**
 * Sends lines as they arrive. Throws a failure of the first ones. A later problem becomes the last line; any other failure closes
 * the connection.
 */
export async function sendLines(
  request: FastifyRequest,
  reply: FastifyReply,
  lines: AsyncGenerator<string | Buffer, void, void>
): Promise<FastifyReply> {
  const begunLines = await begun(lines)
  return reply.type(LINES_TYPE).send(Readable.from(withProblem(begunLines, request)))
}

/** Waits for the first item, and throws its failure. */
export async function begun<T>(items: AsyncGenerator<T, void, void>): Promise<AsyncGenerator<T, void, void>> {
  const first = await items.next()
  return (async function* () {
    if (first.done) return
    try {
      yield first.value
      yield* items
    } finally {
      await items.return()
    }
  })()
}

/** Notes the problem of an answer that is cut off, for the log and the metrics. */
export async function* withReason(texts: AsyncIterable<string>, request: FastifyRequest) {
  try {
    yield* texts
  } catch (error) {
    if (error instanceof Problem) request.problemId = error.id
    throw error
  }
}

async function* withProblem(lines: AsyncIterable<string | Buffer>, request: FastifyRequest) {
  try {
    yield* lines
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    request.problemId = error.id
    yield `${JSON.stringify(problemBody(error, request.id))}\n`
  }
}
