import type { CustomerName } from '#shared/answers/customers.ts'
import type { OrganizationAlarms } from '#shared/answers/portal.ts'
import { count, formatNumber } from '../../../lib/format.ts'
import { useIsLive } from '../../../lib/live/live.ts'
import { paths } from '../../../lib/paths.ts'
import { useTick } from '../../../lib/time/ago.ts'
import { ageText } from '../../../lib/time/time.ts'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { useSession } from '../../people/session/session.ts'

/** The list has the newest alarms of each customer only. */
export const PER_CUSTOMER_MAX = 100
const AGE_UPDATE_MS = 5_000
const NAMES_MAX = 3

interface AllAlarmsFootProps {
  data: OrganizationAlarms
  customerPathOf: (alarm: { customer: CustomerName }) => string
}

/** Says how old the list is, and names customers with older alarms and customers that are late or not read. */
export function AllAlarmsFoot({ data, customerPathOf }: AllAlarmsFootProps) {
  const { nowMs } = useSession()
  const isLive = useIsLive()
  useTick(AGE_UPDATE_MS)
  const { totals, partial, readAt } = data
  const longer = totals.filter((total) => total.count > PER_CUSTOMER_MAX)
  return (
    <div className="row muted all-alarms-foot">
      <p>
        {isLive && 'Live. '}
        {readAt === null ? 'Not read yet.' : `Read at most ${ageText(readAt, nowMs())} ago.`}
      </p>
      {longer.map(({ customer, count: total }) => (
        <p key={customer.id}>
          {customer.orgName} has{' '}
          <PrefetchLink to={paths.alarms(customerPathOf({ customer }))}>
            {formatNumber(total - PER_CUSTOMER_MAX)} older
          </PrefetchLink>
          .
        </p>
      ))}
      {partial.length > 0 && (
        <p role="status" title={partial.map(({ orgName }) => orgName).join('\n')}>
          {count(partial.length, 'customer')} of {formatNumber(customersOf(data))} not read or late:{' '}
          {partial
            .slice(0, NAMES_MAX)
            .map(({ orgName }) => orgName)
            .join(', ')}
          {partial.length > NAMES_MAX && ` and ${formatNumber(partial.length - NAMES_MAX)} more`}.
        </p>
      )}
    </div>
  )
}

function customersOf({ totals, partial }: OrganizationAlarms): number {
  return new Set([...totals.map(({ customer }) => customer.id), ...partial.map(({ id }) => id)]).size
}
