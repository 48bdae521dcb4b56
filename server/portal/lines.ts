// An answer of one JSON text a line. Its status has been sent when a later line cannot be had: the last line says so.
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem, problemBody } from '../errors.ts'
import { LINES_TYPE } from './request.ts'

/** Whether these lines are wanted. */
export const wantsLines = ({ headers }: FastifyRequest) => headers.accept?.includes(LINES_TYPE) === true

/** Sends lines as they come; a problem is the last one. Any other failure breaks the answer off. */
export function sendLines(
  request: FastifyRequest,
  reply: FastifyReply,
  lines: AsyncIterable<string | Buffer>
): FastifyReply {
  return reply.type(LINES_TYPE).send(Readable.from(withProblem(lines, request)))
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
