// The gateway, put together in one visible order: what runs before what is read off here. No logic.
import { fileURLToPath } from 'node:url'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { ID_MAX_ENCODED_CHARACTERS } from '#shared/ids.ts'
import { parseScope } from '#shared/scopes.ts'
import { declarePlugin } from './access/declare.ts'
import { describeAccess } from './access/describe.ts'
import { enforcePlugin } from './access/enforce.ts'
import { createLookups } from './access/lookups.ts'
import { createAudit } from './audit.ts'
import { backchannelLogoutRoutes, createBackchannelLogout } from './auth/backchannel-logout.ts'
import { createBearerCaller } from './auth/bearer.ts'
import { callerPlugin } from './auth/caller.ts'
import { cookieRules } from './auth/cookies.ts'
import { CSRF_HEADER, csrfPlugin } from './auth/csrf.ts'
import { createCurrentUsers } from './auth/current-user.ts'
import { createAuthorityKeys } from './auth/keys.ts'
import { createSignOut } from './auth/logout.ts'
import { createAuthority } from './auth/oidc.ts'
import { authRoutes } from './auth/routes.ts'
import { createSealer } from './auth/sealing.ts'
import { sessionPlugin } from './auth/session.ts'
import type { SessionBackend } from './auth/session-backend.ts'
import { sessionReaderPlugin } from './auth/session-reader.ts'
import { createSessionStore } from './auth/session-store.ts'
import { createSessionUsers } from './auth/session-user.ts'
import { createSignInAttempts } from './auth/sign-in-attempts.ts'
import { createTokenRefresher } from './auth/token-refresh.ts'
import { watchedBackend } from './auth/watched-backend.ts'
import type { Config } from './config.ts'
import { answerMalformed, handleError, problems, sendProblem } from './errors.ts'
import { LIMITS, type Limits, serverOptions } from './limits.ts'
import { canonicalPathPlugin } from './plugins/canonical-path.ts'
import { drainingPlugin } from './plugins/draining.ts'
import { openapiPlugin } from './plugins/openapi.ts'
import { callerLimits, signInRateLimit } from './plugins/rate-limits.ts'
import { rawBodies } from './plugins/raw-bodies.ts'
import { requestLogPlugin } from './plugins/request-log.ts'
import { securityPlugin } from './plugins/security.ts'
import { staticPlugin } from './plugins/static.ts'
import { unreadAnswers } from './plugins/unread-answers.ts'
import { alarmRoutes } from './portal/alarm-routes.ts'
import { type Invalidations, noInvalidations } from './portal/invalidations.ts'
import { portalRoutes } from './portal/routes.ts'
import { createSnapshots } from './portal/snapshots.ts'
import { proxyRoutes } from './proxy/register.ts'
import { PROXY_TABLE } from './proxy/table.ts'
import { NO_TELEMETRY, type Telemetry } from './telemetry.ts'
import type { Clock, Log } from './types.ts'
import { type Bearer, createBodies } from './upstreams/bodies.ts'
import { createUpstreamClient } from './upstreams/client.ts'
import { createOrganizationDirectory } from './upstreams/organization-directory.ts'
import { openUpstreams } from './upstreams/pools.ts'
import { createTurns } from './upstreams/turns.ts'
import { fetchMyUser } from './upstreams/users.ts'

export interface Dependencies {
  backend: SessionBackend
  /** Word of changed customers between replicas; without it there is one replica. */
  invalidations?: Invalidations
  /** Secrets of the cookie and of what the store holds, newest first. */
  secrets: string[]
  clock: Clock
  log: Log
  /** Gets the figures of what the gateway does; without it nobody does. */
  telemetry?: Telemetry
  /** What one connection may take. */
  limits?: Limits
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Each rejects when what it asks is not in order. */
    probes: Probes
  }
}

/** What a gateway needs beside itself. */
export interface Probes {
  store(): Promise<unknown>
  /** Has it been reached since the start? If not, it is tried now. */
  authority(): Promise<unknown>
}

const CLIENT_ROOT = fileURLToPath(new URL('../dist/client', import.meta.url))

/**
 * Builds the gateway, ready to listen. Closing it closes the upstream pools; the backend and the invalidations belong to
 * the caller.
 */
