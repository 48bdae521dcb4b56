// The points selected for a chart, up to ten, kept between pages.
import { useMemo } from 'react'
import type { Device } from '#shared/entities.ts'
import { CHART_POINTS_MAX } from '#shared/limits.ts'
import { useKept } from '../../lib/http/query.ts'
import { recall, remember } from '../../lib/storage.ts'
import { useSession } from '../session/session.ts'
import type { PointRef } from './history-address.ts'
import { notChartable, type Point } from './point.ts'

export interface SelectedPoint extends PointRef {
  pointName: string
  deviceName: string
}

export function useSelectedPoints(customerId: string) {
  const { user } = useSession()
  const stored = `portal.points.${user.id}.${customerId}`
  const first = useMemo(() => recall<readonly SelectedPoint[]>(stored) ?? [], [stored])
  const [points, keep] = useKept(stored, first)
  function select(next: readonly SelectedPoint[]) {
    keep(next)
    remember(stored, next)
  }
  return { points, select }
}

export function selectionRefusal(count: number): string | null {
  return count >= CHART_POINTS_MAX ? `A chart takes ${CHART_POINTS_MAX} points at most` : null
}

/** Selects points of a device for a chart; points of other devices stay selected. */
export function usePointSelection(
  customerId: string,
  { deviceUuid, deviceName }: Pick<Device, 'deviceUuid' | 'deviceName'>,
  shown: readonly Point[]
) {
  const { points, select } = useSelectedPoints(customerId)
  const keys = new Set(points.map(({ cloudId }) => cloudId))
  const refusalOf = (point: Point) =>
    notChartable(point) ?? (keys.has(point.cloudId) ? null : selectionRefusal(points.length))
  function change(next: ReadonlySet<string>) {
    const removed = shown.filter(({ cloudId }) => !next.has(cloudId)).map(({ cloudId }) => cloudId)
    const added = shown.filter((point) => next.has(point.cloudId) && !keys.has(point.cloudId))
    const all = [
      ...points.filter(({ cloudId }) => !removed.includes(cloudId)),
      ...added
        .filter((point) => refusalOf(point) === null)
        .map(({ cloudId, displayName: pointName }) => ({ deviceUuid, cloudId, pointName, deviceName }))
    ]
    select(all.slice(0, CHART_POINTS_MAX))
  }
  return { chosen: { keys, rows: [], change, drop: () => select([]) }, refusalOf }
}
