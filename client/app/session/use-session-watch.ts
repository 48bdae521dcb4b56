import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { useStore } from 'zustand'
import { useSession } from '../../features/session/session.ts'
import { browser } from '../../lib/browser.ts'
import {
  currentAddress,
  leaveEnded,
  noteSignOut,
  refusal,
  type SignOutReason,
  signInAgain
} from '../../lib/http/sign-in.ts'
import { paths } from '../../lib/paths.ts'
import { endSession, openTabChannel, readSession, renewSession } from './api.ts'
import { createSessionWatch, type SessionWatch, type TabMessage, type WatchState } from './session-watch.ts'

/** Watches over the session as long as it is mounted. */
export function useSessionWatch(): { watch: SessionWatch; state: WatchState } {
  const session = useSession()
  const navigate = useNavigate()
  const [{ watch, join }] = useState(() => watchOf(session, navigate))
  useEffect(() => {
    const leave = join()
    watch.start()
    const listeners: [target: EventTarget, type: string, work: (event: never) => unknown][] = [
      [document, 'visibilitychange', watch.wake],
      [window, 'online', watch.wake],
      [window, 'pageshow', watch.wake],
      [window, 'pageshow', reloadIfSignedOut],
      [document, 'keydown', watch.active],
      [document, 'input', watch.active]
    ]
    for (const [target, type, work] of listeners) target.addEventListener(type, work as EventListener)
    return () => {
      for (const [target, type, work] of listeners) target.removeEventListener(type, work as EventListener)
      watch.stop()
      leave()
    }
  }, [watch, join])
  return { watch, state: useStore(watch.store) }
}

/** A page that the browser has kept as it was left shows what it showed: to nobody who is not signed in any more. */
async function reloadIfSignedOut({ persisted }: PageTransitionEvent): Promise<void> {
  if (!persisted) return
  const authenticated = await readSession().then(
    (state) => state.authenticated,
    () => false
  )
  if (!authenticated) browser.reload()
}

function watchOf(session: ReturnType<typeof useSession>, navigate: (to: string) => unknown) {
  let tell: (message: TabMessage) => void = () => {}
  const note = (ending: SignOutReason) => {
    browser.guarded = false
    noteSignOut({ ending, atMs: session.nowMs(), returnTo: currentAddress() })
  }
  const watch = createSessionWatch({
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
    tell: (message) => tell(message),
    onExpired(ending) {
      note(ending)
      endSession().then(
        (redirect) => browser.leaveTo(redirect),
        // Out of reach: what is on the screen goes all the same.
        () => navigate(paths.signedOut)
      )
    },
    onEndedElsewhere(ending) {
      note(ending)
      browser.leaveTo(paths.signedOut)
    },
    onGone: (ended) => void (ended ? leaveEnded(ended) : signInAgain()).catch(() => {})
  })
  const join = () => {
    const channel = openTabChannel((message) => watch.hear(message))
    tell = channel.tell
    refusal.explained = watch.refused
    refusal.ended = async () => (await readSession()).ended
    return () => {
      refusal.explained = () => false
      refusal.ended = async () => undefined
      tell = () => {}
      channel.close()
    }
  }
  return { watch, join }
}
