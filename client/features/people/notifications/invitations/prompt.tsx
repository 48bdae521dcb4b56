import { useLocation } from 'react-router-dom'
import { useStore } from 'zustand'
import { paths } from '../../../../lib/paths.ts'
import { mayEnter } from '../../../../lib/session/may-open.ts'
import { useSession } from '../../../../lib/session/session.ts'
import { Modal } from '../../../../ui/dialog/modal.tsx'
import { INVITATION } from '../messages.ts'
import { postpone, promptStore, useAnswer, useMyInvitations } from './api.ts'
import { AnswerButtons, InvitationBody, type InvitationBodyProps } from './words.tsx'

/** Shows the first unanswered invitation as a dialog. People without a role see the invitation page instead. */
export default function InvitationPrompt() {
  const session = useSession()
  const { pathname } = useLocation()
  const { data = [], refetch } = useMyInvitations()
  const { postponed, opened } = useStore(promptStore)
  const isPage = pathname === paths.accessDenied && !mayEnter(session)
  const firstInvitation = isPage ? undefined : data.find(({ id }) => !postponed.includes(id))
  const invitation = data.find(({ id }) => id === opened) ?? firstInvitation
  if (!invitation) return null
  return (
    <Prompt
      key={invitation.id}
      invitation={invitation}
      invitations={data}
      onPostpone={() => postpone(data.map(({ id }) => id))}
      onGone={() => {
        postpone([invitation.id])
        refetch()
      }}
    />
  )
}

interface PromptProps extends Pick<InvitationBodyProps, 'invitation' | 'invitations'> {
  onPostpone: () => void
  onGone: () => void
}

function Prompt({ invitation, invitations, onPostpone, onGone }: PromptProps) {
  const answering = useAnswer(invitation.id)
  const { busy, failure } = answering
  const isGone = failure === 'gone'
  const close = isGone ? onGone : () => busy === null && onPostpone()
  return (
    <Modal
      title={isGone ? INVITATION.notFound.title : 'You are invited'}
      role={isGone ? 'alertdialog' : 'dialog'}
      onClose={close}
    >
      <div className="modal-body">
        <InvitationBody invitation={invitation} invitations={invitations} failure={failure} />
      </div>
      <div className="row modal-actions">
        <button type="button" className="button quiet" aria-disabled={busy !== null} onClick={close}>
          {isGone ? 'Close' : 'Later'}
        </button>
        {!isGone && <AnswerButtons {...answering} />}
      </div>
    </Modal>
  )
}
