// Logs and counts each request, and writes an audit line for denied calls and changes. Logs no query, header or body, because
// these may contain secrets.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { excerpt } from '#shared/excerpt.ts'
import { ACTIONS } from '#shared/permissions.ts'
import { Problem } from '../errors.ts'
import { isSafe, valueIn } from '../route-facts.ts'
import type { Access } from '../types.ts'
import type { Audit } from './audit.ts'
import type { RecordedBefore, RecordedFields } from './recorded-fields.ts'
import type { Recorder } from './recorder.ts'
import { forRequest, RequestTrace, type StartSpan } from './trace.ts'

interface Options {
  recorder: Recorder
  audit: Audit
  /** Records requests with OpenTelemetry. */
  startSpan?: StartSpan | undefined
}

interface LoggedRoute {
  id: string
  /** Whether calls of the route change something. */
  changes: boolean
  observe: (status: number, ms: number, traceId?: string) => void
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Created once per route from its id and access. */
    logged?: LoggedRoute
  }
  interface FastifyInstance {
    /** A path as logs, audit lines and spans show it: with the names of secret parameters instead of their values. */
    withoutSecrets(path: string): string
  }
  interface FastifyRequest {
    trace: RequestTrace
    /** Id of the problem in the answer. */
    problemId: string | null
    /** What the audit line says of the query and body; null if it says nothing. */
    recorded: RecordedFields | null
    /** What the audit line says of the object before the call; null if it says nothing. */
    before: RecordedBefore | null
  }
}

/** Actions that change nothing, although some calls with them are POSTs. */
const READING = ACTIONS.filter((action) => /:(?:view|query|query-model|read|download|export)$/.test(action))
/** Maximum length of a logged path. No real path is longer. */
const PATH_MAX_CHARACTERS = 300
/** The logged status if the client disconnected before the answer was sent. */
const CLIENT_GONE = 499

/** Must be registered before any route. */
export const requestLogPlugin = fp(async (app: FastifyInstance, { recorder, audit, startSpan }: Options) => {
  app.decorateRequest('trace', null as unknown as RequestTrace)
  app.decorateRequest('problemId', null)
  app.decorateRequest('recorded', null)
  app.decorateRequest('before', null)
  const secrets: { value: RegExp; name: string }[] = []
  app.decorate('withoutSecrets', (path) =>
    secrets.reduce((shown, { value, name }) => shown.replace(value, `$1:${name}`), path)
  )
  const unknownRoute: LoggedRoute = { id: 'none', changes: false, observe: recorder.route('none') }

  app.addHook('onRoute', (route) => {
    const { id = route.url, access, secretParams = [] } = route.config ?? {}
    secrets.push(...secretParams.map((name) => ({ value: valueIn(route.url, name), name })))
    const changes = ![route.method].flat().every(isSafe) && !isReadOnly(access)
    route.config = { ...route.config, logged: { id, changes, observe: recorder.route(id) } }
  })

  app.addHook('onRequest', (request, reply, done) => {
    request.trace = new RequestTrace(request.headers, request.id, startSpan)
    if (startSpan) beginSpan(request)
    reply.header('x-request-id', request.id)
    // Not `onResponse`, which does not run after the client has disconnected.
    reply.raw.once('close', () => log(request, reply))
    forRequest(request.trace, done)
  })
  // Node reads a body outside the request's async context.
  app.addHook('preValidation', (request, _reply, done) =>
    request.body === undefined ? done() : forRequest(request.trace, done)
  )

  function log(request: FastifyRequest, reply: FastifyReply): void {
    const { id, changes, observe } = request.routeOptions.config.logged ?? unknownRoute
    const status = reply.raw.writableFinished ? reply.statusCode : CLIENT_GONE
    const { caller, identity, trace, method } = request
    const problemId = request.problemId ?? (status === CLIENT_GONE ? abortedBy(request) : null)
    // A call above the rate limit has an identity but no caller.
    const client = caller?.clientId ?? (identity?.kind === 'bearer' ? identity.id : undefined)
    const durationMs = reply.elapsedTime
    // The duration of a live stream says nothing about the gateway.
    if (!(request.routeOptions.config.isStream && reply.raw.headersSent && reply.statusCode < 300))
      observe(status, durationMs, trace.recordedTraceId)
    if (problemId !== null) recorder.problem(problemId)
    trace.endRequest({ 'http.response.status_code': status }, failureOf(status, problemId))
    const userId = caller?.user.id ?? null
    const path = pathOf(request)
    request.log.info(
      {
        routeId: id,
        method,
        path,
        status,
        clientIp: request.ip,
        userId,
        ...(client === undefined ? {} : { clientId: client }),
        ...(problemId === null ? {} : { problem: problemId }),
        // The end of the last upstream answer may be seen after the end of our own answer.
        upstreamMs: rounded(Math.min(trace.upstreamMs, durationMs)),
        durationMs: rounded(durationMs)
      },
      'request'
    )
    // A visit without credentials does not count as denied.
    const isVisit = problemId === 'not_signed_in' && request.headers.authorization === undefined
    const isDenied = (status === 401 && !isVisit) || status === 403
    if (!isDenied && !changes) return
    audit({
      event: isDenied ? 'denied' : 'change',
      userId,
      clientId: client,
      target: { route: id, method, path },
      ...request.recorded,
      ...request.before,
      outcome: isDenied ? (problemId ?? String(status)) : outcomeOf(status),
      requestId: request.id,
      traceId: trace.traceId,
      clientIp: request.ip
    })
  }
})

function beginSpan(request: FastifyRequest): void {
  const { method, routeOptions, trace, id } = request
  const { url: route = 'none' } = routeOptions
  trace.beginRequest(`${method} ${route}`, {
    'http.request.method': method,
    'http.route': route,
    'url.path': pathOf(request),
    'portal.request_id': id
  })
}

/** Refusals are answers: only what the gateway or an upstream could not do is a failure (semantic conventions for HTTP). */
function failureOf(status: number, problemId: string | null): string | undefined {
  return status >= 500 || status === CLIENT_GONE ? (problemId ?? String(status)) : undefined
}

/** Id of the problem for which the gateway closed the connection. */
function abortedBy({ raw }: FastifyRequest): string | null {
  return raw.socket.errored instanceof Problem ? raw.socket.errored.id : null
}

/** Public routes count as read-only: sign-in and sign-out write their own audit lines, all others change nothing. */
function isReadOnly(access: Access | undefined): boolean {
  if (access === undefined || access === 'public') return true
  if (typeof access !== 'object') return false
  const { action } = access
  return action !== 'signed-in' && READING.includes(action)
}

/** The requested path without its query and secrets, not decoded: a refused path may not be decodable. */
function pathOf({ raw, server }: FastifyRequest): string {
  const [path = ''] = (raw.url ?? '').split('?', 1)
  return excerpt(server.withoutSecrets(path), PATH_MAX_CHARACTERS)
}

const rounded = (ms: number): number => Math.round(ms * 10) / 10

function outcomeOf(status: number): string {
  if (status < 400) return 'done'
  return status < 500 && status !== CLIENT_GONE ? 'refused' : 'unknown'
}
