import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Outlet, useLocation, useNavigation, useNavigationType } from 'react-router-dom'
import { isGlobalAdmin } from '#shared/landing.ts'
import { useSession } from '../../features/session/session.ts'
import { useRail, useSidebar } from '../../lib/layout.ts'
import { useFetchAhead, useIdle, useLazy } from '../../lib/use-lazy.ts'
import { UnsavedChangesGuard } from '../../ui/dialog/unsaved-changes.tsx'
import { ProgressBar } from '../../ui/state/loading.tsx'
import { toasts } from '../../ui/state/toasts.ts'
import { OrganizationScope } from '../session/session-scope.tsx'
import { Banners, IntegratorBanner } from './banners.tsx'
import { Header } from './header.tsx'
import { useKeptFocus } from './kept-focus.ts'
import { Sidebar } from './sidebar.tsx'

const fetchDrawer = () => import('./menu-drawer.tsx')
const backgroundTasks = () => import('../session/background-tasks.tsx')
const invitations = () => import('../../features/notifications/invitations/prompt.tsx')
const cutText = () => import('../../ui/cut-text.tsx')
const toaster = async () => ({ default: (await import('../../ui/state/toaster.tsx')).Toaster })

interface FrameProps {
  navigation?: boolean
}

/** Header, sidebar and the screen between them. Without navigation for those who may go nowhere. */
export function Frame({ navigation = true }: FrameProps) {
  const [drawer, setDrawer] = useState(false)
  const sidebar = useSidebar()
  const rail = useRail()
  const { state } = useNavigation()
  const main = useFocusOnArrival()
  useKeptFocus(main)
  useScrollMemory()
  const chooser = useLazy(() => import('./integrator-chooser.tsx'), isGlobalAdmin(useSession()) && navigation)
  const idle = useIdle()
  const Toaster = useLazy(toaster, idle)
  const BackgroundTasks = useLazy(backgroundTasks, idle)
  const Invitations = useLazy(invitations, idle)
  const CutText = useLazy(cutText, idle)
  const withDrawer = drawer && !sidebar
  useFetchAhead(fetchDrawer, idle && !sidebar)
  const MenuDrawer = useLazy(fetchDrawer, withDrawer, () => {
    setDrawer(false)
    toasts.failed('The menu could not be fetched.', { label: 'Retry', onAct: () => setDrawer(true) })
  })
  return (
    <div className="frame">
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <Header {...(navigation ? { onOpenMenu: () => setDrawer(true) } : {})} />
      <ProgressBar busy={state !== 'idle'} />
      <div className="frame-body">
        {navigation && sidebar && (
          <aside className="sidebar" aria-label="Navigation">
            <Sidebar chooser={chooser} rail={rail} />
          </aside>
        )}
        <div className="frame-content">
          <Banners />
          <main id="main" tabIndex={-1} ref={main}>
            {navigation && <IntegratorBanner />}
            <OrganizationScope>
              <UnsavedChangesGuard>
                <Outlet />
              </UnsavedChangesGuard>
            </OrganizationScope>
          </main>
        </div>
      </div>
      {Toaster && <Toaster />}
      {Invitations && <Invitations />}
      {CutText && <CutText />}
      {BackgroundTasks && <BackgroundTasks />}
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

/** A new screen starts at its top, one gone back to where it was left. (The router's own component weighs four times this.) */
function useScrollMemory(): void {
  const { key, pathname } = useLocation()
  const type = useNavigationType()
  const places = useRef(new Map<string, number>())
  const shown = useRef(pathname)

  useEffect(() => {
    const note = () => places.current.set(key, window.scrollY)
    window.addEventListener('scroll', note, { passive: true })
    return () => window.removeEventListener('scroll', note)
  }, [key])

  useLayoutEffect(() => {
    const arrived = shown.current !== pathname
    shown.current = pathname
    if (arrived) window.scrollTo(0, type === 'POP' ? (places.current.get(key) ?? 0) : 0)
  }, [key, pathname, type])
}
