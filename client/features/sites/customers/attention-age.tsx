import type { CustomerAttention } from '#shared/answers/portal.ts'
import { Timestamp } from '../../../ui/timestamp.tsx'
import { readAtOf } from './attention.ts'

/** The age of a customer's counts, for a customer whose counts are older than the others. */
export function AttentionAge({ customer }: { customer: CustomerAttention }) {
  const readAt = readAtOf(customer)
  if (readAt === null) return null
  return (
    <small className="attention-age">
      checked <Timestamp iso={readAt} as="ago" />
    </small>
  )
}
