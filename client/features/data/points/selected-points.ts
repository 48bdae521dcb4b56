// The points selected for a chart, up to ten, which the browser stores.
import { useMemo } from 'react'
import type { Device } from '#shared/answers/customers.ts'
import { useCachedState } from '../../../lib/http/query.ts'
import { CHART_POINTS_MAX } from '../../../lib/limits.ts'
import { useSession } from '../../../lib/session/session.ts'
import { recall, remember } from '../../../lib/storage.ts'
import type { PointRef } from './history-address.ts'
import { notChartable, type Point } from './point.ts'

export interface SelectedPoint extends PointRef {
  pointName: string
  deviceName: string
}

export function useSelectedPoints(customerId: string) {
  const { user } = useSession()
  const storageKey = `portal.points.${user.id}.${customerId}`
  const initialPoints = useMemo(() => recall<readonly SelectedPoint[]>(storageKey) ?? [], [storageKey])
  const [points, setPoints] = useCachedState(storageKey, initialPoints)
  function select(next: readonly SelectedPoint[]) {
    setPoints(next)
    remember(storageKey, next)
  }
  return { points, select }
}

export function selectionRefusal(count: number): string | null {
  return count >= CHART_POINTS_MAX ? `A chart shows at most ${CHART_POINTS_MAX} points` : null
}

/** Selects points of a device for a chart; points of other devices stay selected. */
export function usePointSelection(
  customerId: string,
  { deviceUuid, deviceName }: Pick<Device, 'deviceUuid' | 'deviceName'>,
  listedPoints: readonly Point[]
) {
  const { points, select } = useSelectedPoints(customerId)
  const keys = new Set(points.map(({ cloudId }) => cloudId))
  const refusalOf = (point: Point) =>
    notChartable(point) ?? (keys.has(point.cloudId) ? null : selectionRefusal(points.length))
  function change(next: ReadonlySet<string>) {
    const removedIds = listedPoints.filter(({ cloudId }) => !next.has(cloudId)).map(({ cloudId }) => cloudId)
    const addedPoints = listedPoints.filter((point) => next.has(point.cloudId) && !keys.has(point.cloudId))
    const nextPoints = [
      ...points.filter(({ cloudId }) => !removedIds.includes(cloudId)),
      ...addedPoints
        .filter((point) => refusalOf(point) === null)
        .map(({ cloudId, displayName: pointName }) => ({ deviceUuid, cloudId, pointName, deviceName }))
    ]
    select(nextPoints.slice(0, CHART_POINTS_MAX))
  }
  return { chosen: { keys, rows: [], change, drop: () => select([]) }, refusalOf }
}
