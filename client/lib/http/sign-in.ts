// Signs in again after a 401 and returns to the same address, at most three times a minute.
import type { Problem } from '#shared/answers/portal.ts'
import type { SessionState } from '#shared/answers/session.ts'
import { safeReturnTo } from '#shared/return-to.ts'
import { browser } from '../browser.ts'
import { NOT_AUTHENTICATED } from '../messages.ts'
import { paths } from '../paths.ts'
import { forgetPerson, recall, remember } from '../storage.ts'
import { ApiError } from './api-error.ts'

type EndedFrom = NonNullable<SessionState['ended']>

const ATTEMPTS = 'portal.sign-ins'
const ATTEMPTS_MAX = 3
const ATTEMPTS_WITHIN_MS = 60_000

/** True once the account is refused. Other calls that fail at the same time then do not sign in again. */
let leaving = false

/** Answers of the session watch about the end of the session. */
interface SessionEnd {
  /** Whether the page already signs out. */
  isUnderWay: () => boolean
  /** Why the session has ended, if the gateway knows it. */
  cause: () => Promise<EndedFrom | undefined>
}

let sessionEnd: SessionEnd | null = null

/** Asks about the end of the session before the page signs in again, until the returned function is called. */
export function explainSessionEnd(answers: SessionEnd): () => void {
  sessionEnd = answers
  return () => {
    sessionEnd = null
  }
}

const forbiddenListeners = new Set<() => void>()

/** Runs the work after each refusal for missing rights, until the returned function is called. */
export function onForbidden(work: () => void): () => void {
  forbiddenListeners.add(work)
  return () => forbiddenListeners.delete(work)
}

/** Call after an answer with 403, or after a live stream that ended with the session or the roles: the rights may have changed. */
export function reportForbidden(): void {
  for (const work of forbiddenListeners) work()
}

/** Leaves for the signed-out page because the account is no longer accepted. */
export function leaveRefused(): Promise<never> {
  leaving = true
  browser.guarded = false
  noteSignOut({ ending: 'refused', atMs: Date.now(), returnTo: null })
  browser.leaveTo(paths.signedOut)
  return new Promise(() => {})
}

/** Leaves for the signed-out page because the session was ended outside this browser. */
export function leaveEnded(ending: EndedFrom): Promise<never> {
  noteSignOut({ ending, atMs: Date.now(), returnTo: currentAddress() })
  browser.leaveTo(paths.signedOut)
  return new Promise(() => {})
}

export function notAuthenticated(problem: Partial<Problem> = {}): ApiError {
  return new ApiError(401, { ...problem, title: NOT_AUTHENTICATED })
}

export function isNotAuthenticated(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 401
}

/** Leaves for the sign-in page. The promise never settles, as the page is left; it rejects with the error in a sign-in loop. */
export async function signInAgain(error = notAuthenticated()): Promise<never> {
  if (leaving || sessionEnd?.isUnderWay()) return new Promise(() => {})
  const cause = await sessionEnd?.cause().catch(() => undefined)
  if (cause) return leaveEnded(cause)
  const attempts = recentAttempts()
  if (attempts.length >= ATTEMPTS_MAX) throw error
  remember(ATTEMPTS, [...attempts, Date.now()], 'sessionStorage')
  browser.leaveTo(signInAddress(currentAddress()))
  return new Promise(() => {})
}

/** The address that signs in and returns to a screen; to the start page if `returnTo` is none. */
export function signInAddress(returnTo: string): string {
  return `/auth/login?returnTo=${encodeURIComponent(safeReturnTo(returnTo, window.location.origin))}`
}

export function signInSucceeded(): void {
  remember(ATTEMPTS, null, 'sessionStorage')
  remember(SIGN_OUT_KEY, null, 'sessionStorage')
}

function recentAttempts(): number[] {
  const times = recall<number[]>(ATTEMPTS, 'sessionStorage') ?? []
  return times.filter((time) => Date.now() - time < ATTEMPTS_WITHIN_MS)
}

// Stores the reason for the signed-out page: the authority returns only to the registered address, without a reason.
const SIGN_OUT_KEY = 'portal.ended'

export type SignOutReason = 'expired' | 'longest' | 'signed-out' | 'refused' | EndedFrom

export interface SignOut {
  ending: SignOutReason
  /** Time of the sign-out by the gateway's clock. */
  atMs: number
  /** The address to continue at; null after a deliberate sign-out. */
  returnTo: string | null
  /** The `state` that the authority returns (OpenID Connect RP-Initiated Logout 1.0, section 2); null without one. */
  state?: string | null
}

/** Stores why the person was signed out, and clears the person's data in this browser. */
export function noteSignOut(signOut: SignOut): void {
  forgetPerson()
  remember(SIGN_OUT_KEY, signOut, 'sessionStorage')
}

export const readSignOut = (): SignOut | null => recall<SignOut>(SIGN_OUT_KEY, 'sessionStorage')

/** The address to return to after signing in. */
export function currentAddress(): string {
  const { pathname, search, hash } = window.location
  return pathname + search + hash
}
