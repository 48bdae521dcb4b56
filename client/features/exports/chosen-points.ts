// The points that an export is to be made of.
import type { NewExport, SavedExport } from './api.ts'

export interface ChosenPoint {
  systemGuid: string
  pointId: string
  /** Null while its name is not known. */
  label: string | null
}

export function keyOf({ systemGuid, pointId }: Omit<ChosenPoint, 'label'>): string {
  return `${systemGuid} ${pointId}`
}

/** Those of an export that is made once more. */
export function pointsOf(like: SavedExport | null): ChosenPoint[] {
  return (like?.request?.selectedPoints ?? []).flatMap(({ systemGuid, pointIds }) =>
    pointIds.map((pointId) => ({ systemGuid, pointId, label: null }))
  )
}

export function bySystem(points: readonly ChosenPoint[]): NewExport['selectedPoints'] {
  const systems = new Map<string, string[]>()
  for (const { systemGuid, pointId } of points) {
    systems.set(systemGuid, [...(systems.get(systemGuid) ?? []), pointId])
  }
  return [...systems].map(([systemGuid, pointIds]) => ({ systemGuid, pointIds }))
}
