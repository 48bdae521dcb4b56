import { useId } from 'react'

interface FormActionsProps {
  label: string
  /** Why the form cannot be sent; null if it can. */
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
