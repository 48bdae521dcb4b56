import LogOut from 'lucide-react/icons/log-out'
import ShieldX from 'lucide-react/icons/shield-x'
import { useStore } from 'zustand'
import {
  type Invitation,
  openInvitation,
  promptStore,
  useMyInvitations
} from '../../features/people/notifications/invitations/api.ts'
import { InvitationPage } from '../../features/people/notifications/invitations/page.tsx'
import { InvitationWords } from '../../features/people/notifications/invitations/words.tsx'
import { paths } from '../../lib/paths.ts'
import { mayEnter } from '../../lib/session/may-open.ts'
import { useSession } from '../../lib/session/session.ts'
import { PrefetchLink } from '../../ui/prefetch-link.tsx'
import { SupportContact } from '../../ui/state/error-panel.tsx'
import { Notice } from '../../ui/state/notice.tsx'
import { LonePanel } from '../../ui/state/panel.tsx'

export default function AccessDeniedPage() {
  const hasAccess = mayEnter(useSession())
  const { data, error } = useMyInvitations()
  const postponed = useStore(promptStore, (state) => state.postponed)
  const [invitation] = data?.filter(({ id }) => hasAccess || !postponed.includes(id)) ?? []
  if (hasAccess || (!invitation && (data || error !== undefined)))
    return <AccessDenied invitation={invitation} />
  return invitation && data ? (
    <InvitationPage key={invitation.id} invitation={invitation} invitations={data} />
  ) : null
}

function AccessDenied({ invitation }: { invitation: Invitation | undefined }) {
  const session = useSession()
  const { fullName, email } = session.user
  return (
    <LonePanel icon={ShieldX} title="Access denied">
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
      {invitation && (
        <Notice tone="info" action={{ label: 'Answer', onAct: () => openInvitation(invitation.id) }}>
          <InvitationWords {...invitation} />
        </Notice>
      )}
      <SupportContact lead="Support:" />
      <div className="row panel-actions">
        {mayEnter(session) && (
          <PrefetchLink to={paths.home} className="button primary">
            Home
          </PrefetchLink>
        )}
        <PrefetchLink to={paths.logOut} className={`button ${mayEnter(session) ? '' : 'primary'}`}>
          <LogOut />
          Log out
        </PrefetchLink>
      </div>
    </LonePanel>
  )
}
