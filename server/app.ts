// Registers the plugins of the gateway in the order in which they run. No logic.
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { parseScope } from '#shared/scopes.ts'
import { declarePlugin } from './access/declare.ts'
import { describeAccess } from './access/describe.ts'
import { enforcePlugin } from './access/enforce.ts'
import { createServices, type Dependencies } from './app-services.ts'
import { authLimits } from './auth/auth-limits.ts'
import { backchannelLogoutRoutes } from './auth/backchannel-logout.ts'
import { callerPlugin } from './auth/caller.ts'
import { CSRF_HEADER, csrfPlugin } from './auth/csrf.ts'
import { authRoutes } from './auth/routes.ts'
import { sessionPlugin } from './auth/sessions/plugin.ts'
import { sessionReaderPlugin } from './auth/sessions/reader.ts'
import type { Config } from './config/settings.ts'
import { canonicalPathPlugin } from './http/canonical-path.ts'
import { ignoredProxies } from './http/ignored-proxies.ts'
import { callerLimits } from './http/rate-limits.ts'
import { rawBodies } from './http/raw-bodies.ts'
import { securityPlugin } from './http/security-headers.ts'
import { createServer } from './http/server.ts'
import { staticPlugin } from './http/static.ts'
import { unreadAnswers } from './http/unread-answers.ts'
import { drainingPlugin } from './lifecycle/stop.ts'
import { requestLogPlugin } from './observability/request-log.ts'
import { openapiPlugin } from './openapi/plugin.ts'
import { supportOf } from './portal/bootstrap.ts'
import { portalRoutes } from './portal/routes.ts'
import { proxyRoutes } from './proxy/register.ts'
import { PROXY_TABLE } from './proxy/table.ts'
import { allProven } from './redis-proof.ts'
import { noReplicaMessages } from './replica-messages.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Check the gateway's dependencies; each rejects with its problem. `authority` resolves once the authority has answered since
     * the start, `authorityNow` only if it still does.
     */
    probes: Record<'store' | 'authority' | 'authorityNow', () => Promise<unknown>>
  }
}

const CLIENT_ROOT = fileURLToPath(new URL('../dist/client', import.meta.url))

// The steps of a request in their order. `·` means that the step does not run. `logout` is the authority's back-channel logout.
//
// | hook          | step                                             | page | logout | auth | own | proxied |
// | ------------- | ------------------------------------------------ | ---- | ------ | ---- | --- | ------- |
// | onRequest     | connection: close while the server stops         | yes  | yes    | yes  | yes | yes     |
// | onRequest     | trace, and the log line when the request closes  | yes  | yes    | yes  | yes | yes     |
// | onRequest     | warning about a proxy that is not trusted        | yes  | yes    | yes  | yes | yes     |
// | onRequest     | security headers                                 | yes  | yes    | yes  | yes | yes     |
// | onRequest     | 400 for a path that is not canonical             | yes  | yes    | yes  | yes | yes     |
// | onRequest     | session of the cookie                            | ·    | ·      | yes  | yes | yes     |
// | onRequest     | caller: bearer token, otherwise session; 401     | ·    | ·      | ·    | yes | yes     |
// | onRequest     | rates, calls in flight, bytes of the body; 429   | ·    | ·      | yes  | yes | yes     |
// | onRequest     | roles of the caller, at most a minute old        | ·    | ·      | ·    | yes | yes     |
// | onRequest     | cross-site calls with a cookie; 403              | ·    | ·      | yes  | yes | yes     |
// | onRequest     | access by path and query; 401, 403, 404          | ·    | ·      | ·    | yes | yes     |
// | parsing       | body as bytes (logout: as a form)                | yes  | yes    | yes  | yes | yes     |
// | preValidation | bytes of a chunked body                          | ·    | ·      | yes  | yes | yes     |
// | preHandler    | body by its schema, access by body; 400, 403     | ·    | ·      | ·    | yes | yes     |
// | handler       | page: file, prepared page · logout: its token    | yes  | yes    | yes  | yes | yes     |
// |               | proxied: fresh token, forward                    |      |        |      |     |         |
// | serialization | only declared fields                             | ·    | ·      | yes  | yes | ·       |
// | onSend        | long answers in pieces, for readers that stall   | yes  | yes    | yes  | yes | yes     |
// | onSend        | cache-control                                    | ·    | ·      | yes  | yes | ·       |
// | onError       | problem+json (errors.ts)                         | yes  | yes    | yes  | yes | yes     |
//
// A prepared page calls the bootstrap, which takes the steps of an own endpoint. The operations port (lifecycle/operations.ts) is
// another server without these steps: it serves health and metrics to operators.

