import type { Page } from 'playwright-core'
import { answered, waitsForAnswers } from './traffic.ts'

/** A page that shows all that it has asked for: nothing is on its way or drawn as busy, and nothing moves any more. */
export async function calm(page: Page): Promise<void> {
  do {
    await answered(page)
    await page.evaluate(restful)
  } while (waitsForAnswers(page))
}

/** In the page: over some frames without anything busy, in which what has come is drawn and asks for more. */
async function restful(): Promise<void> {
  await new Promise<void>((resolve) => {
    let frames = 0
    const look = () => {
      frames = document.querySelector('main [aria-busy="true"]') === null ? frames + 1 : 0
      if (frames > 5) resolve()
      else requestAnimationFrame(look)
    }
    look()
  })
  await Promise.all(document.getAnimations().map((one) => one.finished.catch(() => {})))
}
