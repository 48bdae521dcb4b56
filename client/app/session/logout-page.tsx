import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useNavigationType } from 'react-router-dom'
import { browser } from '../../lib/browser.ts'
import { failureOf } from '../../lib/http/api-error.ts'
import { consequenceText } from '../../lib/http/consequence.ts'
import { noteSignOut } from '../../lib/http/sign-in.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { paths } from '../../lib/paths.ts'
import { Brand } from '../frame/frame-skeleton.tsx'
import { endSession, readLogoutFrames, sendToTabs } from './api.ts'

/** Maximum wait until the frames have loaded the single-logout addresses. */
const FRAMES_WAIT_MS = 5_000
/**
 * An application needs its scripts, its own cookies, and forms, which some protocols submit to log out. Without the other
 * permissions it cannot navigate this page, open windows or show dialogs.
 */
const FRAME_PERMISSIONS = 'allow-scripts allow-same-origin allow-forms'

/**
 * Hidden frames load the configured single-logout addresses; then the gateway ends the session. Asks first unless the
 * client's own router led here, so that a link of another site signs nobody out, also not by way of another page of the portal.
 */
export default function LogoutPage() {
  const navigation = useNavigationType()
  // A loaded document, a reload and a step in the history are `POP`.
  const [isIntended, setIntended] = useState(navigation === 'PUSH')
  const [frames, setFrames] = useState<string[] | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [loadedCount, setLoadedCount] = useState(0)
  const isLeaving = useRef(false)

  usePageTitle(isIntended ? 'Signing out' : 'Log out')
  useEffect(() => {
    readLogoutFrames().then(
      ({ frames }) => setFrames([...new Set(frames)]),
      () => setFrames([])
    )
  }, [])

  function leave() {
    setFailure(null)
    endSession().then(
      (redirect) => {
        browser.guarded = false
        const state = new URL(redirect, window.location.origin).searchParams.get('state')
        noteSignOut({ ending: 'signed-out', atMs: Date.now(), returnTo: null, state })
        sendToTabs({ kind: 'ended', ending: 'signed-out' })
        browser.leaveTo(redirect)
      },
      (error) =>
        setFailure(
          `${failureOf(error).title}. ${consequenceText(error, 'You are still signed in.', 'You may be signed out already.')}`
        )
    )
  }
  const leaveOnce = useEffectEvent(() => {
    if (!isLeaving.current) leave()
    isLeaving.current = true
  })
  const waiting = frames === null || loadedCount < frames.length

  useEffect(() => {
    if (!isIntended || frames === null) return
    if (!waiting) return leaveOnce()
    const timer = setTimeout(() => leaveOnce(), FRAMES_WAIT_MS)
    return () => clearTimeout(timer)
  }, [isIntended, frames, waiting])

  if (!isIntended)
    return (
      <PublicPage title="Log out?">
        <p className="muted panel-text">This ends your session here and in connected applications.</p>
        <div className="row panel-actions">
          <a href={paths.home} className="button">
            Back to the portal
          </a>
          <button type="button" className="button primary" onClick={() => setIntended(true)}>
            Log out
          </button>
        </div>
      </PublicPage>
    )
  return (
    <PublicPage title={failure ? 'Log out did not work' : 'Signing out…'}>
      {failure ? (
        <>
          <p role="alert">{failure}</p>
          <div className="row panel-actions">
            <a href={paths.home} className="button">
              Back to the portal
            </a>
            <button type="button" className="button primary" onClick={leave}>
              Try again
            </button>
          </div>
        </>
      ) : (
        <p className="muted" role="status">
          Ending your session here and in connected applications.
        </p>
      )}
      {frames?.map((address) => (
        <iframe
          key={address}
          src={address}
          title="Single logout"
          className="logout-frame"
          sandbox={FRAME_PERMISSIONS}
          aria-hidden="true"
          tabIndex={-1}
          onLoad={() => setLoadedCount((count) => count + 1)}
        />
      ))}
    </PublicPage>
  )
}

function PublicPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="public-page">
      <div className="lone-panel">
        <Brand />
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  )
}
