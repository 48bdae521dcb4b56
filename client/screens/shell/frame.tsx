import { useEffect, useRef, useState } from 'react'
import { Outlet, useLocation, useNavigation, useNavigationType } from 'react-router-dom'
import { ProgressBar } from '../../components/progress-bar.tsx'
import { isGlobalAdmin } from '../../lib/landing.ts'
import { useLayout } from '../../lib/layout.ts'
import { toasts } from '../../lib/toasts.ts'
import { useFetchAhead, useIdle, useLater } from '../../lib/use-later.ts'
import { useSession } from '../../session/session.ts'
import { OrganizationScope } from '../../session/session-scope.tsx'
import { UnsavedChangesGuard } from '../../session/unsaved-changes.tsx'
import type { Attachments } from './attachments.ts'
import { Header } from './header.tsx'
import { Sidebar } from './sidebar.tsx'
import { IntegratorStrip, Strips } from './strips.tsx'
import { useScrollMemory } from './use-scroll-memory.ts'

const fetchDrawer = () => import('./menu-drawer.tsx')
const toaster = async () => ({ default: (await import('../../components/toaster.tsx')).Toaster })

interface FrameProps {
  attachments: Attachments
  navigation?: boolean
}

/** Header, sidebar and the screen between them. Without navigation for those who may go nowhere. */
export function Frame({ attachments, navigation = true }: FrameProps) {
  const [drawer, setDrawer] = useState(false)
  const layout = useLayout()
  const { state } = useNavigation()
  const main = useFocusOnArrival()
  useScrollMemory()
  const chooser = useLater(
    () => import('./integrator-chooser.tsx'),
    isGlobalAdmin(useSession()) && navigation
  )
  const idle = useIdle()
  const Toaster = useLater(toaster, idle)
  const Attendants = useLater(attachments.attendants, idle)
  const Invitations = useLater(attachments.invitations, idle)
  const withDrawer = drawer && layout === 'mobile'
  useFetchAhead(fetchDrawer, idle && layout === 'mobile')
  const MenuDrawer = useLater(fetchDrawer, withDrawer, () => {
    setDrawer(false)
    toasts.failed('The menu could not be fetched.', { label: 'Retry', onAct: () => setDrawer(true) })
  })
  return (
    <div className="frame">
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <Header attachments={attachments} {...(navigation ? { onOpenMenu: () => setDrawer(true) } : {})} />
      <ProgressBar busy={state !== 'idle'} />
      <Strips />
      <div className="frame-body">
        {navigation && layout === 'desktop' && (
          <aside className="sidebar" aria-label="Navigation">
            <Sidebar chooser={chooser} />
          </aside>
        )}
        <main id="main" tabIndex={-1} ref={main}>
          {navigation && <IntegratorStrip />}
          <OrganizationScope>
            <UnsavedChangesGuard>
              <Outlet />
            </UnsavedChangesGuard>
          </OrganizationScope>
        </main>
      </div>
      {Toaster && <Toaster />}
      {Invitations && <Invitations />}
      {Attendants && <Attendants />}
      {withDrawer && MenuDrawer && <MenuDrawer chooser={chooser} onClose={() => setDrawer(false)} />}
    </div>
  )
}

/** After a navigation the focus is on the new screen's heading, as on a page that loads. Redirects are none. */
function useFocusOnArrival() {
  const main = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  const type = useNavigationType()
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    if (type !== 'REPLACE') main.current?.querySelector('h1')?.focus({ preventScroll: true })
  }, [pathname, type])
  return main
}
