// The points that are gathered for a chart, up to ten (§9), kept on the way from a search to the history.
import { CHART_POINTS_MAX } from '#shared/limits.ts'
import { keyOfPoint, type PointRef } from './history-view.ts'
import { recall, remember } from './store.ts'

export interface TrayPoint extends PointRef {
  pointName: string
  deviceName: string
}

export interface PointTray {
  points(): readonly TrayPoint[]
  /** False when it is full. */
  add(point: TrayPoint): boolean
  remove(point: PointRef): void
  clear(): void
  subscribe(listener: () => void): () => void
}

const trays = new Map<string, PointTray>()

/** One for each person and customer. */
export function pointTray(userId: string, customerId: string): PointTray {
  const stored = `portal.points.${userId}.${customerId}`
  const known = trays.get(stored)
  if (known) return known
  const tray = createTray(stored)
  trays.set(stored, tray)
  return tray
}

function createTray(stored: string): PointTray {
  const listeners = new Set<() => void>()
  let points = readStored(stored)
  function change(next: readonly TrayPoint[]) {
    points = next
    remember(stored, points)
    for (const listener of listeners) listener()
  }
  return {
    points: () => points,
    add(point) {
      if (points.some((one) => keyOfPoint(one) === keyOfPoint(point))) return true
      if (points.length >= CHART_POINTS_MAX) return false
      change([...points, point])
      return true
    },
    remove: (point) => change(points.filter((one) => keyOfPoint(one) !== keyOfPoint(point))),
    clear: () => change([]),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    }
  }
}

function readStored(stored: string): readonly TrayPoint[] {
  const found = recall<unknown>(stored)
  if (!Array.isArray(found)) return []
  return found
    .filter(
      (one): one is TrayPoint => typeof one?.deviceUuid === 'string' && typeof one?.cloudId === 'string'
    )
    .slice(0, CHART_POINTS_MAX)
}

/** Why a further point cannot be taken; null when it can. */
export function trayRefusal(count: number): string | null {
  return count >= CHART_POINTS_MAX ? `A chart takes ${CHART_POINTS_MAX} points at most` : null
}
