import { useRevalidator, useRouteError } from 'react-router-dom'
import { ApiError, failureOf } from '../../api/api-error.ts'
import { BrandMark } from '../../components/brand.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { TitleBlock } from '../../components/title-block.tsx'
import { browser } from '../../lib/browser.ts'

/** The portal could not find out who is signed in. */
export function PortalFailed() {
  const error = useRouteError()
  const { state, revalidate } = useRevalidator()
  const again = () => (error instanceof ApiError ? void revalidate() : browser.reload())
  return (
    <div className="frame">
      <div className="frame-header">
        <span className="brand">
          <BrandMark />
          Portal
        </span>
      </div>
      <div className="frame-body">
        <main id="main" className="portal-failed">
          <h1 className="sr-only">Portal could not start</h1>
          <ErrorPanel failure={failureOf(error)} busy={state !== 'idle'} onRefresh={again} />
        </main>
      </div>
    </div>
  )
}

/** A screen whose code could not be fetched, or that broke: the frame around it stands. */
export function ScreenFailed() {
  const error = useRouteError()
  return (
    <>
      <TitleBlock title="This page could not be shown" />
      <ErrorPanel failure={failureOf(error)} onRefresh={() => browser.reload()} />
    </>
  )
}
