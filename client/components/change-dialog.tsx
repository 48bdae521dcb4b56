import { type ReactNode, useState } from 'react'
import type { ChangeLine } from '../lib/access-draft.ts'
import { count } from '../lib/format.ts'
import type { ScopeNames } from '../lib/role-text.ts'
import { ChangeLines } from './change-lines.tsx'
import { Modal } from './modal.tsx'

interface ChangeDialogProps {
  /** Whose access it is. */
  name: string
  lines: readonly ChangeLine[]
  nameOf: ScopeNames
  children?: ReactNode
  /** Rejects when it was not saved. */
  onSave: () => Promise<void>
  onClose: () => void
  failureText: (error: unknown) => string
  /** Whether reading anew may help. */
  isConflict: (error: unknown) => boolean
  onReload: () => void
}

/** What is about to be saved, and nothing else; a failure is said here and loses nothing. */
export function ChangeDialog(props: ChangeDialogProps) {
  const { name, lines, nameOf, children, onSave, onClose, failureText, isConflict, onReload } = props
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)

  async function save() {
    if (busy) return
    setBusy(true)
    setFailure(null)
    try {
      await onSave()
    } catch (error) {
      setFailure(error)
      setBusy(false)
    }
  }

  return (
    <Modal
      title={`${count(lines.length, 'change')} for ${name}`}
      role="alertdialog"
      onClose={() => busy || onClose()}
      onEnter={() => void save()}
    >
      <div className="modal-body">
        <ChangeLines lines={lines} nameOf={nameOf} />
        {children}
        {failure !== null && (
          <p className="field-error" role="alert">
            {failureText(failure)} Nothing was changed.
          </p>
        )}
      </div>
      <div className="modal-actions">
        <button type="button" className="button" aria-disabled={busy} onClick={() => busy || onClose()}>
          Back
        </button>
        {failure !== null && isConflict(failure) && (
          <button
            type="button"
            className="button"
            onClick={() => {
              onReload()
              onClose()
            }}
          >
            Reload
          </button>
        )}
        <button
          type="button"
          className="button primary"
          aria-disabled={busy}
          aria-busy={busy}
          onClick={() => void save()}
        >
          {busy ? 'Saving…' : 'Save changes'}
        </button>
      </div>
    </Modal>
  )
}
