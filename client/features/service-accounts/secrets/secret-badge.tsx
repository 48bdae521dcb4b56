import { Timestamp } from '../../../ui/timestamp.tsx'
import { secretExpiry } from '../../access/secret-expiry.ts'

/** Until when a secret holds: the day, and how near it is. */
export function SecretBadge({ expires, nowMs }: { expires: string | null; nowMs: number }) {
  const { state, days, level } = secretExpiry(expires, nowMs)
  if (state === 'none') return <span className="badge plain">No secret</span>
  return (
    <span className="secret-badge">
      <Timestamp iso={expires} as="day" nowMs={nowMs} />
      {state !== 'active' && (
        <span className={`badge ${level}`}>
          {state === 'expired' ? 'Expired' : days === 1 ? '1 day' : `${days} days`}
        </span>
      )}
    </span>
  )
}

/** The state of an account in words. */
export function AccountStatus({ expires, nowMs }: { expires: string | null; nowMs: number }) {
  const { state, days, level } = secretExpiry(expires, nowMs)
  const words = {
    none: 'No secret',
    expired: 'Expired',
    active: 'Active',
    soon: `Expires in ${days === 1 ? '1 day' : `${days} days`}`
  }
  return <span className={`badge ${level}`}>{words[state]}</span>
}
