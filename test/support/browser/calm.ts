import type { Page } from 'playwright-core'
import { answered, waitsForAnswers } from './traffic.ts'

/** Waits until the page has loaded and drawn everything and nothing moves. */
export async function calm(page: Page): Promise<void> {
  do {
    await answered(page)
    await page.evaluate(restful)
  } while (waitsForAnswers(page))
}

/** Runs in the page. Waits for some frames in a row without a busy element. */
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
