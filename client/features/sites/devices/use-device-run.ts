// Changes several devices, a few at a time, with a result for each.
import pLimit from 'p-limit'
import { useRef, useState } from 'react'
import type { Device } from '#shared/answers/customers.ts'
import { refusalText } from '../../../lib/http/api-error.ts'
import { useCustomerRefresh } from '../../../lib/http/query.ts'
import { useCustomer } from '../customers/customer.ts'
import type { DeviceChange } from './api.ts'
import { useDeviceChanges } from './device-changes.ts'

const AT_ONCE = 4

/** Null while the device waits. */
export type Result = 'changed' | 'stays' | { failed: string } | null

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
      found.set(step.device.deviceUuid, await resultOf(step, changeDevice))
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
  { device, change }: DeviceStep,
  changeDevice: (device: Device, change: DeviceChange) => Promise<void>
): Promise<Result> {
  if (change === null) return 'stays'
  try {
    await changeDevice(device, change)
    return 'changed'
  } catch (error) {
    return { failed: refusalText(error) }
  }
}

export function isFailed(result: Result | undefined): result is { failed: string } {
  return typeof result === 'object' && result !== null
}

/** Whether the device still has to change: its change failed or was stopped. */
export function isOpen(result: Result | undefined): boolean {
  return result === null || isFailed(result)
}
