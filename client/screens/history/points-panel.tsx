import type { Device } from '#shared/entities.ts'
import { CHART_POINTS_MAX } from '#shared/limits.ts'
import { keyOfPoint, type PointRef } from '../../lib/history-view.ts'
import { usePointTray } from '../../session/use-point-tray.ts'
import { ChosenList } from './chosen-list.tsx'
import { PointPicker } from './point-picker.tsx'
import type { History } from './use-history.ts'

interface PointsPanelProps {
  customerId: string
  /** The one to search in first. */
  device: Device | undefined
  history: History
}

/** The points of the chart, and the search for more. */
export function PointsPanel({ customerId, device, history }: PointsPanelProps) {
  const { view, change, chosen, histories, nameOf, retry } = history
  const { tray } = usePointTray(customerId)

  function choose(point: PointRef, on: boolean) {
    const rest = view.points.filter((one) => keyOfPoint(one) !== keyOfPoint(point))
    if (on && rest.length >= CHART_POINTS_MAX) return
    change({ points: on ? [...rest, point] : rest })
    if (!on) tray.remove(point)
  }

  function move(at: number, by: 1 | -1) {
    const points = [...view.points]
    const [point] = points.splice(at, 1)
    if (point) points.splice(at + by, 0, point)
    change({ points })
  }

  return (
    <>
      <ChosenList
        {...{ chosen, histories, nameOf }}
        hidden={view.hidden}
        onHide={(key) =>
          change({
            hidden: view.hidden.includes(key)
              ? view.hidden.filter((one) => one !== key)
              : [...view.hidden, key]
          })
        }
        onRemove={(key) => {
          const point = view.points.find((one) => keyOfPoint(one) === key)
          if (point) choose(point, false)
        }}
        onMove={move}
        onRetry={retry}
      />
      <PointPicker customerId={customerId} device={device} chosen={view.points} onChoose={choose} />
    </>
  )
}
