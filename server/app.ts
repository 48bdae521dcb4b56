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

declare module 'fastify' {
  interface FastifyInstance {
    /** Check the gateway's dependencies; each rejects with its problem. */
    probes: Record<'store' | 'authority', () => Promise<unknown>>
  }
}

const CLIENT_ROOT = fileURLToPath(new URL('../dist/client', import.meta.url))

/**
 * Builds the gateway, ready to listen. Closing it closes the upstream pools, but not the backend and the invalidations: their
 * creator closes them.
 */
export async function build(config: Config, dependencies: Dependencies): Promise<FastifyInstance> {
  const services = createServices(config, dependencies)
  const { attention, authority, cookies, limits, sessions, snapshots } = services
  const app = createServer(config, dependencies.log, limits)
  app.addHook('onClose', async () => void (await services.close()))
  app.decorate('probes', { store: () => sessions.backend.ping(), authority: () => authority.metadata() })

  await app.register(drainingPlugin)
  await app.register(requestLogPlugin, services)
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
        onInventoryChange(scope) {
          const { customerId } = parseScope(scope) ?? {}
          snapshots.drop(customerId ?? '')
          attention.changed(customerId ?? '')
          services.inventoryChanges.changed(customerId ?? '')
        }
      })
    })
  })
  return app
}
