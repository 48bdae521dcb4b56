// Changes of devices: what they leave of the answers at hand, and what is said of them.
import type { Device } from '#shared/entities.ts'
import { DEVICE } from '#shared/messages.ts'
import { isNotFound } from '../../lib/http/api-error.ts'
import { type Offer, tellFailure, toasts } from '../../ui/state/toasts.ts'
import { type CustomerChange, useCustomerCache } from '../customers/customer-cache.ts'
import { type DeviceChange, deleteDevice, fetchDevice, updateDevice } from './api.ts'

export function deviceChanged(device: Device, change: DeviceChange): CustomerChange {
  return {
    device: (one) => (one.deviceUuid === device.deviceUuid ? withChange(one, change) : one),
    projects: (all) =>
      change.project ? counted(change.project.id, 1)(counted(device.projectId, -1)(all)) : [...all]
  }
}

export function deviceDeleted({ deviceUuid, projectId }: Device): CustomerChange {
  return {
    device: (one) => (one.deviceUuid === deviceUuid ? null : one),
    projects: counted(projectId, -1),
    devices: -1
  }
}

const counted =
  (id: string | null, by: number): NonNullable<CustomerChange['projects']> =>
  (all) =>
    all.map((one) => (one.id === id ? { ...one, deviceCount: one.deviceCount + by } : one))

interface DeviceChanges {
  updateDevice: (device: Device, change: DeviceChange) => Promise<void>
  /** `onDeleted` is done once it is, before anything is read again. */
  deleteDevice: (device: Device, onDeleted?: () => unknown) => Promise<void>
  /** One of several: rejects with what went wrong, says nothing and leaves the reading again to the caller. */
  moveDevice: (device: Device, project: NonNullable<DeviceChange['project']>) => Promise<void>
}

/** Each shows its effect at once, takes it back when it is refused, and says how it ended. */
export function useDeviceChanges(customerId: string): DeviceChanges {
  const cache = useCustomerCache(customerId)
  const reload = () => void cache.refresh()

  /** Takes a device that somebody else has deleted off the screen, and says so. Of a move, the project may be what is gone. */
  async function isGone(device: Device, error: unknown, { project }: DeviceChange = {}): Promise<boolean> {
    if (!isNotFound(error)) return false
    const exists = () =>
      fetchDevice(customerId, device.deviceUuid).then(
        () => true,
        (failure) => !isNotFound(failure)
      )
    if (project && (await exists())) return false
    cache.apply(deviceDeleted(device))
    toasts.failed(DEVICE.gone(device.deviceName))
    return true
  }

  async function apply(device: Device, change: DeviceChange) {
    const undo = cache.apply(deviceChanged(device, change))
    try {
      await updateDevice(device.id, change, customerId)
    } catch (error) {
      undo()
      throw error
    }
  }

  async function tell(device: Device, change: DeviceChange, done: string, offer?: Offer) {
    try {
      await apply(device, change)
      toasts.ok(done, offer)
    } catch (error) {
      if (await isGone(device, error, change)) return reload()
      const retry = { label: 'Retry', onAct: () => void tell(device, change, done, offer) }
      tellFailure(failedText(change), error, reload, retry)
    }
    reload()
  }

  const changes: DeviceChanges = {
    moveDevice: (device, project) => apply(device, { project }),

    updateDevice(device, change) {
      const back = oppositeOf(device, change)
      const takeBack = () => back && void tell(withChange(device, change), back, DEVICE.updateUndone)
      const undo = { label: 'Undo', onAct: takeBack, brief: true }
      return tell(device, change, updatedText(change), back ? undo : undefined)
    },

    async deleteDevice(device, onDeleted) {
      const undo = cache.apply(deviceDeleted(device))
      try {
        await deleteDevice(device.id, customerId)
        toasts.ok(DEVICE.deleted)
        await onDeleted?.()
      } catch (error) {
        undo()
        if (await isGone(device, error)) return reload()
        const retry = { label: 'Retry', onAct: () => void changes.deleteDevice(device, onDeleted) }
        tellFailure(DEVICE.deleteFailed(device.deviceName), error, reload, retry)
      }
      reload()
    }
  }
  return changes
}

export function withChange(device: Device, { project, ...rest }: DeviceChange): Device {
  return {
    ...device,
    ...rest,
    ...(project ? { projectId: project.id, projectName: project.projectName } : {})
  }
}

/** The change that takes another one back; null for a device that was in no project, where it cannot be put again. */
export function oppositeOf(device: Device, change: DeviceChange): DeviceChange | null {
  const { deviceName, location, projectId, projectName } = device
  if (change.project && projectId === null) return null
  return {
    ...(change.deviceName === undefined ? {} : { deviceName }),
    ...(change.location === undefined ? {} : { location }),
    ...(change.project && projectId !== null
      ? { project: { id: projectId, projectName: projectName ?? '' } }
      : {})
  }
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
