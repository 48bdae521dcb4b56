// Fixed limits of a connection, and the server options that enforce them. Limits per caller are settings.

export const LIMITS = {
  /** Time for the headers of a request to arrive, and for the whole request with its body. */
  headersMs: 10_000,
  requestMs: 30_000,
  /** Interval of Node's checks for late requests. */
  checkMs: 1_000,
  /** Aborts an answer if the client has read nothing for this time. */
  unreadMs: 30_000,
  /** Maximum size of a body, unless the route allows more: forms and objects take less than 4 KB. */
  bodyBytes: 16 * 1024,
  /** Maximum wait of the page for the bootstrap. After that the page is sent without it, and the client fetches the bootstrap. */
  pageWaitMs: 500,
  /** Time limit of a call to the authority, except a refresh. */
  authorityMs: 5_000,
  /** Time limit of reading a caller's user again, because every call of the caller waits for it. */
  userMs: 5_000,
  /** Maximum wait of a call for a connection to its upstream; never longer than UPSTREAM_TIMEOUT_MS. */
  connectionWaitMs: 5_000,
  /**
   * Maximum wait of a sign-in before its code is spent. Codes are valid for at most ten minutes (RFC 6749, section 4.1.2), but
   * often only for one, and the call that spends the code may take 5 s.
   */
  signInWaitMs: 20_000,
  /**
   * UPSTREAM_MIN_BYTES_PER_SECOND is an average over this time. Longer than the pauses that UPSTREAM_TIMEOUT_MS allows by
   * default.
   */
  slowAnswerMs: 30_000,
  /**
   * Interval in which the customers of a list take turns to have their alarms read. A read takes two calls, so these are about
   * three a second, and 45 customers have had their turn within half a minute.
   */
  alarmTurnMs: 640,
  /** The points of a customer that nobody has asked for during this time are freed, and no longer read. Screens ask every 10 s. */
  pointsUnusedMs: 30_000,
  /** Interval of the comments in a live stream. Proxies cut off answers that are silent for 30 to 60 s. */
  streamHeartbeatMs: 25_000,
  /** Age at which a live stream ends, or up to a fifth earlier or later: readers spread over all replicas again. */
  streamRotationMs: 10 * 60_000
}
export type Limits = typeof LIMITS

/**
 * Options of a Fastify server that enforce the limits. The server answers 408 to a late request and 413 to a body that is too
 * large; if the length is declared, before reading the body.
 */
export const serverOptions = ({ headersMs, requestMs, checkMs, bodyBytes }: Limits) => ({
  bodyLimit: bodyBytes,
  requestTimeout: requestMs,
  http: { headersTimeout: headersMs, requestTimeout: requestMs, connectionsCheckingInterval: checkMs }
})
