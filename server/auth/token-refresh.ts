// A valid access token for a session, renewed ahead of its expiry. One refresh at a time for a session, on this
// replica and across all: the holder of a lease in the store refreshes, everybody else gets the tokens it wrote.
// What the authority answers is oidc.ts's matter.
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Audit } from '../audit.ts'
import { type Problem, problems } from '../errors.ts'
import { NO_TELEMETRY, type Telemetry } from '../telemetry.ts'
import type { Clock, Log } from '../types.ts'
import { type Authority, RefreshRefused } from './oidc.ts'
import type { Session, SessionStore, Tokens } from './session-store.ts'

/** A token that ends sooner than this may not reach the upstream in time. */
const USABLE_MS = 5_000
/** Outlasts a holder that does not get to run for a while: taken over too early, one refresh token would be used twice. */
const LEASE_MS = 8_000
const LEASE_RENEW_MS = 1_000
/** How long a call waits for another's refresh. */
const WAIT_MAX_MS = 15_000
const WAIT_STEP_MS = 50
/** A refresh ahead of time that failed is not tried again at once. */
const FAILURE_REMEMBERED_MS = 5_000
/** Tries to save new tokens, over about 12 s. */
const SAVES_MAX = 20

export interface TokenRefresher {
  /** A token that is valid now. Throws 401 when the session is over, 503 when the authority or the store is in trouble. */
  accessToken(session: Session): Promise<string>
  /** Another token than `refused`; null when the session has none. */
  replaceToken(session: Session, refused: string): Promise<string | null>
}

interface Options {
  sessions: SessionStore
  authority: Authority
  clock: Clock
  log: Log
  audit?: Audit
  telemetry?: Telemetry
}

export function createTokenRefresher({
  sessions,
  authority,
  clock,
  log,
  audit,
  telemetry = NO_TELEMETRY
}: Options): TokenRefresher {
  const underWay = new Map<string, Promise<Tokens>>()
  /** Sessions whose refresh failed just now, while their tokens are still good. */
  const failed = new LRUCache<string, true>({
    max: 10_000,
    ttl: FAILURE_REMEMBERED_MS,
    perf: { now: clock },
    ttlResolution: 0
  })
  const { backend } = sessions

  const dueForRenewal = (tokens: Tokens) => clock() >= tokens.renewAt
  const sessionOver = (): Problem => problems.notSignedIn('Your session has ended. Sign in again.')

  /** One refresh at a time on this replica. */
  function renewed(session: Session, stale: (tokens: Tokens) => boolean): Promise<Tokens> {
    const running = underWay.get(session.id)
    if (running) return running
    const work = renewAcrossReplicas(session, stale).finally(() => underWay.delete(session.id))
    underWay.set(session.id, work)
    return work
  }

  async function renewAcrossReplicas(session: Session, stale: (tokens: Tokens) => boolean): Promise<Tokens> {
    const name = sessions.leaseName(session.id)
    const holder = randomUUID()
    const giveUpAt = clock() + WAIT_MAX_MS
    const waitedSince = performance.now()
    let waited = false
    for (;;) {
      const current = await sessions.read(session.id)
      if (current === null) throw sessionOver()
      if (!stale(current.tokens)) {
        if (waited) telemetry.leaseWait(performance.now() - waitedSince)
        return current.tokens
      }
      if (await backend.takeLease(name, holder, LEASE_MS).catch(storeTrouble))
        return refreshUnderLease(current, stale, name, holder)
      if (clock() > giveUpAt)
        throw problems.authorityUnavailable('another refresh of this session does not end')
      waited = true
      await wait(WAIT_STEP_MS)
    }
  }

  async function refreshUnderLease(
    session: Session,
    stale: (tokens: Tokens) => boolean,
    name: string,
    holder: string
  ): Promise<Tokens> {
    const renewal = setInterval(
      () => void backend.renewLease(name, holder, LEASE_MS).catch(() => {}),
      LEASE_RENEW_MS
    )
    try {
      // The lease may have been free because its holder has just finished.
      const current = await sessions.read(session.id)
      if (current === null) throw sessionOver()
      if (!stale(current.tokens)) return current.tokens
      const tokens = await measured(() => authority.refresh(current.tokens, current.data.subject))
      return await keep(current, tokens)
    } catch (error) {
      if (!(error instanceof RefreshRefused)) throw error
      log.info({ err: error.cause }, 'the authority ended a session')
      await sessions.remove(session.id)
      void authority.revoke(null, session.data.furtherRefresh)
      const { id } = session.data.user
      audit?.({ event: 'sign-out', user: id, outcome: 'ended by the authority' })
      telemetry.signOut('authority', 1)
      throw sessionOver()
    } finally {
      clearInterval(renewal)
      await backend.releaseLease(name, holder).catch(() => {})
    }
  }

  async function measured(refresh: () => Promise<Tokens>): Promise<Tokens> {
    const begun = performance.now()
    try {
      const tokens = await refresh()
      telemetry.refresh('done', performance.now() - begun)
      return tokens
    } catch (error) {
      const outcome = error instanceof RefreshRefused ? 'refused' : 'failed'
      telemetry.refresh(outcome, performance.now() - begun)
      throw error
    }
  }

  /**
   * What the session holds once the new tokens are filed. Losing them to a hiccup of the store would end the session at
   * the next refresh, so it is tried again; a save that was told too late may have been carried out all the same.
   */
  async function keep(session: Session, tokens: Tokens): Promise<Tokens> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        if (await sessions.replaceTokens(session, tokens)) return tokens
        const current = await sessions.read(session.id)
        if (current !== null) return current.tokens
      } catch (error) {
        if (attempt === SAVES_MAX) throw error
        await wait(100 + attempt * 50)
        continue
      }
      // Signed out meanwhile: what was fetched for the session must not outlive it.
      void authority.revoke(tokens, session.data.furtherRefresh)
      throw sessionOver()
    }
  }

  return {
    async accessToken(session) {
      const { tokens } = session
      if (!dueForRenewal(tokens)) return tokens.access
      const usable = tokens.expiresAt - clock() >= USABLE_MS
      // Without a refresh token there is nothing to be had ahead of time: the session lasts as long as this one.
      if (usable && (tokens.refresh === null || failed.has(session.id))) return tokens.access
      const work = renewed(session, dueForRenewal)
      if (!usable) return (await work).access
      work.catch((err) => {
        failed.set(session.id, true)
        log.warn({ err }, 'a refresh ahead of time failed')
      })
      return tokens.access
    },
    async replaceToken(session, refused) {
      const tokens = await renewed(session, (candidate) => candidate.access === refused)
      return tokens.access === refused ? null : tokens.access
    }
  }
}

function storeTrouble(error: unknown): never {
  throw problems.storeUnavailable(error)
}
