import type { Page } from 'playwright-core'
import { answered, waitsForAnswers } from './traffic.ts'

/** Waits until the page has loaded everything and shows no animation. */
export async function calm(page: Page): Promise<void> {
  do {
    await answered(page)
    await page.evaluate(settle)
  } while (waitsForAnswers(page))
}

/** Runs in the page. Waits for several frames in a row without a busy element, then for animations. */
async function settle(): Promise<void> {
  await new Promise<void>((resolve) => {
    let frames = 0
    const check = () => {
      frames = document.querySelector('main [aria-busy="true"]') === null ? frames + 1 : 0
      if (frames > 5) resolve()
      else requestAnimationFrame(check)
    }
    check()
  })
  await Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => {})))
}
