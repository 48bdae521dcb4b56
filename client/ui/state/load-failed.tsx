import type { ReactNode } from 'react'

/** One line in place of a part that did not load. */
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