/**
 * Builds the gateway, ready to listen. Closing it closes the upstream pools, but not the backend and the messages: their
 * creator closes them.
 */
export async function build(config: Config, dependencies: Dependencies): Promise<FastifyInstance> {
  const services = createServices(config, dependencies)
  const { authority, cookies, customerLists, limits, reader, sessions, sitePoints, snapshots } = services
  const { messages = noReplicaMessages() } = dependencies
  const store = () => allProven(sessions.backend.ping(), messages.prove())
  const app = createServer(config, dependencies.log, limits)
  app.addHook('onClose', async () => void (await services.close()))
  app.decorate('probes', {
    store,
    authority: () => authority.metadata(),
    authorityNow: () => authority.reach()
  })

  await app.register(drainingPlugin)
  await app.register(requestLogPlugin, services)
  await app.register(ignoredProxies)
  await app.register(unreadAnswers, limits)
  await app.register(rawBodies)
  await app.register(declarePlugin)
  await app.register(securityPlugin, services)
  await app.register(canonicalPathPlugin)
  await app.register(staticPlugin, {
    root: CLIENT_ROOT,
    sessionCookie: cookies.names.session,
    waitMs: limits.pageWaitMs
  })
  await app.register(backchannelLogoutRoutes, services)

  await app.register(async (scope) => {
    await scope.register(callerLimits, {
      perMinute: { session: config.SESSION_CALLS_PER_MINUTE, bearer: config.BEARER_CALLS_PER_MINUTE },
      anonymousPerMinute: config.ANONYMOUS_CALLS_PER_MINUTE,
      inFlight: config.CALLS_IN_FLIGHT,
      bodyBytesPerMinute: config.BODY_MB_PER_MINUTE * 2 ** 20
    })
    await scope.register(async (auth) => {
      await auth.register(sessionPlugin, { ...services, onEnded: services.ends.revokeEnded })
      await auth.register(authLimits)
      await auth.register(csrfPlugin, services)
      await auth.register(authRoutes, {
        ...services,
        support: supportOf(config)
      })
    })

    await scope.register(async (api) => {
      // Reads the cookie of @fastify/session, which would prepare every call for a change (decisions.md).
      await api.register(sessionReaderPlugin, services)
      await api.register(callerPlugin, services)
      await api.register(csrfPlugin, services)
      await api.register(enforcePlugin, services)
      await api.register(openapiPlugin, {
        config,
        sessionCookie: cookies.names.session,
        csrfHeader: CSRF_HEADER,
        describeAccess
      })
      await api.register(portalRoutes, { ...services, prefix: '/api/portal/v1' })
      await api.register(proxyRoutes, {
        table: PROXY_TABLE,
        config,
        upstreams: services.upstreams,
        limits,
        onChange(scope, change, inventoryChange) {
          const customerId = parseScope(scope)?.customerId ?? ''
          if (change === 'inventory') {
            snapshots.changed(customerId, inventoryChange)
            customerLists.changed(customerId, inventoryChange)
            services.inventoryChanges.changed(customerId)
          }
          reader.changed(customerId, change)
          if (change === 'alarms') sitePoints.changed(customerId)
        }
      })
    })
  })
  return app
}
