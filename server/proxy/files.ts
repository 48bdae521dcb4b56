// Streams files that an API offers at a short-lived address, perhaps on another host. This way the browser uses one origin,
// its history contains no address with a secret, and it can resume a broken download. The setting DOWNLOAD_HOSTS lists the
// allowed hosts and ports.
import { create, parse } from 'content-disposition'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Agent } from 'undici'
import type { Config } from '../config/settings.ts'
import { type Problem, problems } from '../errors.ts'
import { step } from '../observability/trace.ts'
import { disconnectSignal } from '../upstreams/disconnect-signal.ts'
import { answerProblem, connectionProblem } from '../upstreams/transport/failures.ts'
import type { Upstream } from '../upstreams/transport/pools.ts'
import { createSemaphore } from '../upstreams/transport/semaphore.ts'
import type { Answer } from './forward.ts'
import { callerHeaders, NO_STORE, picked } from './headers.ts'
import type { SlowAnswers } from './slow-answers.ts'

/** Maximum number of parallel downloads: many, because downloads take long. */
const DOWNLOADS_MAX = 256
/** Maximum number of waiting downloads. Further downloads are refused at once. */
const WAITING_MAX = 64
const REQUEST_HEADERS = ['range', 'if-range'] as const
const ANSWER_HEADERS = ['accept-ranges', 'content-range'] as const
/** Characters that a file name must not contain. */
const UNSAFE = /[\p{Cc}\p{Cf}/\\:*?"<>|]+/gu
const NAME_MAX_CHARACTERS = 150
const FALLBACK_NAME = 'download'

/**
 * Opens separate connections for files, so that big files do not occupy the connections to APIs.
 * @param waitMs maximum wait of a download for a connection
 */
export function openFiles(config: Config, waitMs: number, slowAnswers: SlowAnswers) {
  const timeoutMs = config.UPSTREAM_TIMEOUT_MS
  const hosts = hostsOf(config)
  const downloads = createSemaphore({ permits: DOWNLOADS_MAX, waiters: WAITING_MAX, waitMs })
  const agent = new Agent({
    connections: DOWNLOADS_MAX,
    pipelining: 1,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: { timeout: Math.min(5_000, timeoutMs), rejectUnauthorized: true }
  })
  return {
    /**
     * Sends the file that the answer redirects to, or the file in the answer itself. Throws a problem: the status of the file's host, 502
     * for an invalid address or an undeclared host, 503 for too many downloads, 499 if the caller disconnects.
     */
    async send(answer: Answer, request: FastifyRequest, reply: FastifyReply, upstream: Upstream) {
      const { location } = answer.headers
      const isFile = answer.statusCode < 300 || typeof location !== 'string'
      if (!isFile && !Buffer.isBuffer(answer.body)) answer.body.destroy()
      const file = isFile ? answer : await fetchFile(addressOf(location, upstream, hosts), request, reply)
      if (!Buffer.isBuffer(file.body)) slowAnswers.watch(request, reply, file.body)
      return sendFile(file, reply)
    },
    close: () => agent.destroy()
  }

  async function fetchFile(address: URL, request: FastifyRequest, reply: FastifyReply) {
    const signal = disconnectSignal(reply)
    await downloads.acquire(signal)
    // The address authorizes the download: send no token to the file's host.
    const call = {
      origin: address.origin,
      path: address.pathname + address.search,
      method: 'GET',
      headers: picked(request.headers, REQUEST_HEADERS),
      signal
    } as const
    const send = () => agent.request(call)
    const file = await step('GET file', { 'server.address': address.hostname }, send).catch((error) => {
      downloads.release()
      throw connectionProblem(error)
    })
    file.body.once('close', downloads.release)
    if (file.statusCode < 300) return file
    await file.body.dump().catch(() => {})
    if (file.statusCode >= 400) throw answerProblem(file.statusCode, null)
    // Follow one redirect only: the address must be a file.
    throw garbled(`the address of a file redirects with ${file.statusCode}`)
  }
}

/** The hosts from which files may be fetched, in DOWNLOAD_HOSTS or else those of the APIs. */
function hostsOf({ DOWNLOAD_HOSTS, UPSTREAMS }: Config): ReadonlySet<string> {
  return new Set(DOWNLOAD_HOSTS ?? Object.values(UPSTREAMS).map((address) => hostAndPort(new URL(address))))
}

/** Adds the default port, which a URL leaves out. */
function hostAndPort({ hostname, port, protocol }: URL): string {
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`
}

/**
 * The address of a file. The API's answer decides where the gateway connects (ASVS 5 1.3.6), so the host must be declared,
 * the address must contain no password, and an API behind TLS must not lead to plain HTTP. Throws a 502 problem.
 */
function addressOf(location: string, { origin, basePath }: Upstream, hosts: ReadonlySet<string>): URL {
  const address = URL.canParse(location, origin + basePath) ? new URL(location, origin + basePath) : null
  const isSecure =
    address?.protocol === 'https:' || (address?.protocol === 'http:' && origin.startsWith('http:'))
  if (!address || !isSecure || address.username !== '' || address.password !== '')
    throw garbled('the address of a file is not allowed')
  if (!hosts.has(address.host) && !hosts.has(hostAndPort(address)))
    throw garbled(`the file's host ${address.host.slice(0, 260)} is not in DOWNLOAD_HOSTS`)
  return address
}

/** @param reason for the log */
function garbled(reason: string): Problem {
  return problems.upstreamGarbled(new Error(reason))
}

function sendFile({ statusCode, headers, body }: Answer, reply: FastifyReply): FastifyReply {
  return reply
    .code(statusCode)
    .headers({ ...callerHeaders(headers, NO_STORE), ...picked(headers, ANSWER_HEADERS) })
    .header('content-disposition', attachmentOf(headers['content-disposition']))
    .send(body)
}

/** An attachment with the name that the host gives the file, without characters that a file system treats as special. */
function attachmentOf(disposition: unknown): string {
  const attachment = (name: string) => create(name, { type: 'attachment' })
  try {
    const { parameters } = parse(String(disposition ?? ''))
    // Cut the name first: it may be long, and the expression below tries every position. A cut may halve a character.
    const name = (parameters?.filename ?? '').slice(0, NAME_MAX_CHARACTERS).toWellFormed()
    return attachment(name.replace(UNSAFE, '_').replace(/^[. ]+|[. ]+$/g, '') || FALLBACK_NAME)
  } catch {
    return attachment(FALLBACK_NAME)
  }
}
