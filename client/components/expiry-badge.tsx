import type { Expiry } from '../lib/expiry.ts'
import { count, formatDate } from '../lib/format.ts'
import { OFFERING_NAMES } from '../lib/service-links.ts'

export function ExpiryBadge({ expiry }: { expiry: Expiry }) {
  const { days, level, subscription } = expiry
  const offering = OFFERING_NAMES[subscription.offeringCode] ?? subscription.offeringCode
  return (
    <span className={`badge ${level}`} title={`${offering} ends ${formatDate(subscription.endDate)}`}>
      <span className="sr-only">{offering} ends in </span>
      {count(days, 'day')}
    </span>
  )
}
