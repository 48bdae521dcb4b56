// Moves the focus and the scroll position to a new screen, as a browser does when a page loads.
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router-dom'
import { listen } from '../../lib/browser.ts'

type Main = RefObject<HTMLElement | null>

/** Returns the ref of the element that contains the screen. */
export function useArrival(): Main {
  const main = useRef<HTMLElement>(null)
  useFocusOnArrival(main)
  useKeptFocus(main)
  useScrollMemory()
  return main
}

/** Focuses the new screen's heading after a navigation, but not after a redirect. */
function useFocusOnArrival(main: Main): void {
  const { pathname } = useLocation()
  const type = useNavigationType()
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    if (type !== 'REPLACE') main.current?.querySelector('h1')?.focus({ preventScroll: true })
  }, [main, pathname, type])
}

/** A new screen starts at the top; going back restores the position. The router's ScrollRestoration also scrolls on new queries. */
function useScrollMemory(): void {
  const { key, pathname } = useLocation()
  const type = useNavigationType()
  const places = useRef(new Map<string, number>())
  const shown = useRef(pathname)

  useEffect(() => listen(window, { scroll: () => places.current.set(key, window.scrollY) }), [key])

  useLayoutEffect(() => {
    const arrived = shown.current !== pathname
    shown.current = pathname
    if (arrived) window.scrollTo(0, type === 'POP' ? (places.current.get(key) ?? 0) : 0)
  }, [key, pathname, type])
}

/**
 * Moves the focus to the screen's heading when the focused element is removed, such as a deleted row. Otherwise keyboard
 * users start again at the top of the page.
 */
function useKeptFocus(main: Main): void {
  useEffect(() => {
    let last: Node | null = null
    const stop = listen(document, {
      focusin({ target }) {
        last = target as Node
      },
      // If the element is still in the document, the person moved the focus away.
      focusout: ({ target }) =>
        queueMicrotask(() => {
          if (last === target && last?.isConnected) last = null
        })
    })
    const keep = () => {
      if (last === null || last.isConnected || document.activeElement !== document.body) return
      last = null
      main.current?.querySelector('h1')?.focus({ preventScroll: true })
    }
    const watch = new MutationObserver(keep)
    watch.observe(document.body, { childList: true, subtree: true })
    return () => {
      watch.disconnect()
      stop()
    }
  }, [main])
}
