// Files that a page gives: their content, and those of lists as a person gets them from the toolbar.
import { buffer } from 'node:stream/consumers'
import type { Download, Page } from 'playwright-core'

export interface ListFile {
  name: string
  heading: string
  /** Lines without the heading. */
  rows: string[]
}

export const contentOf = async (download: Download): Promise<Buffer> =>
  buffer(await download.createReadStream())

export async function savedList(page: Page): Promise<ListFile> {
  const coming = page.waitForEvent('download')
  await page.locator('button[aria-label="Export CSV"][aria-disabled="false"]').click()
  const download = await coming
  const [heading = '', ...rows] = (await contentOf(download)).toString().trim().split('\r\n')
  return { name: download.suggestedFilename(), heading, rows }
}

/** How many rows there are on all pages, as the list says. */
export async function totalOf(page: Page): Promise<number> {
  const range = await page.locator('.pager-range').textContent()
  return Number(/ of ([\d,]+)$/.exec(range ?? '')?.[1]?.replaceAll(',', ''))
}
