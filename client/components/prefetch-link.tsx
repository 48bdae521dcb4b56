import { type ComponentProps, createContext, type MouseEvent, useContext } from 'react'

export interface Ways {
  /** Goes to an address, or a query of the one that shows. */
  go: (to: string, options: { state: unknown; replace: boolean }) => void
  /** Fetches the code of the screen at an address. */
  prefetch: (to: string) => void
}

/** Where links lead; the router provides it. */
export const WaysContext = createContext<Ways>({ go: (to) => window.location.assign(to), prefetch: () => {} })

interface PrefetchLinkProps extends Omit<ComponentProps<'a'>, 'href'> {
  to: string
  /** What the screen there is told. */
  state?: unknown
}

/**
 * A link within the portal. The router's own follows the address that shows, so that each of a list's filters would
 * draw every link of the page anew; this one need not know it.
 */
export function PrefetchLink({ to, state, ...props }: PrefetchLinkProps) {
  const { go, prefetch } = useContext(WaysContext)
  const fetchScreen = () => prefetch(to)

  function follow(event: MouseEvent<HTMLAnchorElement>) {
    const { currentTarget, button, metaKey, ctrlKey, shiftKey, altKey } = event
    props.onClick?.(event)
    // Another tab, a download, a menu: the browser's own.
    if (event.defaultPrevented || button !== 0 || metaKey || ctrlKey || shiftKey || altKey || props.target)
      return
    event.preventDefault()
    go(to, { state, replace: currentTarget.href === window.location.href })
  }

  return <a onPointerEnter={fetchScreen} onFocus={fetchScreen} {...props} href={to} onClick={follow} />
}
