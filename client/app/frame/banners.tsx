import Building from 'lucide-react/icons/building-2'
import Info from 'lucide-react/icons/info'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import WifiOff from 'lucide-react/icons/wifi-off'
import { useEffect, useEffectEvent } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { useStore } from 'zustand'
import { useOnline } from '../../lib/browser.ts'
import { connection, noteLost } from '../../lib/http/connection.ts'
import { pauseBeforeRetry, RETRY_RULES } from '../../lib/http/retry.ts'
import { paths } from '../../lib/paths.ts'
import { useOrganization } from '../../lib/session/organization.ts'
import { useSession } from '../../lib/session/session.ts'
import { Skeleton } from '../../ui/state/loading.tsx'
import { toasts } from '../../ui/state/toasts.ts'
import { readSession } from '../session/api.ts'

export function Banners() {
  const { banner } = useSession()
  return (
    <>
      {banner?.trim() && (
        <aside className="strip info" aria-label="Service message">
          <Info />
          <span>{banner}</span>
        </aside>
      )}
      <ConnectionStrip />
    </>
  )
}

/** The state of the location that "Leave" leads to. */
const LEFT = 'left'

/** Names the integrator that a global admin has chosen. */
export function IntegratorBanner() {
  const { chosen, forget } = useOrganization()
  const navigate = useNavigate()
  const isLeft = useLocation().state === LEFT
  const forgetLeft = useEffectEvent(() => {
    forget()
    // Without the state, going back to the start page forgets no other integrator.
    navigate(paths.home, { replace: true })
  })
  // Only once the start page is open: unsaved changes may prevent leaving.
  useEffect(() => {
    if (isLeft) forgetLeft()
  }, [isLeft])
  if (!chosen) return null
  return (
    <section className="strip context" aria-label="Integrator">
      <Building />
      <span>
        You work in <strong>{chosen.orgName || <Skeleton width="10rem" />}</strong>
      </span>
      <button
        type="button"
        className="link-button push"
        onClick={() => navigate(paths.home, { state: LEFT })}
      >
        Leave
      </button>
    </section>
  )
}

/** Reports that the portal cannot be reached, and retries until it can. */
export function ConnectionStrip() {
  const online = useOnline()
  const { state } = useStore(connection)
  const needsCheck = state !== 'fine'
  useEffect(() => {
    if (needsCheck) return retryUntilBack()
  }, [needsCheck])
  useEffect(
    () =>
      connection.subscribe((now, before) => {
        if (now.state === 'fine' && before.state === 'lost') toasts.ok('Connected again.')
      }),
    []
  )
  return (
    <div role="status" className="offline">
      {!online && (
        <div className="strip warn">
          <WifiOff />
          <span>You are offline. What you see may be out of date.</span>
        </div>
      )}
      {online && state === 'lost' && (
        <div className="strip warn">
          <RefreshCw />
          <span>Reconnecting… What you see may be out of date; what you typed stays.</span>
        </div>
      )}
    </div>
  )
}

function retryUntilBack(): () => void {
  let timer: ReturnType<typeof setTimeout>
  let failures = 0
  let stopped = false

  async function checkConnection() {
    // A good answer ends the check, as that of any other call.
    await readSession().catch(() => stopped || noteLost())
    if (stopped) return
    timer = setTimeout(checkConnection, pauseBeforeRetry(RETRY_RULES.connection, failures))
    failures += 1
  }

  void checkConnection()
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}
