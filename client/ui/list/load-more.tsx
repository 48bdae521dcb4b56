import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'

interface LoadMoreProps {
  label: string
  busy: boolean
  onScroll: boolean
  onLoad: (byHand: boolean) => void
}

/** A button that loads the next rows. With `onScroll`, scrolling loads them too. */
export function LoadMore({ label, busy, onScroll, onLoad }: LoadMoreProps) {
  const place = useRef<HTMLDivElement>(null)
  const [pressed, setPressed] = useState(false)
  const load = (byHand: boolean) => {
    setPressed(byHand)
    onLoad(byHand)
  }
  const arrive = useEffectEvent(() => load(false))

  // A layout effect: a later one could still load more after the list's cache is gone.
  useLayoutEffect(() => {
    if (!onScroll || busy || !place.current) return
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && arrive(),
      { rootMargin: '200px' }
    )
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [onScroll, busy])

  // Hidden while scrolling loads rows, because it would jump.
  const shown = !busy || pressed
  return (
    <div ref={place} className="load-more">
      {shown && (
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

/** After `expectMore` the focus goes to the first row that is new in the list. */
export function useFocusOnNew(count: number) {
  const list = useRef<HTMLUListElement>(null)
  const from = useRef<number>(undefined)
  useEffect(() => {
    if (from.current === undefined || count <= from.current) return
    list.current?.children[from.current]?.querySelector('a')?.focus()
    from.current = undefined
  }, [count])
  return {
    list,
    expectMore: () => {
      from.current = count
    }
  }
}
