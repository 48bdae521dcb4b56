// A dot before the page's title says in a browser's row of tabs that there is something to read.
import { useEffect } from 'react'

const DOT = '● '

/** The title as the page itself has set it. */
export function withoutDot(title: string): string {
  return title.startsWith(DOT) ? title.slice(DOT.length) : title
}

/** As long as it is on, whatever title a page sets gets the dot. */
export function useTitleDot(on: boolean): void {
  useEffect(() => {
    if (!on) return
    const mark = () => {
      if (!document.title.startsWith(DOT)) document.title = DOT + document.title
    }
    mark()
    const watch = new MutationObserver(mark)
    watch.observe(document.head, { childList: true, subtree: true, characterData: true })
    return () => {
      watch.disconnect()
      document.title = withoutDot(document.title)
    }
  }, [on])
}
