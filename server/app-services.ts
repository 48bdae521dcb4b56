// Creates the services that the plugins in app.ts use.
import { createLookups } from './access/lookups.ts'
import { createAuthority } from './auth/authority/oidc-client.ts'
import { createBackchannelLogout } from './auth/backchannel-logout.ts'
import { createBearerCaller } from './auth/bearer.ts'
import type { AuthContext } from './auth/context.ts'
import { createCurrentUsers } from './auth/current-user.ts'
import { createEncryption } from './auth/encryption.ts'
import { createSignOut } from './auth/logout.ts'
import { createMessageEncryption } from './auth/message-encryption.ts'
import { createOwnSessionEnds } from './auth/own-sessions.ts'
import type { SessionBackend } from './auth/sessions/backend.ts'
import { cookieRules } from './auth/sessions/cookies.ts'
import { createNotes } from './auth/sessions/notes.ts'
import { createSessionStore } from './auth/sessions/store.ts'
import { createSessionUsers } from './auth/sessions/user.ts'
import { createSignInAttempts } from './auth/sign-in/attempts.ts'
import { createSignInQueue } from './auth/sign-in/queue.ts'
import { createSignIn } from './auth/sign-in/sign-in.ts'
import { createTokenRefresher } from './auth/token-refresh.ts'
import type { Config } from './config/settings.ts'
import { LIMITS, type Limits } from './http/limits.ts'
import { createSnapshots, readChange } from './inventory/cache.ts'
import { createInventoryWorker } from './inventory/worker-client.ts'
import { createAudit } from './observability/audit.ts'
import { correlatedLog } from './observability/correlated-log.ts'
import { createMetrics } from './observability/metrics.ts'
import type { Recorder } from './observability/recorder.ts'
import type { StartSpan } from './observability/trace.ts'
import { createLiveLists } from './portal/alarms/live-lists.ts'
import { createCustomerLists } from './portal/customer-lists.ts'
import { createChanges } from './portal/events/changes.ts'
import { createStreams } from './portal/events/streams.ts'
import { createSitePoints } from './portal/points/site-points.ts'
import { createReader } from './portal/readings/reader.ts'
import { createShare } from './portal/readings/share.ts'
import { createCustomerReads } from './portal/search/customer-reads.ts'
import { noReplicaMessages, type ReplicaMessages } from './replica-messages.ts'
import type { Clock, Log } from './types.ts'
import { type Bearer, createUpstreamClient, type UpstreamClient } from './upstreams/client.ts'
import { createOrganizationDirectory } from './upstreams/organization-directory.ts'
import { openUpstreams } from './upstreams/transport/pools.ts'
import { fetchMyUser } from './upstreams/users.ts'

export interface Dependencies {
  backend: SessionBackend
  /** Messages to and from other replicas. By default there is a single replica. */
  messages?: ReplicaMessages
  /** Secrets for cookies and session records, newest first. */
  secrets: string[]
  /** The clock that all replicas share. */
  clock: Clock
  /** The clock of this machine; by default the same. */
  localClock?: Clock
  /** Milliseconds of a clock that nobody sets, for ages within this process. */
  steadyClock?: Clock
  log: Log
  recorder?: Recorder
  /** Records spans. By default there are none. */
  startSpan?: StartSpan | undefined
  limits?: Limits
}

export type Services = ReturnType<typeof createServices>

/** Connections and the worker start with the first call. `close` stops both. */
export function createServices(
  config: Config,
  {
    backend: store,
    messages = noReplicaMessages(),
    secrets,
    clock,
    localClock = clock,
    steadyClock = () => performance.now(),
    log: plainLog,
    recorder = createMetrics().recorder,
    startSpan,
    limits = LIMITS
  }: Dependencies
) {
  const log = correlatedLog(plainLog)
  const encryption = createEncryption(secrets)
  const sessions = createSessionStore(
    store,
    encryption,
    { idleSeconds: config.SESSION_IDLE_SECONDS, absoluteSeconds: config.SESSION_ABSOLUTE_SECONDS },
    clock,
    recorder.storeFailed,
    log
  )
  recorder.sessions(() => sessions.backend.countLive(clock()))
  const upstreams = openUpstreams(config, recorder, limits.connectionWaitMs, log, startSpan)
  const client = createUpstreamClient(upstreams, config.UPSTREAM_TIMEOUT_MS)
  const sharedClient = createUpstreamClient(upstreams, config.UPSTREAM_TIMEOUT_MS, 'shared')
  const backgroundClient = createUpstreamClient(upstreams, config.UPSTREAM_TIMEOUT_MS, 'background')
  const audit = createAudit(log)
  const shared = {
    config,
    clock,
    localClock,
    steadyClock,
    log,
    audit,
    recorder,
    startSpan,
    limits,
    secrets,
    encryption,
    sessions,
    client,
    sharedClient,
    backgroundClient
  }
  const inventory = inventoryServices(shared, messages)
  const live = liveServices(shared, inventory, messages)
  return {
    ...shared,
    ...inventory,
    ...authServices(shared),
    upstreams,
    customerReads: createCustomerReads(inventory.snapshots, clock),
    ...live,
    close() {
      live.reader.close()
      live.sitePoints.close()
      return Promise.all([upstreams.close(), inventory.worker.close()])
    }
  }
}

