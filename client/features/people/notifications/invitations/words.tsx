import type { ReactNode } from 'react'
import { ROLES, recognizeRole } from '#shared/permissions.ts'
import { Timestamp } from '../../../../ui/timestamp.tsx'
import { Entry } from '../entry.tsx'
import { INVITATION } from '../messages.ts'
import type { Answering, Invitation } from './api.ts'

export function InvitationWords({ partnerName, customerName, roleNames }: Invitation) {
  const roles = roleNames.map(labelOf).join(', ')
  return (
    <span>
      <strong>{partnerName ?? 'An integrator'}</strong> invites you to{' '}
      {customerName ? <strong>{customerName}</strong> : 'its own organization'}
      {roles && ` as ${roles}`}.
    </span>
  )
}

export function InvitationEnd({ expiresDate }: Invitation) {
  if (!expiresDate) return null
  return (
    <span>
      You can accept until <Timestamp iso={expiresDate} as="day" />.
    </span>
  )
}

export interface InvitationBodyProps extends Pick<Answering, 'failure'> {
  invitation: Invitation
  invitations: readonly Invitation[]
  children?: ReactNode
}

export function InvitationBody({ invitation, invitations, failure, children }: InvitationBodyProps) {
  if (failure === 'gone') return <p role="alert">{INVITATION.notFound.text}</p>
  return (
    <>
      {invitations.length > 1 && (
        <p className="muted">
          Invitation {invitations.indexOf(invitation) + 1} of {invitations.length}
        </p>
      )}
      <p className="modal-text">
        <InvitationWords {...invitation} /> <InvitationEnd {...invitation} />
      </p>
      {children}
      {failure && (
        <p className="field-error" role="alert">
          {INVITATION.failed}
        </p>
      )}
    </>
  )
}

export function AnswerButtons({ busy, answer }: Answering) {
  return (
    <>
      <button
        type="button"
        className="button"
        aria-disabled={busy !== null}
        aria-busy={busy === 'reject'}
        onClick={() => answer('reject')}
      >
        Decline
      </button>
      <button
        type="button"
        className="button primary"
        aria-disabled={busy !== null}
        aria-busy={busy === 'accept'}
        onClick={() => answer('accept')}
      >
        Accept
      </button>
    </>
  )
}

function labelOf(roleName: string): string {
  const role = recognizeRole(roleName)
  return ROLES.find(({ name }) => name === role)?.label ?? roleName
}

export function InvitationEntry({ invitation, onOpen }: { invitation: Invitation; onOpen: () => void }) {
  return (
    <Entry
      unread
      title="Invitation"
      foot={
        <>
          <InvitationEnd {...invitation} />
          <button type="button" className="link-button" onClick={onOpen}>
            Answer
            <span className="sr-only"> the invitation of {invitation.partnerName ?? 'an integrator'}</span>
          </button>
        </>
      }
    >
      <InvitationWords {...invitation} />
    </Entry>
  )
}
