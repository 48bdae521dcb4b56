// The part of the typed client that is the same for every deployment. It has no imports: `GET /api/client.ts` serves this text,
// followed by the types of the deployment's operations, as one file.

/** The types of an operation's inputs and answers. */
export interface OperationTypes {
  path: object
  query: object
  headers: object
  body: unknown
  /** The answer's data by status. */
  answers: object
  /** A line of the answer as NDJSON; `never` if there is no such answer. */
  lines: unknown
  /** An event of the answer as a stream; `never` if there is no such answer. */
  events: unknown
  /** The statuses of its problems. */
  problems: number
}

/** Method and path of an operation. */
export type Route = readonly [method: string, path: string]

type Part<Name extends string, Fields extends object> = keyof Fields extends never
  ? { [name in Name]?: undefined }
  : Partial<Fields> extends Fields
    ? { [name in Name]?: Fields }
    : { [name in Name]: Fields }

/** The input of an operation: its `path`, `query`, `headers` and `body`, as far as it has them. */
export type Input<Operation extends OperationTypes> = Part<'path', Operation['path']> &
  Part<'query', Operation['query']> &
  Part<'headers', Operation['headers']> &
  (Operation['body'] extends never ? { body?: undefined } : { body: Operation['body'] }) & {
    signal?: AbortSignal
  }

/** An input that has no required field may be left out. */
type InputArguments<Operation extends OperationTypes> =
  Partial<Input<Operation>> extends Input<Operation> ? [input?: Input<Operation>] : [input: Input<Operation>]

/** A successful answer. Compare `status` to narrow the type of `data`. */
export type Answer<Operation extends OperationTypes> = {
  [Status in keyof Operation['answers']]: {
    status: Status
    data: Operation['answers'][Status]
    /** For the header `if-none-match` of the next call; null if the answer has none. */
    etag: string | null
    /** Identifies the call in the portal's log. */
    requestId: string | null
    headers: Headers
  }
}[keyof Operation['answers']]

/** A problem of the portal (RFC 9457). `type` is stable. */
export class PortalProblem<Status extends number = number> extends Error {
  override readonly name = 'PortalProblem'
  readonly status: Status
  readonly type: string
  readonly code: string | undefined
  readonly requestId: string | undefined
  /** When to try again, in milliseconds from the answer; null if the portal does not say. */
  readonly retryAfterMs: number | null

  constructor(status: Status, body: Record<string, unknown>, retryAfterMs: number | null) {
    super(String(body.detail ?? body.title ?? `the portal answered ${status}`))
    this.status = status
    this.type = String(body.type ?? 'about:blank')
    this.code = typeof body.code === 'string' ? body.code : undefined
    this.requestId = typeof body.requestId === 'string' ? body.requestId : undefined
    this.retryAfterMs = retryAfterMs
  }
}

/** The token endpoint's refusal of a token. */
export class TokenProblem extends Error {
  override readonly name = 'TokenProblem'
  readonly status: number

  constructor(status: number, text: string) {
    super(`the token endpoint answered ${status}: ${text}`)
    this.status = status
  }
}

export interface ClientOptions {
  /** The address of the portal, such as `https://portal.example.com`. */
  baseUrl: string
  /** Returns a valid access token, such as `clientCredentials(…)`. */
  token: () => Promise<string>
  /** By default the global `fetch`. */
  fetch?: typeof globalThis.fetch
  /** How often a call is repeated that the portal refuses with `Retry-After`: 2 by default. */
  retries?: number
  /** Waits the milliseconds, or until the signal is aborted; by default a timer. */
  wait?: (ms: number, signal?: AbortSignal) => Promise<void>
}

export interface StreamOptions {
  /** Failures in a row after which the stream ends with the last one: 60 by default, which take at least 15 minutes. */
  failuresMax?: number
  /** Called before each wait for a new connection. An error that it throws ends the stream. */
  onReconnect?: (reconnect: Reconnect) => void
}

/** Why a live stream connects again. */
export interface Reconnect {
  /** A PortalProblem, or the error of the connection; null if the portal said that the stream ends. */
  error: unknown
  /** The number of failures in a row; 0 if the portal said that the stream ends. */
  failures: number
  waitMs: number
}

