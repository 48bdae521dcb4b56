// A 401 sends the browser through sign-in and back to where it was, but not in circles.
import type { SessionState } from '#shared/entities.ts'
import { browser } from '../browser.ts'
import { paths } from '../paths.ts'
import { forgetPerson } from '../storage.ts'
import { ApiError } from './api-error.ts'

type EndedFrom = NonNullable<SessionState['ended']>

const ATTEMPTS = 'portal.sign-ins'
const ATTEMPTS_MAX = 3
const ATTEMPTS_WITHIN_MS = 60_000

/** Of calls that end at the same time, one may know why: nothing else leads elsewhere. */
let leaving = false

/** Asked first when the gateway knows of no session: what watches over it may know that it expired, and say so. */
export const refusal = {
  explained: () => false,
  /** Who ended the session, where the gateway knows. */
  ended: async (): Promise<EndedFrom | undefined> => undefined,
  /** A call was refused: what this person may do may have changed. */
  noted: () => {}
}

/** The account may not be used any more: the page for the signed-out says so. */
export function leaveRefused(): Promise<never> {
  leaving = true
  browser.guarded = false
  noteSignOut({ ending: 'refused', atMs: Date.now(), returnTo: null })
  browser.leaveTo(paths.signedOut)
  return new Promise(() => {})
}

/** Somebody ended the session from outside of this browser: the page for the signed-out says who. */
export function leaveEnded(ending: EndedFrom): Promise<never> {
  noteSignOut({ ending, atMs: Date.now(), returnTo: currentAddress() })
  browser.leaveTo(paths.signedOut)
  return new Promise(() => {})
}

/** Leaves for the sign-in page; the promise never settles, for the page is going away. */
export async function signInAgain(): Promise<never> {
  if (leaving || refusal.explained()) return new Promise(() => {})
  const ended = await refusal.ended().catch(() => undefined)
  if (ended) return leaveEnded(ended)
  const recent = recentAttempts()
  if (recent.length >= ATTEMPTS_MAX) {
    throw new ApiError(401)
  }
  saveAttempts([...recent, Date.now()])
  browser.leaveTo(`/auth/login?returnTo=${encodeURIComponent(currentAddress())}`)
  return new Promise(() => {})
}

export function signInSucceeded(): void {
  saveAttempts([])
  forgetSignOut()
}

function recentAttempts(): number[] {
  try {
    const times: number[] = JSON.parse(sessionStorage.getItem(ATTEMPTS) ?? '[]')
    return times.filter((time) => Date.now() - time < ATTEMPTS_WITHIN_MS)
  } catch {
    return []
  }
}

function saveAttempts(times: number[]): void {
  try {
    sessionStorage.setItem(ATTEMPTS, JSON.stringify(times))
  } catch {}
}

// What the page for the signed-out says of a session that ended in this tab: the authority brings the browser back to
// exactly the registered address, which can say nothing.
const STORED = 'portal.ended'

const REASONS = ['expired', 'longest', 'signed-out', 'refused', 'authority', 'person', 'newer'] as const
export type SignOutReason = (typeof REASONS)[number]

export interface SignOut {
  ending: SignOutReason
  /** By the gateway's clock. */
  atMs: number
  /** The address to go on at; null where one left on purpose. */
  returnTo: string | null
  /** What the authority was given to come back with (OpenID Connect RP-Initiated Logout 1.0, section 2); null when it was not asked. */
  state?: string | null
}

/** Also forgets what this browser kept for the person. */
export function noteSignOut(signOut: SignOut): void {
  forgetPerson()
  try {
    sessionStorage.setItem(STORED, JSON.stringify(signOut))
  } catch {}
}

export function readSignOut(): SignOut | null {
  try {
    const { ending, atMs, returnTo, state } = JSON.parse(
      sessionStorage.getItem(STORED) ?? '{}'
    ) as Partial<SignOut>
    if (ending === undefined || !REASONS.includes(ending) || typeof atMs !== 'number') return null
    return { ending, atMs, returnTo: textOrNull(returnTo), state: textOrNull(state) }
  } catch {
    return null
  }
}

const textOrNull = (value: unknown) => (typeof value === 'string' ? value : null)

function forgetSignOut(): void {
  try {
    sessionStorage.removeItem(STORED)
  } catch {}
}

/** Where this tab is, to come back to. */
export function currentAddress(): string {
  const { pathname, search, hash } = window.location
  return pathname + search + hash
}
