import type { ReactNode } from 'react'

/** A one-line error for a part of a page. */
export function LoadFailed({ children, onRetry }: { children: ReactNode; onRetry: () => void }) {
  return (
    <p className="field-error" role="alert">
      {children}{' '}
      <button type="button" className="link-button" onClick={onRetry}>
        Retry
      </button>
    </p>
  )
}
