import type { Device } from '#shared/answers/customers.ts'
import type { Usage } from '#shared/answers/portal.ts'
import { formatNumber } from '../../../lib/format.ts'
import { formatDay } from '../../../lib/time/time.ts'
import { Modal } from '../../../ui/dialog/modal.tsx'
import { Facts } from '../../../ui/list/facts.tsx'
import { ErrorPanel } from '../../../ui/state/error-panel.tsx'
import { Skeleton } from '../../../ui/state/loading.tsx'
import { Notice } from '../../../ui/state/notice.tsx'
import { useCustomer } from '../customers/customer.tsx'
import { percentText, useUsage } from './api.ts'
import { UsageBar, UsageHistory, UsageWarning } from './usage.tsx'

interface UsageMetricsProps {
  device: Device
  onClose: () => void
}

export function UsageMetrics({ device, onClose }: UsageMetricsProps) {
  const { customerId } = useCustomer()
  const { data, error, isFetching, refetch } = useUsage(customerId, device.deviceUuid)
  return (
    <Modal title="Usage Metrics" kind="wide" onClose={onClose}>
      <div className="modal-body" aria-busy={isFetching}>
        <p className="modal-text">
          <strong>{device.deviceName}</strong>
        </p>
        {!data && error === undefined && (
          <div role="status" className="stack">
            <span className="sr-only">Loading usage</span>
            <Skeleton width="40%" />
            <Skeleton width="100%" />
            <Skeleton width="70%" />
          </div>
        )}
        {!data && error !== undefined && (
          <ErrorPanel error={error} isFetching={isFetching} refetch={refetch} />
        )}
        {data && <UsageOfDevice usage={data} />}
      </div>
      <div className="row modal-actions">
        <button type="button" className="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Modal>
  )
}

function UsageOfDevice({ usage }: { usage: Usage }) {
  const { planLimit, percent, used, banner, graph, points, period } = usage
  return (
    <>
      <UsageWarning usage={usage} />
      <UsageBar usage={usage} />
      <section aria-labelledby="usage-plan">
        <h3 id="usage-plan">Plan data</h3>
        <Facts
          facts={[
            { name: 'Used', value: `${formatNumber(used)} GB` },
            { name: 'Plan limit', value: planLimit === null ? 'Not known' : `${formatNumber(planLimit)} GB` },
            ...(percent === null ? [] : [{ name: 'Share', value: percentText(percent) }]),
            { name: 'Subscription', value: `${formatDay(usage.startDate)} to ${formatDay(usage.endDate)}` },
            { name: 'History', value: period }
          ]}
        />
      </section>
      {banner && <Notice tone="info">{banner}</Notice>}
      {graph && <UsageHistory points={points} period={period} />}
    </>
  )
}
