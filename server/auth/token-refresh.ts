// A valid access token for a session, renewed ahead of its expiry. One refresh at a time for a session, on this
// replica and across all: the owner of a lease in the store refreshes, all others get the tokens it wrote.
// What the authority answers is read in authority/oidc-client.ts.
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { causesOf } from '../config/remedies.ts'
import { type Problem, problems } from '../errors.ts'
import type { Audit } from '../observability/audit.ts'
import type { Recorder } from '../observability/recorder.ts'
import type { Clock, Log } from '../types.ts'
import { type Authority, NoRefreshToken, RefreshRefused } from './authority/oidc-client.ts'
import { type Session, type SessionStore, TOKEN_USABLE_MS, type Tokens } from './sessions/store.ts'

/** Longer than an owner may be without CPU: taken over too early, one refresh token would be used twice. */
const LEASE_MS = 8_000
const LEASE_RENEW_MS = 1_000
/** How long a call waits for a refresh, its own or another's. The refresh itself goes on: it may have been carried out. */
const WAIT_MAX_MS = 5_000
const WAIT_STEP_MS = 50
/** A refresh ahead of time that failed is not tried again at once. */
const FAILURE_REMEMBERED_MS = 5_000
/** An API that refuses a token so new would refuse the next one too: it is not replaced. */
const YOUNG_MS = 30_000
/** Tries to save new tokens, over about 12 s. */
const SAVES_MAX = 20
/** While the authority hangs. */
const TRY_EVERY_MS = 1_000

export interface TokenRefresher {
  /** A token that is valid now. Throws 401 when the session is over, 503 when the authority or the store is in trouble. */
  accessToken(session: Session): Promise<string>
  /** Another token than `refused`; null when the session has none, or it is younger than 30 s. */
  replaceToken(session: Session, refused: string): Promise<string | null>
}

interface Options {
  sessions: SessionStore
  authority: Authority
  clock: Clock
  log: Log
  audit: Audit
  recorder: Recorder
}

