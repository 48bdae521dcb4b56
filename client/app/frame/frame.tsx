import { useState } from 'react'
import { Outlet, useNavigation } from 'react-router-dom'
import { useRail, useSidebar } from '../../lib/layout.ts'
import { Modal } from '../../ui/dialog/modal.tsx'
import { UnsavedChangesGuard } from '../../ui/dialog/unsaved-changes.tsx'
import { ProgressBar } from '../../ui/state/loading.tsx'
import { Toaster } from '../../ui/state/toaster.tsx'
import { OrganizationScope } from '../session/session-scope.tsx'
import { Banners, IntegratorBanner } from './banners.tsx'
import { DeferredPartsContext, useDeferredLoad } from './deferred-frame.ts'
import { useFocusAndScroll } from './focus-and-scroll.ts'
import { Header } from './header.tsx'
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
  const main = useFocusAndScroll()
  const deferredParts = useDeferredLoad()
  return (
    <DeferredPartsContext value={deferredParts}>
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
              {deferredParts && <deferredParts.PrintHead />}
              {navigation && <IntegratorBanner />}
              <OrganizationScope>
                {deferredParts && <deferredParts.LiveUpdates />}
                <UnsavedChangesGuard>
                  <Outlet />
                </UnsavedChangesGuard>
              </OrganizationScope>
            </main>
          </div>
        </div>
        <Toaster />
        {deferredParts && (
          <>
            <deferredParts.Invitations />
            <deferredParts.BackgroundTasks />
          </>
        )}
        {drawer && !sidebar && (
          <Modal title="Menu" kind="drawer" onClose={() => setDrawer(false)}>
            <Sidebar onLeave={() => setDrawer(false)} />
          </Modal>
        )}
      </div>
    </DeferredPartsContext>
  )
}