export interface CredentialsOptions {
  tokenUrl: string
  clientId: string
  clientSecret: string
  /** `ncp:read`, or `ncp:write` for calls that change something. */
  scope: string
  fetch?: typeof globalThis.fetch
  /** Milliseconds since 1970; by default `Date.now`. */
  now?: () => number
}

/** Part of a token's life after which it is replaced. */
const TOKEN_LIFE_USED = 0.8
const RETRIES = 2
/** A longer `Retry-After` is left to the caller. */
const RETRY_AFTER_MAX_MS = 60_000
/** Time until a live stream connects again, unless the portal names one. It doubles with each further failure. */
const RECONNECT_MS = 5_000
const RECONNECT_MAX_MS = 30_000
/** Limit of the times that a portal, or a proxy in front of it, names for a new connection. */
const NAMED_WAIT_MAX_MS = 600_000
const FAILURES_MAX = 60
/** A live stream has at least a comment every 30 s. */
const SILENCE_MAX_MS = 60_000

/** Fetches access tokens with the client credentials grant (RFC 6749, section 4.4), one for all calls until shortly before its end. */
export function clientCredentials(options: CredentialsOptions): () => Promise<string> {
  const { tokenUrl, clientId, clientSecret, scope, fetch = globalThis.fetch, now = Date.now } = options
  let current: { token: Promise<string>; renewAt: number } | null = null

  async function request(renewal: { renewAt: number }): Promise<string> {
    const encoded = [clientId, clientSecret].map((text) => encodeURIComponent(text)).join(':')
    const answer = await fetch(tokenUrl, {
      method: 'POST',
      headers: {
        authorization: `Basic ${btoa(encoded)}`,
        'content-type': 'application/x-www-form-urlencoded'
      },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope }).toString()
    })
    if (!answer.ok) throw new TokenProblem(answer.status, await answer.text())
    const { access_token: token, expires_in: lifeSeconds = 60 } = (await answer.json()) as {
      access_token: string
      expires_in?: number
    }
    renewal.renewAt = now() + lifeSeconds * 1000 * TOKEN_LIFE_USED
    return token
  }

  return () => {
    if (current !== null && now() < current.renewAt) return current.token
    const renewal = { token: Promise.resolve(''), renewAt: Number.POSITIVE_INFINITY }
    renewal.token = request(renewal).catch((error) => {
      if (current === renewal) current = null
      throw error
    })
    current = renewal
    return renewal.token
  }
}

