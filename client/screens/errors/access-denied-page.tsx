import LogOut from 'lucide-react/icons/log-out'
import ShieldX from 'lucide-react/icons/shield-x'
import { useEffect } from 'react'
import { PrefetchLink } from '../../components/prefetch-link.tsx'
import { SupportContact } from '../../components/support-contact.tsx'
import { mayEnter } from '../../lib/landing.ts'
import { paths } from '../../paths.ts'
import { useSession } from '../../session/session.ts'

export default function AccessDeniedPage() {
  const session = useSession()
  const { fullName, email } = session.user
  useEffect(() => {
    document.title = 'Access denied · Portal'
  }, [])
  return (
    <div className="lone-panel">
      <span className="panel-icon">
        <ShieldX />
      </span>
      <h1 tabIndex={-1}>Access denied</h1>
      <p>
        You are signed in as <strong>{fullName}</strong>
        {email && ` (${email})`}
        {mayEnter(session)
          ? ', whose role does not include this page.'
          : '. This account has no role in the portal yet.'}
      </p>
      <p className="muted">
        Ask your administrator for access. If you have another account, log out and sign in with that one.
      </p>
      <SupportContact lead="Support:" />
      <div className="panel-actions">
        {mayEnter(session) && (
          <PrefetchLink to={paths.home} className="button">
            Home
          </PrefetchLink>
        )}
        <PrefetchLink to={paths.logOut} className="button primary">
          <LogOut />
          Log out
        </PrefetchLink>
      </div>
    </div>
  )
}
