import CircleAlert from 'lucide-react/icons/circle-alert'
import type { ReactNode } from 'react'

interface NoticeProps {
  tone: 'warn' | 'info'
  children: ReactNode
  action?: { label: string; onAct: () => void }
}

/** One line above content that still stands. */
export function Notice({ tone, children, action }: NoticeProps) {
  return (
    <div className={`notice ${tone}`} role="status">
      <CircleAlert />
      <span>{children}</span>
      {action && (
        <button type="button" className="link-button" onClick={action.onAct}>
          {action.label}
        </button>
      )}
    </div>
  )
}
