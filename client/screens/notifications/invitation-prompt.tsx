import { useState } from 'react'
import { useLocation } from 'react-router-dom'
import { CODES, INVITATION } from '#shared/messages.ts'
import { ROLES, recognizeRole } from '#shared/permissions.ts'
import { ApiError } from '../../api/api-error.ts'
import { answerInvitation, type Invitation, useMyInvitations } from '../../api/invitations.ts'
import { Modal } from '../../components/modal.tsx'
import { Moment } from '../../components/moment.tsx'
import { browser } from '../../lib/browser.ts'
import { paths } from '../../paths.ts'
import { useSession } from '../../session/session.ts'

const LATER = 'portal.invitations-later'

/** §4: on load, the first of the invitations that wait. Loading them is nobody's errand: without an answer nothing shows. */
export default function InvitationPrompt() {
  const { data = [], reload } = useMyInvitations()
  const [later, setLater] = useState(postponed)
  const [invitation] = data.filter(({ id }) => !later.includes(id))
  if (!invitation) return null
  return (
    <Prompt
      key={invitation.id}
      invitation={invitation}
      count={data.length}
      onLater={() => setLater(postpone(data.map(({ id }) => id)))}
      onGone={() => {
        setLater(postpone([...later, invitation.id]))
        reload()
      }}
    />
  )
}

interface PromptProps {
  invitation: Invitation
  count: number
  onLater: () => void
  /** There is no such invitation any more. */
  onGone: () => void
}

function Prompt({ invitation, count, onLater, onGone }: PromptProps) {
  const { id, partnerName, customerName, expiresDate, roleNames } = invitation
  const { nowMs } = useSession()
  const { pathname } = useLocation()
  const [busy, setBusy] = useState<'accept' | 'reject' | null>(null)
  const [failure, setFailure] = useState<'gone' | 'failed' | null>(null)
  const roles = roleNames.map(labelOf).join(', ')

  async function answer(choice: 'accept' | 'reject') {
    if (busy) return
    setBusy(choice)
    setFailure(null)
    try {
      await answerInvitation(id, choice)
      browser.guarded = false
      // Whoever had no role until now has a way in.
      if (pathname === paths.accessDenied) browser.leaveTo(paths.home)
      else browser.reload()
    } catch (error) {
      setFailure(error instanceof ApiError && error.code === CODES.notFound ? 'gone' : 'failed')
      setBusy(null)
    }
  }

  if (failure === 'gone') {
    return (
      <Modal title={INVITATION.notFound.title} role="alertdialog" onClose={onGone}>
        <div className="modal-body">
          <p className="modal-text" role="alert">
            {INVITATION.notFound.text}
          </p>
        </div>
        <div className="modal-actions">
          <button type="button" className="button" onClick={onGone}>
            Close
          </button>
        </div>
      </Modal>
    )
  }
  const inviter = partnerName ?? 'An integrator'
  return (
    <Modal title="You are invited" onClose={() => busy === null && onLater()}>
      <div className="modal-body">
        {count > 1 && <p className="muted">Invitation 1 of {count}</p>}
        <p className="modal-text">
          <span>
            <strong>{inviter}</strong> invites you to{' '}
            {customerName ? <strong>{customerName}</strong> : 'its own organization'}
            {roles && ` as ${roles}`}.
          </span>
          {expiresDate && (
            <span>
              You can accept until <Moment iso={expiresDate} as="day" nowMs={nowMs()} />.
            </span>
          )}
        </p>
        {failure === 'failed' && (
          <p className="field-error" role="alert">
            {INVITATION.failed}
          </p>
        )}
      </div>
      <div className="modal-actions">
        <button
          type="button"
          className="button quiet"
          aria-disabled={busy !== null}
          onClick={() => busy === null && onLater()}
        >
          Later
        </button>
        <button
          type="button"
          className="button"
          aria-disabled={busy !== null}
          aria-busy={busy === 'reject'}
          onClick={() => void answer('reject')}
        >
          Decline
        </button>
        <button
          type="button"
          className="button primary"
          aria-disabled={busy !== null}
          aria-busy={busy === 'accept'}
          onClick={() => void answer('accept')}
        >
          Accept
        </button>
      </div>
    </Modal>
  )
}

function labelOf(roleName: string): string {
  const role = recognizeRole(roleName)
  return ROLES.find(({ name }) => name === role)?.label ?? roleName
}

function postponed(): string[] {
  try {
    const ids: unknown = JSON.parse(sessionStorage.getItem(LATER) ?? '[]')
    return Array.isArray(ids) ? ids.map(String) : []
  } catch {
    return []
  }
}

/** Until the next visit: a reload does not ask again at once. */
function postpone(ids: string[]): string[] {
  try {
    sessionStorage.setItem(LATER, JSON.stringify(ids))
  } catch {}
  return ids
}
