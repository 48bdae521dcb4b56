import { type RefObject, useEffect } from 'react'

/**
 * Where what has the focus goes away, a deleted row or a button that is done, a browser leaves the focus nowhere: whoever
 * works by keyboard starts again at the top of the portal. It goes to the screen's heading instead.
 */
export function useKeptFocus(main: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let last: Node | null = null
    const arrive = ({ target }: FocusEvent) => {
      last = target as Node
    }
    // Left on purpose: it is still there.
    const leave = ({ target }: FocusEvent) =>
      queueMicrotask(() => {
        if (last === target && last?.isConnected) last = null
      })
    const keep = () => {
      if (last === null || last.isConnected || document.activeElement !== document.body) return
      last = null
      main.current?.querySelector('h1')?.focus({ preventScroll: true })
    }
    const watch = new MutationObserver(keep)
    watch.observe(document.body, { childList: true, subtree: true })
    document.addEventListener('focusin', arrive)
    document.addEventListener('focusout', leave)
    return () => {
      watch.disconnect()
      document.removeEventListener('focusin', arrive)
      document.removeEventListener('focusout', leave)
    }
  }, [main])
}