/** The parts that most services use. */
interface SharedServices extends Omit<AuthContext, 'authority'> {
  limits: Limits
  client: UpstreamClient
  /** For answers that callers share, and for the roles of a caller: the burst of one caller does not delay them. */
  sharedClient: UpstreamClient
  /** For calls that nobody waits for: they get a connection after all others. */
  backgroundClient: UpstreamClient
}

function inventoryServices(
  { config, clock, log, recorder, client, sharedClient }: SharedServices,
  messages: ReplicaMessages
) {
  const invalidations = messages.topic('inventory-changed')
  const organizations = createOrganizationDirectory(sharedClient, clock)
  const worker = createInventoryWorker({
    memoryMb: config.INVENTORY_MEMORY_MB,
    pageMaxMb: config.UPSTREAM_PAGE_MAX_MB,
    timeoutMs: config.INVENTORY_TIMEOUT_MS,
    log
  })
  const snapshots = createSnapshots({
    client: sharedClient,
    worker,
    clock,
    organizations,
    invalidations,
    // The calls for a customer may together take twice as long as one call.
    limits: { fetchMs: 2 * config.UPSTREAM_TIMEOUT_MS },
    // Half of the memory: assembling customers needs the other half.
    maxBytes: (config.INVENTORY_MEMORY_MB / 2) * 2 ** 20
  })
  const customerLists = createCustomerLists(sharedClient, clock)
  invalidations.onMessage((message) => {
    const { customerId, change } = readChange(message)
    customerLists.changed(customerId, change)
  })
  recorder.snapshots(snapshots.stats)
  recorder.inventoryWorker(worker.stats)
  return {
    worker,
    snapshots,
    customerLists,
    lookups: createLookups({ client, sharedClient, organizations, snapshots, clock })
  }
}

function liveServices(
  { config, encryption, sessions, backgroundClient, clock, limits, recorder }: SharedServices,
  { worker }: ReturnType<typeof inventoryServices>,
  messages: ReplicaMessages
) {
  const countChanges = createChanges()
  const background = { client: backgroundClient, connections: config.UPSTREAM_CONNECTIONS, worker, clock }
  const share = createShare({
    leases: sessions.backend,
    messages,
    encryptionOf: (topic) => createMessageEncryption(encryption, topic)
  })
  const reader = createReader({
    ...background,
    pollMs: config.LIVE_POLL_SECONDS * 1000,
    turnMs: limits.alarmTurnMs,
    share,
    notes: createNotes(sessions.backend, encryption),
    onCount: countChanges.changed
  })
  const sitePoints = createSitePoints({ ...background, unusedMs: limits.pointsUnusedMs })
  share.onChange(({ customerId, change }) => {
    if (change === 'alarms') sitePoints.changed(customerId)
  })
  const inventoryChanges = createChanges()
  messages
    .topic('inventory-changed')
    .onMessage((message) => inventoryChanges.changed(readChange(message).customerId))
  const streams = createStreams(config.LIVE_STREAMS)
  const endedSessions = messages.topic('session-ended')
  endedSessions.onMessage((name) => streams.endSessions([name]))
  sessions.onEnd((names) => {
    streams.endSessions(names)
    for (const name of names) endedSessions.publish(name)
  })
  recorder.live({ streams: () => streams.count, lateCustomers: () => reader.lateCount })
  return {
    reader,
    sitePoints,
    liveLists: createLiveLists(),
    inventoryChanges,
    countChanges,
    streams
  }
}

function authServices(shared: SharedServices) {
  const { config, clock, localClock, steadyClock, log, recorder, limits, encryption, sessions } = shared
  const cookies = cookieRules(config.PUBLIC_URL)
  const authority = createAuthority(config, {
    clock,
    localClock,
    timeoutMs: limits.authorityMs,
    observe(endpoint, status, ms) {
      recorder.authority(endpoint, status, ms)
      log.debug({ endpoint, status, ms: Math.round(ms) }, 'authority call')
    }
  })
  const { verify } = authority
  const currentUsers = createCurrentUsers({
    maxAgeSeconds: config.ROLES_MAX_AGE_SECONDS,
    clock,
    steadyClock,
    timeoutMs: limits.userMs
  })
  const fetchUser = (bearer: Bearer, limit: AbortSignal) => fetchMyUser(shared.sharedClient, bearer, limit)
  const queue = createSignInQueue({
    connections: config.UPSTREAM_CONNECTIONS,
    waitMs: limits.signInWaitMs,
    recorder
  })
  const ends = createOwnSessionEnds({ ...shared, authority })
  return {
    cookies,
    authority,
    ends,
    refresher: createTokenRefresher({ ...shared, authority }),
    signOut: createSignOut({ ...shared, authority }),
    users: createSessionUsers({ ...shared, currentUsers, fetchUser }),
    signIn: createSignIn({
      ...shared,
      cookies,
      authority,
      attempts: createSignInAttempts(sessions.backend, encryption, cookies, clock),
      ends,
      queue,
      fetchUser: (token) =>
        fetchMyUser(shared.sharedClient, { accessToken: async () => token, replaceToken: async () => null })
    }),
    bearerCaller: createBearerCaller({ ...shared, verify, currentUsers, fetchUser }),
    backchannelLogout: createBackchannelLogout({ ...shared, verify })
  }
}
