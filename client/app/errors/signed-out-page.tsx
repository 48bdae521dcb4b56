import Clock from 'lucide-react/icons/clock'
import LogOut from 'lucide-react/icons/log-out'
import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { ACCOUNT_REFUSED } from '#shared/messages.ts'
import { readSignOut } from '../../lib/http/sign-in.ts'
import { formatClock } from '../../lib/time/time.ts'
import { PublicPanel } from './public-panel.tsx'

const WHY = {
  expired: 'You were signed out because nothing happened for a while.',
  longest: 'Your session reached its maximum length.'
}

const WHO = {
  refused: ACCOUNT_REFUSED,
  authority: 'Your sign-in service has signed you out.',
  person: 'You ended this session from another browser.',
  newer: 'You signed in elsewhere and reached the allowed number of sessions, so this one has ended.'
}

/** Says why the session ended, and leads back to the last page. */
export default function SignedOutPage() {
  const [ended] = useState(readSignOut)
  const [address] = useSearchParams()
  // Anybody can link to this page. Only the state that this tab sent proves that the authority ended its session.
  const everywhere = typeof ended?.state === 'string' && address.get('state') === ended.state
  const login = ended?.returnTo ? `/auth/login?returnTo=${encodeURIComponent(ended.returnTo)}` : '/auth/login'
  if (ended?.ending === 'expired' || ended?.ending === 'longest') {
    return (
      <PublicPanel
        icon={Clock}
        title={`Your session expired at ${formatClock(ended.atMs, Date.now())}`}
        action="Sign in"
        to={login}
      >
        {WHY[ended.ending]} Sign in again to go on where you were.
      </PublicPanel>
    )
  }
  if (ended && ended.ending !== 'signed-out') {
    return (
      <PublicPanel icon={LogOut} title="You were signed out" action="Sign in" to={login}>
        {WHO[ended.ending]}
        {ended.returnTo && ' Sign in again to go on where you were.'}
      </PublicPanel>
    )
  }
  return (
    <PublicPanel icon={LogOut} title="You signed out" action="Sign in" to={login}>
      {everywhere
        ? 'Your session has ended on this device and at your identity provider.'
        : 'Your session has ended on this device.'}
      {ended?.returnTo && ' It was ended in another tab; sign in again to go on where you were.'}
    </PublicPanel>
  )
}
