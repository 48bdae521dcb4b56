import { useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router-dom'

/** A new screen starts at its top, one gone back to where it was left. (The router's own component weighs four times this.) */
export function useScrollMemory(): void {
  const { key, pathname } = useLocation()
  const type = useNavigationType()
  const places = useRef(new Map<string, number>())
  const shown = useRef(pathname)

  useEffect(() => {
    const note = () => places.current.set(key, window.scrollY)
    window.addEventListener('scroll', note, { passive: true })
    return () => window.removeEventListener('scroll', note)
  }, [key])

  useLayoutEffect(() => {
    const arrived = shown.current !== pathname
    shown.current = pathname
    if (arrived) window.scrollTo(0, type === 'POP' ? (places.current.get(key) ?? 0) : 0)
  }, [key, pathname, type])
}
