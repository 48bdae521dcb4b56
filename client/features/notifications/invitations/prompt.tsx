import { useLocation } from 'react-router-dom'
import { useStore } from 'zustand'
import { mayEnter } from '#shared/landing.ts'
import { INVITATION } from '#shared/messages.ts'
import { paths } from '../../../lib/paths.ts'
import { Modal } from '../../../ui/dialog/modal.tsx'
import { useSession } from '../../session/session.ts'
import { asking, type Invitation, putOff, useAnswer, useMyInvitations } from './api.ts'
import { AnswerButtons, InvitationEnd, InvitationFailure, InvitationWords } from './words.tsx'

/**
 * On load, the first of the invitations that wait. Loading them is nobody's errand: without an answer nothing shows.
 * Whoever has no role yet sees it as the page itself.
 */
export default function InvitationPrompt() {
  const session = useSession()
  const { pathname } = useLocation()
  const { data = [], reload } = useMyInvitations()
  const { later, wanted } = useStore(asking)
  const isPage = pathname === paths.accessDenied && !mayEnter(session)
  const waiting = isPage ? undefined : data.find(({ id }) => !later.includes(id))
  const invitation = data.find(({ id }) => id === wanted) ?? waiting
  if (!invitation) return null
  return (
    <Prompt
      key={invitation.id}
      invitation={invitation}
      count={data.length}
      onLater={() => putOff(data.map(({ id }) => id))}
      onGone={() => {
        putOff([invitation.id])
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
  if (failure === 'gone') {
    return (
      <Modal title={INVITATION.notFound.title} role="alertdialog" onClose={onGone}>
        <div className="modal-body">
          <p className="modal-text" role="alert">
            {INVITATION.notFound.text}
          </p>
        </div>
        <div className="row modal-actions">
          <button type="button" className="button" onClick={onGone}>
            Close
          </button>
        </div>
      </Modal>
    )
  }
  const close = () => busy === null && onLater()
  return (
    <Modal title="You are invited" onClose={close}>
      <div className="modal-body">
        {count > 1 && <p className="muted">Invitation 1 of {count}</p>}
        <p className="modal-text">
          <InvitationWords {...invitation} />
          <InvitationEnd {...invitation} />
        </p>
        <InvitationFailure failure={failure} />
      </div>
      <div className="row modal-actions">
        <button type="button" className="button quiet" aria-disabled={busy !== null} onClick={close}>
          Later
        </button>
        <AnswerButtons {...answering} />
      </div>
    </Modal>
  )
}
