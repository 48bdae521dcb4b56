// Alarms in addition to the simulated ones.
import type { Occurrence } from '../simulation/alarm-times.ts'

export class AddedAlarms {
  readonly #byDevice = new Map<string, Occurrence[]>()
  #size = 0

  get size(): number {
    return this.#size
  }

  of(deviceId: string): readonly Occurrence[] {
    return this.#byDevice.get(deviceId) ?? []
  }

  add(alarm: Occurrence): void {
    const list = this.#byDevice.get(alarm.device.id)
    if (list) list.push(alarm)
    else this.#byDevice.set(alarm.device.id, [alarm])
    this.#size += 1
  }
}
