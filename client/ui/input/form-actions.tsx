import './forms.css'
import { type ReactNode, useId } from 'react'

interface FormActionsProps {
  label: string
  /** Why the form cannot be sent; null if it can. */
  missing: string | null
  busy?: boolean
  /** Undefined if the form has an `onSubmit`. */
  onSend?: () => void
  cancelLabel?: string
  onCancel?: () => void
  children?: ReactNode
}

export function FormActions(props: FormActionsProps) {
  const { label, missing, busy = false, onSend, cancelLabel = 'Cancel', onCancel, children } = props
  const id = useId()
  return (
    <div className="row form-actions">
      <button
        type={onSend ? 'button' : 'submit'}
        className="button primary"
        aria-disabled={missing !== null || busy}
        aria-busy={busy}
        aria-describedby={id}
        onClick={onSend}
      >
        {label}
      </button>
      {onCancel && (
        <button type="button" className="button" onClick={onCancel}>
          {cancelLabel}
        </button>
      )}
      {children}
      <span id={id} className="muted" role="status">
        {missing}
      </span>
    </div>
  )
}
