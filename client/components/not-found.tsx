import MapPinOff from 'lucide-react/icons/map-pin-off'
import { useEffect } from 'react'
import { PAGE_NOT_FOUND } from '#shared/messages.ts'
import { PrefetchLink } from './prefetch-link.tsx'

export function NotFound({ path, home }: { path: string; home: string }) {
  useEffect(() => {
    document.title = `${PAGE_NOT_FOUND} · Portal`
  }, [])
  return (
    <div className="lone-panel">
      <span className="panel-icon">
        <MapPinOff />
      </span>
      <h1 tabIndex={-1}>{PAGE_NOT_FOUND}</h1>
      <p className="lone-path mono">{path}</p>
      <p className="muted">There is nothing at this address, or it is not yours to see.</p>
      <PrefetchLink to={home} className="button primary">
        Home
      </PrefetchLink>
    </div>
  )
}
