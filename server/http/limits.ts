// Limits of one connection, and the server options that keep them. They cannot be set; limits of one caller can, see
// config/settings.ts.

export const LIMITS = {
  /** Time for the headers of a request to arrive, and for the whole request with its body. */
  headersMs: 10_000,
  requestMs: 30_000,
  /** How often Node looks for requests that are late. */
  lookMs: 1_000,
  /** The gateway breaks off an answer of which the client has read nothing for this long. */
  unreadMs: 30_000,
  /** The largest body of a request, where its route does not say more: forms and objects take less than 4 KB. */
  bodyBytes: 16 * 1024,
  /** How long a call waits for a free connection to its upstream, at most; never longer than UPSTREAM_TIMEOUT_MS. */
  connectionWaitMs: 5_000
}
export type Limits = typeof LIMITS

/**
 * Options of a Fastify server that keeps the limits. It answers 408 to a request that is late, and 413 to a body that is too
 * large: before reading it where the length is declared.
 */
export const serverOptions = ({ headersMs, requestMs, lookMs, bodyBytes }: Limits) => ({
  bodyLimit: bodyBytes,
  requestTimeout: requestMs,
  http: { headersTimeout: headersMs, requestTimeout: requestMs, connectionsCheckingInterval: lookMs }
})
