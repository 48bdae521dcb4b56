// Files that an API offers at a short-lived address, perhaps of another host. The gateway fetches and streams them: the
// browser meets one origin, no address with a secret gets into its history, and a broken download can be resumed.
import { create, parse } from 'content-disposition'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Agent } from 'undici'
import { Problem, problems } from '../errors.ts'
import { answerProblem, connectionProblem } from '../upstreams/failures.ts'
import type { Upstream } from '../upstreams/pools.ts'
import type { Answer } from './exchange.ts'
import { callerHeaders, NO_STORE } from './headers.ts'

const CONNECTIONS_PER_HOST = 32
const REQUEST_HEADERS = ['range', 'if-range'] as const
const ANSWER_HEADERS = ['accept-ranges', 'content-range'] as const
/** Neither in the name of a file, nor to be read as a folder or a hidden file. */
const UNSAFE = /[\p{Cc}\p{Cf}/\\:*?"<>|]+/gu
const NAME_MAX_CHARACTERS = 150
const FALLBACK_NAME = 'download'

export interface Files {
  /**
   * Streams the file that an answer leads to, or the answer itself. Throws a problem: what the file's host answers, 502
   * for an address that is none, 499 when the caller goes.
   */
  passOn(
    answer: Answer,
    request: FastifyRequest,
    reply: FastifyReply,
    upstream: Upstream
  ): Promise<FastifyReply>
  close(): Promise<void>
}

/** Opens the connections for files; those to APIs stay free while a big one is fetched. */
export function openFiles(timeoutMs: number): Files {
  const agent = new Agent({
    connections: CONNECTIONS_PER_HOST,
    pipelining: 1,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: { timeout: Math.min(5_000, timeoutMs), rejectUnauthorized: true }
  })
  return {
    async passOn(answer, request, reply, upstream) {
      const { location } = answer.headers
      if (answer.statusCode < 300 || typeof location !== 'string') return send(answer, reply)
      if (!Buffer.isBuffer(answer.body)) answer.body.destroy()
      return send(await fetchFile(addressOf(location, upstream), request, reply), reply)
    },
    close: () => agent.destroy()
  }

  async function fetchFile(address: URL, request: FastifyRequest, reply: FastifyReply) {
    const gone = new AbortController()
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) gone.abort()
    })
    const headers: Record<string, string> = {}
    for (const name of REQUEST_HEADERS) {
      const value = request.headers[name]
      if (typeof value === 'string') headers[name] = value
    }
    try {
      // No token goes along: the address is all that it takes.
      const file = await agent.request({
        origin: address.origin,
        path: address.pathname + address.search,
        method: 'GET',
        headers,
        signal: gone.signal
      })
      if (file.statusCode >= 400) {
        await file.body.dump()
        throw answerProblem(file.statusCode, null)
      }
      // One step, not a chain: what is offered is a file.
      if (file.statusCode >= 300) {
        await file.body.dump()
        throw problems.upstreamGarbled(`a file's address led on with ${file.statusCode}`)
      }
      return file
    } catch (error) {
      throw error instanceof Problem ? error : connectionProblem(error)
    }
  }
}

/** The address of a file; an API behind TLS must not lead to a host without. Throws a 502 problem. */
function addressOf(location: string, { origin, basePath }: Upstream): URL {
  const address = URL.canParse(location, origin + basePath) ? new URL(location, origin + basePath) : null
  const secure =
    address?.protocol === 'https:' || (address?.protocol === 'http:' && origin.startsWith('http:'))
  if (!address || !secure || address.username !== '')
    throw problems.upstreamGarbled('the address of a file is none that may be fetched')
  return address
}

function send({ statusCode, headers, body }: Answer, reply: FastifyReply): FastifyReply {
  const own = callerHeaders(headers, NO_STORE)
  for (const name of ANSWER_HEADERS) {
    const value = headers[name]
    if (typeof value === 'string') own[name] = value
  }
  own['content-disposition'] = create(safeName(headers['content-disposition']), { type: 'attachment' })
  return reply.code(statusCode).headers(own).send(body)
}

/** The name that the host gives the file, without what a file system could take for something else. */
export function safeName(disposition: unknown): string {
  try {
    const { parameters } = parse(String(disposition ?? ''))
    // Cut first: the host's header may be long, and its ends are looked for from every place.
    const name = (parameters?.filename ?? '').slice(0, NAME_MAX_CHARACTERS)
    return name.replace(UNSAFE, '_').replace(/^[. ]+|[. ]+$/g, '') || FALLBACK_NAME
  } catch {
    return FALLBACK_NAME
  }
}
