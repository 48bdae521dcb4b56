import type { Page } from 'playwright-core'
import { eventually } from '../eventually.ts'

/** Lets the page's clock run ahead until the check passes: on a busy machine, the page's pause may begin later than the test expects. */
export async function passTimeUntil(page: Page, ms: number, check: () => Promise<boolean>): Promise<void> {
  await eventually(async () => {
    await page.clock.fastForward(ms)
    return check()
  })
}
