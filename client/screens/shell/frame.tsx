import { useEffect, useRef, useState } from 'react'
import { Outlet, useLocation, useNavigation, useNavigationType } from 'react-router-dom'
import { Modal } from '../../components/modal.tsx'
import { ProgressBar } from '../../components/progress-bar.tsx'
import { Toaster } from '../../components/toaster.tsx'
import { useLayout } from '../../lib/layout.ts'
import { OrganizationScope } from '../../session/session-scope.tsx'
import { UnsavedChangesGuard } from '../../session/unsaved-changes.tsx'
import { Header } from './header.tsx'
import { Sidebar } from './sidebar.tsx'
import { Strips } from './strips.tsx'
import { useChooser } from './use-chooser.ts'
import { useScrollMemory } from './use-scroll-memory.ts'

/** Header, sidebar and the screen between them. Without navigation for those who may go nowhere. */
export function Frame({ navigation = true }: { navigation?: boolean }) {
  const [drawer, setDrawer] = useState(false)
  const layout = useLayout()
  const { state } = useNavigation()
  const main = useFocusOnArrival()
  useScrollMemory()
  const chooser = useChooser()
  return (
    <div className="frame">
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <Header {...(navigation ? { onOpenMenu: () => setDrawer(true) } : {})} />
      <ProgressBar busy={state !== 'idle'} />
      <Strips />
      <div className="frame-body">
        {navigation && layout === 'desktop' && (
          <aside className="sidebar" aria-label="Navigation">
            <Sidebar chooser={chooser} />
          </aside>
        )}
        <main id="main" tabIndex={-1} ref={main}>
          <OrganizationScope>
            <UnsavedChangesGuard>
              <Outlet />
            </UnsavedChangesGuard>
          </OrganizationScope>
        </main>
      </div>
      <Toaster />
      {drawer && layout === 'mobile' && (
        <Modal title="Menu" kind="drawer" onClose={() => setDrawer(false)}>
          <Sidebar chooser={chooser} onLeave={() => setDrawer(false)} />
        </Modal>
      )}
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
