import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { useStore } from 'zustand'
import { browser, listen } from '../../lib/browser.ts'
import {
  currentAddress,
  explainSessionEnd,
  leaveEnded,
  noteSignOut,
  type SignOutReason,
  signInAgain
} from '../../lib/http/sign-in.ts'
import { paths } from '../../lib/paths.ts'
import { type Session, useSession } from '../../lib/session/session.ts'
import { endSession, followTabs, readSession, renewSession, sendToTabs } from './api.ts'
import { SessionWatch, type WatchState } from './session-watch.ts'

/** Watches the session while mounted. */
export function useSessionWatch(): { watch: SessionWatch; state: WatchState } {
  const session = useSession()
  const navigate = useNavigate()
  const [watch] = useState(() => watchOf(session, navigate))
  useEffect(() => {
    const stopFollowing = followTabs(watch.receive)
    const stopExplaining = explainSessionEnd({
      isUnderWay: watch.refused,
      cause: async () => (await readSession()).ended
    })
    watch.start()
    const wakeOrReload = (event: PageTransitionEvent) => {
      watch.wake()
      void reloadIfSignedOut(event)
    }
    const stops = [
      listen(document, { visibilitychange: watch.wake, keydown: watch.active, input: watch.active }),
      listen(window, { online: watch.wake, pageshow: wakeOrReload })
    ]
    return () => {
      for (const stop of stops) stop()
      watch.stop()
      stopExplaining()
      stopFollowing()
    }
  }, [watch])
  return { watch, state: useStore(watch.store) }
}

/** Reloads a page that the browser restored from its cache, with data on it, if nobody is signed in any more. */
async function reloadIfSignedOut({ persisted }: PageTransitionEvent): Promise<void> {
  if (!persisted) return
  const state = await readSession().catch(() => null)
  if (!state?.authenticated) browser.reload()
}

function watchOf(session: Session, navigate: (to: string) => unknown): SessionWatch {
  const note = (ending: SignOutReason) => {
    browser.guarded = false
    noteSignOut({ ending, atMs: session.nowMs(), returnTo: currentAddress() })
  }
  return new SessionWatch({
    noticeMs: session.session.noticeSeconds * 1000,
    read: readSession,
    renew: renewSession,
    now: () => performance.now(),
    wallNow: () => Date.now(),
    after(ms, work) {
      const timer = setTimeout(work, ms)
      return () => clearTimeout(timer)
    },
    hidden: () => document.hidden,
    sendToTabs,
    onExpired(ending) {
      note(ending)
      endSession().then(
        (redirect) => browser.leaveTo(redirect),
        // Leave the screen with its data even if the gateway is unreachable.
        () => navigate(paths.signedOut)
      )
    },
    onEndedElsewhere(ending) {
      note(ending)
      browser.leaveTo(paths.signedOut)
    },
    onGone: (ended) => void (ended ? leaveEnded(ended) : signInAgain()).catch(() => {})
  })
}
