import { type ComponentProps, createContext, useContext } from 'react'
import { Link } from 'react-router-dom'

/** Fetches the code of the screen at an address; the router provides it. */
export const PrefetchContext = createContext<(to: string) => void>(() => {})

interface PrefetchLinkProps extends ComponentProps<typeof Link> {
  to: string
}

/** The router's link. It fetches the screen that it leads to as soon as somebody points at it or reaches it by keyboard. */
export function PrefetchLink(props: PrefetchLinkProps) {
  const prefetch = useContext(PrefetchContext)
  const fetchScreen = () => prefetch(props.to)
  return <Link onPointerEnter={fetchScreen} onFocus={fetchScreen} {...props} />
}
