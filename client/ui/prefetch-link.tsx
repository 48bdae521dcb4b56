import { type ComponentProps, createContext, useContext } from 'react'
import { Link } from 'react-router-dom'

/** Prefetches the screen at an address; provided by the router. */
export const PrefetchContext = createContext<(to: string) => void>(() => {})

interface PrefetchLinkProps extends ComponentProps<typeof Link> {
  to: string
}

/** A router link that prefetches its screen on hover and focus. */
export function PrefetchLink(props: PrefetchLinkProps) {
  const prefetch = useContext(PrefetchContext)
  const fetchScreen = () => prefetch(props.to)
  return <Link onPointerEnter={fetchScreen} onFocus={fetchScreen} {...props} />
}
