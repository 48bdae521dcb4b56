import Copy from 'lucide-react/icons/copy'
import { useNavigate } from 'react-router-dom'
import { paths } from '../../../lib/paths.ts'

interface SendBarProps {
  people: number
  /** Whether any invitation is on its way already. */
  sent: boolean
  busy: boolean
  /** What is wanted yet; null when they can be sent. */
  missing: string | null
  onSend: () => void
  onBack: () => void
  onCopy: () => void
}

export function SendBar({ people, sent, busy, missing, onSend, onBack, onCopy }: SendBarProps) {
  const navigate = useNavigate()
  return (
    <div className="form-bar">
      {!sent || busy ? (
        <button
          type="button"
          className="button primary"
          aria-disabled={missing !== null || busy}
          aria-describedby="send-missing"
          onClick={onSend}
        >
          {busy ? 'Sending…' : people === 1 ? 'Send invitation' : 'Send invitations'}
        </button>
      ) : (
        <button
          type="button"
          className="button primary"
          onClick={() => navigate(`${paths.users}?tab=invitations`)}
        >
          To the invitations
        </button>
      )}
      <button type="button" className="button" onClick={onBack}>
        Back
      </button>
      <button type="button" className="button quiet" onClick={onCopy}>
        <Copy />
        Copy access from…
      </button>
      <p id="send-missing" className="muted" role="status">
        {missing}
      </p>
    </div>
  )
}
