// Counts down to the end of the session, in step across all tabs of a browser. The watch reads the remaining time from
// the gateway at the start and near the end, which does not extend the session.
import { createStore } from 'zustand/vanilla'
import type { SessionState } from '#shared/answers/session.ts'
import { pauseBeforeRetry, RETRY_RULES } from '../../lib/http/retry.ts'
import type { SignOutReason } from '../../lib/http/sign-in.ts'

/** A message between tabs. It contains the remaining time, not the end time, because the clocks of pages differ. */
export type TabMessage =
  | { kind: 'left'; leftMs: number; final: boolean }
  | { kind: 'ended'; ending: SignOutReason }

interface WatchDeps {
  noticeMs: number
  read: () => Promise<SessionState>
  renew: () => Promise<SessionState>
  /** Monotonic clock; may pause while the machine sleeps. */
  now: () => number
  /** Wall clock; may be changed, but runs while the machine sleeps. */
  wallNow: () => number
  after: (ms: number, work: () => void) => () => void
  hidden: () => boolean
  sendToTabs: (message: TabMessage) => void
  /** This tab noticed the end first and must sign out. */
  onExpired: (ending: 'expired' | 'longest') => void
  onEndedElsewhere: (ending: SignOutReason) => void
  /** The session was ended outside this browser. `ended` names who ended the session, if known. */
  onGone: (ended: SessionState['ended']) => void
}

export interface WatchState {
  expiring: boolean
  /** When the session ends on the clock of `now`; null until the gateway has answered. */
  endsAtMs: number | null
  final: boolean
}

/** The watch signs out this long before the end, while the session still exists. */
export const END_AHEAD_MS = 1_500
/** Maximum rounding of the remaining time, which the gateway rounds up to whole seconds. */
const ROUNDING_MS = 1_000
/** The watch reads the session again before it signs out if its last answer is older than this. */
const SIGN_OUT_AGE_MAX_MS = 1_000
/** The watch reads the session again before it opens the prompt if its last answer is older than this. */
const PROMPT_AGE_MAX_MS = 6_000
/** The watch reads the session this long before the notice, so that a slow gateway does not shorten the countdown. */
const CHECK_AHEAD_MS = 3_000
/** Minimum time between two reads when a tab becomes visible. */
const WAKE_EVERY_MS = 60_000
/** Minimum time between two renewals caused by typing. */
const ACTIVE_EVERY_MS = 60_000

export class SessionWatch {
  readonly store = createStore<WatchState>(() => ({ expiring: false, endsAtMs: null, final: false }))
  readonly #deps: WatchDeps
  #lastAnswer = { leftMs: Number.POSITIVE_INFINITY, atMs: 0, wallMs: 0 }
  #phase: 'running' | 'stopped' | 'ended' = 'stopped'
  #checking = false
  #renewedAtMs = Number.NEGATIVE_INFINITY
  #cancel = () => {}

  constructor(deps: WatchDeps) {
    this.#deps = deps
  }

  start(): void {
    this.#phase = 'running'
    void this.#check()
  }

  stop(): void {
    this.#end('stopped')
  }

  /** The person chose Stay Connected. Rejects if the gateway cannot be reached. */
  renew(): Promise<void> {
    return this.#apply(this.#deps.renew())
  }

