import Clock from 'lucide-react/icons/clock'
import LogOut from 'lucide-react/icons/log-out'
import { useState } from 'react'
import { ACCOUNT_REFUSED } from '#shared/messages.ts'
import { formatClock } from '../../lib/clock.ts'
import { readEnded } from '../../lib/ended.ts'
import { PublicPanel } from './public-panel.tsx'

/** Why somebody is not signed in any more, and the way back to where they were. */
export default function SignedOutPage() {
  const [ended] = useState(readEnded)
  const login = ended?.returnTo ? `/auth/login?returnTo=${encodeURIComponent(ended.returnTo)}` : '/auth/login'
  if (ended?.ending === 'expired') {
    return (
      <PublicPanel
        icon={Clock}
        title={`Your session expired at ${formatClock(ended.atMs, Date.now())}`}
        action="Sign in"
        to={login}
      >
        You were signed out because nothing happened for a while. Sign in again to go on where you were.
      </PublicPanel>
    )
  }
  if (ended?.ending === 'refused') {
    return (
      <PublicPanel icon={LogOut} title="You were signed out" action="Sign in" to={login}>
        {ACCOUNT_REFUSED}
      </PublicPanel>
    )
  }
  return (
    <PublicPanel icon={LogOut} title="You signed out" action="Sign in" to={login}>
      Your session has ended on this device.
      {ended?.returnTo && ' It was ended in another tab; sign in again to go on where you were.'}
    </PublicPanel>
  )
}
