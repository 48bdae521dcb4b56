import { useEffect, useState } from 'react'

/** Draws again every so often while the page is seen, for what says how old it is. */
export function useTick(everyMs: number): void {
  const [, tick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) tick((count) => count + 1)
    }, everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
}
