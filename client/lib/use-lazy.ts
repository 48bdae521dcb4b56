import { type ComponentType, useEffect, useEffectEvent, useState } from 'react'

type Loader<P> = () => Promise<{ default: ComponentType<P> }>

/** A part of the frame that is fetched when it is wanted; null until it is there. */
export function useLazy<P>(
  load: Loader<P>,
  wanted: boolean,
  onFailed: () => void = () => {}
): ComponentType<P> | null {
  const [loaded, setLoaded] = useState<ComponentType<P> | null>(null)
  const fetchPart = useEffectEvent(() => {
    let gone = false
    load().then(
      (part) => gone || setLoaded(() => part.default),
      () => gone || onFailed()
    )
    return () => {
      gone = true
    }
  })
  useEffect(() => (wanted ? fetchPart() : undefined), [wanted])
  return loaded
}

/** Fetches a part's code before it is asked for, so that it opens at once then; it does no harm when that fails. */
export function useFetchAhead(load: () => Promise<unknown>, wanted: boolean): void {
  const fetchPart = useEffectEvent(() => {
    load().catch(() => {})
  })
  useEffect(() => {
    if (wanted) fetchPart()
  }, [wanted])
}

/** True once the page has loaded and the browser is idle: nothing competes with the first screen. */
export function useIdle(): boolean {
  const [idle, setIdle] = useState(false)
  useEffect(() => {
    const begin = () => setIdle(true)
    const wait = () =>
      'requestIdleCallback' in window ? requestIdleCallback(begin, { timeout: 2_000 }) : setTimeout(begin)
    if (document.readyState === 'complete') wait()
    else window.addEventListener('load', wait, { once: true })
    return () => window.removeEventListener('load', wait)
  }, [])
  return idle
}