  /** The tab is visible again, or the connection is back. */
  wake = (): void => {
    const isDue = this.#ageMs() >= WAKE_EVERY_MS || this.#leftMs() <= this.#deps.noticeMs
    if (isDue && !this.#deps.hidden()) void this.#check()
  }

  receive = (message: TabMessage): void => {
    if (this.#phase !== 'running') return
    if (message.kind === 'left') this.#setRemaining(message.leftMs, message.final)
    else {
      this.#end('ended')
      this.#deps.onEndedElsewhere(message.ending)
    }
  }

  /** The gateway refused a call. Returns whether the session has ended and the sign-out is under way. */
  refused = (): boolean => {
    if (this.#phase === 'running' && this.#leftMs() <= this.#deps.noticeMs) this.#expire()
    return this.#phase === 'ended'
  }

  /** The person is typing, which the gateway does not see. */
  active = (): void => {
    const now = this.#deps.now()
    const isRecent = Math.min(this.#ageMs(), now - this.#renewedAtMs) < ACTIVE_EVERY_MS
    const isKnown = Number.isFinite(this.#lastAnswer.leftMs)
    if (this.#phase !== 'running' || !isKnown || isRecent || this.store.getState().expiring) return
    this.#renewedAtMs = now
    this.renew().catch(() => {})
  }

  #ageMs(): number {
    return this.#deps.now() - this.#lastAnswer.atMs
  }

  /** The remaining time, infinite until the gateway has answered. Uses the clock that advanced more. */
  #leftMs(): number {
    return this.#lastAnswer.leftMs - Math.max(this.#ageMs(), this.#deps.wallNow() - this.#lastAnswer.wallMs)
  }

  async #check(): Promise<void> {
    if (this.#checking || this.#phase !== 'running') return
    this.#checking = true
    try {
      await this.#apply(this.#deps.read())
    } catch {
      this.#retry()
    } finally {
      this.#checking = false
    }
  }

  async #apply(answer: Promise<SessionState>): Promise<void> {
    const { now, noticeMs, onGone, sendToTabs } = this.#deps
    const askedAtMs = now()
    const { authenticated, expires_in, final = false, ended } = await answer
    if (this.#phase !== 'running') return
    if (!authenticated) {
      if (!ended && this.#leftMs() <= noticeMs) return this.#expire()
      this.#end('stopped')
      return onGone(ended)
    }
    const leftMs = expires_in * 1000 - (now() - askedAtMs)
    if (!Number.isFinite(leftMs)) throw new TypeError('the answer has no remaining time')
    this.#setRemaining(leftMs, final)
    sendToTabs({ kind: 'left', leftMs, final })
  }

  #setRemaining(leftMs: number, final: boolean): void {
    this.#lastAnswer = { leftMs, atMs: this.#deps.now(), wallMs: this.#deps.wallNow() }
    this.store.setState({ final })
    this.#update()
  }

  /** Acts on the remaining time and schedules the next check. */
  #update = () => {
    const { noticeMs, now, hidden } = this.#deps
    const [leftMs, ageMs, isShown] = [this.#leftMs(), this.#ageMs(), this.store.getState().expiring]
    if (ageMs < SIGN_OUT_AGE_MAX_MS && leftMs <= END_AHEAD_MS + ROUNDING_MS) return this.#expire()
    // Another tab may have extended the session. A hidden tab reads the session only at the end.
    const isSoon = leftMs <= noticeMs + CHECK_AHEAD_MS
    const isDoubtful = isSoon && !isShown && ageMs >= PROMPT_AGE_MAX_MS && !hidden()
    if (leftMs <= END_AHEAD_MS || isDoubtful) return void this.#check()
    const isNear = leftMs <= noticeMs
    this.store.setState({
      expiring: isNear && (isShown || ageMs < PROMPT_AGE_MAX_MS),
      endsAtMs: now() + leftMs
    })
    this.#plan(leftMs - (isNear ? END_AHEAD_MS : isSoon ? noticeMs : noticeMs + CHECK_AHEAD_MS), this.#update)
  }

  /** Continues the countdown while the gateway cannot be reached. */
  #retry() {
    if (this.#phase !== 'running') return
    const leftMs = this.#leftMs()
    if (leftMs <= END_AHEAD_MS) return this.#expire()
    const expiring = leftMs <= this.#deps.noticeMs
    this.store.setState({ expiring, endsAtMs: this.#deps.now() + leftMs })
    const pauseMs = leftMs - (expiring ? END_AHEAD_MS : this.#deps.noticeMs)
    this.#plan(Math.min(pauseBeforeRetry(RETRY_RULES.session), pauseMs), () => void this.#check())
  }

  #plan(ms: number, work: () => void): void {
    this.#cancel()
    this.#cancel = this.#deps.after(ms, work)
  }

  #expire(): void {
    this.#end('ended')
    const ending = this.store.getState().final ? 'longest' : 'expired'
    this.#deps.sendToTabs({ kind: 'ended', ending })
    this.#deps.onExpired(ending)
  }

  #end(phase: 'stopped' | 'ended'): void {
    this.#cancel()
    if (this.#phase !== 'ended') this.#phase = phase
  }
}
