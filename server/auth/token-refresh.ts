// Gives a session a valid access token and refreshes it ahead of its expiry. A session has one refresh at a time across all
// replicas: the owner of a lease in the store refreshes, and the others wait for its tokens.
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { causesOf, oauthCodeOf } from '../config/remedies.ts'
import { problems } from '../errors.ts'
import { createCircuit } from './authority/circuit.ts'
import { NoRefreshToken, RefreshRefused } from './authority/oidc-client.ts'
import type { AuthContext } from './context.ts'
import type { SessionBackend } from './sessions/backend.ts'
import { type Session, TOKEN_USABLE_MS, type Tokens } from './sessions/store.ts'

/** Longer than an owner may be without CPU. If a lease expired too early, two replicas would use the same refresh token. */
const LEASE_MS = 8_000
const LEASE_RENEW_MS = 1_000
/** Maximum wait of a call for a refresh. The refresh itself continues, because the authority may have done it. */
const WAIT_MAX_MS = 5_000
const WAIT_STEP_MS = 50
/** Delay after a failed refresh ahead of time. */
const RETRY_AFTER_MS = 5_000
/** A younger token is not replaced: an API that refuses it would refuse the next one too. */
const YOUNG_MS = 30_000
/** Attempts to save new tokens, over about 12 s. */
const SAVES_MAX = 20

export type TokenRefresher = ReturnType<typeof createTokenRefresher>

type Options = Omit<AuthContext, 'config' | 'encryption'>

export function createTokenRefresher(options: Options) {
  const { clock, log } = options
  const underWay = new Map<string, Promise<Tokens>>()
  /** Sessions with valid tokens whose last refresh failed. */
  const failed = new LRUCache<string, true>({
    max: 10_000,
    ttl: RETRY_AFTER_MS,
    perf: { now: clock },
    ttlResolution: 0
  })
  const circuit = createCircuit(clock)
  const refresh = createSessionRefresh(options, circuit)
  const dueForRenewal = (tokens: Tokens) => clock() >= tokens.renewAt

  /** The refreshed tokens. Throws a 503 problem if it takes too long or the authority is known to hang. */
  async function renewed(session: Session, stale: Stale): Promise<Tokens> {
    if (!circuit.mayTry()) throw problems.authorityUnavailable('the authority hangs')
    const late = new AbortController()
    try {
      return await Promise.race([onThisReplica(session, stale), tooLate(late.signal)])
    } finally {
      late.abort()
    }
  }

  async function tooLate(done: AbortSignal): Promise<never> {
    await wait(WAIT_MAX_MS, undefined, { signal: done })
    circuit.waitedTooLong()
    throw problems.authorityUnavailable('a refresh takes too long')
  }

  /** One refresh at a time on this replica. */
  function onThisReplica(session: Session, stale: Stale): Promise<Tokens> {
    const running = underWay.get(session.id)
    if (running) return running
    const work = refresh(session, stale).finally(() => underWay.delete(session.id))
    underWay.set(session.id, work)
    return work
  }

  return {
    /** A valid token. Throws 401 if the session has ended, 503 if the authority or the store fails. */
    async accessToken(session: Session): Promise<string> {
      const { tokens } = session
      if (!dueForRenewal(tokens)) return tokens.access
      const usable = tokens.expiresAt - clock() >= TOKEN_USABLE_MS
      // Without a refresh token the session lasts as long as its access token.
      if (usable && (tokens.refresh === null || failed.has(session.id))) return tokens.access
      const work = renewed(session, dueForRenewal)
      if (!usable) return (await work).access
      work.catch((err) => {
        failed.set(session.id, true)
        log.warn({ err }, 'refresh ahead of expiry failed')
      })
      return tokens.access
    },
    /** Another token than `refused`; null when the session has none, or it is younger than 30 s. */
    async replaceToken(session: Session, refused: string): Promise<string | null> {
      const stale = ({ access, issuedAt = 0 }: Tokens) => access === refused && clock() - issuedAt >= YOUNG_MS
      const tokens = await renewed(session, stale)
      return tokens.access === refused ? null : tokens.access
    }
  }
}

type Stale = (tokens: Tokens) => boolean

/** Refreshes a session with stale tokens, or waits for the tokens of another replica's refresh. */
function createSessionRefresh(
  { sessions, authority, clock, log, audit, recorder }: Options,
  circuit: ReturnType<typeof createCircuit>
) {
  return async (session: Session, stale: Stale): Promise<Tokens> => {
    const name = sessions.nameOf(session.id)
    const giveUpAt = clock() + WAIT_MAX_MS
    const begun = performance.now()
    let waited = false
    for (;;) {
      const { tokens } = await current(session)
      if (!stale(tokens)) {
        if (waited) recorder.leaseWait(performance.now() - begun)
        return tokens
      }
      const renewed = await underLease(sessions.backend, name, () => refresh(session, stale))
      if (renewed !== null) return renewed
      if (clock() > giveUpAt)
        throw problems.authorityUnavailable('another refresh of this session takes too long')
      if (!waited) log.debug("waiting for another call's refresh of this session")
      waited = true
      await wait(WAIT_STEP_MS)
    }
  }

  async function current({ id }: Session): Promise<Session> {
    const session = await sessions.read(id)
    if (session === null) throw sessionOver()
    return session
  }

  async function refresh(asked: Session, stale: Stale): Promise<Tokens> {
    // The lease may be free because another refresh has just finished.
    const session = await current(asked)
    if (!stale(session.tokens)) return session.tokens
    const begun = performance.now()
    let tokens: Tokens
    try {
      tokens = await circuit.run(() => authority.refresh(session.tokens, session.data.subject))
    } catch (error) {
      const refused = error instanceof RefreshRefused
      recorder.refresh(refused ? 'refused' : 'failed', performance.now() - begun)
      if (refused) await end(session, error)
      throw refused ? sessionOver() : error
    }
    const ms = performance.now() - begun
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
    const none = refusal instanceof NoRefreshToken
    log.info(
      { reason: refusalOf(refusal) },
      none ? 'a session has no refresh token' : 'the authority ended a session'
    )
    await sessions.remove(id)
    void authority.revoke(null, data.furtherRefresh)
    const outcome = none ? 'no refresh token' : 'ended by the authority'
    audit({ event: 'sign-out', userId: data.user.id, outcome })
    recorder.signOut(none ? 'no_refresh_token' : 'authority', 1)
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
    .map((one) => one.status)
    .find((one) => typeof one === 'number')
  return oauthCodeOf(error) ?? (status === undefined ? error.message : `status ${status}`)
}
