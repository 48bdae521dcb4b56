import Clock from 'lucide-react/icons/clock'
import LogOut from 'lucide-react/icons/log-out'
import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { ACCOUNT_REFUSED } from '#shared/messages.ts'
import { readSignOut, type SignOutReason, signInAddress } from '../../lib/http/sign-in.ts'
import { formatClock } from '../../lib/time/time.ts'
import { PublicPanel } from './public-panel.tsx'

const REASONS: Record<SignOutReason, string> = {
  expired: 'You were signed out because nothing happened for a while.',
  longest: 'Your session reached its maximum length.',
  refused: ACCOUNT_REFUSED,
  authority: 'Your sign-in service has signed you out.',
  person: 'You ended this session from another browser.',
  newer: 'You signed in elsewhere and reached the allowed number of sessions, so this one has ended.',
  'signed-out': 'Your session has ended on this device.'
}

export default function SignedOutPage() {
  const [signOut] = useState(readSignOut)
  const [query] = useSearchParams()
  const { ending = 'signed-out', atMs = 0, returnTo, state } = signOut ?? {}
  // Anybody can link to this page. Only the state that this tab sent proves that the session at the authority has ended.
  const endedAtAuthority = typeof state === 'string' && query.get('state') === state
  const expired = ending === 'expired' || ending === 'longest'
  const deliberate = ending === 'signed-out'
  const title = deliberate ? 'You signed out' : 'You were signed out'
  return (
    <PublicPanel
      icon={expired ? Clock : LogOut}
      title={expired ? `Your session expired at ${formatClock(atMs, Date.now())}` : title}
      action="Sign in"
      to={returnTo ? signInAddress(returnTo) : '/auth/login'}
    >
      {endedAtAuthority && deliberate
        ? 'Your session has ended on this device and at your identity provider.'
        : REASONS[ending]}
      {returnTo && deliberate && ' It was ended in another tab; sign in again to go on where you were.'}
      {(returnTo || expired) && !deliberate && ' Sign in again to go on where you were.'}
    </PublicPanel>
  )
}
