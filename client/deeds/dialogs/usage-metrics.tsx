import '../../style/project-dialogs.css'
import type { Device } from '#shared/entities.ts'
import { failureOf } from '../../api/api-error.ts'
import { type Usage, useUsage } from '../../api/usage.ts'
import { Facts } from '../../components/card-list.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { Modal } from '../../components/modal.tsx'
import { Notice } from '../../components/notice.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { UsageBar, UsageWarning } from '../../components/usage-bar.tsx'
import { UsageHistory } from '../../components/usage-history.tsx'
import { formatDate, formatNumber } from '../../lib/format.ts'
import { useCustomer } from '../customer.ts'

interface UsageMetricsProps {
  device: Device
  onClose: () => void
}

/** What the device has used of its plan (§9). */
export function UsageMetrics({ device, onClose }: UsageMetricsProps) {
  const { id } = useCustomer()
  const { data, error, busy, reload } = useUsage(id, device.deviceUuid)
  return (
    <Modal title="Usage Metrics" kind="wide" onClose={onClose}>
      <div className="modal-body" aria-busy={busy}>
        <p className="modal-text">
          <strong>{device.deviceName}</strong>
        </p>
        {!data && error === undefined && (
          <div role="status" className="usage-skeleton">
            <span className="sr-only">Loading usage</span>
            <Skeleton width="40%" />
            <Skeleton width="100%" />
            <Skeleton width="70%" />
          </div>
        )}
        {!data && error !== undefined && (
          <ErrorPanel failure={failureOf(error)} busy={busy} onRefresh={reload} />
        )}
        {data && <UsageOfDevice usage={data} />}
      </div>
      <div className="modal-actions">
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
        <h3 id="usage-plan">Data of the plan</h3>
        <Facts
          facts={[
            { name: 'Used', value: `${formatNumber(used)} GB` },
            { name: 'Plan limit', value: planLimit === null ? 'Not known' : `${formatNumber(planLimit)} GB` },
            ...(percent === null ? [] : [{ name: 'Share', value: `${formatNumber(percent)} %` }]),
            { name: 'Subscription', value: `${formatDate(usage.startDate)} to ${formatDate(usage.endDate)}` },
            { name: 'History', value: period }
          ]}
        />
      </section>
      {banner && <Notice tone="info">{banner}</Notice>}
      {graph && <UsageHistory points={points} period={period} />}
    </>
  )
}
