// Records API calls, up to a limit.
import type { IncomingMessage } from 'node:http'

export interface Call {
  method: string
  url: string
  headers: IncomingMessage['headers']
  /** Real time, milliseconds since the epoch. */
  time: number
  body?: unknown
}

const CALLS_MAX = 10_000

export type CallLog = ReturnType<typeof recordCalls>

export function recordCalls() {
  const list: Call[] = []
  const callsInProgress = new WeakMap<IncomingMessage, Call>()
  return {
    list,
    begin(request: IncomingMessage): void {
      const { method = '', url = '', headers } = request
      const call: Call = { method, url, headers, time: Date.now() }
      callsInProgress.set(request, call)
      list.push(call)
      if (list.length > CALLS_MAX) list.splice(0, CALLS_MAX / 10)
    },
    addBody(request: IncomingMessage, body: unknown): void {
      const call = callsInProgress.get(request)
      if (call && body !== undefined && body !== null) call.body = body
    }
  }
}
