import { type ReactNode, useState } from 'react'
import { count } from '../../lib/format.ts'
import { Modal } from '../../ui/dialog/modal.tsx'
import type { ChangeLine } from './access-draft.ts'
import { roleLabel, type ScopeNames } from './role-text.ts'

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

/** A change of access, line by line, as it will be saved. */
export function ChangeLines({ lines, nameOf }: { lines: readonly ChangeLine[]; nameOf: ScopeNames }) {
  return (
    <ul className="change-lines" aria-label="Changes">
      {lines.map(({ sign, role, scope, replacedBy }) => (
        <li key={`${sign} ${role} ${scope}`} className={sign === '+' ? 'change-add' : 'change-remove'}>
          <span aria-hidden="true" className="change-sign">
            {sign}
          </span>
          <span>
            <span className="sr-only">{sign === '+' ? 'Add ' : 'Remove '}</span>
            <strong>{roleLabel(role)}</strong> at {nameOf(scope)}
            {replacedBy && (
              <span className="change-why">
                {' '}
                Replaced by {roleLabel(replacedBy.role)} at {nameOf(replacedBy.scope)} (narrower scope)
              </span>
            )}
          </span>
        </li>
      ))}
    </ul>
  )
}
