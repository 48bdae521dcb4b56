import { ALARM_LIST_SIZE } from '#shared/limits.ts'
import { formatNumber } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import { Checkbox } from '../../../ui/input/field.tsx'
import { CustomersRead, customerCount } from '../../sites/customers/customers-read.tsx'
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

interface OrganizationFootProps {
  data: BoardPage
  scope: AlarmScope
}

/** The age of a list of all customers, and customers with older alarms, or that are late or not read. */
export function OrganizationFoot({ data, scope }: OrganizationFootProps) {
  const { readAt, totals, partial } = data
  const longer = totals.filter((total) => total.count > PER_CUSTOMER_MAX)
  return (
    <CustomersRead
      readAt={readAt}
      of={customerCount(data)}
      partial={partial}
      longer={longer.map(({ customer, count }) => ({
        customer,
        more: `${formatNumber(count - PER_CUSTOMER_MAX)} older`,
        to: paths.alarms(scope.customerPathOf(customer))
      }))}
    />
  )
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
