import { useEffect, useState, useSyncExternalStore } from 'react'
import { useNavigate } from 'react-router-dom'
import { endSession, readSession, renewSession } from '../api/session.ts'
import { refusal, signInAgain } from '../api/sign-in.ts'
import { browser } from '../lib/browser.ts'
import { currentAddress, type Ending, noteEnded } from '../lib/ended.ts'
import { paths } from '../paths.ts'
import { useSession } from './session.ts'
import { createSessionWatch, type SessionWatch, type TabMessage, type WatchState } from './session-watch.ts'
import { openTabChannel } from './tab-channel.ts'

/** Watches over the session as long as it is mounted. */
export function useSessionWatch(): { watch: SessionWatch; state: WatchState } {
  const session = useSession()
  const navigate = useNavigate()
  const [{ watch, join }] = useState(() => watchOf(session, navigate))
  useEffect(() => {
    const leave = join()
    watch.start()
    const wakes = ['visibilitychange', 'online', 'pageshow']
    const wake = () => watch.wake()
    window.addEventListener('pageshow', reloadIfSignedOut)
    for (const type of wakes) (type === 'visibilitychange' ? document : window).addEventListener(type, wake)
    return () => {
      for (const type of wakes)
        (type === 'visibilitychange' ? document : window).removeEventListener(type, wake)
      window.removeEventListener('pageshow', reloadIfSignedOut)
      watch.stop()
      leave()
    }
  }, [watch, join])
  return { watch, state: useSyncExternalStore(watch.subscribe, watch.read) }
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
  const note = (ending: Ending) => {
    browser.guarded = false
    noteEnded({ ending, atMs: session.nowMs(), returnTo: currentAddress() })
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
    onExpired() {
      note('expired')
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
    onGone: () => void signInAgain().catch(() => {})
  })
  const join = () => {
    const channel = openTabChannel((message) => watch.hear(message))
    tell = channel.tell
    refusal.explained = watch.refused
    return () => {
      refusal.explained = () => false
      tell = () => {}
      channel.close()
    }
  }
  return { watch, join }
}
