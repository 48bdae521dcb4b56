// Changes of devices: their effect on cached answers, and the messages about their results.
import type { Device } from '#shared/answers/customers.ts'
import { isNotFound, isOutcomeUnknown } from '../../../lib/http/api-error.ts'
import { useMutation } from '../../../lib/http/mutation.ts'
import { reportFailure } from '../../../ui/state/report-failure.ts'
import { type Offer, toasts } from '../../../ui/state/toasts.ts'
import { useCustomer } from '../customers/customer.tsx'
import { type CustomerChange, useCustomerCache } from '../customers/customer-cache.ts'
import { type DeviceChange, deleteDevice, fetchDevice, updateDevice } from './api.ts'
import { DEVICE } from './messages.ts'

export function deviceChanged(device: Device, change: DeviceChange): CustomerChange {
  return {
    device: (other) => (other.deviceUuid === device.deviceUuid ? withChange(other, change) : other),
    projects: (all) =>
      change.project ? addDevices(change.project.id, 1)(addDevices(device.projectId, -1)(all)) : [...all]
  }
}

export function deviceDeleted({ deviceUuid, projectId }: Device): CustomerChange {
  return {
    device: (other) => (other.deviceUuid === deviceUuid ? null : other),
    projects: addDevices(projectId, -1),
    devices: -1
  }
}

const addDevices =
  (id: string | null, difference: number): NonNullable<CustomerChange['projects']> =>
  (all) =>
    all.map((project) =>
      project.id === id ? { ...project, deviceCount: project.deviceCount + difference } : project
    )

interface DeviceUpdate {
  device: Device
  change: DeviceChange
}

/** Optimistic changes: each change shows immediately, is rolled back on failure, and reports its outcome. */
export function useDeviceChanges() {
  const { customerId } = useCustomer()
  const cache = useCustomerCache(customerId)
  const reload = () => void cache.refresh()
  const { mutateAsync: send } = useMutation({
    mutationFn: ({ device, change }: DeviceUpdate) => updateDevice(device.id, change, customerId),
    onMutate: ({ device, change }) => cache.show(deviceChanged(device, change))
  })
  const { mutateAsync: remove } = useMutation({
    mutationFn: (device: Device) => deleteDevice(device.id, customerId),
    onMutate: (device) => cache.show(deviceDeleted(device))
  })

  /** Removes the device if somebody else deleted it. In a move, a 404 may refer to the project instead. */
  async function removeIfDeleted(
    device: Device,
    error: unknown,
    { project }: DeviceChange
  ): Promise<boolean> {
    if (!isNotFound(error)) return false
    const exists = () =>
      fetchDevice(customerId, device.deviceUuid).then(
        () => true,
        (failure) => !isNotFound(failure)
      )
    if (project && (await exists())) return false
    cache.show(deviceDeleted(device))
    toasts.failed(DEVICE.gone(device.deviceName))
    return true
  }

  /** Runs a change, reports a failure with “Retry”, and reloads the customer's data. */
  async function attempt(
    device: Device,
    work: () => Promise<unknown>,
    failed: string,
    change: DeviceChange = {}
  ): Promise<void> {
    try {
      await work()
    } catch (error) {
      const retry = { label: 'Retry', onAct: () => void attempt(device, work, failed, change) }
      if (!(await removeIfDeleted(device, error, change))) reportFailure(failed, error, reload, retry)
    }
    reload()
  }

  function update(device: Device, change: DeviceChange, successText: string, offer?: Offer): Promise<void> {
    const work = async () => {
      await send({ device, change })
      toasts.ok(successText, offer)
    }
    return attempt(device, work, failedText(change), change)
  }

  function undoOf(device: Device, change: DeviceChange): Offer | undefined {
    const undoChange = oppositeOf(device, change)
    if (!undoChange) return undefined
    const onAct = () => void update(withChange(device, change), undoChange, DEVICE.updateUndone)
    return { label: 'Undo', onAct, brief: true }
  }

  return {
    /** One step of a bulk change. Rejects on failure; the caller reports the failure and reloads the data. */
    changeDevice: send,

    /** Rejects on failure, so that the dialog shows it and keeps what was typed. */
    async updateDevice(device: Device, change: DeviceChange): Promise<void> {
      try {
        await send({ device, change })
        toasts.ok(updatedText(change), undoOf(device, change))
      } catch (error) {
        if (!(await removeIfDeleted(device, error, change))) throw error
      } finally {
        reload()
      }
    },

    /** Reports a failed update with “Retry”, if the person has left the dialog meanwhile. */
    reportFailedUpdate(device: Device, change: DeviceChange, error: unknown) {
      const onAct = () => void update(device, change, updatedText(change), undoOf(device, change))
      reportFailure(failedText(change), error, reload, { label: 'Retry', onAct })
    },

    /** `onDeleted` runs after the deletion, before the customer's data reload. */
    deleteDevice(device: Device, onDeleted?: () => unknown) {
      // After a lost answer, the device may already be deleted. A 404 of the next try then means success.
      let mayBeDeleted = false
      const work = async () => {
        try {
          await remove(device)
        } catch (error) {
          if (!mayBeDeleted || !isNotFound(error)) {
            mayBeDeleted ||= isOutcomeUnknown(error)
            throw error
          }
        }
        toasts.ok(DEVICE.deleted)
        await onDeleted?.()
      }
      return attempt(device, work, DEVICE.deleteFailed(device.deviceName))
    }
  }
}

export function withChange(device: Device, { project, ...rest }: DeviceChange): Device {
  return {
    ...device,
    ...rest,
    ...(project ? { projectId: project.id, projectName: project.projectName } : {})
  }
}

/** The change that undoes `change`; null for the move of a device that was in no project. */
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

const TEXTS = {
  name: { updated: DEVICE.nameUpdated, failed: DEVICE.nameFailed },
  location: { updated: DEVICE.locationUpdated, failed: DEVICE.locationFailed },
  both: { updated: DEVICE.nameAndLocationUpdated, failed: DEVICE.nameAndLocationFailed }
}

/** Texts about a change of name or location; null if neither changes. */
function textsOf({ deviceName, location }: DeviceChange) {
  if (deviceName === undefined) return location === undefined ? null : TEXTS.location
  return location === undefined ? TEXTS.name : TEXTS.both
}

function updatedText(change: DeviceChange): string {
  const moved = change.project && DEVICE.moved(change.project.projectName)
  return [moved, textsOf(change)?.updated].filter(Boolean).join(' ')
}

export function failedText(change: DeviceChange): string {
  const texts = textsOf(change)
  if (change.project) return texts ? DEVICE.updateFailed : DEVICE.moveFailed
  return texts?.failed ?? DEVICE.updateFailed
}
