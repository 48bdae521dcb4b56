import CircleAlert from 'lucide-react/icons/circle-alert'
import type { ReactNode } from 'react'
import { useOnline } from '../../lib/browser.ts'
import { failureOf } from '../../lib/http/api-error.ts'

interface NoticeProps {
  tone: 'danger' | 'warn' | 'info'
  children: ReactNode
  action?: { label: string; onAct: () => void }
}

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

interface StaleNoticeProps {
  error: unknown
  what: string
  onRefresh: () => void
}

/** Shows nothing while offline, because the frame reports the lost connection. */
export function StaleNotice({ error, what, onRefresh }: StaleNoticeProps) {
  if (!useOnline()) return null
  return (
    <Notice tone="warn" action={{ label: 'Refresh', onAct: onRefresh }}>
      {failureOf(error).title}. {what} may be out of date.
    </Notice>
  )
}
