import type { ReactNode } from 'react'
import type { CustomerName } from '#shared/answers/customers.ts'
import { count, formatNumber } from '../../../lib/format.ts'
import { useSession } from '../../../lib/session/session.ts'
import { useTick } from '../../../lib/time/ago.ts'
import { ageText } from '../../../lib/time/time.ts'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'

const AGE_UPDATE_MS = 5_000
const NAMES_MAX = 3

interface CustomersReadProps {
  /** When the oldest data was read; null before. */
  readAt: string | null
  /** Number of customers. */
  of: number
  /** Customers that are not read completely, or late. */
  partial: readonly CustomerName[]
  /** Customers with more rows than the list has, and where all of them are; null if no page has them all. */
  longer?: readonly { customer: CustomerName; more: string; to: string | null }[]
}

/** Says how old a list of all customers is, and names customers with more rows and customers that are late or not read. */
export function CustomersRead({ readAt, of, partial, longer = [] }: CustomersReadProps) {
  const { nowMs } = useSession()
  useTick(AGE_UPDATE_MS)
  return (
    <div className="row muted">
      {readAt === null ? <p>Not read yet.</p> : <p>Read at most {ageText(readAt, nowMs())} ago.</p>}
      {longer.map(({ customer, more, to }) => (
        <p key={customer.id}>
          {customer.orgName} has {to === null ? more : <PrefetchLink to={to}>{more}</PrefetchLink>}.
        </p>
      ))}
      {unreadCustomers({ of, partial })}
    </div>
  )
}

/**
 * Names customers that are late or not read; null if there are none.
 * @param customerId the customer by which the list is filtered
 */
export function unreadCustomers(
  { of, partial }: Pick<CustomersReadProps, 'of' | 'partial'>,
  customerId = ''
): ReactNode {
  const unread = partial.filter(({ id }) => customerId === '' || id === customerId)
  if (unread.length === 0) return null
  return (
    <p role="status" title={unread.map(({ orgName }) => orgName).join('\n')}>
      {count(unread.length, 'customer')} of {formatNumber(of)} not read or late: {namesOf(unread)}.
    </p>
  )
}

interface ListedCustomers {
  totals: readonly { customer: CustomerName }[]
  partial: readonly CustomerName[]
}

/** The number of customers of a list. Late customers that have been read are in both parts. */
export function customerCount({ totals, partial }: ListedCustomers): number {
  return new Set([...totals.map(({ customer }) => customer.id), ...partial.map(({ id }) => id)]).size
}

function namesOf(customers: readonly CustomerName[]): string {
  const names = customers
    .slice(0, NAMES_MAX)
    .map(({ orgName }) => orgName)
    .join(', ')
  const others = customers.length - NAMES_MAX
  return others > 0 ? `${names} and ${formatNumber(others)} more` : names
}
