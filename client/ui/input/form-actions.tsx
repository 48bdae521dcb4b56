import { useId } from 'react'

interface FormActionsProps {
  label: string
  /** What is still missing; null when the form can be sent. */
  missing: string | null
  busy?: boolean
  onCancel: () => void
}

export function FormActions({ label, missing, busy = false, onCancel }: FormActionsProps) {
  const id = useId()
  return (
    <div className="row form-actions">
      <button
        type="submit"
        className="button primary"
        aria-disabled={missing !== null || busy}
        aria-busy={busy}
        aria-describedby={id}
      >
        {label}
      </button>
      <button type="button" className="button" onClick={onCancel}>
        Cancel
      </button>
      <span id={id} className="muted" role="status">
        {missing}
      </span>
    </div>
  )
}