/** Creates a client of the operations in a table. */
export function createClient<Operations extends { [Id in keyof Operations]: OperationTypes }>(
  routes: Readonly<Record<keyof Operations, Route>>,
  options: ClientOptions
) {
  const { baseUrl, token, fetch = globalThis.fetch, retries = RETRIES, wait = waitFor } = options

  /** Makes one attempt. Throws a PortalProblem. */
  async function attempt(id: keyof Operations, input: AnyInput, accept: string): Promise<Response> {
    const [method, path] = routes[id]
    const answer = await fetch(addressOf(baseUrl, path, input), {
      method,
      headers: {
        ...textFields(input.headers),
        accept,
        authorization: `Bearer ${await token()}`,
        ...(input.body === undefined ? {} : { 'content-type': 'application/json' })
      },
      ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
      ...(input.signal ? { signal: input.signal } : {})
    })
    if (answer.ok || answer.status === 304) return answer
    throw await problemOf(answer)
  }

  async function send(id: keyof Operations, input: AnyInput = {}, accept: string): Promise<Response> {
    const [method] = routes[id]
    for (let retry = 0; ; retry += 1) {
      try {
        return await attempt(id, input, accept)
      } catch (problem) {
        if (!(problem instanceof PortalProblem)) throw problem
        const { status, retryAfterMs } = problem
        // A call that was refused with 429 has done nothing. After 503, only calls that change nothing are safe to repeat.
        const isSafe = status === 429 || (status === 503 && method === 'GET')
        if (!isSafe || retryAfterMs === null || retryAfterMs > RETRY_AFTER_MAX_MS || retry >= retries)
          throw problem
        await pause(retryAfterMs, input.signal)
      }
    }
  }

  async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
    await wait(ms, signal)
    signal?.throwIfAborted()
  }

  /** Makes a call. Throws a PortalProblem. The data of a file is a stream of bytes. */
  async function call<Id extends keyof Operations>(
    id: Id,
    ...[input]: InputArguments<Operations[Id]>
  ): Promise<Answer<Operations[Id]>> {
    const answer = await send(id, input, 'application/json, */*;q=0.5')
    return {
      status: answer.status,
      data: await dataOf(answer),
      etag: answer.headers.get('etag'),
      requestId: answer.headers.get('x-request-id'),
      headers: answer.headers
    } as Answer<Operations[Id]>
  }

  /** Yields the lines of an answer as NDJSON as they arrive. Throws a PortalProblem, also if the answer ends early. */
  async function* lines<Id extends keyof Operations>(
    id: Id,
    ...[input]: InputArguments<Operations[Id]>
  ): AsyncGenerator<Operations[Id]['lines']> {
    const answer = await send(id, input, 'application/x-ndjson')
    for await (const line of textLines(answer)) {
      if (line === '') continue
      const value = JSON.parse(line)
      if (isProblem(value)) throw new PortalProblem(value.status, value, null)
      yield value
    }
  }

  /**
   * Yields the events of a live stream until the caller stops. Connects again after each end, failure and minute of silence.
   * Throws the problem if the portal or the token endpoint refuses for good, such as with 401 or 403; the last failure after
   * `failuresMax` in a row; and the reason of the signal when it is aborted.
   */
  async function* events<Id extends keyof Operations>(
    id: Id,
    ...[input, options]: [...InputArguments<Operations[Id]>, options?: StreamOptions]
  ): AsyncGenerator<Operations[Id]['events']> {
    const { signal } = (input ?? {}) as AnyInput
    const { failuresMax = FAILURES_MAX, onReconnect } = (options ?? {}) as StreamOptions
    let namedWaitMs = RECONNECT_MS
    let failures = 0
    for (;;) {
      let error: unknown = new Error('the live stream broke off')
      const connection = new AbortController()
      const signals = signal ? [signal, connection.signal] : [connection.signal]
      const unlessSilent = <T>(work: Promise<T>) => unlessLate(work, SILENCE_MAX_MS, connection)
      try {
        const connectionInput = { ...input, signal: AbortSignal.any(signals) }
        const answer = await unlessSilent(attempt(id, connectionInput, 'text/event-stream'))
        for await (const { event, data, retryMs } of eventsIn(textLines(answer, unlessSilent))) {
          namedWaitMs = Math.min(retryMs ?? namedWaitMs, NAMED_WAIT_MAX_MS)
          if (data === '') continue
          const value = { event, data: JSON.parse(data) }
          failures = 0
          yield value as Operations[Id]['events']
          if (event !== 'end') continue
          error = null
          break
        }
      } catch (failure) {
        signal?.throwIfAborted()
        if (isFinal(failure)) throw failure
        error = failure
      } finally {
        connection.abort()
      }
      if (error !== null) failures += 1
      if (failures >= failuresMax) throw error
      const waitMs = error === null ? namedWaitMs : waitAfter(error, failures, namedWaitMs)
      onReconnect?.({ error, failures, waitMs })
      await pause(waitMs, signal)
    }
  }

  /** Yields the items of all pages, which are fetched one after the other. */
  async function* items<Id extends PagedIds<Operations>>(
    id: Id,
    ...[input]: InputArguments<Operations[Id]>
  ): AsyncGenerator<ItemOf<Operations[Id]>> {
    for (let page = 0; ; page += 1) {
      const query = { ...(input as AnyInput | undefined)?.query, page }
      const answer = await send(id, { ...input, query }, 'application/json')
      const { items: found, page: place } = (await answer.json()) as PageShape
      yield* found as ItemOf<Operations[Id]>[]
      if (page + 1 >= place.totalPages) return
    }
  }

  return { call, lines, events, items }
}

interface PageShape {
  items: unknown[]
  page: { totalPages: number }
}
type OkData<Operation extends OperationTypes> = Operation['answers'] extends { 200: infer Data }
  ? Data
  : never
type PagedIds<Operations extends { [Id in keyof Operations]: OperationTypes }> = {
  [Id in keyof Operations]: OkData<Operations[Id]> extends PageShape ? Id : never
}[keyof Operations]
type ItemOf<Operation extends OperationTypes> =
  OkData<Operation> extends { items: (infer Item)[] } ? Item : never

interface AnyInput {
  path?: object | undefined
  query?: object | undefined
  headers?: object | undefined
  body?: unknown
  signal?: AbortSignal
}

