import ChartLine from 'lucide-react/icons/chart-line'
import { useNavigate } from 'react-router-dom'
import type { Device } from '#shared/entities.ts'
import { CHART_POINTS_MAX } from '#shared/limits.ts'
import { PointTrayBar } from '../../components/point-tray-bar.tsx'
import { FIRST_HISTORY, writeHistoryView } from '../../lib/history-view.ts'
import { paths } from '../../paths.ts'
import { useSession } from '../../session/session.ts'
import type { CustomerArea } from '../../session/use-customer-area.ts'
import { usePointTray } from '../../session/use-point-tray.ts'

/** The way from chosen points to their chart. */
export function ChartTray({ area, device }: { area: CustomerArea; device: Device }) {
  const { flags } = useSession()
  const { tray, points } = usePointTray(area.customerId)
  const navigate = useNavigate()
  if (points.length === 0 || !flags.enableHistoryCharting) return null
  return (
    <PointTrayBar points={points} onRemove={tray.remove} onClear={tray.clear}>
      <button
        type="button"
        className="button primary"
        onClick={() =>
          navigate(
            `${paths.history(area.customerPath, device.deviceUuid)}&${writeHistoryView({ ...FIRST_HISTORY, points })}`
          )
        }
      >
        <ChartLine />
        Add to chart ({points.length}/{CHART_POINTS_MAX})
      </button>
    </PointTrayBar>
  )
}
