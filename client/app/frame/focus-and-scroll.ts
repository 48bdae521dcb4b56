// Moves the focus and the scroll position to a new screen, as a browser does when a page loads.
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router-dom'
import { listen } from '../../lib/browser.ts'

type Main = RefObject<HTMLElement | null>

/** Returns the ref of the element that contains the screen. */
export function useFocusAndScroll(): Main {
  const main = useRef<HTMLElement>(null)
  useFocusOnNewScreen(main)
  useFocusAfterRemoval(main)
  useScrollMemory()
  return main
}

/** Focuses the new screen's heading after a navigation, but not after a redirect. */
function useFocusOnNewScreen(main: Main): void {
  const { pathname } = useLocation()
  const type = useNavigationType()
  const shownPath = useRef(pathname)
  useEffect(() => {
    if (shownPath.current === pathname) return
    shownPath.current = pathname
    if (type !== 'REPLACE') main.current?.querySelector('h1')?.focus({ preventScroll: true })
  }, [main, pathname, type])
}

/** A new screen starts at the top; going back restores the position. The router's ScrollRestoration would also scroll on new queries. */
function useScrollMemory(): void {
  const { key, pathname } = useLocation()
  const type = useNavigationType()
  const scrollPositions = useRef(new Map<string, number>())
  const shownPath = useRef(pathname)

  useEffect(() => listen(window, { scroll: () => scrollPositions.current.set(key, window.scrollY) }), [key])

  useLayoutEffect(() => {
    const pathChanged = shownPath.current !== pathname
    shownPath.current = pathname
    if (pathChanged) window.scrollTo(0, type === 'POP' ? (scrollPositions.current.get(key) ?? 0) : 0)
  }, [key, pathname, type])
}

/**
 * Moves the focus to the screen's heading when the focused element is removed, such as a deleted row. Otherwise keyboard
 * users start again at the top of the page.
 */
function useFocusAfterRemoval(main: Main): void {
  useEffect(() => {
    let lastFocused: Node | null = null
    const stop = listen(document, {
      focusin({ target }) {
        lastFocused = target as Node
      },
      // If the element is still in the document, the person moved the focus away.
      focusout: ({ target }) =>
        queueMicrotask(() => {
          if (lastFocused === target && lastFocused?.isConnected) lastFocused = null
        })
    })
    const focusHeading = () => {
      if (lastFocused === null || lastFocused.isConnected || document.activeElement !== document.body) return
      lastFocused = null
      main.current?.querySelector('h1')?.focus({ preventScroll: true })
    }
    const observer = new MutationObserver(focusHeading)
    observer.observe(document.body, { childList: true, subtree: true })
    return () => {
      observer.disconnect()
      stop()
    }
  }, [main])
}
