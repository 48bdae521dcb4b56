// When the session ends: one countdown for all tabs of a browser. Only the gateway's answers and a clock that
// nobody can set count. It is asked when an end seems near, not in between, and asking prolongs nothing.
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { SessionState } from '#shared/entities.ts'
import type { SignOutReason } from '../../lib/http/sign-in.ts'

/** What tabs tell each other. Times as what is left: clocks of pages differ. */
export type TabMessage =
  | { kind: 'left'; leftMs: number; final: boolean }
  | { kind: 'ended'; ending: SignOutReason }

interface WatchDeps {
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
  onExpired: (ending: 'expired' | 'longest') => void
  /** Another tab has ended it. */
  onEndedElsewhere: (ending: SignOutReason) => void
  /** It is over before its time: ended from outside of this browser, and by whom where that is known. */
  onGone: (ended: SessionState['ended']) => void
}

export interface WatchState {
  /** Whether the prompt shows. */
  expiring: boolean
  /** By `now`; null before the gateway said so. */
  endsAtMs: number | null
  /** Nothing prolongs it. */
  final: boolean
}

export interface SessionWatch {
  store: StoreApi<WatchState>
  start: () => void
  stop: () => void
  /** Somebody looks at the tab again, or the connection is back. */
  wake: () => void
  hear: (message: TabMessage) => void
  /** The gateway refused a call. Whether that is the expected end, and is being seen to. */
  refused: () => boolean
  /** Somebody types, which the gateway does not see. */
  active: () => void
  /** Stay Connected. Rejects when the gateway could not be asked. */
  renew: () => Promise<void>
}

/** Signing out begins a little before the end, while there is a session to sign out of. */
export const END_AHEAD_MS = 1_500
/** The gateway rounds up to whole seconds. */
const ROUNDED_MS = 1_000
/** What the gateway said is taken as it is for so long: at the end, and at the notice. */
const FRESH_MS = 1_000
const KNOWN_MS = 6_000
/** Asked so long before the notice, a slow gateway still lets the countdown begin at its whole length. */
const ASK_AHEAD_MS = 3_000
const RETRY_MS = 15_000
/** A tab that is looked at again asks at most this often. */
const WAKE_EVERY_MS = 60_000
/** Somebody who types prolongs the session at most this often, as the gateway notes calls. */
const ACTIVE_EVERY_MS = 60_000

/** What is left of what was told, endless before anything was; and one thing to do after a while. */
function createCountdown({ now, wallNow, after }: Pick<WatchDeps, 'now' | 'wallNow' | 'after'>) {
  let cancel = () => {}
  let told = { atMs: Number.NEGATIVE_INFINITY, wallMs: 0, leftMs: Number.POSITIVE_INFINITY }
  return {
    set(leftMs: number) {
      told = { atMs: now(), wallMs: wallNow(), leftMs }
    },
    /** What is here comes instead of what was to be done before. */
    wait(ms: number, work: () => void) {
      cancel()
      cancel = after(ms, work)
    },
    stop: () => cancel(),
    ageMs: () => now() - told.atMs,
    /** A page's clock may stand still while the machine sleeps; the other one may be set back, not this one. */
    leftMs: () =>
      told.leftMs === Number.POSITIVE_INFINITY
        ? told.leftMs
        : told.leftMs - Math.max(now() - told.atMs, wallNow() - told.wallMs)
  }
}

interface Known {
  left: number
  ageMs: number
  soon: boolean
  expiring: boolean
  hidden: boolean
}

function stepFor({ left, ageMs, soon, expiring, hidden }: Known): 'expire' | 'ask' | 'wait' {
  if (ageMs < FRESH_MS && left <= END_AHEAD_MS + ROUNDED_MS) return 'expire'
  if (left <= END_AHEAD_MS) return 'ask'
  // Another tab may have prolonged it. A tab that nobody looks at asks at the very end only.
  return soon && !expiring && ageMs >= KNOWN_MS && !hidden ? 'ask' : 'wait'
}

