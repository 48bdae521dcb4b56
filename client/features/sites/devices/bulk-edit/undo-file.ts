// The previous values of the devices that a file changes: stored in this browser before the first change, until the person signs out.
import { recall, rememberIfPossible } from '../../../../lib/storage.ts'

export interface UndoFile {
  /** The file that changed the devices. */
  fileName: string
  atMs: number
  deviceCount: number
  /** The undo file. */
  text: string
}

const keyOf = (customerId: string) => `portal.undo-devices.${customerId}`

/** Returns false if the browser has no room for it. */
export function storeUndo(customerId: string, undo: UndoFile): boolean {
  return rememberIfPossible(keyOf(customerId), undo)
}

export function storedUndo(customerId: string): UndoFile | null {
  return recall<UndoFile>(keyOf(customerId))
}

export function forgetUndo(customerId: string): void {
  rememberIfPossible(keyOf(customerId), null)
}