function addressOf(baseUrl: string, path: string, input: AnyInput): string {
  const values = textFields(input.path)
  const filledPath = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input.query ?? {}))
    for (const text of Array.isArray(value) ? value : [value])
      if (text !== undefined && text !== null) query.append(name, String(text))
  const queryText = query.toString()
  return baseUrl.replace(/\/+$/, '') + filledPath + (queryText === '' ? '' : `?${queryText}`)
}

function textFields(fields: object = {}): Record<string, string> {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(present.map(([name, value]) => [name, String(value)]))
}

async function dataOf(answer: Response): Promise<unknown> {
  if (answer.status === 304 || answer.status === 204) return undefined
  const type = answer.headers.get('content-type') ?? ''
  if (/^application\/(?:[\w.-]+\+)?json\b/.test(type)) return answer.json()
  return answer.body ?? undefined
}

async function problemOf(answer: Response): Promise<PortalProblem> {
  const body = (await answer.json().catch(() => ({}))) as Record<string, unknown>
  const seconds = Number(answer.headers.get('retry-after') ?? Number.NaN)
  return new PortalProblem(answer.status, body, Number.isFinite(seconds) ? seconds * 1000 : null)
}

const isProblem = (value: unknown): value is Record<string, unknown> & { status: number } =>
  typeof value === 'object' &&
  value !== null &&
  'type' in value &&
  String(value.type).startsWith('urn:portal:problem:') &&
  'status' in value &&
  typeof value.status === 'number'

/** @param next waits for the next bytes */
async function* textLines(answer: Response, next = <T>(bytes: Promise<T>) => bytes): AsyncGenerator<string> {
  if (answer.body === null) return
  const reader = answer.body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await next(reader.read())
      rest += decoder.decode(value, { stream: !done })
      const complete = rest.split(/\r?\n/)
      rest = complete.pop() ?? ''
      yield* complete
      if (done) break
    }
    if (rest !== '') yield rest
  } finally {
    await reader.cancel().catch(() => {})
  }
}

interface StreamEvent {
  event: string
  data: string
  retryMs: number | null
}

/** Reads server-sent events (HTML Living Standard, section 9.2.6), as far as the portal sends them. */
async function* eventsIn(lines: AsyncIterable<string>): AsyncGenerator<StreamEvent> {
  const none = { event: 'message', data: '', retryMs: null }
  let current: StreamEvent = { ...none }
  for await (const line of lines) {
    if (line === '') {
      yield current
      current = { ...none }
      continue
    }
    const at = line.indexOf(':')
    const [field, value] = at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + 1).replace(/^ /, '')]
    if (field === 'event') current.event = value
    if (field === 'data') current.data += current.data === '' ? value : `\n${value}`
    if (field === 'retry' && /^\d+$/.test(value)) current.retryMs = Number(value)
  }
}

/** Fails, and aborts the connection, unless the work is done in time. */
function unlessLate<T>(work: Promise<T>, ms: number, connection: AbortController): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error(`the live stream was silent for ${ms} ms`))
      connection.abort()
    }, ms)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** Whether another attempt would be refused as well. A proxy's answer, other than 401 and 403, says nothing about the portal. */
function isFinal(error: unknown): boolean {
  if (error instanceof TokenProblem) return isRefusal(error.status)
  if (!(error instanceof PortalProblem)) return false
  const { status, type } = error
  return status === 401 || status === 403 || (type !== 'about:blank' && isRefusal(status))
}

const isRefusal = (status: number) =>
  status === 501 || (status >= 400 && status < 500 && status !== 408 && status !== 429)

function waitAfter(error: unknown, failures: number, firstMs: number): number {
  const namedMs = error instanceof PortalProblem ? (error.retryAfterMs ?? 0) : 0
  const longestMs = Math.max(firstMs, RECONNECT_MAX_MS)
  // Clients that lost the same portal do not come back together.
  const backoffMs = Math.min(firstMs * 2 ** (failures - 1), longestMs) * (0.5 + Math.random() / 2)
  return Math.max(backoffMs, Math.min(namedMs, NAMED_WAIT_MAX_MS))
}

function waitFor(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', finish)
      resolve()
    }
    const timer = setTimeout(finish, ms)
    signal?.addEventListener('abort', finish)
    if (signal?.aborted) finish()
  })
}
