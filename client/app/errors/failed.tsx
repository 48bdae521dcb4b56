import { useRevalidator, useRouteError } from 'react-router-dom'
import { browser, useOnReconnect } from '../../lib/browser.ts'
import { ApiError } from '../../lib/http/api-error.ts'
import { useRetry } from '../../lib/http/retry.ts'
import { recallSupport } from '../../lib/session/support.ts'
import { ErrorPanel, SupportContext } from '../../ui/state/error-panel.tsx'
import { TitleBlock } from '../../ui/title-block.tsx'
import { BareFrame } from '../frame/frame-skeleton.tsx'

/** Replaces the portal if its session could not be loaded. */
export function PortalFailed() {
  const error = useRouteError()
  const { state, revalidate } = useRevalidator()
  const isPartMissing = !(error instanceof ApiError)
  const retry = () => (isPartMissing ? browser.reload() : void revalidate())
  useRetry(error, state !== 'idle', retry)
  useOnReconnect(isPartMissing, retry)
  return (
    <BareFrame>
      <main id="main" className="portal-failed">
        <h1 className="sr-only">Portal could not start</h1>
        <SupportContext value={recallSupport()}>
          <ErrorPanel error={error} isFetching={state !== 'idle'} refetch={retry} />
        </SupportContext>
      </main>
    </BareFrame>
  )
}

/** Replaces a screen that failed to load or to render. The header and the sidebar stay. */
export function ScreenFailed() {
  const error = useRouteError()
  useOnReconnect(true, () => browser.reload())
  return (
    <>
      <TitleBlock title="This page could not be shown" />
      <ErrorPanel error={error} refetch={() => browser.reload()} />
    </>
  )
}
