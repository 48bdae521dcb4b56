import type { Device } from '#shared/entities.ts'
import { DEVICE } from '#shared/messages.ts'
import { useCustomerCache } from '../api/customer-cache.ts'
import { deleteDevice, updateDevice } from '../api/device-changes.ts'
import type { DeviceChange } from '../lib/customer-changes.ts'
import { toasts } from '../lib/toasts.ts'
import { tellFailure } from './failed.ts'

export interface DeviceDeeds {
  updateDevice: (device: Device, change: DeviceChange) => Promise<void>
  /** `onDeleted` is done once it is, before anything is read again. */
  deleteDevice: (device: Device, onDeleted?: () => unknown) => Promise<void>
  /** One of several: rejects with what went wrong, says nothing and leaves the reading again to the caller. */
  moveDevice: (device: Device, project: NonNullable<DeviceChange['project']>) => Promise<void>
}

/** Each shows its effect at once, takes it back when it is refused, and says how it ended (§8). */
export function useDeviceDeeds(customerId: string): DeviceDeeds {
  const cache = useCustomerCache(customerId)
  const reload = () => void cache.refresh()

  async function apply(device: Device, change: DeviceChange) {
    const undo = cache.apply({ kind: 'device-changed', device, change })
    try {
      await updateDevice(device.id, change, customerId)
    } catch (error) {
      undo()
      throw error
    }
  }

  const deeds: DeviceDeeds = {
    moveDevice: (device, project) => apply(device, { project }),

    async updateDevice(device, change) {
      try {
        await apply(device, change)
        toasts.ok(updatedText(change))
      } catch (error) {
        const retry = { label: 'Retry', onAct: () => void deeds.updateDevice(device, change) }
        tellFailure(failedText(change), error, reload, retry)
      }
      reload()
    },

    async deleteDevice(device, onDeleted) {
      const undo = cache.apply({ kind: 'device-deleted', device })
      try {
        await deleteDevice(device.id, customerId)
        toasts.ok(DEVICE.deleted)
        await onDeleted?.()
      } catch (error) {
        undo()
        const retry = { label: 'Retry', onAct: () => void deeds.deleteDevice(device, onDeleted) }
        tellFailure(DEVICE.deleteFailed(device.deviceName), error, reload, retry)
      }
      reload()
    }
  }
  return deeds
}

function updatedText({ deviceName, location, project }: DeviceChange): string {
  const details =
    deviceName !== undefined && location !== undefined
      ? DEVICE.nameAndLocationUpdated
      : deviceName !== undefined
        ? DEVICE.nameUpdated
        : location !== undefined
          ? DEVICE.locationUpdated
          : ''
  return [project ? DEVICE.moved(project.projectName) : '', details].filter(Boolean).join(' ')
}

function failedText({ deviceName, location, project }: DeviceChange): string {
  const fields = [deviceName !== undefined, location !== undefined]
  if (project) return fields.includes(true) ? DEVICE.updateFailed : DEVICE.moveFailed
  if (!fields.includes(false)) return DEVICE.nameAndLocationFailed
  return fields[0] ? DEVICE.nameFailed : DEVICE.locationFailed
}
