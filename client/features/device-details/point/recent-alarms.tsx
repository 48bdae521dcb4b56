import type { Device } from '#shared/answers/customers.ts'
import { failureOf } from '../../../lib/http/api-error.ts'
import { paths } from '../../../lib/paths.ts'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { LoadFailed } from '../../../ui/state/load-failed.tsx'
import { Skeleton } from '../../../ui/state/loading.tsx'
import { Timestamp } from '../../../ui/timestamp.tsx'
import { AlarmState } from '../../alarms/alarms/alarm-state.tsx'
import { useRecentAlarms } from '../../alarms/alarms/api.ts'
import type { Point } from '../../data/points/point.ts'
import { useCustomer } from '../../sites/customers/customer.tsx'

/** The newest alarms of the point, in any state. Each links to its details in the device's alarm list. */
export function RecentAlarms({ device, point }: { device: Device; point: Point }) {
  const area = useCustomer()
  const mayQuery = area.can('alarms:query')
  const { systemGuid } = device
  const { cloudId, displayName } = point
  const { data, error, refetch } = useRecentAlarms(
    area.customerId,
    mayQuery ? { systemGuid, cloudId, displayName } : null
  )
  const allAlarmsHref = `${paths.deviceAlarms(area.customerPath, device.deviceUuid)}&${new URLSearchParams({ show: 'all', range: 'all', q: displayName })}`
  return (
    <section className="card" aria-labelledby="recent-alarms-heading">
      <div className="row card-head">
        <h2 id="recent-alarms-heading">Recent alarms</h2>
        {mayQuery && (
          <PrefetchLink className="text-link push" to={allAlarmsHref}>
            All of this point
          </PrefetchLink>
        )}
      </div>
      <div className="card-body">
        {!mayQuery && <p className="muted">Your role does not include alarms.</p>}
        {error !== undefined && (
          <LoadFailed onRetry={refetch}>
            {failureOf(error).title}. {data ? 'The alarms below may be out of date.' : failureOf(error).text}
          </LoadFailed>
        )}
        {mayQuery && !data && error === undefined && <Skeleton width="100%" label="Loading recent alarms" />}
        {data?.length === 0 && <p className="muted">No alarms of this point are kept.</p>}
        {data && data.length > 0 && (
          <ul className="ruled">
            {data.map((alarm) => (
              <li key={alarm.uuid}>
                <div className="row spread">
                  <AlarmState alarm={alarm} ack={alarm.ackState} />
                  <span className="muted">
                    <Timestamp iso={alarm.timestamp} />
                  </span>
                </div>
                <PrefetchLink
                  to={`${allAlarmsHref}&${new URLSearchParams({ alarm: alarm.uuid, at: alarm.timestamp })}`}
                >
                  {alarm.messageText || 'Alarm without a message'}
                </PrefetchLink>
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  )
}
