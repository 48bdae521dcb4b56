import Building from 'lucide-react/icons/building-2'
import Info from 'lucide-react/icons/info'
import { useNavigate } from 'react-router-dom'
import { useIntegrator } from '../../features/session/integrator.ts'
import { useSession } from '../../features/session/session.ts'
import { paths } from '../../lib/paths.ts'
import { ConnectionStrip } from './connection-strip.tsx'

/** What concerns the whole portal: the service banner, and the lack of a connection. */
export function Banners() {
  const { banner } = useSession()
  return (
    <>
      {typeof banner === 'string' && banner.trim() && (
        <aside className="strip info" aria-label="Service message">
          <Info />
          <span>{banner}</span>
        </aside>
      )}
      <ConnectionStrip />
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