export function createTokenRefresher({
  sessions,
  authority,
  clock,
  log,
  audit,
  recorder
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
  const circuit = createCircuit(clock)
  /** Refreshes that the authority is asked for at this moment. */
  let asking = 0

  const dueForRenewal = (tokens: Tokens) => clock() >= tokens.renewAt
  const sessionOver = (): Problem => problems.notSignedIn('Your session has ended. Sign in again.')

  /** The tokens of a refresh, or a 503 problem when it takes too long or the authority is known to hang. */
  async function renewed(session: Session, stale: (tokens: Tokens) => boolean): Promise<Tokens> {
    if (!circuit.mayTry()) throw problems.authorityUnavailable('the authority hangs')
    const late = new AbortController()
    try {
      return await Promise.race([refreshed(session, stale), tooLate(late.signal)])
    } finally {
      late.abort()
    }
  }

  async function tooLate(done: AbortSignal): Promise<never> {
    await wait(WAIT_MAX_MS, undefined, { signal: done })
    if (asking > 0) circuit.hung()
    throw problems.authorityUnavailable('a refresh takes too long')
  }

  /** One refresh at a time on this replica. */
  function refreshed(session: Session, stale: (tokens: Tokens) => boolean): Promise<Tokens> {
    const running = underWay.get(session.id)
    if (running) return running
    const work = renewAcrossReplicas(session, stale).finally(() => underWay.delete(session.id))
    underWay.set(session.id, work)
    return work
  }

  async function renewAcrossReplicas(session: Session, stale: (tokens: Tokens) => boolean): Promise<Tokens> {
    const name = sessions.nameOf(session.id)
    const owner = randomUUID()
    const giveUpAt = clock() + WAIT_MAX_MS
    const waitedSince = performance.now()
    let waited = false
    for (;;) {
      const current = await sessions.read(session.id)
      if (current === null) throw sessionOver()
      if (!stale(current.tokens)) {
        if (waited) recorder.leaseWait(performance.now() - waitedSince)
        return current.tokens
      }
      if (await backend.takeLease(name, owner, LEASE_MS))
        return refreshUnderLease(current, stale, name, owner)
      if (clock() > giveUpAt)
        throw problems.authorityUnavailable('another refresh of this session does not end')
      if (!waited) log.debug("waiting for another call's refresh of this session")
      waited = true
      await wait(WAIT_STEP_MS)
    }
  }

  async function refreshUnderLease(
    session: Session,
    stale: (tokens: Tokens) => boolean,
    name: string,
    owner: string
  ): Promise<Tokens> {
    const renewal = setInterval(
      () => void backend.renewLease(name, owner, LEASE_MS).catch(() => {}),
      LEASE_RENEW_MS
    )
    try {
      // The lease may be free because another refresh has just finished.
      const current = await sessions.read(session.id)
      if (current === null) throw sessionOver()
      if (!stale(current.tokens)) return current.tokens
      const tokens = await measured(() => authority.refresh(current.tokens, current.data.subject))
      return await keep(current, tokens)
    } catch (error) {
      if (!(error instanceof RefreshRefused)) throw error
      const none = error instanceof NoRefreshToken
      log.info(
        { reason: refusalOf(error) },
        none ? 'a session has no refresh token' : 'the authority ended a session'
      )
      await sessions.remove(session.id)
      void authority.revoke(null, session.data.furtherRefresh)
      const { id } = session.data.user
      audit({
        event: 'sign-out',
        userId: id,
        outcome: none ? 'no refresh token' : 'ended by the authority'
      })
      recorder.signOut(none ? 'no_refresh_token' : 'authority', 1)
      throw sessionOver()
    } finally {
      clearInterval(renewal)
      await backend.releaseLease(name, owner).catch(() => {})
    }
  }

  async function measured(refresh: () => Promise<Tokens>): Promise<Tokens> {
    const begun = performance.now()
    asking += 1
    try {
      const tokens = await refresh()
      circuit.answered()
      recorder.refresh('done', performance.now() - begun)
      log.debug({ ms: Math.round(performance.now() - begun) }, 'tokens were refreshed')
      return tokens
    } catch (error) {
      const outcome = error instanceof RefreshRefused ? 'refused' : 'failed'
      if (causesOf(error).some(({ name }) => name === 'TimeoutError')) circuit.hung()
      else circuit.answered()
      recorder.refresh(outcome, performance.now() - begun)
      throw error
    } finally {
      asking -= 1
    }
  }

  /**
   * What the session holds once the new tokens are filed. Losing them to a hiccup of the store would end the session at
   * the next refresh, so it is tried again; a save that timed out may have been carried out.
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
      const usable = tokens.expiresAt - clock() >= TOKEN_USABLE_MS
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
      const stale = ({ access, issuedAt = 0 }: Tokens) => access === refused && clock() - issuedAt >= YOUNG_MS
      const tokens = await renewed(session, stale)
      return tokens.access === refused ? null : tokens.access
    }
  }
}

/** What the authority said of it: its code, or how it answered. */
function refusalOf(error: RefreshRefused): string {
  const causes = causesOf(error)
  const code = causes.map((one) => one.error).find((one) => typeof one === 'string')
  const status = causes.map((one) => one.status).find((one) => typeof one === 'number')
  return code ?? (status === undefined ? error.message : `status ${status}`)
}

/** While the authority hangs, one call a second is let through, and the others fail at once. */
export function createCircuit(clock: Clock) {
  let triedAt: number | null = null
  return {
    mayTry(): boolean {
      if (triedAt !== null && clock() - triedAt < TRY_EVERY_MS) return false
      if (triedAt !== null) triedAt = clock()
      return true
    },
    /** A call was not answered in time. */
    hung(): void {
      triedAt ??= clock()
    },
    /** A call was answered, whatever it said. */
    answered(): void {
      triedAt = null
    }
  }
}
