// Passes the trace of a request (W3C Trace Context) to its upstream calls, and measures the time during which the request waits
// for them.
import type { IncomingHttpHeaders } from 'node:http'

const TRACEPARENT = /^([0-9a-f]{2})-((?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2})(-.*)?$/
/** Maximum length of a forwarded `tracestate`: systems must support at least this (W3C Trace Context, section 3.3.1.5). */
const TRACESTATE_MAX_CHARACTERS = 512

export class RequestTrace {
  #headers: IncomingHttpHeaders
  #requestId: string
  #underWay = 0
  #since = 0
  #waitedMs = 0

  /** @param requestId a UUID, used as trace id for a request without a trace */
  constructor(headers: IncomingHttpHeaders, requestId: string) {
    this.#headers = headers
    this.#requestId = requestId
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

  /** Writes the trace headers: the caller's if they are valid, otherwise new ones. */
  writeHeaders(headers: Record<string, string>): void {
    const { traceparent, tracestate } = this.#headers
    const trace = typeof traceparent === 'string' ? knownTrace(traceparent) : null
    headers.traceparent = trace ?? newTrace(this.#requestId)
    if (trace !== null && typeof tracestate === 'string' && tracestate.length <= TRACESTATE_MAX_CHARACTERS)
      headers.tracestate = tracestate
  }
}

/** The trace in version 00; null if invalid. */
function knownTrace(traceparent: string): string | null {
  const [, version, fields, rest] = TRACEPARENT.exec(traceparent) ?? []
  if (fields === undefined || version === 'ff' || (version === '00' && rest !== undefined)) return null
  return `00-${fields}`
}

/** The new trace is not sampled: later systems decide whether to record it. */
function newTrace(requestId: string): string {
  const hex = requestId.replaceAll('-', '')
  return `00-${hex}-${hex.slice(16)}-00`
}
