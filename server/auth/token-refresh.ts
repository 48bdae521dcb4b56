// Gives a session a valid access token and refreshes it ahead of its expiry. A session has one refresh at a time across all
// replicas: the replica that holds a lease in the store refreshes, and the other replicas wait for the new tokens.
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { causesOf, oauthCodeOf } from '../error-causes.ts'
import { problems } from '../errors.ts'
import { step } from '../observability/trace.ts'
import { createCircuit } from './authority/circuit.ts'
import { NoRefreshToken, RefreshRefused } from './authority/oidc-client.ts'
import type { AuthContext } from './context.ts'
import type { SessionBackend } from './sessions/backend.ts'
import { type Session, TOKEN_USABLE_MS, type Tokens } from './sessions/store.ts'

/** Lifetime of a lease: longer than a replica may lack CPU, because otherwise two replicas would use one refresh token. */
const LEASE_MS = 8_000
const LEASE_RENEW_MS = 1_000
/** Maximum wait of a call for a refresh. The refresh continues, because the authority may already have issued new tokens. */
const WAIT_MAX_MS = 5_000
const WAIT_STEP_MS = 50
/** Delay before the next attempt after a refresh ahead of expiry has failed. */
const RETRY_AFTER_MS = 5_000
/** Tokens younger than this are not replaced: an API that refuses a new token would refuse the next one too. */
const YOUNG_MS = 30_000
/** Attempts to save new tokens, over about 12 s. */
const SAVES_MAX = 20

export type TokenRefresher = ReturnType<typeof createTokenRefresher>

type Options = Omit<AuthContext, 'config' | 'encryption' | 'localClock' | 'steadyClock'>

export function createTokenRefresher(options: Options) {
  const { clock, log } = options
  const refreshes = new Map<string, Promise<Tokens>>()
  /** Sessions with valid tokens whose last refresh failed. */
  const recentFailures = new LRUCache<string, true>({
    max: 10_000,
    ttl: RETRY_AFTER_MS,
    perf: { now: clock },
    ttlResolution: 0
  })
  const circuit = createCircuit(clock)
  const refresh = createSessionRefresh(options, circuit)
  const isDueForRenewal = (tokens: Tokens) => clock() >= tokens.renewAt

  /** The refreshed tokens. Throws a 503 problem if the refresh takes too long or the authority is known to hang. */
  async function renewTokens(session: Session, isStale: IsStale): Promise<Tokens> {
    if (!circuit.mayTry()) throw problems.authorityUnavailable('the authority hangs')
    const aborter = new AbortController()
    try {
      return await Promise.race([shareRefresh(session, isStale), rejectWhenLate(aborter.signal)])
    } finally {
      aborter.abort()
    }
  }

  async function rejectWhenLate(signal: AbortSignal): Promise<never> {
    await wait(WAIT_MAX_MS, undefined, { signal })
    circuit.reportLongWait()
    throw problems.authorityUnavailable('a refresh takes too long')
  }

  /** Runs one refresh of a session at a time on this replica. */
  function shareRefresh(session: Session, isStale: IsStale): Promise<Tokens> {
    const runningRefresh = refreshes.get(session.id)
    if (runningRefresh) return runningRefresh
    const work = step('token refresh', {}, () => refresh(session, isStale)).finally(() =>
      refreshes.delete(session.id)
    )
    refreshes.set(session.id, work)
    return work
  }

  return {
    /** A valid token. Throws 401 if the session has ended, 503 if the authority or the store fails. */
    async accessToken(session: Session): Promise<string> {
      const { tokens } = session
      if (!isDueForRenewal(tokens)) return tokens.access
      const isUsable = tokens.expiresAt - clock() >= TOKEN_USABLE_MS
      // Without a refresh token the session lasts as long as its access token.
      if (isUsable && (tokens.refresh === null || recentFailures.has(session.id))) return tokens.access
      const work = renewTokens(session, isDueForRenewal)
      if (!isUsable) return (await work).access
      work.catch((err) => {
        recentFailures.set(session.id, true)
        log.warn({ err }, 'refresh ahead of expiry failed')
      })
      return tokens.access
    },
    /** A token other than `refused`; null if the session can get none, or `refused` is younger than 30 s. */
    async replaceToken(session: Session, refused: string): Promise<string | null> {
      if (session.tokens.refresh === null) return null
      const isStale = ({ access, issuedAt = 0 }: Tokens) =>
        access === refused && Math.abs(clock() - issuedAt) >= YOUNG_MS
      const tokens = await renewTokens(session, isStale)
      return tokens.access === refused ? null : tokens.access
    }
  }
}

