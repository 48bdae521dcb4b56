import Info from 'lucide-react/icons/info'
import WifiOff from 'lucide-react/icons/wifi-off'
import { useSyncExternalStore } from 'react'
import { useSession } from '../../session/session.ts'

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

/** What concerns the whole portal: the service banner (§1), and the lack of a connection. */
export function Strips() {
  const { banner } = useSession()
  const online = useSyncExternalStore(subscribe, () => navigator.onLine)
  return (
    <>
      {banner && (
        <aside className="strip info" aria-label="Service message">
          <Info />
          <span>{banner}</span>
        </aside>
      )}
      <div role="status">
        {!online && (
          <div className="strip warn">
            <WifiOff />
            <span>You are offline. What you see may be out of date.</span>
          </div>
        )}
      </div>
    </>
  )
}
