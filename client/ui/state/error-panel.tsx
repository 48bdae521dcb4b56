import RefreshCw from 'lucide-react/icons/refresh-cw'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import WifiOff from 'lucide-react/icons/wifi-off'
import { createContext, useContext } from 'react'
import type { Support } from '#shared/answers/portal.ts'
import { useOnline } from '../../lib/browser.ts'
import { failureOf } from '../../lib/http/api-error.ts'
import { mayRecover, useNextRetryMs } from '../../lib/http/retry.ts'
import { useSecondsLeft } from '../../lib/time/seconds-left.ts'
import { Panel } from './panel.tsx'

interface ErrorPanelProps {
  error: unknown
  isFetching?: boolean
  refetch: () => void
}

/** Shows no error while offline, because the frame reports the lost connection. */
export function ErrorPanel({ error, isFetching = false, refetch }: ErrorPanelProps) {
  const { title, text, requestId } = failureOf(error)
  const online = useOnline()
  const nextRetryMs = useNextRetryMs()
  const retryAtMs = !isFetching && mayRecover(error) ? nextRetryMs : null
  if (!online)
    return (
      <Panel icon={WifiOff} title="Not loaded yet">
        <p>This loads once you are connected again.</p>
      </Panel>
    )
  return (
    <div role="alert">
      <Panel
        icon={TriangleAlert}
        tone="danger"
        title={title}
        actions={
          // Not announced: the page tries again by itself.
          <div className="row" aria-live="off">
            <button type="button" className="button" aria-disabled={isFetching} onClick={refetch}>
              <RefreshCw />
              {isFetching ? 'Refreshing…' : retryAtMs === null ? 'Refresh' : 'Try now'}
            </button>
            {retryAtMs !== null && <RetryCountdown untilMs={retryAtMs} />}
          </div>
        }
      >
        <p>{text}</p>
        <SupportContact lead="If it keeps happening, contact support:" />
        {requestId && (
          <p className="request-id">
            Request <span className="mono">{requestId}</span>
          </p>
        )}
      </Panel>
    </div>
  )
}

export function RetryCountdown({ untilMs }: { untilMs: number }) {
  const seconds = useSecondsLeft(untilMs)
  return (
    <span role="timer" className="muted">
      Trying again in {seconds} s
    </span>
  )
}

export const SupportContext = createContext<Support>({ phone: null, email: null })

export function SupportContact({ lead }: { lead: string }) {
  const { phone, email } = useContext(SupportContext)
  if (!phone && !email) return null
  return (
    <p className="support">
      {lead} {phone && <a href={`tel:${phone.replace(/[^+\d]/g, '')}`}>{phone}</a>}
      {phone && email && ' or '}
      {email && <a href={`mailto:${email}`}>{email}</a>}
    </p>
  )
}