type IsStale = (tokens: Tokens) => boolean

/** Refreshes a session with stale tokens, or waits for the tokens of another replica's refresh. */
function createSessionRefresh(
  { sessions, authority, clock, log, audit, recorder }: Options,
  circuit: ReturnType<typeof createCircuit>
) {
  return async (session: Session, isStale: IsStale): Promise<Tokens> => {
    const name = sessions.nameOf(session.id)
    const giveUpAt = clock() + WAIT_MAX_MS
    const startedAt = performance.now()
    let hasWaited = false
    for (;;) {
      const { tokens } = await currentOf(session)
      if (!isStale(tokens)) {
        if (hasWaited) recorder.leaseWait(performance.now() - startedAt)
        return tokens
      }
      const newTokens = await underLease(sessions.backend, name, () => refresh(session, isStale))
      if (newTokens !== null) return newTokens
      if (clock() > giveUpAt)
        throw problems.authorityUnavailable('another refresh of this session takes too long')
      if (!hasWaited) log.debug("waiting for another call's refresh of this session")
      hasWaited = true
      await wait(WAIT_STEP_MS)
    }
  }

  async function currentOf({ id }: Session): Promise<Session> {
    const session = await sessions.read(id)
    if (session === null) throw sessionOver()
    return session
  }

  async function refresh(callerSession: Session, isStale: IsStale): Promise<Tokens> {
    // The lease may be free because another refresh has just finished.
    const session = await currentOf(callerSession)
    if (!isStale(session.tokens)) return session.tokens
    const startedAt = performance.now()
    let tokens: Tokens
    try {
      tokens = await circuit.run(() => authority.refresh(session.tokens, session.data.subject))
    } catch (error) {
      const isRefused = error instanceof RefreshRefused
      recorder.refresh(isRefused ? 'refused' : 'failed', performance.now() - startedAt)
      if (isRefused) await end(session, error)
      throw isRefused ? sessionOver() : error
    }
    const ms = performance.now() - startedAt
    recorder.refresh('done', ms)
    log.debug({ ms: Math.round(ms) }, 'tokens refreshed')
    return save(session, tokens)
  }

  /**
   * Saves the new tokens and returns the session's current ones. Retries, because lost tokens would end the session at the
   * next refresh; a save that timed out may have been carried out.
   */
  async function save(session: Session, tokens: Tokens): Promise<Tokens> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        if (await sessions.replaceTokens(session, tokens)) return tokens
        const newer = await sessions.read(session.id)
        if (newer !== null) return newer.tokens
      } catch (error) {
        if (attempt === SAVES_MAX) throw error
        await wait(100 + attempt * 50)
        continue
      }
      // Signed out meanwhile: the new tokens must not outlive the session.
      void authority.revoke(tokens, session.data.furtherRefresh)
      throw sessionOver()
    }
  }

  async function end({ id, data }: Session, refusal: RefreshRefused): Promise<void> {
    const lacksToken = refusal instanceof NoRefreshToken
    log.info(
      { reason: refusalOf(refusal) },
      lacksToken ? 'a session has no refresh token' : 'the authority ended a session'
    )
    await sessions.remove(id)
    void authority.revoke(null, data.furtherRefresh)
    const outcome = lacksToken ? 'no refresh token' : 'ended by the authority'
    audit({ event: 'sign-out', userId: data.user.id, outcome })
    recorder.signOut(lacksToken ? 'no_refresh_token' : 'authority', 1)
  }
}

const sessionOver = () => problems.notSignedIn('Your session has ended. Sign in again.')

/** Runs `work` while this replica holds the lease of that name; null if another replica holds it. */
async function underLease<T>(
  backend: SessionBackend,
  name: string,
  work: () => Promise<T>
): Promise<T | null> {
  const owner = randomUUID()
  if (!(await backend.takeLease(name, owner, LEASE_MS))) return null
  const renewal = setInterval(
    () => void backend.renewLease(name, owner, LEASE_MS).catch(() => {}),
    LEASE_RENEW_MS
  )
  try {
    return await work()
  } finally {
    clearInterval(renewal)
    await backend.releaseLease(name, owner).catch(() => {})
  }
}

/** The authority's error code, or the status of its answer. */
function refusalOf(error: RefreshRefused): string {
  const status = causesOf(error)
    .map((cause) => cause.status)
    .find((value) => typeof value === 'number')
  return oauthCodeOf(error) ?? (status === undefined ? error.message : `status ${status}`)
}
