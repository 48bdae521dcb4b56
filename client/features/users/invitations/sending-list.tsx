import { useEffect, useRef } from 'react'

export interface Sending {
  email: string
  status: 'waiting' | 'sending' | 'sent' | 'failed'
  why?: string
}

interface SendingListProps {
  sendings: readonly Sending[]
  leftOut: readonly string[]
  onRetry: (emails: string[]) => void
  onCorrect: () => void
}

const WORDS = { waiting: 'Waiting', sending: 'Sending…', sent: 'Sent', failed: 'Not sent' }
const TONES = { waiting: 'plain', sending: 'info', sent: 'ok', failed: 'danger' }

/** What became of each invitation, brought into view; one that failed can be tried again by itself. */
export function SendingList({ sendings, leftOut, onRetry, onCorrect }: SendingListProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const failed = sendings.filter(({ status }) => status === 'failed').map(({ email }) => email)
  const sent = sendings.filter(({ status }) => status === 'sent').length
  return (
    <section className="card access-card" aria-labelledby="sending-heading">
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
      <ul className="addresses" aria-label="Results">
        {sendings.map(({ email, status, why }) => (
          <li key={email} data-kind={status}>
            <span className="address">{email}</span>
            <span className={`badge ${TONES[status]}`}>{WORDS[status]}</span>
            {status === 'failed' && (
              <>
                <span className="address-note bad">{why}</span>
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
