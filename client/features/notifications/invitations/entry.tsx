import type { Invitation } from './api.ts'
import { InvitationEnd, InvitationWords } from './words.tsx'

/** In the bell, until it is answered. */
export function InvitationEntry({ invitation, onOpen }: { invitation: Invitation; onOpen: () => void }) {
  return (
    <li className="notification" data-unread>
      <div className="notification-head">
        <h3>
          <span className="sr-only">Unread: </span>Invitation
        </h3>
      </div>
      <p className="notification-text">
        <InvitationWords {...invitation} />
      </p>
      <div className="notification-facts">
        <InvitationEnd {...invitation} />
        <button type="button" className="link-button" onClick={onOpen}>
          Answer<span className="sr-only"> the invitation of {invitation.partnerName}</span>
        </button>
      </div>
    </li>
  )
}
