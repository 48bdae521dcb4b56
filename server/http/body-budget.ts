// Limits the bytes of request bodies per caller and minute, on each replica. Counts bodies before they are read, so that
// refused bodies count too.
import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { problems } from '../errors.ts'

/** Maximum number of counted callers, the same as in @fastify/rate-limit. */
const CALLERS_MAX = 5_000
const WINDOW_MS = 60_000

export function createBodyBudget(bytesPerMinute: number) {
  const counts = new LRUCache<string, number>({ max: CALLERS_MAX, ttl: WINDOW_MS, noUpdateTTL: true })
  return {
    /** Counts the announced body of a request. Throws a 429 problem if there are too many bytes. */
    charge(caller: string, request: FastifyRequest): void {
      const bytes = announcedBytes(request)
      if (bytes === 0) return
      const total = (counts.get(caller) ?? 0) + bytes
      counts.set(caller, total)
      if (total > bytesPerMinute)
        throw problems.tooManyCalls(Math.ceil(counts.getRemainingTTL(caller) / 1000))
    },
    /** Corrects the count once the body is read: until then a chunked body counts with the limit of its route. */
    settle(caller: string, request: FastifyRequest): void {
      const total = counts.get(caller)
      if (total !== undefined && Buffer.isBuffer(request.body))
        counts.set(caller, total - announcedBytes(request) + request.body.length)
    }
  }
}

/** Maximum number of bytes of a body that the server will read. */
function announcedBytes(request: FastifyRequest): number {
  const { 'transfer-encoding': coding, 'content-length': length } = request.headers
  if (coding === undefined && length === undefined) return 0
  return Math.min(coding === undefined ? Number(length) : Infinity, request.routeOptions.bodyLimit)
}
