// What went wrong between the gateway and an upstream, told as a problem. Addresses and raw messages stay in the log.
import { errors } from 'undici'
import { Problem, problems } from '../errors.ts'

/** Maps a failure of the connection (not an HTTP answer) to a problem: 504 when late, 503 otherwise. */
export function connectionProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError)
    return problems.upstreamTimeout(error)
  if (error instanceof errors.ConnectTimeoutError) return problems.upstreamTimeout(error)
  const name = (error as Error | undefined)?.name
  if (name === 'TimeoutError') return problems.upstreamTimeout(error)
  if (name === 'AbortError') return problems.clientGone()
  return problems.upstreamUnreachable(error)
}

/** Whether another attempt may help: the upstream was not reached. Its own 503 is an answer, and is not pressed. */
export function isPassing(problem: Problem): boolean {
  return problem.id === 'upstream_unreachable'
}

/** The code of an upstream error body, `{ errors: [{ code }] }`; undefined when there is none. */
export function upstreamCode(body: unknown): string | undefined {
  const first = (body as { errors?: { code?: unknown }[] } | null)?.errors?.[0]?.code
  return typeof first === 'string' ? first : undefined
}

/** An upstream that refuses our token is not the caller's 401: signing in again would not help. */
export const UNAUTHORIZED = 'upstream_unauthorized'

/** Maps an upstream's own error answer to a problem of the same status; its server errors become 502 or 503. */
export function answerProblem(status: number, body: unknown): Problem {
  const code = upstreamCode(body)
  if (status === 404) return problems.notFound()
  if (status === 403) return problems.forbidden()
  if (status === 401) return new Problem(502, UNAUTHORIZED, { code })
  if (status === 503 || status === 504 || status === 429)
    return new Problem(503, 'upstream_unavailable', { code, retryAfterSeconds: 2 })
  if (status >= 500) return new Problem(502, 'upstream_failed', { code })
  return new Problem(status, 'upstream_refused', { code })
}
