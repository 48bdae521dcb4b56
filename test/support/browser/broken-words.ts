// Words that a column too narrow for them breaks inside, as no reader would.
import type { Page } from 'playwright-core'

/** Longer ones are identifiers and paths, which may be broken anywhere. */
const WORD_MAX_CHARACTERS = 18

/** What stands below the selector and is broken, each with the first word around it. */
export function brokenWords(page: Page, selector = 'main'): Promise<string[]> {
  return page.evaluate(
    ([within, longest]) => {
      const broken: string[] = []
      for (const root of document.querySelectorAll(within)) {
        const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
        for (let node = texts.nextNode(); node; node = texts.nextNode()) {
          if (node.parentElement?.closest('.sr-only, .mono, [hidden]')) continue
          for (const { 0: word, index } of (node.textContent ?? '').matchAll(/[\p{L}\p{M}'’]+/gu)) {
            if (word.length > longest) continue
            const range = document.createRange()
            range.setStart(node, index)
            range.setEnd(node, index + word.length)
            const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
            if (lines.size > 1) broken.push(word)
          }
        }
      }
      return broken
    },
    [selector, WORD_MAX_CHARACTERS] as const
  )
}
