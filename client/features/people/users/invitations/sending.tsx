import { useEffect, useRef, useState } from 'react'
import { calls } from '#shared/calls.ts'
import type { Assignment } from '#shared/permissions.ts'
import { isOutcomeUnknown, refusalText } from '../../../../lib/http/api-error.ts'
import { consequenceText } from '../../../../lib/http/consequence.ts'
import { useRefresh } from '../../../../lib/http/query.ts'
import { toasts } from '../../../../ui/state/toasts.ts'
import type { RoleNumbers } from '../../access/api.ts'
import type { Place } from '../users-organization.ts'
import { type Invitation, resendInvitation, sendInvitation } from './api.ts'
import type { InvitationDraft } from './invitation-draft.ts'

interface Sending {
  email: string
  /** `unknown` if the answer was lost. */
  status: 'waiting' | 'sending' | 'sent' | 'failed' | 'unknown'
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
        <p className="muted">Not invited yet: {leftOut.join(', ')}. You can correct these addresses later.</p>
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

const STATUS_TEXTS = {
  waiting: 'Waiting',
  sending: 'Sending…',
  sent: 'Sent',
  failed: 'Not sent',
  unknown: 'Not known'
}
const STATUS_TONES = { waiting: 'plain', sending: 'info', sent: 'ok', failed: 'danger', unknown: 'warn' }
const MAYBE_SENT = 'The invitation may have been sent anyway.'

/** The result of each invitation. Invitations that failed or may not have been sent can be sent again. */
export function SendingList({ sendings, leftOut, onRetry, onCorrect }: SendingListProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const failedEmails = sendings.filter(({ status }) => status === 'failed').map(({ email }) => email)
  const sentCount = sendings.filter(({ status }) => status === 'sent').length
  const unknownCount = sendings.filter(({ status }) => status === 'unknown').length
  return (
    <section className="card stack access-card" aria-labelledby="sending-heading">
      <h2 id="sending-heading" ref={heading} tabIndex={-1}>
        Invitations
      </h2>
      <p role="status">
        {sentCount} of {sendings.length} sent{failedEmails.length > 0 && `, ${failedEmails.length} not sent`}
        {unknownCount > 0 && `, ${unknownCount} not known`}
        {failedEmails.length > 1 && (
          <>
            {'. '}
            <button type="button" className="link-button" onClick={() => onRetry(failedEmails)}>
              Retry all {failedEmails.length}
            </button>
          </>
        )}
      </p>
      <ul className="lines addresses" aria-label="Results">
        {sendings.map(({ email, status, why }) => (
          <li key={email} className="row" data-kind={status}>
            <span className="grow address">{email}</span>
            <span className={`badge ${STATUS_TONES[status]}`}>{STATUS_TEXTS[status]}</span>
            {(status === 'failed' || status === 'unknown') && (
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
          Not sent, because these addresses cannot be invited: {leftOut.join(', ')}.{' '}
          <button type="button" className="link-button" onClick={onCorrect}>
            Correct them
          </button>
        </p>
      )}
    </section>
  )
}

/** Sends invitations one by one and stores their results. */
export function useSending(draft: InvitationDraft, place: Place, numbers: RoleNumbers) {
  const refresh = useRefresh()
  const [sendings, setSendings] = useState<Sending[] | null>(null)

  async function send(emails: readonly string[], roleAssignments: Assignment[]) {
    const lastSendings = sendings ?? draft.invited.map((email) => ({ email, status: 'waiting' as const }))
    const results = new Map<string, Sending>(lastSendings.map((sending) => [sending.email, sending]))
    const setResult = (email: string, result: Omit<Sending, 'email'>) => {
      results.set(email, { email, ...result })
      setSendings([...results.values()])
    }
    const sharedFields = {
      message: draft.note,
      integratorId: place.integratorId,
      customerId: draft.belongs === 'customer' ? draft.customerId : null,
      roleAssignments
    }
    for (const email of emails) setResult(email, { status: 'waiting' })
    for (const email of emails) {
      setResult(email, { status: 'sending' })
      try {
        await sendInvitation({ email, ...sharedFields }, numbers)
        setResult(email, { status: 'sent' })
      } catch (error) {
        const why = refusalText(error)
        const isUnknown = isOutcomeUnknown(error)
        setResult(
          email,
          isUnknown ? { status: 'unknown', why: `${why} ${MAYBE_SENT}` } : { status: 'failed', why }
        )
      }
    }
    await refresh(calls.invitations(place.id))
  }

  return {
    sendings,
    sent: sendings?.filter(({ status }) => status === 'sent').length ?? 0,
    busy: sendings?.some(({ status }) => status === 'waiting' || status === 'sending') === true,
    send
  }
}

/** Sends invitations of an organization again. */
export function useResending(organizationId: string) {
  const refresh = useRefresh()
  const [busyIds, setBusyIds] = useState<ReadonlySet<string>>(new Set())

  async function send(invitation: Invitation) {
    const { id, email } = invitation
    setBusyIds((before) => new Set(before).add(id))
    try {
      await resendInvitation(id, organizationId)
      toasts.ok(`Invitation sent to ${email}.`)
    } catch (failure) {
      const consequence = consequenceText(
        failure,
        `The invitation to ${email} was not sent.`,
        `The invitation to ${email} may not have been sent.`
      )
      toasts.failed(`${consequence} ${refusalText(failure)}`, {
        label: 'Retry',
        onAct: () => void send(invitation)
      })
    }
    setBusyIds((before) => new Set([...before].filter((other) => other !== id)))
    await refresh(calls.invitations(organizationId))
  }

  const isResending = ({ id }: Invitation) => busyIds.has(id)
  return {
    isResending,
    /** Does nothing while the invitation is being sent. */
    resend(invitation: Invitation) {
      if (!isResending(invitation)) void send(invitation)
    }
  }
}
