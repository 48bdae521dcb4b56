// What the page for the signed-out says of a session that has ended in this tab: kept beside the address, which the
// authority brings the browser back to exactly as it was registered.
import { forgetPerson } from './store.ts'

const STORED = 'portal.ended'

const ENDINGS = ['expired', 'signed-out', 'refused'] as const
export type Ending = (typeof ENDINGS)[number]

export interface Ended {
  ending: Ending
  /** By the gateway's clock. */
  atMs: number
  /** The address to go on at; null where one left on purpose. */
  returnTo: string | null
}

/** Also forgets what this browser kept for the person. */
export function noteEnded(ended: Ended): void {
  forgetPerson()
  try {
    sessionStorage.setItem(STORED, JSON.stringify(ended))
  } catch {}
}

export function readEnded(): Ended | null {
  try {
    const { ending, atMs, returnTo } = JSON.parse(sessionStorage.getItem(STORED) ?? '{}') as Partial<Ended>
    if (ending === undefined || !ENDINGS.includes(ending) || typeof atMs !== 'number') return null
    return { ending, atMs, returnTo: typeof returnTo === 'string' ? returnTo : null }
  } catch {
    return null
  }
}

export function forgetEnded(): void {
  try {
    sessionStorage.removeItem(STORED)
  } catch {}
}

/** Where this tab is, to come back to. */
export function currentAddress(): string {
  const { pathname, search, hash } = window.location
  return pathname + search + hash
}
