import { type ReactNode, useState } from 'react'
import type { Location } from 'react-router-dom'
import { fieldReasonsOf, mustReload, refusalText } from '../../lib/http/api-error.ts'
import { consequenceText } from '../../lib/http/consequence.ts'
import { useMutation } from '../../lib/http/mutation.ts'
import { FieldReasonsContext } from '../input/field.tsx'
import { Modal } from './modal.tsx'
import { type DirtyForm, useUnsavedChanges } from './unsaved-changes.tsx'

/** A page of another device or point closes the dialog, although its path is the same. */
const EDITED: DirtyForm = { keeps: (next, current) => subjectOf(next) === subjectOf(current) }

const SENDING: DirtyForm = {
  ...EDITED,
  question: 'Leave while this is being sent?',
  text: 'You may not see whether it worked.'
}

function subjectOf({ pathname, search }: Location): string {
  const query = new URLSearchParams(search)
  return [pathname, query.get('deviceUuid'), query.get('cloudId')].join()
}

interface FormDialogProps {
  title: string
  about?: ReactNode
  saveLabel: string
  kind?: 'dialog' | 'wide'
  /** `alertdialog` for questions. */
  role?: 'dialog' | 'alertdialog'
  tone?: 'primary' | 'danger' | undefined
  ready: boolean
  /** Whether closing the dialog or leaving the page would lose input, so that the dialog asks first. */
  edited?: boolean
  /** Replaces parts of the question that leaving the page asks while the dialog sends. */
  whileSending?: DirtyForm | undefined
  /** Whether Enter saves, except in a multi-line text. */
  enter?: boolean
  note?: ReactNode
  children: ReactNode
  /** If the promise rejects, the dialog shows an error. */
  onSave: () => Promise<void> | void
  onClose: () => void
  /** Reloads the data that the dialog changes. Called after a failure if the data may have changed all the same. */
  reload?: (() => void) | undefined
  /** Called once for each failure. */
  failureText?: ((error: unknown) => ReactNode) | undefined
}

export function FormDialog(props: FormDialogProps) {
  const {
    title,
    about,
    saveLabel,
    kind,
    role,
    tone = 'primary',
    ready,
    edited,
    whileSending,
    enter,
    note,
    children
  } = props
  const { onSave, onClose, reload, failureText } = props
  const [failure, setFailure] = useState<ReactNode>(null)
  const [reasons, setReasons] = useState(fieldReasonsOf(null))
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => onSave(),
    onError(refusal) {
      setFailure(failureText?.(refusal) ?? `${refusalText(refusal)} ${consequenceText(refusal)}`)
      setReasons(fieldReasonsOf(refusal))
      if (mustReload(refusal)) reload?.()
    }
  })
  const hasChanges = edited && !isPending
  const save = () => void (ready && mutate())
  const close = () => isPending || onClose()
  useUnsavedChanges(isPending ? { ...SENDING, ...whileSending } : edited ? EDITED : null)

  return (
    <Modal
      title={title}
      about={about}
      kind={kind}
      role={role}
      onClose={close}
      edited={hasChanges}
      onEnter={enter ? save : undefined}
    >
      <div className="modal-body">
        <FieldReasonsContext value={reasons}>{children}</FieldReasonsContext>
        {error !== undefined && (
          <p className="field-error" role="alert">
            {failure}
          </p>
        )}
      </div>
      <div className="row modal-actions">
        {note}
        <button type="button" className="button" aria-disabled={isPending} onClick={close}>
          Cancel
        </button>
        <button
          type="button"
          className={`button ${tone}`}
          aria-disabled={!ready || isPending}
          aria-busy={isPending}
          onClick={save}
        >
          {saveLabel}
        </button>
      </div>
    </Modal>
  )
}
