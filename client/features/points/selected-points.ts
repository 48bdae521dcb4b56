// The points selected for a chart, up to ten, kept between pages.
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { Device } from '#shared/entities.ts'
import { CHART_POINTS_MAX } from '#shared/limits.ts'
import { recall, remember } from '../../lib/storage.ts'
import { useSession } from '../session/session.ts'
import { keyOfPoint, type PointRef } from './history-address.ts'
import { notChartable, type Point } from './point.ts'

export interface SelectedPoint extends PointRef {
  pointName: string
  deviceName: string
}

export type SelectedPoints = ReturnType<typeof createSelection>

const selections = new Map<string, SelectedPoints>()

export function selectedPoints(userId: string, customerId: string): SelectedPoints {
  const stored = `portal.points.${userId}.${customerId}`
  const known = selections.get(stored)
  if (known) return known
  const selection = createSelection(stored)
  selections.set(stored, selection)
  return selection
}

function createSelection(stored: string) {
  const store = createStore<{ points: readonly SelectedPoint[] }>(() => ({ points: readStored(stored) }))
  const read = () => store.getState().points
  function change(points: readonly SelectedPoint[]) {
    store.setState({ points })
    remember(stored, points)
  }
  return {
    store,
    /** False when it is full. */
    add(point: SelectedPoint): boolean {
      if (read().some((one) => keyOfPoint(one) === keyOfPoint(point))) return true
      if (read().length >= CHART_POINTS_MAX) return false
      change([...read(), point])
      return true
    },
    remove: (point: PointRef) => change(read().filter((one) => keyOfPoint(one) !== keyOfPoint(point))),
    clear: () => change([])
  }
}

export function useSelectedPoints(customerId: string): {
  selected: SelectedPoints
  points: readonly SelectedPoint[]
} {
  const { user } = useSession()
  const selected = selectedPoints(user.id, customerId)
  return { selected, points: useStore(selected.store, ({ points }) => points) }
}

function readStored(stored: string): readonly SelectedPoint[] {
  const found = recall<unknown>(stored)
  if (!Array.isArray(found)) return []
  return found
    .filter(
      (one): one is SelectedPoint => typeof one?.deviceUuid === 'string' && typeof one?.cloudId === 'string'
    )
    .slice(0, CHART_POINTS_MAX)
}

export function selectionRefusal(count: number): string | null {
  return count >= CHART_POINTS_MAX ? `A chart takes ${CHART_POINTS_MAX} points at most` : null
}

/** Selects points of a device for a chart; the selection is kept with those of other devices. */
export function usePointSelection(
  customerId: string,
  { deviceUuid, deviceName }: Pick<Device, 'deviceUuid' | 'deviceName'>,
  shown: readonly Point[]
) {
  const { selected, points } = useSelectedPoints(customerId)
  const keys = new Set(points.map(({ cloudId }) => cloudId))
  const refusalOf = (point: Point) =>
    notChartable(point) ?? (keys.has(point.cloudId) ? null : selectionRefusal(points.length))
  function change(next: ReadonlySet<string>) {
    for (const point of shown) {
      const { cloudId, displayName: pointName } = point
      if (!next.has(cloudId)) selected.remove({ deviceUuid, cloudId })
      else if (refusalOf(point) === null) selected.add({ deviceUuid, cloudId, pointName, deviceName })
    }
  }
  return { chosen: { keys, rows: [], change, drop: selected.clear }, refusalOf }
}
