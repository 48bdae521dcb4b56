import './list.css'
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'

interface LoadMoreProps {
  label: string
  busy: boolean
  onScroll: boolean
  /** How long the button must be visible before scrolling loads rows. */
  afterMs?: number
  onLoad: (byHand: boolean) => void
}

/** A button that loads the next rows. With `onScroll`, scrolling loads them too. */
export function LoadMore({ label, busy, onScroll, afterMs = 0, onLoad }: LoadMoreProps) {
  const container = useRef<HTMLDivElement>(null)
  const [pressed, setPressed] = useState(false)
  const load = (byHand: boolean) => {
    setPressed(byHand)
    onLoad(byHand)
  }
  const loadOnScroll = useEffectEvent(() => load(false))

  // A layout effect, because a later effect could still load rows after the list's cache is gone.
  useLayoutEffect(() => {
    if (!onScroll || busy || !container.current) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const observer = new IntersectionObserver(
      (entries) => {
        clearTimeout(timer)
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return
        if (afterMs > 0) timer = setTimeout(() => loadOnScroll(), afterMs)
        else loadOnScroll()
      },
      { rootMargin: afterMs > 0 ? '0px' : '200px' }
    )
    observer.observe(container.current)
    return () => {
      clearTimeout(timer)
      observer.disconnect()
    }
  }, [onScroll, busy, afterMs])

  // The button is hidden while scrolling loads rows, because it would jump.
  const isVisible = !busy || pressed
  return (
    <div ref={container} className="load-more">
      {isVisible && (
        <button
          type="button"
          className="button"
          aria-disabled={busy}
          aria-busy={busy}
          onClick={() => busy || load(true)}
        >
          {label}
        </button>
      )}
    </div>
  )
}

/** After `expectMore`, the first new row of the list gets the focus. */
export function useFocusOnNew(count: number) {
  const list = useRef<HTMLUListElement>(null)
  const firstNewIndex = useRef<number>(undefined)
  useEffect(() => {
    if (firstNewIndex.current === undefined || count <= firstNewIndex.current) return
    list.current?.children[firstNewIndex.current]?.querySelector('a')?.focus()
    firstNewIndex.current = undefined
  }, [count])
  return {
    list,
    expectMore: () => {
      firstNewIndex.current = count
    }
  }
}
