// The trace of a request (W3C Trace Context): its ids for log lines and upstream calls, the time during which it waits for
// upstreams, and its spans, if OpenTelemetry is on. Everything that a request starts finds its trace without being handed it.
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** The place of a span: a trace, and the span in it. */
export interface SpanContext {
  traceId: string
  spanId: string
  /** 1 if the span is recorded. */
  traceFlags: number
}

export type Attributes = Record<string, string | number>

export interface Span {
  readonly context: SpanContext
  set(attributes: Attributes): void
  /** @param failure the kind of a failure, never a text from a caller or an upstream */
  end(failure?: string): void
}

export interface SpanOptions {
  kind: 'server' | 'client' | 'internal'
  attributes: Attributes
  /** Null for the first span of a trace. */
  parent: SpanContext | null
  /** The id of the trace, if it begins with this span. */
  traceId: string
}

/** Starts a span. Attributes contain no query, header, body or token. */
export type StartSpan = (name: string, options: SpanOptions) => Span

const TRACEPARENT = /^([0-9a-f]{2})-((?!0{32})[0-9a-f]{32})-((?!0{16})[0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
/** Maximum length of a forwarded `tracestate`: systems must support at least this (W3C Trace Context, section 3.3.1.5). */
const TRACESTATE_MAX_CHARACTERS = 512
/** Work that begins later belongs to no request any more, although the request has once started it. */
const RECORDED_AFTER_END_MS = 60_000

export class RequestTrace {
  readonly requestId: string
  readonly traceId: string
  #caller: SpanContext | null
  #tracestate: string | undefined
  #startSpan: StartSpan | undefined
  #span: Span | undefined
  #endedAt = Number.POSITIVE_INFINITY
  #underWay = 0
  #since = 0
  #waitedMs = 0

  /** @param requestId a UUID, used as trace id for a request without a trace */
  constructor(headers: IncomingHttpHeaders, requestId: string, startSpan?: StartSpan) {
    this.requestId = requestId
    this.#caller = callerOf(headers)
    this.traceId = this.#caller?.traceId ?? hexOf(requestId)
    const { tracestate } = headers
    if (this.#caller !== null && typeof tracestate === 'string') this.#tracestate = tracestate
    this.#startSpan = startSpan
  }

  begin(): void {
    this.#underWay += 1
    if (this.#underWay === 1) this.#since = performance.now()
  }

  end(): void {
    this.#underWay -= 1
    if (this.#underWay === 0) this.#waitedMs += performance.now() - this.#since
  }

  /** Milliseconds during which at least one upstream call was under way. */
  get upstreamMs(): number {
    return this.#waitedMs + (this.#underWay > 0 ? performance.now() - this.#since : 0)
  }

  /** The span of the request itself. Without OpenTelemetry there is none. */
  beginRequest(name: string, attributes: Attributes): void {
    const { traceId } = this
    this.#span = this.#startSpan?.(name, { kind: 'server', attributes, parent: this.#caller, traceId })
  }

  endRequest(attributes: Attributes, failure?: string): void {
    if (this.#span === undefined) return
    this.#span.set(attributes)
    this.#span.end(failure)
    this.#endedAt = performance.now()
  }

  /** The context of the request's own span. */
  get context(): SpanContext | null {
    return this.#span?.context ?? null
  }

  /** The trace id, if the trace is recorded. */
  get recordedTraceId(): string | undefined {
    return this.context?.traceFlags === 1 ? this.traceId : undefined
  }

  /** A span of a step; undefined without OpenTelemetry, and long after the end of the request. */
  spanOf(
    name: string,
    kind: SpanOptions['kind'],
    attributes: Attributes,
    parent = this.context
  ): Span | undefined {
    if (this.#startSpan === undefined) return undefined
    if (performance.now() - this.#endedAt > RECORDED_AFTER_END_MS) return undefined
    return this.#startSpan(name, { kind, attributes, parent: parent ?? this.#caller, traceId: this.traceId })
  }

  /** Writes the headers of an upstream call: the request's id, and its trace with the call's span. */
  writeHeaders(headers: Record<string, string>, span?: Span): void {
    headers['x-request-id'] = this.requestId
    headers.traceparent = traceparentOf(span?.context ?? this.#caller ?? this.#ownContext())
    if (this.#tracestate !== undefined && this.#tracestate.length <= TRACESTATE_MAX_CHARACTERS)
      headers.tracestate = this.#tracestate
  }

  /** A new trace asks the systems behind to record it. */
  #ownContext(): SpanContext {
    return { traceId: this.traceId, spanId: this.traceId.slice(16), traceFlags: 1 }
  }
}

/** The trace id of a request: its caller's, otherwise made of the request's own id. */
export function traceIdOf(headers: IncomingHttpHeaders, requestId: string): string {
  return callerOf(headers)?.traceId ?? hexOf(requestId)
}

const hexOf = (uuid: string) => uuid.replaceAll('-', '')

/** The caller's place in its trace; null if it sends none, or an invalid one. */
function callerOf({ traceparent }: IncomingHttpHeaders): SpanContext | null {
  if (typeof traceparent !== 'string') return null
  const [, version, traceId, spanId, flags, rest] = TRACEPARENT.exec(traceparent) ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return null
  if (version === 'ff' || (version === '00' && rest !== undefined)) return null
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) }
}

function traceparentOf({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
}

/** The trace of the running code, and the span that it runs in. */
interface Position {
  trace: RequestTrace
  parent: SpanContext | null
}

const positions = new AsyncLocalStorage<Position | undefined>()

/** Runs `work`, and everything that it starts, as part of a request. */
export function forRequest(trace: RequestTrace, work: () => void): void {
  positions.run({ trace, parent: trace.context }, work)
}

/** Runs `work` as part of no request, although a request has started it. */
export function outsideRequests<T>(work: () => T): T {
  return positions.run(undefined, work)
}

/** The trace of the request for which this code runs. */
export function currentTrace(): RequestTrace | undefined {
  return positions.getStore()?.trace
}

/** Runs a step of the current request, as a span if OpenTelemetry is on. */
export function step<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
  const position = positions.getStore()
  const span = position?.trace.spanOf(name, 'internal', attributes, position.parent)
  if (position === undefined || span === undefined) return work()
  return positions.run({ trace: position.trace, parent: span.context }, async () => {
    try {
      const result = await work()
      span.end()
      return result
    } catch (error) {
      span.end(failureOf(error))
      throw error
    }
  })
}

/** An upstream call of a request, or of the gateway itself. */
export interface TracedCall {
  /** Writes the headers by which the upstream's log can be matched with the gateway's. */
  writeHeaders(headers: Record<string, string>): void
  /** The ids for log lines. */
  ids: { requestId: string; traceId: string }
  /** @param status undefined without an answer */
  end(status: number | undefined): void
}

/** Begins an upstream call. Outside of a request it gets an id of its own. */
export function beginCall(name: string, attributes: Attributes, startSpan?: StartSpan): TracedCall {
  const position = positions.getStore()
  const trace = position?.trace ?? new RequestTrace({}, randomUUID(), startSpan)
  const span = trace.spanOf(name, 'client', attributes, position?.parent ?? null)
  const { requestId, traceId } = trace
  trace.begin()
  return {
    writeHeaders: (headers) => trace.writeHeaders(headers, span),
    ids: { requestId, traceId },
    end(status) {
      trace.end()
      if (status !== undefined) span?.set({ 'http.response.status_code': status })
      if (status === undefined) span?.end('no_answer')
      else span?.end(status >= 400 ? String(status) : undefined)
    }
  }
}

/** The kind of a failure: the id of a problem, or the class of an error. Messages may quote a caller or an upstream. */
function failureOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return 'id' in error && typeof error.id === 'string' ? error.id : error.name
}
