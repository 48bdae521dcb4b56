import { Modal } from '../../components/modal.tsx'
import { browser } from '../../lib/browser.ts'
import { toasts } from '../../lib/toasts.ts'
import { paths } from '../../paths.ts'
import { useSession } from '../../session/session.ts'

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
