import KeyRound from 'lucide-react/icons/key-round'
import { useSearchParams } from 'react-router-dom'
import { PublicPanel } from './public-panel.tsx'

const REASONS = {
  expired: 'The sign-in page stayed open for too long, or was used twice. Starting again helps.',
  refused:
    'The sign-in was not accepted. It may have been cancelled, or your account may not be used here any more.',
  denied: 'The sign-in was cancelled, or the sign-in service did not let you in.',
  failed: 'The sign-in service failed on its side. Try again; if it goes on, tell whoever runs it.',
  slow: 'The sign-in service takes too long to answer. Nothing is lost; try again in a minute.',
  unavailable: 'The sign-in service does not answer right now. Nothing is lost; try again in a minute.',
  other: 'Something got in the way between the sign-in service and the portal.'
}

export default function SigninFailedPage() {
  const [query] = useSearchParams()
  const reason = query.get('reason') ?? 'other'
  return (
    <PublicPanel icon={KeyRound} title="Sign-in did not finish" action="Try again">
      {REASONS[isKnown(reason) ? reason : 'other']}
    </PublicPanel>
  )
}

function isKnown(reason: string): reason is keyof typeof REASONS {
  return Object.hasOwn(REASONS, reason)
}