export async function build(
  config: Config,
  {
    backend: store,
    invalidations = noInvalidations(),
    secrets,
    clock,
    log,
    telemetry = NO_TELEMETRY,
    limits = LIMITS
  }: Dependencies
): Promise<FastifyInstance> {
  const backend = watchedBackend(store, telemetry.storeFailed)
  const audit = createAudit(log)
  const sealer = createSealer(secrets)
  const cookies = cookieRules(config.PUBLIC_URL)
  const sessions = createSessionStore(
    backend,
    sealer,
    { idleSeconds: config.SESSION_IDLE_SECONDS, absoluteSeconds: config.SESSION_ABSOLUTE_SECONDS },
    clock
  )
  const authority = createAuthority(config, clock)
  const attempts = createSignInAttempts(backend, sealer, cookies, clock)
  const refresher = createTokenRefresher({ sessions, authority, clock, log, audit, telemetry })
  const signOut = createSignOut(config, sessions, authority, log)
  const upstreams = openUpstreams(config, telemetry, limits.connectionWaitMs)
  const turns = createTurns()
  const client = createUpstreamClient(createBodies(upstreams, config.UPSTREAM_TIMEOUT_MS), turns)
  const organizations = createOrganizationDirectory(client, clock)
  // A customer takes many calls: as a whole they may take twice as long as one.
  const snapshotLimits = { fetchMs: 2 * config.UPSTREAM_TIMEOUT_MS }
  const snapshots = createSnapshots({
    client,
    organizations,
    invalidations,
    turns,
    clock,
    limits: snapshotLimits
  })
  telemetry.snapshots(() => {
    const { kept, bytes, hits, stale, misses, oldestMs } = snapshots.stats()
    return { entries: kept, bytes, hits: hits + stale, misses, oldestMs }
  })
  const keys = createAuthorityKeys(authority, clock)
  const fetchUser = (bearer: Bearer, limit: AbortSignal) => fetchMyUser(client, bearer, limit)
  const current = createCurrentUsers(config.ROLES_MAX_AGE_SECONDS, clock)
  const users = createSessionUsers({ sessions, current, fetchUser, audit, telemetry })
  const bearerCaller = createBearerCaller({
    audience: config.OIDC_AUDIENCE,
    keys,
    current,
    fetchUser,
    clock
  })

  const app = Fastify({
    ...serverOptions(limits),
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    trustProxy: config.TRUST_PROXY ?? false,
    routerOptions: { caseSensitive: true, maxParamLength: ID_MAX_ENCODED_CHARACTERS },
    // Requests are read by access/enforce.ts: a second reader changes nothing of them.
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false } },
    exposeHeadRoutes: false,
    frameworkErrors: handleError,
    clientErrorHandler: answerMalformed,
    requestIdHeader: false,
    genReqId: () => crypto.randomUUID(),
    // Told of options, even of none, the logger builds its formatters anew for every request.
    childLoggerFactory: (logger, bindings) => logger.child(bindings),
    // A call that arrives on a kept connection while it stops is still answered; see stop.ts.
    return503OnClosing: false
  })
  app.setErrorHandler(handleError)
  app.setNotFoundHandler((request, reply) => sendProblem(request, reply, problems.notFound()))
  app.addHook('onClose', () => upstreams.close())

  app.decorate('probes', { store: () => backend.ping(), authority: () => authority.metadata() })

  await app.register(drainingPlugin)
  await app.register(requestLogPlugin, { telemetry, audit })
  await app.register(unreadAnswers, limits)
  await app.register(rawBodies)
  await app.register(declarePlugin)
  await app.register(securityPlugin, { config })
  await app.register(canonicalPathPlugin)
  await app.register(staticPlugin, { root: CLIENT_ROOT })
  await app.register(backchannelLogoutRoutes, {
    logout: createBackchannelLogout({ clientId: config.OIDC_CLIENT_ID, keys, sessions, sealer, clock }),
    audit,
    telemetry
  })

  await app.register(async (scope) => {
    await scope.register(async (auth) => {
      await auth.register(sessionPlugin, { sessions, cookies, secrets })
      await auth.register(signInRateLimit)
      await auth.register(csrfPlugin, { publicUrl: config.PUBLIC_URL, sessionCookie: cookies.names.session })
      await auth.register(authRoutes, {
        publicUrl: config.PUBLIC_URL,
        sessions,
        cookies,
        authority,
        attempts,
        refresher,
        signOut,
        audit,
        telemetry,
        clock,
        logoutFrames: config.LOGOUT_URLS ?? [],
        fetchUser: (token: string) =>
          fetchMyUser(client, { accessToken: async () => token, replaceToken: async () => null })
      })
    })

    await scope.register(async (api) => {
      await api.register(sessionReaderPlugin, { sessions, cookies, secrets })
      await api.register(callerLimits, {
        perMinute: { session: config.SESSION_CALLS_PER_MINUTE, bearer: config.BEARER_CALLS_PER_MINUTE },
        inFlight: config.CALLS_IN_FLIGHT
      })
      await api.register(callerPlugin, { sessions, refresher, users, bearerCaller })
      await api.register(csrfPlugin, { publicUrl: config.PUBLIC_URL, sessionCookie: cookies.names.session })
      await api.register(enforcePlugin, {
        lookups: createLookups({ client, organizations, inventories: snapshots, clock })
      })
      await api.register(openapiPlugin, {
        config,
        sessionCookie: cookies.names.session,
        csrfHeader: CSRF_HEADER,
        describeAccess
      })
      await api.register(alarmRoutes, { prefix: '/api/portal/v1', client })
      await api.register(portalRoutes, { prefix: '/api/portal/v1', config, client, snapshots, clock })
      await api.register(proxyRoutes, {
        table: PROXY_TABLE,
        config,
        upstreams,
        connectionWaitMs: limits.connectionWaitMs,
        onInventoryChange: (changed) => snapshots.drop(parseScope(changed)?.customerId ?? '')
      })
    })
  })
  return app
}