export function createSessionWatch(deps: WatchDeps): SessionWatch {
  const { noticeMs, now } = deps
  const told = createCountdown(deps)
  const store = createStore<WatchState>(() => ({ expiring: false, endsAtMs: null, final: false }))
  let asking = false
  let over = false
  let seenTo = false
  let triedAtMs = Number.NEGATIVE_INFINITY

  function learn(left: number, final: boolean) {
    told.set(left)
    store.setState({ final })
    settle()
  }

  /** What follows from what is known now. */
  function settle() {
    told.stop()
    const left = told.leftMs()
    if (over || left === Number.POSITIVE_INFINITY) return
    const ageMs = told.ageMs()
    const near = left <= noticeMs
    const soon = left <= noticeMs + ASK_AHEAD_MS
    const before = store.getState().expiring
    const step = stepFor({ left, ageMs, soon, expiring: before, hidden: deps.hidden() })
    if (step === 'expire') return expire()
    if (step === 'ask') return void ask()
    const expiring = near && (before || ageMs < KNOWN_MS)
    store.setState({ expiring, endsAtMs: now() + left })
    const next = near ? END_AHEAD_MS : soon ? noticeMs : noticeMs + ASK_AHEAD_MS
    told.wait(left - next, settle)
  }

  async function ask() {
    if (asking || over) return
    asking = true
    const askedAtMs = now()
    try {
      const answer = await deps.read()
      if (over) return
      if (answer.authenticated) return take(answer, askedAtMs)
      // There is no session: its time was up, or somebody ended it.
      if (!answer.ended && told.leftMs() <= noticeMs) return expire()
      finish()
      deps.onGone(answer.ended)
    } catch {
      // What is known goes on; only at the end there is nothing left to wait for.
      if (over) return
      const left = told.leftMs()
      if (left <= END_AHEAD_MS) return expire()
      const expiring = left <= noticeMs
      store.setState({ expiring, endsAtMs: now() + left })
      told.wait(Math.min(RETRY_MS, left - (expiring ? END_AHEAD_MS : noticeMs)), () => void ask())
    } finally {
      asking = false
    }
  }

  function take({ expires_in, final = false }: SessionState, askedAtMs: number) {
    const left = expires_in * 1000 - (now() - askedAtMs)
    if (!Number.isFinite(left)) throw new TypeError('the answer names no time')
    learn(left, final)
    deps.tell({ kind: 'left', leftMs: left, final })
  }

  function expire() {
    finish(true)
    const ending = store.getState().final ? 'longest' : 'expired'
    deps.tell({ kind: 'ended', ending })
    deps.onExpired(ending)
  }

  function finish(seen = false) {
    over = true
    seenTo ||= seen
    told.stop()
  }

  return {
    store,
    start: () => {
      over = false
      void ask()
    },
    stop: () => finish(),
    wake() {
      if (!deps.hidden() && (told.ageMs() >= WAKE_EVERY_MS || told.leftMs() <= noticeMs)) void ask()
    },
    hear(message) {
      if (over) return
      if (message.kind === 'left') return learn(message.leftMs, message.final)
      finish(true)
      deps.onEndedElsewhere(message.ending)
    },
    refused() {
      if (!over && told.leftMs() <= noticeMs) expire()
      return seenTo
    },
    active() {
      const known = told.ageMs() < ACTIVE_EVERY_MS || told.leftMs() === Number.POSITIVE_INFINITY
      if (over || known || now() - triedAtMs < ACTIVE_EVERY_MS || store.getState().expiring) return
      triedAtMs = now()
      // Without it the countdown goes on by what is known.
      renew().catch(() => {})
    },
    renew
  }

  async function renew() {
    const askedAtMs = now()
    const answer = await deps.renew()
    if (!over) take(answer, askedAtMs)
  }
}
