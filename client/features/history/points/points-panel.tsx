import './points.css'
import type { Device } from '#shared/entities.ts'
import { CHART_POINTS_MAX } from '#shared/limits.ts'
import { keyOfPoint, type PointRef } from '../../points/history-address.ts'
import type { History } from '../use-history.ts'
import { ChosenList } from './chosen-list.tsx'
import { PointPicker } from './point-picker.tsx'

interface PointsPanelProps {
  customerId: string
  /** The one to search in first. */
  device: Device | undefined
  history: History
}

/** The points of the chart, and the search for more. */
export default function PointsPanel({ customerId, device, history }: PointsPanelProps) {
  const { view, change, chosen, histories, nameOf, retry } = history

  function choose(point: PointRef, on: boolean) {
    if (!on) return history.remove(keyOfPoint(point))
    const rest = history.points.filter((one) => keyOfPoint(one) !== keyOfPoint(point))
    if (rest.length < CHART_POINTS_MAX) change({ points: [...rest, point] })
  }

  function move(at: number, by: 1 | -1) {
    const points = [...history.points]
    const [point] = points.splice(at, 1)
    if (point) points.splice(at + by, 0, point)
    change({ points })
  }

  return (
    <>
      <ChosenList
        {...{ chosen, histories, nameOf }}
        onRemove={history.remove}
        onMove={move}
        onRetry={retry}
      />
      <PointPicker customerId={customerId} device={device} chosen={view.points} onChoose={choose} />
    </>
  )
}
