// What axe finds wrong with a page as it shows now, in a line each.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  id: string
  help: string
  nodes: { target: unknown[]; failureSummary?: string }[]
}

/** WCAG 2.0 to 2.2, A and AA, and best practice. */
export async function violationsOn(page: Page): Promise<string[]> {
  // Motion would be looked at halfway.
  await page.evaluate(() => Promise.all(document.getAnimations().map((one) => one.finished.catch(() => {}))))
  await page.evaluate(`(() => { if (!window.axe) { ${source} } })()`)
  const found = (await page.evaluate(`axe.run(document, {
    resultTypes: ['violations'],
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
  }).then(({ violations }) => violations)`)) as Violation[]
  return found.map(({ id, help, nodes }) => {
    const places = nodes
      .slice(0, 3)
      .map(({ target, failureSummary = '' }) => `${target.join(' ')} ${failureSummary}`)
    return `${id}: ${help}: ${places.join(' | ')}`.replaceAll(/\s+/g, ' ')
  })
}
