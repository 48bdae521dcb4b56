// Prints pages as PDF, and reads what is on each sheet.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { calm } from './calm.ts'

const run = promisify(execFile)
const OUTPUT_MAX = 64 * 1024 * 1024

export interface Sheet {
  format: 'A4' | 'Letter'
  landscape: boolean
}

export const SHEETS: Sheet[] = (['A4', 'Letter'] as const).flatMap((format) =>
  [false, true].map((landscape) => ({ format, landscape }))
)

interface Word {
  text: string
  left: number
  top: number
  right: number
  bottom: number
}

export interface PrintedPage {
  /** In points, as the words' places. */
  width: number
  height: number
  words: Word[]
  text: string
}

/** Prints the page and returns its sheets. */
export async function print(page: Page, { format, landscape }: Sheet): Promise<PrintedPage[]> {
  // The head of each sheet belongs to the parts that load after the first screen.
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => /deferred-parts.*\.js$/.test(name))
  )
  await calm(page)
  const pdf = await page.pdf({ format, landscape, printBackground: false, preferCSSPageSize: false })
  const folder = await mkdtemp(join(tmpdir(), 'paper-'))
  try {
    const path = join(folder, 'page.pdf')
    await writeFile(path, pdf)
    const [places, texts] = await Promise.all(
      ['-bbox', '-raw'].map((form) => run('pdftotext', [form, path, '-'], { maxBuffer: OUTPUT_MAX }))
    )
    return pagesIn(places?.stdout ?? '', texts?.stdout ?? '')
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** The texts have a form feed after each page, and the words of a cell together. */
function pagesIn(html: string, texts: string): PrintedPage[] {
  const textsOfPages = texts.split('\f')
  const pages = html.matchAll(/<page width="([\d.]+)" height="([\d.]+)">(.*?)<\/page>/gs)
  return Array.from(pages, ([, width, height, content = ''], index) => {
    const matches = content.matchAll(
      /<word xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)">(.*?)<\/word>/g
    )
    const words = Array.from(matches, ([, left, top, right, bottom, text = '']) => ({
      text: decoded(text),
      left: Number(left),
      top: Number(top),
      right: Number(right),
      bottom: Number(bottom)
    }))
    const text = (textsOfPages[index] ?? '').replace(/\s+/g, ' ')
    return { width: Number(width), height: Number(height), words, text }
  })
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' }
const decoded = (text: string) => text.replace(/&(\w+);/g, (all, name: string) => ENTITIES[name] ?? all)

/** The margins of the page in points, less a point for rounding: 12 mm, and 16 mm at the foot. */
const [MARGIN, FOOT] = [33, 44]

/** Words outside the area of the page; the number of the page is below it. */
export function cutWords(pages: readonly PrintedPage[]): string[] {
  return pages.flatMap(({ words, width, height }) =>
    words
      .filter(
        ({ left, right, top, bottom }) =>
          left < MARGIN ||
          right > width - MARGIN ||
          top < MARGIN ||
          (bottom > height - FOOT && top < height - FOOT)
      )
      .map(({ text }) => text)
  )
}

/** Runs in the page. The tools that would be printed: what a person could press or fill in, outside the texts of rows. */
export function printedTools(): string[] {
  const tools = document.querySelectorAll(
    'button, a.button, input, select, textarea, [role="menu"], [role="tablist"] button, .sidebar, .frame-header'
  )
  const isTool = (element: Element) =>
    !element.matches(
      '.sr-only, .toolbar > .form-field *, [role="tab"][aria-selected="true"], thead button, :is(th, td, .row-card) .link-button, .legend-name, .state-key button'
    ) && element.getClientRects().length > 0
  return Array.from(tools)
    .filter(isTool)
    .map((element) => `${element.localName}.${element.className} ${element.textContent}`)
}
