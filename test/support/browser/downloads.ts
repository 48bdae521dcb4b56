import { buffer } from 'node:stream/consumers'
import type { Download, Page } from 'playwright-core'

export const contentOf = async (download: Download): Promise<Buffer> =>
  buffer(await download.createReadStream())

export async function savedList(page: Page): Promise<{ name: string; rows: string[] }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.locator('button[aria-label="Export CSV"]:not([aria-disabled="true"])').click()
  ])
  const rows = (await contentOf(download)).toString().trim().split('\r\n').slice(1)
  return { name: download.suggestedFilename(), rows }
}

export async function totalOf(page: Page): Promise<number> {
  const range = await page.locator('.pager-range').textContent()
  return Number(/ of ([\d,]+)$/.exec(range ?? '')?.[1]?.replaceAll(',', ''))
}
