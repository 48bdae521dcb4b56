// What one connection may take of the gateway's time, and how the servers are told. None of it can be set; what one
// caller may take can, see config.ts.

export const LIMITS = {
  /** For the headers of a request, and for the whole of it with its body. */
  headersMs: 10_000,
  requestMs: 30_000,
  /** How often Node looks for requests that are late. */
  lookMs: 1_000,
  /** An answer of which nothing was read for so long is broken off. */
  unreadMs: 30_000,
  /** A call of an upstream whose connections are all taken waits no longer, nor longer than the call itself may take. */
  connectionWaitMs: 5_000
}
export type Limits = typeof LIMITS

/** The options of a Fastify server that keeps the limits. A request that is late is answered 408. */
export const serverOptions = ({ headersMs, requestMs, lookMs }: Limits) => ({
  requestTimeout: requestMs,
  http: { headersTimeout: headersMs, requestTimeout: requestMs, connectionsCheckingInterval: lookMs }
})
