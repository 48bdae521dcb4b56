import { useContext, useEffect, useSyncExternalStore } from 'react'
import type { Me } from '#shared/entities.ts'
import { ACCESS_CHANGED } from '#shared/messages.ts'
import ExportNews from '../../features/exports/export-news.tsx'
import { ReloadContext, useSession } from '../../features/session/session.ts'
import { browser, listen } from '../../lib/browser.ts'
import { request } from '../../lib/http/request.ts'
import { refusal } from '../../lib/http/sign-in.ts'
import { paths } from '../../lib/paths.ts'
import { recallPerson } from '../../lib/storage.ts'
import { Modal } from '../../ui/dialog/modal.tsx'
import { toasts } from '../../ui/state/toasts.ts'
import { useRecentPages } from '../jump/recent-targets.ts'
import { NewVersion } from './new-version.tsx'
import { SessionPrompt } from './session-prompt.tsx'
import { accessOf } from './session-scope.tsx'
import { useSessionWatch } from './use-session-watch.ts'

export function BackgroundTasks() {
  const { watch, state } = useSessionWatch()
  const other = useOtherPerson()
  useAccessWatch()
  useRecentPages()
  return (
    <>
      <NewVersion />
      <ExportNews />
      {other !== null && <OtherPerson fullName={other} />}
      {state.expiring && <SessionPrompt watch={watch} state={state} />}
    </>
  )
}

/** Asks the person to reload after somebody else has signed in. */
function OtherPerson({ fullName }: { fullName: string }) {
  const { user } = useSession()
  const begin = () => {
    browser.guarded = false
    toasts.forget()
    browser.leaveTo(paths.home)
  }
  return (
    <Modal title="Somebody else has signed in" role="alertdialog" onEnter={begin}>
      <div className="modal-body">
        <p className="modal-text">
          <span>
            <strong>{fullName}</strong> signed in to the portal in another tab of this browser. This page was
            opened by <strong>{user.fullName}</strong> and cannot go on.
          </span>
        </p>
      </div>
      <div className="row modal-actions">
        <button type="button" className="button primary" onClick={begin}>
          Go on as {fullName}
        </button>
      </div>
    </Modal>
  )
}

/** The name of the person who has signed in since, if it is somebody else. */
function useOtherPerson(): string | null {
  const { id } = useSession().user
  return useSyncExternalStore(followPerson, () => {
    const now = recallPerson()
    return now && now.id !== id ? now.fullName : null
  })
}

function followPerson(look: () => void): () => void {
  const stops = [listen(window, { storage: look }), listen(document, { visibilitychange: look })]
  return () => {
    for (const stop of stops) stop()
  }
}

/** Each call makes the gateway reload the roles, so a change shows within a minute. */
const ASK_EVERY_MS = 30_000

function useAccessWatch(): void {
  const { user } = useSession()
  const reload = useContext(ReloadContext)
  const known = accessOf(user)
  useEffect(() => {
    let asking = false
    let askedAtMs = performance.now()
    async function ask() {
      if (asking) return
      asking = true
      askedAtMs = performance.now()
      try {
        const me = await request<Me>('/api/portal/v1/me', { background: true })
        // `useOtherPerson` handles another person.
        if (me.user.id !== user.id || accessOf(me.user) === known) return
        await reload()
        toasts.info(ACCESS_CHANGED)
      } catch {
        // Keep the known roles: the gateway checks every call.
      } finally {
        asking = false
      }
    }
    const timer = setInterval(() => {
      if (!document.hidden) void ask()
    }, ASK_EVERY_MS)
    const stopFollowing = listen(document, {
      visibilitychange() {
        if (!document.hidden && performance.now() - askedAtMs >= ASK_EVERY_MS) void ask()
      }
    })
    refusal.noted = () => void ask()
    return () => {
      clearInterval(timer)
      stopFollowing()
      refusal.noted = () => {}
    }
  }, [known, reload, user.id])
}
