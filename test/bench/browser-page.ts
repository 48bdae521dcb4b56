// What is measured in a page of a real browser: how soon a deed shows, and what the page holds in memory.
import type { CDPSession, Page } from 'playwright-core'

const ROUNDS_MIN = 10
/** Of 10,000 rows there are more pages than these: none is shown twice, and thus from memory. */
const ROUNDS_MAX = 500
/** A deed that shows nothing by then never will. */
const GIVEN_UP_MS = 10_000

/** @returns milliseconds of each time, the first (not yet compiled) left out */
export async function times(seconds: number, act: () => Promise<number>): Promise<number[]> {
  const until = performance.now() + seconds * 1000
  const ms: number[] = []
  while ((performance.now() < until && ms.length < ROUNDS_MAX) || ms.length <= ROUNDS_MIN)
    ms.push(await act())
  return ms.slice(1)
}

/** From a deed (JavaScript that runs in the page) to the frame after the first in which `shown` has other text. */
export function paintedAfter(page: Page, deed: string, shown = 'tbody'): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve, reject) => {
    const shown = () => document.querySelector(${JSON.stringify(shown)})?.textContent
    const before = shown()
    const began = performance.now()
    const look = () => {
      if (performance.now() - began > ${GIVEN_UP_MS}) reject(new Error('nothing has changed at ' + location.href))
      else if (shown() === before || shown() === undefined) requestAnimationFrame(look)
      else requestAnimationFrame(() => resolve(performance.now() - began))
    }
    ${deed}
    requestAnimationFrame(look)
  })`)
}

/** The deed of clicking on what a selector finds, and its text names. */
export function clicking(selector: string, text: string): string {
  return `[...document.querySelectorAll(${JSON.stringify(selector)})]
    .find((one) => one.textContent === ${JSON.stringify(text)}).click();`
}

/** The deed of going to the next page, and from the last one to the first. */
export const NEXT_PAGE = `
  const [next, first] = ['Next', 'First'].map((name) => document.querySelector(
    'nav.pager [aria-label="' + name + ' page"]'
  ));
  (next.ariaDisabled === 'true' ? first : next).click();`

export interface Held {
  heapMb: number
  domNodes: number
}

/** After a garbage collection; detached nodes that something still holds count too. */
export async function heldBy(session: CDPSession): Promise<Held> {
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  const { nodes } = await session.send('Memory.getDOMCounters')
  return { heapMb: usedSize / 2 ** 20, domNodes: nodes }
}
