import { useRevalidator, useRouteError } from 'react-router-dom'
import { recallSupport } from '../../features/session/support.ts'
import { browser, useOnReconnect } from '../../lib/browser.ts'
import { ApiError } from '../../lib/http/api-error.ts'
import { ErrorPanel, SupportContext } from '../../ui/state/error-panel.tsx'
import { TitleBlock } from '../../ui/title-block.tsx'
import { BareFrame } from '../frame/frame-skeleton.tsx'

/** The portal could not find out who is signed in. */
export function PortalFailed() {
  const error = useRouteError()
  const { state, revalidate } = useRevalidator()
  const again = () => (error instanceof ApiError ? void revalidate() : browser.reload())
  useOnReconnect(true, again)
  return (
    <BareFrame>
      <main id="main" className="portal-failed">
        <h1 className="sr-only">Portal could not start</h1>
        <SupportContext value={recallSupport()}>
          <ErrorPanel error={error} busy={state !== 'idle'} reload={again} />
        </SupportContext>
      </main>
    </BareFrame>
  )
}

/** Replaces a screen that failed to load or to render. The frame around it stays. */
export function ScreenFailed() {
  const error = useRouteError()
  useOnReconnect(true, () => browser.reload())
  return (
    <>
      <TitleBlock title="This page could not be shown" />
      <ErrorPanel error={error} reload={() => browser.reload()} />
    </>
  )
}
