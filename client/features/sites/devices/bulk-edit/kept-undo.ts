// The previous values of the devices that a file changes: kept in this browser before the first change, until the person signs out.
import { recall, rememberIfPossible } from '../../../../lib/storage.ts'

export interface KeptUndo {
  /** The file that changed the devices. */
  fileName: string
  atMs: number
  deviceCount: number
  /** The undo file. */
  text: string
}

const keyOf = (customerId: string) => `portal.undo-devices.${customerId}`

/** Returns false if the browser has no room for it. */
export function keepUndo(customerId: string, undo: KeptUndo): boolean {
  return rememberIfPossible(keyOf(customerId), undo)
}

export function keptUndo(customerId: string): KeptUndo | null {
  return recall<KeptUndo>(keyOf(customerId))
}

export function forgetUndo(customerId: string): void {
  rememberIfPossible(keyOf(customerId), null)
}
