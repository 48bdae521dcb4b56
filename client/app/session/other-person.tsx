import { useEffect, useState } from 'react'
import { useSession } from '../../features/session/session.ts'
import { browser } from '../../lib/browser.ts'
import { paths } from '../../lib/paths.ts'
import { recallPerson } from '../../lib/storage.ts'
import { Modal } from '../../ui/dialog/modal.tsx'
import { toasts } from '../../ui/state/toasts.ts'

/** What this tab shows is one person's, and what it would do from now on another's: it has to begin anew. */
export function OtherPerson({ fullName }: { fullName: string }) {
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
      <div className="modal-actions">
        <button type="button" className="button primary" onClick={begin}>
          Go on as {fullName}
        </button>
      </div>
    </Modal>
  )
}

/** The other person that has signed in since; null as long as it is the same. */
export function useOtherPerson(): ReturnType<typeof recallPerson> {
  const { id } = useSession().user
  const [other, setOther] = useState<ReturnType<typeof recallPerson>>(null)
  useEffect(() => {
    const look = () => {
      const now = recallPerson()
      setOther(now && now.id !== id ? now : null)
    }
    // It may have happened before anybody listened.
    look()
    window.addEventListener('storage', look)
    document.addEventListener('visibilitychange', look)
    return () => {
      window.removeEventListener('storage', look)
      document.removeEventListener('visibilitychange', look)
    }
  }, [id])
  return other
}
