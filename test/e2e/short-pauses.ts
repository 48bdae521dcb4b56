// How soon it is seen that something has come. Playwright looks for what is not there yet at pauses that grow to half a
// second: over thousands of looks that is minutes in which nothing is done.
import type { Page } from 'playwright-core'

/** The last one repeats. */
const PAUSES_MS = [20, 50, 100]

type Look = (...parameters: unknown[]) => Promise<unknown>
interface Frames {
  retryWithProgressAndBackoff: Look
  retryWithProgressAndTimeouts: (progress: unknown, pausesMs: number[], look: unknown) => Promise<unknown>
}

/** From this page on, every page is looked at after short pauses. Throws when Playwright has come to do it otherwise. */
export function lookAgainSoon(page: Page): void {
  const connection = (page as unknown as { _connection?: { toImpl?: (one: unknown) => unknown } })._connection
  const frames = Object.getPrototypeOf(connection?.toImpl?.(page.mainFrame()) ?? {}) as Partial<Frames>
  const { retryWithProgressAndBackoff, retryWithProgressAndTimeouts } = frames
  if (!retryWithProgressAndBackoff || !retryWithProgressAndTimeouts)
    throw new Error('Playwright waits in another way than this version of it did')
  frames.retryWithProgressAndBackoff = function (this: Frames, progress, look) {
    return this.retryWithProgressAndTimeouts(progress, PAUSES_MS, look)
  }
}
