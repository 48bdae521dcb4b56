import { createContext, useContext } from 'react'
import { Link, type LinkProps } from 'react-router-dom'

/** Fetches the code of the screen at an address; the router provides it. */
export const PrefetchContext = createContext<(to: string) => void>(() => {})

interface PrefetchLinkProps extends Omit<LinkProps, 'to'> {
  to: string
}

export function PrefetchLink(props: PrefetchLinkProps) {
  const prefetch = useContext(PrefetchContext)
  const fetchScreen = () => prefetch(props.to)
  return <Link onPointerEnter={fetchScreen} onFocus={fetchScreen} {...props} />
}
