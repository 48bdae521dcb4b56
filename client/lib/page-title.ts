// A dot in the title marks unread news in the browser's tabs.
import { useEffect } from 'react'

const DOT = '● '

export function withoutDot(title: string): string {
  return title.startsWith(DOT) ? title.slice(DOT.length) : title
}

/** Keeps the dot in front of every title while `on` is true. */
export function useTitleDot(on: boolean): void {
  useEffect(() => {
    if (!on) return
    const mark = () => {
      if (!document.title.startsWith(DOT)) document.title = DOT + document.title
    }
    mark()
    const observer = new MutationObserver(mark)
    observer.observe(document.head, { childList: true, subtree: true, characterData: true })
    return () => {
      observer.disconnect()
      document.title = withoutDot(document.title)
    }
  }, [on])
}
