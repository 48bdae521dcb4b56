// Changes several devices, a few at a time, with a result for each.
import pLimit from 'p-limit'
import { useRef, useState } from 'react'
import type { Device } from '#shared/answers/customers.ts'
import { isOutcomeUnknown, refusalText } from '../../../lib/http/api-error.ts'
import { useCustomerRefresh } from '../../../lib/http/query.ts'
import { readBack, waitFor } from '../../../lib/read-back.ts'
import { useCustomer } from '../customers/customer.tsx'
import { type DeviceChange, fetchDevice } from './api.ts'
import { useDeviceChanges } from './device-changes.ts'

const AT_ONCE = 4

/** Null while the device waits. `unknown`: the answer was lost, and the device could not be read again. */
export type Result = 'changed' | 'stays' | { failed: string } | { unknown: string } | null

export interface DeviceStep {
  device: Device
  /** Null if the device already is as it should be. */
  change: DeviceChange | null
}

export function useDeviceRun() {
  const { customerId } = useCustomer()
  const refresh = useCustomerRefresh(customerId)
  const { changeDevice } = useDeviceChanges()
  const [results, setResults] = useState<ReadonlyMap<string, Result> | null>(null)
  const [running, setRunning] = useState(false)
  const stopped = useRef(false)

  /** Returns the results by device UUID, with those of earlier runs. */
  async function run(steps: readonly DeviceStep[]): Promise<ReadonlyMap<string, Result>> {
    stopped.current = false
    setRunning(true)
    const found = new Map(results)
    for (const { device } of steps) found.set(device.deviceUuid, null)
    setResults(new Map(found))
    await pLimit(AT_ONCE).map(steps, async (step) => {
      if (stopped.current) return
      found.set(step.device.deviceUuid, await resultOf(step, changeDevice, customerId))
      setResults(new Map(found))
    })
    setRunning(false)
    void refresh()
    return found
  }

  return {
    /** Null before the first run. */
    results,
    running,
    run,
    stop: () => {
      stopped.current = true
    }
  }
}

async function resultOf(
  step: DeviceStep,
  changeDevice: ReturnType<typeof useDeviceChanges>['changeDevice'],
  customerId: string
): Promise<Result> {
  const { device, change } = step
  if (change === null) return 'stays'
  try {
    await changeDevice({ device, change })
    return 'changed'
  } catch (error) {
    const failed = refusalText(error)
    return isOutcomeUnknown(error) ? resultOfReading(device, change, customerId, failed) : { failed }
  }
}

/** When a device is read again whose answer was lost: the change may still be under way at the first time. */
const READ_AGAIN_MS = [1_000, 5_000]

async function resultOfReading(
  device: Device,
  change: DeviceChange,
  customerId: string,
  reason: string
): Promise<Result> {
  const { taken, last } = await readBack(
    () => fetchDevice(customerId, device.deviceUuid),
    (found) => isAsWanted(found, change),
    waitFor,
    READ_AGAIN_MS
  )
  if (taken) return 'changed'
  return last === null ? { unknown: reason } : { failed: `${reason} ${STILL_AS_BEFORE}` }
}

const STILL_AS_BEFORE = 'Read again, the device had its previous values.'

function isAsWanted(found: Device, { deviceName, location, project }: DeviceChange): boolean {
  return (
    (deviceName === undefined || found.deviceName === deviceName) &&
    (location === undefined || found.location === location) &&
    (project === undefined || found.projectId === project.id)
  )
}

export function isFailed(result: Result | undefined): result is { failed: string } {
  return typeof result === 'object' && result !== null && 'failed' in result
}

export function isUnknown(result: Result | undefined): result is { unknown: string } {
  return typeof result === 'object' && result !== null && 'unknown' in result
}

/** Whether the device still has to change: its change failed, was stopped, or nobody knows. */
export function isOpen(result: Result | undefined): boolean {
  return result === null || isFailed(result) || isUnknown(result)
}
