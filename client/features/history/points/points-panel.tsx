import type { Device } from '#shared/entities.ts'
import { CHART_POINTS_MAX } from '#shared/limits.ts'
import { keyOfPoint, type PointRef } from '../../points/history-address.ts'
import type { History } from '../use-history.ts'
import { ChosenPoints } from './chosen-points.tsx'
import { PointPicker } from './point-picker.tsx'

interface PointsPanelProps {
  customerId: string
  /** The one to search in first. */
  device: Device | undefined
  history: History
}

/** The points of the chart, and the search for more. */
export function PointsPanel({ customerId, device, history }: PointsPanelProps) {
  function choose(point: PointRef, on: boolean) {
    if (!on) return history.remove(keyOfPoint(point))
    const rest = history.points.filter((one) => keyOfPoint(one) !== keyOfPoint(point))
    if (rest.length < CHART_POINTS_MAX) history.change({ points: [...rest, point] })
  }

  return (
    <>
      <ChosenPoints history={history} />
      <PointPicker customerId={customerId} device={device} chosen={history.view.points} onChoose={choose} />
    </>
  )
}
