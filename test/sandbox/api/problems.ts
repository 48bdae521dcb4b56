// The error body of every upstream API.
import type { FastifyError, FastifyInstance } from 'fastify'

export class ApiProblem extends Error {
  readonly status: number
  readonly code: string
  readonly field: string | undefined

  constructor(status: number, code: string, message: string, field?: string) {
    super(message)
    this.status = status
    this.code = code
    this.field = field
  }
}

const TITLES: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  410: 'Gone'
}

export function notFound(label: string): ApiProblem {
  return new ApiProblem(404, 'notFound', `${label} not found`)
}

/** Returns the value, or throws 404 if the value is missing. */
export function found<T>(value: T | undefined, label: string): T {
  if (value === undefined) throw notFound(label)
  return value
}

export function malformed(message: string, field?: string): ApiProblem {
  return new ApiProblem(400, 'malformed', message, field)
}

export function answerProblems(api: FastifyInstance): void {
  api.setNotFoundHandler((request) => {
    throw notFound(`${request.method} ${request.url.split('?')[0]}`)
  })
  api.setErrorHandler((error: FastifyError | ApiProblem, request, reply) => {
    const problem = error instanceof ApiProblem ? error : toProblem(error)
    const { status, code, message, field } = problem
    if (status === 401) reply.header('www-authenticate', `Bearer error="${code}"`)
    return reply.code(status).send({
      status,
      title: TITLES[status] ?? 'Error',
      errors: [{ code, message, ...(field === undefined ? {} : { field }) }],
      correlationId: request.id
    })
  })
}

function toProblem(error: FastifyError): ApiProblem {
  const status = error.statusCode ?? 500
  if (status < 500) return new ApiProblem(status, 'malformed', error.message)
  console.error(error)
  return new ApiProblem(500, 'internal', 'Unexpected error of the sandbox')
}
