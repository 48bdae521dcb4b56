import { useLocation } from 'react-router-dom'
import { useStore } from 'zustand'
import { mayEnter } from '#shared/landing.ts'
import { INVITATION } from '#shared/messages.ts'
import { paths } from '../../../lib/paths.ts'
import { Modal } from '../../../ui/dialog/modal.tsx'
import { useSession } from '../../session/session.ts'
import { type Invitation, postpone, promptStore, useAnswer, useMyInvitations } from './api.ts'
import { AnswerButtons, InvitationBody } from './words.tsx'

/** The first open invitation, as a dialog. People without a role see it as a page instead. */
export default function InvitationPrompt() {
  const session = useSession()
  const { pathname } = useLocation()
  const { data = [], reload } = useMyInvitations()
  const { postponed, opened } = useStore(promptStore)
  const isPage = pathname === paths.accessDenied && !mayEnter(session)
  const waiting = isPage ? undefined : data.find(({ id }) => !postponed.includes(id))
  const invitation = data.find(({ id }) => id === opened) ?? waiting
  if (!invitation) return null
  return (
    <Prompt
      key={invitation.id}
      invitation={invitation}
      count={data.length}
      onLater={() => postpone(data.map(({ id }) => id))}
      onGone={() => {
        postpone([invitation.id])
        reload()
      }}
    />
  )
}

interface PromptProps {
  invitation: Invitation
  count: number
  onLater: () => void
  onGone: () => void
}

function Prompt({ invitation, count, onLater, onGone }: PromptProps) {
  const answering = useAnswer(invitation.id)
  const { busy, failure } = answering
  const gone = failure === 'gone'
  const close = gone ? onGone : () => busy === null && onLater()
  return (
    <Modal
      title={gone ? INVITATION.notFound.title : 'You are invited'}
      role={gone ? 'alertdialog' : 'dialog'}
      onClose={close}
    >
      <div className="modal-body">
        <InvitationBody {...{ invitation, count, failure }} />
      </div>
      <div className="row modal-actions">
        <button type="button" className="button quiet" aria-disabled={busy !== null} onClick={close}>
          {gone ? 'Close' : 'Later'}
        </button>
        {!gone && <AnswerButtons {...answering} />}
      </div>
    </Modal>
  )
}
