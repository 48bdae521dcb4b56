import { useEffect, useRef, useState } from 'react'
import type { Assignment } from '#shared/permissions.ts'
import { refusalText } from '../../../lib/http/api-error.ts'
import { useRefresh } from '../../../lib/http/query.ts'
import type { RoleNumbers } from '../../access/api.ts'
import type { Place } from '../use-places.ts'
import { invitationsPath, sendInvitation } from './api.ts'
import type { InvitationDraft } from './invitation-draft.ts'

interface Sending {
  email: string
  status: 'waiting' | 'sending' | 'sent' | 'failed'
  why?: string
}

interface InvitedProps {
  invited: readonly string[]
  leftOut: readonly string[]
  to: string
  onEdit: () => void
}

export function Invited({ invited, leftOut, to, onEdit }: InvitedProps) {
  return (
    <section className="card stack access-card" aria-label="Who">
      <p>
        <strong>{invited.length === 1 ? '1 person' : `${invited.length} people`}</strong> will be invited to{' '}
        {to}: {invited.join(', ')}{' '}
        <button type="button" className="link-button" onClick={onEdit}>
          Edit
        </button>
      </p>
      {leftOut.length > 0 && (
        <p className="muted">Left out for now: {leftOut.join(', ')}. You can correct them afterwards.</p>
      )}
    </section>
  )
}

interface SendingListProps {
  sendings: readonly Sending[]
  leftOut: readonly string[]
  onRetry: (emails: string[]) => void
  onCorrect: () => void
}

const WORDS = { waiting: 'Waiting', sending: 'Sending…', sent: 'Sent', failed: 'Not sent' }
const TONES = { waiting: 'plain', sending: 'info', sent: 'ok', failed: 'danger' }

/** The result of each invitation. Failed ones can be sent again. */
export function SendingList({ sendings, leftOut, onRetry, onCorrect }: SendingListProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const failed = sendings.filter(({ status }) => status === 'failed').map(({ email }) => email)
  const sent = sendings.filter(({ status }) => status === 'sent').length
  return (
    <section className="card stack access-card" aria-labelledby="sending-heading">
      <h2 id="sending-heading" ref={heading} tabIndex={-1}>
        Invitations
      </h2>
      <p role="status">
        {sent} of {sendings.length} sent{failed.length > 0 && `, ${failed.length} not sent`}
        {failed.length > 1 && (
          <>
            {'. '}
            <button type="button" className="link-button" onClick={() => onRetry(failed)}>
              Retry all {failed.length}
            </button>
          </>
        )}
      </p>
      <ul className="lines addresses" aria-label="Results">
        {sendings.map(({ email, status, why }) => (
          <li key={email} className="row" data-kind={status}>
            <span className="grow address">{email}</span>
            <span className={`badge ${TONES[status]}`}>{WORDS[status]}</span>
            {status === 'failed' && (
              <>
                <span className="row field-error address-note">{why}</span>
                <button
                  type="button"
                  className="link-button"
                  aria-label={`Retry ${email}`}
                  onClick={() => onRetry([email])}
                >
                  Retry
                </button>
              </>
            )}
          </li>
        ))}
      </ul>
      {leftOut.length > 0 && (
        <p>
          Not sent, because they could not be invited: {leftOut.join(', ')}.{' '}
          <button type="button" className="link-button" onClick={onCorrect}>
            Correct them
          </button>
        </p>
      )}
    </section>
  )
}

/** Sends invitations one by one and keeps their results. */
export function useSending(draft: InvitationDraft, place: Place, numbers: RoleNumbers) {
  const refresh = useRefresh()
  const [sendings, setSendings] = useState<Sending[] | null>(null)

  async function send(emails: readonly string[], roleAssignments: Assignment[]) {
    const before = sendings ?? draft.invited.map((email) => ({ email, status: 'waiting' as const }))
    const results = new Map<string, Sending>(before.map((one) => [one.email, one]))
    const note = (email: string, result: Omit<Sending, 'email'>) => {
      results.set(email, { email, ...result })
      setSendings([...results.values()])
    }
    const common = {
      message: draft.note,
      integratorId: place.integratorId,
      customerId: draft.belongs === 'customer' ? draft.customerId : null,
      roleAssignments
    }
    for (const email of emails) note(email, { status: 'waiting' })
    for (const email of emails) {
      note(email, { status: 'sending' })
      try {
        await sendInvitation({ email, ...common }, numbers)
        note(email, { status: 'sent' })
      } catch (error) {
        note(email, { status: 'failed', why: refusalText(error) })
      }
    }
    await refresh(invitationsPath(place.id))
  }

  return {
    sendings,
    sent: sendings?.filter(({ status }) => status === 'sent').length ?? 0,
    busy: sendings?.some(({ status }) => status === 'waiting' || status === 'sending') === true,
    send
  }
}
