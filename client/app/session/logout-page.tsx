import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { browser } from '../../lib/browser.ts'
import { failureOf } from '../../lib/http/api-error.ts'
import { noteSignOut } from '../../lib/http/sign-in.ts'
import { paths } from '../../lib/paths.ts'
import { usePageTitle } from '../../ui/state/panel.tsx'
import { Brand } from '../frame/frame-skeleton.tsx'
import { endSession, readLogoutFrames, sendToTabs } from './api.ts'

/** Maximum wait until the frames have loaded the single-logout addresses. */
const FRAMES_WAIT_MS = 5_000

/** Hidden frames load the configured single-logout addresses; then the gateway ends the session. */
export default function LogoutPage() {
  const [frames, setFrames] = useState<string[] | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [loadedCount, setLoadedCount] = useState(0)
  const isLeaving = useRef(false)

  usePageTitle('Signing out')
  useEffect(() => {
    readLogoutFrames().then(
      (addresses) => setFrames([...new Set(addresses)]),
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
      (error) => setFailure(failureOf(error).title)
    )
  }
  const leaveOnce = useEffectEvent(() => {
    if (!isLeaving.current) leave()
    isLeaving.current = true
  })
  const waiting = frames === null || loadedCount < frames.length

  useEffect(() => {
    if (frames === null) return
    if (!waiting) return leaveOnce()
    const timer = setTimeout(() => leaveOnce(), FRAMES_WAIT_MS)
    return () => clearTimeout(timer)
  }, [frames, waiting])

  return (
    <main className="public-page">
      <div className="lone-panel">
        <Brand />
        <h1>{failure ? 'Log out did not work' : 'Signing out…'}</h1>
        {failure ? (
          <>
            <p role="alert">{failure}. You are still signed in.</p>
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
            aria-hidden="true"
            tabIndex={-1}
            onLoad={() => setLoadedCount((count) => count + 1)}
          />
        ))}
      </div>
    </main>
  )
}
