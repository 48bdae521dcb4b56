// What the plugins of app.ts work with, made once for a gateway: from the settings, and from what it needs beside itself.
import { createLookups } from './access/lookups.ts'
import { createAuthority } from './auth/authority/oidc-client.ts'
import { createBackchannelLogout } from './auth/backchannel-logout.ts'
import { createBearerCaller } from './auth/bearer.ts'
import { createCurrentUsers } from './auth/current-user.ts'
import { createEncryption } from './auth/encryption.ts'
import { createSignOut } from './auth/logout.ts'
import type { SessionBackend } from './auth/sessions/backend.ts'
import { cookieRules } from './auth/sessions/cookies.ts'
import { createNotes } from './auth/sessions/notes.ts'
import { createSessionStore } from './auth/sessions/store.ts'
import { createSessionUsers } from './auth/sessions/user.ts'
import { createSignInAttempts } from './auth/sign-in-attempts.ts'
import { createTokenRefresher } from './auth/token-refresh.ts'
import type { Config } from './config/settings.ts'
import { LIMITS, type Limits } from './http/limits.ts'
import { createSnapshots } from './inventory/cache.ts'
import { type Invalidations, noInvalidations } from './inventory/invalidations.ts'
import { createNumbers } from './inventory/inventory.ts'
import { createInventoryWorker } from './inventory/worker-client.ts'
import { createAudit } from './observability/audit.ts'
import { correlatedLog } from './observability/correlated-log.ts'
import { createMetrics } from './observability/metrics.ts'
import type { Recorder } from './observability/recorder.ts'
import { createAttention } from './portal/attention/attention.ts'
import { createCustomerLists } from './portal/customer-lists.ts'
import type { Clock, Log } from './types.ts'
import { type Bearer, createUpstreamClient } from './upstreams/client.ts'
import { createOrganizationDirectory } from './upstreams/organization-directory.ts'
import { openUpstreams } from './upstreams/transport/pools.ts'
import { fetchMyUser } from './upstreams/users.ts'

export interface Dependencies {
  backend: SessionBackend
  /** Word of changed customers between replicas; without it there is one replica. */
  invalidations?: Invalidations
  /** Secrets of the cookie and of what the store holds, newest first. */
  secrets: string[]
  clock: Clock
  log: Log
  /** Gets the figures of what the gateway does. */
  recorder?: Recorder
  /** What one connection may take. */
  limits?: Limits
}

export type Services = ReturnType<typeof createServices>

/** Opens nothing: connections and the worker begin with the first call. `close` ends both. */
export function createServices(
  config: Config,
  {
    backend: store,
    invalidations = noInvalidations(),
    secrets,
    clock,
    log: plainLog,
    recorder = createMetrics().recorder,
    limits = LIMITS
  }: Dependencies
) {
  const log = correlatedLog(plainLog)
  const audit = createAudit(log)
  const encryption = createEncryption(secrets)
  const cookies = cookieRules(config.PUBLIC_URL)
  const sessions = createSessionStore(
    store,
    encryption,
    { idleSeconds: config.SESSION_IDLE_SECONDS, absoluteSeconds: config.SESSION_ABSOLUTE_SECONDS },
    clock,
    recorder.storeFailed,
    log
  )
  const { backend } = sessions
  recorder.sessions(() => backend.countLive(clock()))
  const authority = createAuthority(config, clock, (endpoint, status, ms) => {
    recorder.authority(endpoint, status, ms)
    log.debug({ endpoint, status, ms: Math.round(ms) }, 'authority call')
  })
  const attempts = createSignInAttempts(backend, encryption, cookies, clock)
  const refresher = createTokenRefresher({ sessions, authority, clock, log, audit, recorder })
  const signOut = createSignOut({ config, sessions, authority, audit, log })
  const upstreams = openUpstreams(config, recorder, limits.connectionWaitMs, log)
  const client = createUpstreamClient(upstreams, config.UPSTREAM_TIMEOUT_MS)
  const organizations = createOrganizationDirectory(client, clock)
  const worker = createInventoryWorker({
    memoryMb: config.INVENTORY_MEMORY_MB,
    pageMaxMb: config.UPSTREAM_PAGE_MAX_MB,
    timeoutMs: config.INVENTORY_TIMEOUT_MS,
    log
  })
  const nextId = createNumbers()
  const snapshots = createSnapshots({
    client,
    organizations,
    invalidations,
    worker,
    nextId,
    clock,
    // A customer takes many calls: as a whole they may take twice as long as one.
    limits: { fetchMs: 2 * config.UPSTREAM_TIMEOUT_MS },
    // The other half is for putting customers together.
    maxBytes: (config.INVENTORY_MEMORY_MB / 2) * 2 ** 20
  })
  const attention = createAttention({
    client,
    worker,
    nextId,
    clock,
    notes: createNotes(backend, encryption)
  })
  invalidations.onChange(attention.changed)
  recorder.snapshots(snapshots.stats)
  recorder.inventoryWorker(worker.stats)
  const fetchUser = (bearer: Bearer, limit: AbortSignal) => fetchMyUser(client, bearer, limit)
  const current = createCurrentUsers(config.ROLES_MAX_AGE_SECONDS, clock)
  const users = createSessionUsers({ sessions, current, fetchUser, audit, recorder })
  const bearerCaller = createBearerCaller({
    audience: config.OIDC_AUDIENCE,
    keys: authority.keys,
    current,
    fetchUser,
    clock,
    log
  })
  return {
    audit,
    cookies,
    sessions,
    authority,
    attempts,
    refresher,
    signOut,
    upstreams,
    client,
    snapshots,
    attention,
    customerLists: createCustomerLists(client, clock),
    users,
    bearerCaller,
    lookups: createLookups({ client, organizations, snapshots, clock }),
    backchannelLogout: createBackchannelLogout({
      clientId: config.OIDC_CLIENT_ID,
      keys: authority.keys,
      sessions,
      encryption,
      clock
    }),
    recorder,
    secrets,
    limits,
    clock,
    close() {
      attention.close()
      return Promise.all([upstreams.close(), worker.close()])
    }
  }
}
