import { backupsOf } from '../simulation/backups.ts'
import type { State } from '../state.ts'

const AGE_MS = 40 * 24 * 3_600_000

/** Leaves a device only backups of more than 40 days ago, as if nobody had noticed that its schedule was off. */
export function loseNewBackups(state: State, deviceId: string): void {
  const device = state.devices.get(deviceId)
  if (!device) throw new Error(`there is no device ${deviceId}`)
  const nowMs = state.clock()
  for (const { id, startMs } of backupsOf(device, nowMs))
    if (nowMs - startMs < AGE_MS) state.backupChanges.set(id, { isDeleted: true })
}
