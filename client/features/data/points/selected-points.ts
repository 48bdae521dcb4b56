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

interface SelectableRow {
  point: Point
  device: Pick<Device, 'deviceUuid' | 'deviceName'>
}

/**
 * Selects the points of a list for a chart; points that are not in the list stay selected.
 * @param keyOf the key of a point's row
 */
export function usePointSelection<Row>(
  customerId: string,
  rows: readonly Row[],
  keyOf: (point: PointRef) => string,
  read: (row: Row) => SelectableRow
) {
  const { points, select } = useSelectedPoints(customerId)
  const keys = new Set(points.map(keyOf))
  const keyOfRow = ({ point, device }: SelectableRow) =>
    keyOf({ deviceUuid: device.deviceUuid, cloudId: point.cloudId })
  const refusalOf = (row: Row) => {
    const selectable = read(row)
    if (keys.has(keyOfRow(selectable))) return notChartable(selectable.point)
    return notChartable(selectable.point) ?? selectionRefusal(points.length)
  }
  function change(next: ReadonlySet<string>) {
    const removedKeys = rows.map((row) => keyOfRow(read(row))).filter((key) => !next.has(key))
    const addedRows = rows.filter((row) => {
      const key = keyOfRow(read(row))
      return next.has(key) && !keys.has(key) && refusalOf(row) === null
    })
    const nextPoints = [
      ...points.filter((point) => !removedKeys.includes(keyOf(point))),
      ...addedRows
        .map(read)
        .map(({ point: { cloudId, displayName }, device: { deviceUuid, deviceName } }) => ({
          deviceUuid,
          cloudId,
          pointName: displayName,
          deviceName
        }))
    ]
    select(nextPoints.slice(0, CHART_POINTS_MAX))
  }
  return { chosen: { keys, rows: [], change, drop: () => select([]) }, refusalOf }
}
