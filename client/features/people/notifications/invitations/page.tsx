import LogOut from 'lucide-react/icons/log-out'
import MailOpen from 'lucide-react/icons/mail-open'
import { usePageTitle } from '../../../../lib/page-title.ts'
import { paths } from '../../../../lib/paths.ts'
import { useSession } from '../../../../lib/session/session.ts'
import { PrefetchLink } from '../../../../ui/prefetch-link.tsx'
import { INVITATION } from '../messages.ts'
import { postpone, useAnswer } from './api.ts'
import { AnswerButtons, InvitationBody, type InvitationBodyProps } from './words.tsx'

const TITLE = 'You are invited'

/** The page for a person who has an invitation but no role yet. */
export function InvitationPage(props: Pick<InvitationBodyProps, 'invitation' | 'invitations'>) {
  const { invitation } = props
  const { fullName, email } = useSession().user
  const answering = useAnswer(invitation.id)
  const isGone = answering.failure === 'gone'
  usePageTitle(TITLE)
  return (
    <div className="lone-panel">
      <span className="panel-icon">
        <MailOpen />
      </span>
      <h1 tabIndex={-1}>{isGone ? INVITATION.notFound.title : TITLE}</h1>
      <InvitationBody {...props} failure={answering.failure}>
        <p className="muted">
          You are signed in as {fullName}
          {email && ` (${email})`}.
        </p>
      </InvitationBody>
      <div className="row panel-actions">
        {isGone ? (
          <button type="button" className="button" onClick={() => postpone([invitation.id])}>
            Close
          </button>
        ) : (
          <AnswerButtons {...answering} />
        )}
      </div>
      <PrefetchLink to={paths.logOut} className="button quiet">
        <LogOut />
        Log out
      </PrefetchLink>
    </div>
  )
}
