import { useContext, useEffect, useSyncExternalStore } from 'react'
import type { Me } from '#shared/answers/portal.ts'
import { calls } from '#shared/calls.ts'
import ExportNews from '../../features/data/exports/export-news.tsx'
import { useRecentPages } from '../../features/jump/recent-targets.ts'
import { browser, listen } from '../../lib/browser.ts'
import { request } from '../../lib/http/request.ts'
import { onForbidden } from '../../lib/http/sign-in.ts'
import { live } from '../../lib/live/live.ts'
import { ACCESS_CHANGED } from '../../lib/messages.ts'
import { paths } from '../../lib/paths.ts'
import { ReloadContext, useSession } from '../../lib/session/session.ts'
import { recallPerson } from '../../lib/storage.ts'
import { Modal } from '../../ui/dialog/modal.tsx'
import { toasts } from '../../ui/state/toasts.ts'
import { NewVersion } from './new-version.tsx'
import { SessionEnding } from './session-ending.tsx'
import { SessionPrompt } from './session-prompt.tsx'
import { accessOf } from './session-scope.tsx'
import type { SessionWatch } from './session-watch.ts'
import { useSessionWatch } from './use-session-watch.ts'

export function BackgroundTasks() {
  const { watch, state } = useSessionWatch()
  const otherPerson = useOtherPerson()
  useAccessWatch()
  useRecentPages()
  return (
    <>
      <NewVersion />
      <ExportNews />
      {otherPerson !== null && <OtherPerson fullName={otherPerson} />}
      {state.expiring && state.endsAtMs !== null && (
        <EndOfSession watch={watch} endsAtMs={state.endsAtMs} final={state.final} />
      )}
    </>
  )
}

interface EndOfSessionProps {
  watch: SessionWatch
  endsAtMs: number
  final: boolean
}

/** Asks whether to extend the session. A session of maximum length cannot be extended, so its end is only reported. */
function EndOfSession({ watch, endsAtMs, final }: EndOfSessionProps) {
  return final ? <SessionEnding endsAtMs={endsAtMs} /> : <SessionPrompt watch={watch} endsAtMs={endsAtMs} />
}

/** Asks the person to reload after somebody else has signed in. */
function OtherPerson({ fullName }: { fullName: string }) {
  const { user } = useSession()
  const openHome = () => {
    browser.guarded = false
    toasts.forget()
    browser.leaveTo(paths.home)
  }
  return (
    <Modal title="Somebody else has signed in" role="alertdialog" onEnter={openHome}>
      <div className="modal-body">
        <p className="modal-text">
          <span>
            <strong>{fullName}</strong> signed in to the portal in another tab of this browser. This page was
            opened by <strong>{user.fullName}</strong> and cannot go on.
          </span>
        </p>
      </div>
      <div className="row modal-actions">
        <button type="button" className="button primary" onClick={openHome}>
          Go on as {fullName}
        </button>
      </div>
    </Modal>
  )
}

/** The name of another person who has signed in since the page was opened. */
function useOtherPerson(): string | null {
  const { id } = useSession().user
  return useSyncExternalStore(followPerson, () => {
    const currentPerson = recallPerson()
    return currentPerson && currentPerson.id !== id ? currentPerson.fullName : null
  })
}

function followPerson(onChange: () => void): () => void {
  const stops = [listen(window, { storage: onChange }), listen(document, { visibilitychange: onChange })]
  return () => {
    for (const stop of stops) stop()
  }
}

/** Interval of the role checks without a live stream. Each makes the gateway reload the roles, so a change shows within a minute. */
const CHECK_EVERY_MS = 30_000

function useAccessWatch(): void {
  const { user } = useSession()
  const reload = useContext(ReloadContext)
  const knownAccess = accessOf(user)
  useEffect(() => {
    let checking = false
    let checkedAtMs = performance.now()
    async function checkAccess() {
      if (checking) return
      checking = true
      checkedAtMs = performance.now()
      try {
        const me = await request<Me>(calls.me, { background: true })
        // `useOtherPerson` handles another person.
        if (me.user.id !== user.id || accessOf(me.user) === knownAccess) return
        await reload()
        toasts.info(ACCESS_CHANGED)
      } catch {
        // Keep the known roles: the gateway checks every call.
      } finally {
        checking = false
      }
    }
    const timer = setInterval(() => {
      if (!document.hidden && live.getState().state !== 'live') void checkAccess()
    }, CHECK_EVERY_MS)
    const stopFollowing = listen(document, {
      visibilitychange() {
        if (!document.hidden && performance.now() - checkedAtMs >= CHECK_EVERY_MS) void checkAccess()
      }
    })
    const stopListening = onForbidden(() => void checkAccess())
    return () => {
      clearInterval(timer)
      stopFollowing()
      stopListening()
    }
  }, [knownAccess, reload, user.id])
}
