import type { CustomerName } from '#shared/answers/customers.ts'
import { ALARM_LIST_SIZE } from '#shared/limits.ts'
import { count, formatNumber } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import { useSession } from '../../../lib/session/session.ts'
import { useTick } from '../../../lib/time/ago.ts'
import { ageText } from '../../../lib/time/time.ts'
import { Checkbox } from '../../../ui/input/field.tsx'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import type { AlarmScope } from './scope.ts'
import { type BoardPage, PER_CUSTOMER_MAX } from './use-board-alarms.ts'

interface NewAlarmsProps {
  /** The number of new alarms that are not shown yet. */
  fresh: number
  onShow: () => void
}

/** Offers new alarms below the rows, which stay in place. Always mounted, so that the first ones are announced. */
export function NewAlarms({ fresh, onShow }: NewAlarmsProps) {
  return (
    <div role="status" className="new-alarms">
      {fresh > 0 && (
        <button type="button" className="button primary" onClick={onShow}>
          {formatNumber(fresh)} new · show
        </button>
      )}
    </div>
  )
}

const AGE_UPDATE_MS = 5_000
const NAMES_MAX = 3

interface CustomersReadProps {
  data: BoardPage
  scope: AlarmScope
}

/** Says how old a list of all customers is, and names customers with older alarms and customers that are late or not read. */
export function CustomersRead({ data, scope }: CustomersReadProps) {
  const { nowMs } = useSession()
  useTick(AGE_UPDATE_MS)
  const { totals, partial, readAt } = data
  const longer = totals.filter((total) => total.count > PER_CUSTOMER_MAX)
  return (
    <div className="row muted customers-read">
      {readAt === null ? <p>Not read yet.</p> : <p>Read at most {ageText(readAt, nowMs())} ago.</p>}
      {longer.map(({ customer, count: total }) => (
        <p key={customer.id}>
          {customer.orgName} has{' '}
          <PrefetchLink to={paths.alarms(scope.customerPathOf(customer))}>
            {formatNumber(total - PER_CUSTOMER_MAX)} older
          </PrefetchLink>
          .
        </p>
      ))}
      {partial.length > 0 && (
        <p role="status" title={partial.map(({ orgName }) => orgName).join('\n')}>
          {count(partial.length, 'customer')} of {formatNumber(customersOf(data))} not read or late:{' '}
          {namesOf(partial)}.
        </p>
      )}
    </div>
  )
}

function namesOf(customers: readonly CustomerName[]): string {
  const names = customers
    .slice(0, NAMES_MAX)
    .map(({ orgName }) => orgName)
    .join(', ')
  const others = customers.length - NAMES_MAX
  return others > 0 ? `${names} and ${formatNumber(others)} more` : names
}

function customersOf({ totals, partial }: BoardPage): number {
  return new Set([...totals.map(({ customer }) => customer.id), ...partial.map(({ id }) => id)]).size
}

/** A search of the API reaches only its first thousand alarms. */
export function UnreachableAlarms({ data: { page } }: { data: BoardPage }) {
  if (page.totalPages * ALARM_LIST_SIZE >= page.totalElements) return null
  return <p className="muted">Narrow the time or the filters to see the other alarms.</p>
}

interface FollowSwitchProps {
  isLive: boolean
  isFollowing: boolean
  onChange: (isFollowing: boolean) => void
}

export function FollowSwitch({ isLive, isFollowing, onChange }: FollowSwitchProps) {
  return (
    <Checkbox
      kind="switch"
      label={isLive ? 'Follow changes' : 'Refresh every 20 s'}
      checked={isFollowing}
      onChange={onChange}
    />
  )
}
