// When the session ends (§4): one countdown for all tabs of a browser. Only the gateway's answers and a clock that
// nobody can set count. It is asked when an end seems near, not in between, and asking prolongs nothing.
import type { SessionState } from '#shared/entities.ts'
import type { Ending } from '../lib/ended.ts'

/** What tabs tell each other. Times as what is left: clocks of pages differ. */
export type TabMessage = { kind: 'left'; leftMs: number } | { kind: 'ended'; ending: Ending }

export interface WatchDeps {
  /** From how much left on the prompt shows. */
  noticeMs: number
  read: () => Promise<SessionState>
  renew: () => Promise<SessionState>
  /** Runs on whatever happens to the machine's time. */
  now: () => number
  /** The machine's time, of which only differences count: it goes on while the machine sleeps. */
  wallNow: () => number
  after: (ms: number, work: () => void) => () => void
  hidden: () => boolean
  tell: (message: TabMessage) => void
  /** Its time is over, as this tab was the first to find: sign out. */
  onExpired: () => void
  /** Another tab has ended it. */
  onEndedElsewhere: (ending: Ending) => void
  /** It is over before its time: ended from outside of this browser. */
  onGone: () => void
}

export interface WatchState {
  /** Whether the prompt shows. */
  expiring: boolean
  /** By `now`; null before the gateway said so. */
  endsAtMs: number | null
  /** The gateway prolonged it to less than the notice: its longest time is reached. */
  final: boolean
}

export interface SessionWatch {
  read: () => WatchState
  subscribe: (listener: () => void) => () => void
  start: () => void
  stop: () => void
  /** Somebody looks at the tab again, or the connection is back. */
  wake: () => void
  hear: (message: TabMessage) => void
  /** The gateway refused a call. Whether that is the expected end, and is being seen to. */
  refused: () => boolean
  /** Stay Connected. Rejects when the gateway could not be asked. */
  renew: () => Promise<void>
}

/** Signing out begins a little before the end, while there is a session to sign out of. */
export const END_AHEAD_MS = 1_500
/** The gateway rounds up to whole seconds. */
const ROUNDED_MS = 1_000
/** What the gateway said is taken as it is for so long. */
const FRESH_MS = 1_000
const RETRY_MS = 15_000
/** A tab that is looked at again asks at most this often. */
const WAKE_EVERY_MS = 60_000

export function createSessionWatch(deps: WatchDeps): SessionWatch {
  const { noticeMs, now, wallNow } = deps
  const listeners = new Set<() => void>()
  let state: WatchState = { expiring: false, endsAtMs: null, final: false }
  let told = { atMs: Number.NEGATIVE_INFINITY, wallMs: 0, leftMs: Number.POSITIVE_INFINITY }
  let cancel = () => {}
  let asking = false
  let over = false
  let seenTo = false

  function publish(next: Partial<WatchState>) {
    state = { ...state, ...next }
    for (const listener of listeners) listener()
  }

  /** A page's clock may stand still while the machine sleeps; the other one may be set back, not this one. */
  const leftMs = () =>
    told.leftMs === Number.POSITIVE_INFINITY
      ? told.leftMs
      : told.leftMs - Math.max(now() - told.atMs, wallNow() - told.wallMs)

  function learn(left: number) {
    told = { atMs: now(), wallMs: wallNow(), leftMs: left }
    settle()
  }

  /** What follows from what is known now. */
  function settle() {
    cancel()
    if (over || told.leftMs === Number.POSITIVE_INFINITY) return
    const left = leftMs()
    const fresh = now() - told.atMs < FRESH_MS
    if (fresh && left <= END_AHEAD_MS + ROUNDED_MS) return expire()
    if (left <= END_AHEAD_MS) return void ask()
    const near = left <= noticeMs
    // Another tab may have prolonged it. A tab that nobody looks at asks at the very end only.
    if (near && !state.expiring && !fresh && !deps.hidden()) return void ask()
    const expiring = near && (state.expiring || fresh)
    publish({ expiring, endsAtMs: now() + left, ...(near ? {} : { final: false }) })
    cancel = deps.after(near ? left - END_AHEAD_MS : left - noticeMs, settle)
  }

  async function ask() {
    if (asking || over) return
    asking = true
    const askedAtMs = now()
    try {
      const answer = await deps.read()
      if (over) return
      if (!answer.authenticated) return lost()
      take(answer, askedAtMs)
    } catch {
      // What is known goes on; only at the end there is nothing left to wait for.
      if (over) return
      if (leftMs() <= END_AHEAD_MS) return expire()
      publish({ expiring: leftMs() <= noticeMs, endsAtMs: now() + leftMs() })
      cancel()
      cancel = deps.after(Math.min(RETRY_MS, leftMs() - END_AHEAD_MS), () => void ask())
    } finally {
      asking = false
    }
  }

  function take({ expires_in }: SessionState, askedAtMs: number) {
    if (!Number.isFinite(expires_in)) throw new TypeError('the answer names no time')
    const left = expires_in * 1000 - (now() - askedAtMs)
    learn(left)
    deps.tell({ kind: 'left', leftMs: left })
  }

  /** The gateway knows of no session: its time was up, or somebody ended it. */
  function lost() {
    if (leftMs() <= noticeMs) return expire()
    finish()
    deps.onGone()
  }

  function expire() {
    finish()
    seenTo = true
    deps.tell({ kind: 'ended', ending: 'expired' })
    deps.onExpired()
  }

  function finish() {
    over = true
    cancel()
  }

  return {
    read: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    start: () => {
      over = false
      void ask()
    },
    stop: finish,
    wake() {
      if (!deps.hidden() && (now() - told.atMs >= WAKE_EVERY_MS || leftMs() <= noticeMs)) void ask()
    },
    hear(message) {
      if (over) return
      if (message.kind === 'left') return learn(message.leftMs)
      finish()
      seenTo = true
      deps.onEndedElsewhere(message.ending)
    },
    refused() {
      if (!over && leftMs() <= noticeMs) expire()
      return seenTo
    },
    async renew() {
      const askedAtMs = now()
      const answer = await deps.renew()
      if (over) return
      take(answer, askedAtMs)
      if (answer.expires_in * 1000 <= noticeMs) publish({ final: true })
    }
  }
}
