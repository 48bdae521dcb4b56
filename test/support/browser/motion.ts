// What moves on a page.
import type { Page } from 'playwright-core'

/** Notes what moves from now on, until the page is loaded again. */
export function watchMotion(page: Page): Promise<void> {
  return page.evaluate(() => {
    const moves = new Set<string>()
    Object.assign(window, { moves })
    /** Short fades, and what ends within a frame, do not count. */
    const FADE_MS = 200
    const FRAME_MS = 17
    const STILL = /^(?:offset|computedOffset|easing|composite|opacity|visibility|\w*[cC]olor)$/
    const note = () => {
      for (const { effect } of document.getAnimations()) {
        if (!(effect instanceof KeyframeEffect)) continue
        const { duration, iterations = 1 } = effect.getComputedTiming()
        const properties = effect.getKeyframes().flatMap((frame) => Object.keys(frame))
        const fades = properties.every((name) => STILL.test(name))
        const lasts = Number(duration) * iterations
        if (lasts > (fades ? FADE_MS : FRAME_MS))
          moves.add(`${effect.target?.className} ${effect.pseudoElement ?? ''}: ${lasts} ms`)
      }
    }
    for (const type of ['animationstart', 'transitionrun']) document.addEventListener(type, note, true)
  })
}

/** What moved since the last call. */
export function motionIn(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { moves } = window as unknown as { moves: Set<string> }
    const noted = [...moves]
    moves.clear()
    return noted
  })
}
