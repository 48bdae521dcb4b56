import { useState } from 'react'
import { Outlet, useNavigation } from 'react-router-dom'
import { useRail, useSidebar } from '../../lib/layout.ts'
import { Modal } from '../../ui/dialog/modal.tsx'
import { UnsavedChangesGuard } from '../../ui/dialog/unsaved-changes.tsx'
import { ProgressBar } from '../../ui/state/loading.tsx'
import { Toaster } from '../../ui/state/toaster.tsx'
import { OrganizationScope } from '../session/session-scope.tsx'
import { useArrival } from './arrival.ts'
import { Banners, IntegratorBanner } from './banners.tsx'
import { Header } from './header.tsx'
import { LaterContext, useLoadedLater } from './later.ts'
import { Sidebar } from './sidebar.tsx'

interface FrameProps {
  navigation?: boolean
}

/** Header, sidebar and screen. People without access get no navigation. */
export function Frame({ navigation = true }: FrameProps) {
  const [drawer, setDrawer] = useState(false)
  const sidebar = useSidebar()
  const rail = useRail()
  const { state } = useNavigation()
  const main = useArrival()
  const lazyParts = useLoadedLater()
  return (
    <LaterContext value={lazyParts}>
      <div className="frame">
        <a className="button primary skip-link" href="#main">
          Skip to content
        </a>
        <Header {...(navigation ? { onOpenMenu: () => setDrawer(true) } : {})} />
        <ProgressBar busy={state !== 'idle'} />
        <div className="frame-body">
          {navigation && sidebar && (
            <aside className="sidebar" aria-label="Navigation">
              <Sidebar rail={rail} />
            </aside>
          )}
          <div className="grow">
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
        <Toaster />
        {lazyParts && (
          <>
            <lazyParts.Invitations />
            <lazyParts.CutText />
            <lazyParts.BackgroundTasks />
          </>
        )}
        {drawer && !sidebar && (
          <Modal title="Menu" kind="drawer" onClose={() => setDrawer(false)}>
            <Sidebar onLeave={() => setDrawer(false)} />
          </Modal>
        )}
      </div>
    </LaterContext>
  )
}
