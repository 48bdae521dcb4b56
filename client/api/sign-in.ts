// A 401 sends the browser through sign-in and back to where it was, but not in circles.
import { browser } from '../lib/browser.ts'
import { currentAddress, forgetEnded, noteEnded } from '../lib/ended.ts'
import { paths } from '../paths.ts'
import { ApiError } from './api-error.ts'

const ATTEMPTS = 'portal.sign-ins'
const ATTEMPTS_MAX = 3
const ATTEMPTS_WITHIN_MS = 60_000

/** Of calls that end at the same time, one may know why: nothing else leads elsewhere. */
let leaving = false

/** Asked first when the gateway knows of no session: what watches over it may know that it expired, and say so. */
export const refusal = {
  explained: () => false,
  /** A call was refused: what this person may do may have changed. */
  noted: () => {}
}

/** The account may not be used any more: the page for the signed-out says so. */
export function leaveRefused(): Promise<never> {
  leaving = true
  browser.guarded = false
  noteEnded({ ending: 'refused', atMs: Date.now(), returnTo: null })
  browser.leaveTo(paths.signedOut)
  return new Promise(() => {})
}

/** Leaves for the sign-in page; the promise never settles, for the page is going away. */
export function signInAgain(): Promise<never> {
  if (leaving || refusal.explained()) return new Promise(() => {})
  const recent = recentAttempts()
  if (recent.length >= ATTEMPTS_MAX) {
    return Promise.reject(new ApiError(401))
  }
  saveAttempts([...recent, Date.now()])
  browser.leaveTo(`/auth/login?returnTo=${encodeURIComponent(currentAddress())}`)
  return new Promise(() => {})
}

export function signInSucceeded(): void {
  saveAttempts([])
  forgetEnded()
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
