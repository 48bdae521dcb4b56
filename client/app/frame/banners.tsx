import Building from 'lucide-react/icons/building-2'
import Info from 'lucide-react/icons/info'
import WifiOff from 'lucide-react/icons/wifi-off'
import { useNavigate } from 'react-router-dom'
import { useIntegrator } from '../../features/session/integrator.ts'
import { useSession } from '../../features/session/session.ts'
import { useOnline } from '../../lib/browser.ts'
import { paths } from '../../lib/paths.ts'

/** What concerns the whole portal: the service banner (§1), and the lack of a connection. */
export function Banners() {
  const { banner } = useSession()
  const online = useOnline()
  return (
    <>
      {typeof banner === 'string' && banner.trim() && (
        <aside className="strip info" aria-label="Service message">
          <Info />
          <span>{banner}</span>
        </aside>
      )}
      <div role="status" className="offline">
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

/** In whose portal a global admin works. */
export function IntegratorBanner() {
  const { chosen, forget } = useIntegrator()
  const navigate = useNavigate()
  if (!chosen?.orgName) return null
  return (
    <section className="strip context" aria-label="Integrator">
      <Building />
      <span>
        You work in <strong>{chosen.orgName}</strong>
      </span>
      <button
        type="button"
        className="link-button"
        onClick={async () => {
          await navigate(paths.home)
          forget()
        }}
      >
        Leave
      </button>
    </section>
  )
}
