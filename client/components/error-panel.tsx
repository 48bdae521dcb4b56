import RefreshCw from 'lucide-react/icons/refresh-cw'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { Panel } from './panel.tsx'
import { SupportContact } from './support-contact.tsx'

interface ErrorPanelProps {
  failure: { title: string; text: string; requestId: string | null }
  busy?: boolean
  onRefresh: () => void
}

export function ErrorPanel({ failure, busy = false, onRefresh }: ErrorPanelProps) {
  return (
    <div role="alert">
      <Panel
        icon={TriangleAlert}
        tone="danger"
        title={failure.title}
        actions={
          <button type="button" className="button" aria-disabled={busy} onClick={onRefresh}>
            <RefreshCw />
            {busy ? 'Refreshing…' : 'Refresh'}
          </button>
        }
      >
        <p>{failure.text}</p>
        <SupportContact lead="If it keeps happening, contact support:" />
        {failure.requestId && (
          <p className="request-id">
            Request <span className="mono">{failure.requestId}</span>
          </p>
        )}
      </Panel>
    </div>
  )
}
