import { useSyncExternalStore } from 'react'
import { type PointTray, pointTray, type TrayPoint } from '../lib/point-tray.ts'
import { useSession } from './session.ts'

/** The points that this person gathers at a customer for a chart. */
export function usePointTray(customerId: string): { tray: PointTray; points: readonly TrayPoint[] } {
  const { user } = useSession()
  const tray = pointTray(user.id, customerId)
  return { tray, points: useSyncExternalStore(tray.subscribe, tray.points) }
}
