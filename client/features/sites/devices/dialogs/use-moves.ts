// Moves several devices, a few at a time, with a result for each, and can undo the move.
import pLimit from 'p-limit'
import { useRef, useState } from 'react'
import type { Device, Project } from '#shared/entities.ts'
import { count } from '../../../../lib/format.ts'
import { refusalText } from '../../../../lib/http/api-error.ts'
import { useCustomerRefresh } from '../../../../lib/http/query.ts'
import { DEVICE } from '../../../../lib/messages.ts'
import { toasts } from '../../../../ui/state/toasts.ts'
import { useCustomer } from '../../customers/customer.ts'
import { oppositeOf, useDeviceChanges, withChange } from '../device-changes.ts'

const AT_ONCE = 4

/** Null while the device waits. */
export type Result = 'moved' | 'stays' | { failed: string } | null

export function useMoves(devices: readonly Device[], onMoved: (deviceUuids: readonly string[]) => void) {
  const { customerId } = useCustomer()
  const refresh = useCustomerRefresh(customerId)
  const changes = useDeviceChanges()
  const [results, setResults] = useState<ReadonlyMap<string, Result> | null>(null)
  const [running, setRunning] = useState(false)
  const stopped = useRef(false)

  async function move(some: readonly Device[], project: Project) {
    stopped.current = false
    setRunning(true)
    const found = new Map<string, Result>(results ?? devices.map(({ deviceUuid }) => [deviceUuid, null]))
    for (const { deviceUuid } of some) found.set(deviceUuid, null)
    setResults(new Map(found))
    await pLimit(AT_ONCE).map(some, async (device) => {
      if (stopped.current) return
      const result = await resultOf(device, project.id, () => changes.moveDevice(device, project))
      found.set(device.deviceUuid, result)
      setResults(new Map(found))
    })
    setRunning(false)
    onMoved([...found].filter(([, result]) => result === 'moved' || result === 'stays').map(([uuid]) => uuid))
    void refresh()
  }

  /** Reports the number of moved devices with an Undo. */
  function announce(project: Project) {
    const moved = devices.filter(({ deviceUuid }) => results?.get(deviceUuid) === 'moved')
    if (moved.length === 0) return
    const undo = { label: 'Undo', onAct: () => void takeBack(moved, project), brief: true }
    const isUndoable = moved.every(({ projectId }) => projectId !== null)
    toasts.ok(
      DEVICE.movedMany(count(moved.length, 'device'), project.projectName),
      isUndoable ? undo : undefined
    )
  }

  async function takeBack(some: readonly Device[], project: Project) {
    const stuck: Device[] = []
    await pLimit(AT_ONCE).map(some, async (device) => {
      const back = oppositeOf(device, { project })?.project
      if (back)
        await changes.moveDevice(withChange(device, { project }), back).catch(() => stuck.push(device))
    })
    const done = some.length - stuck.length
    if (done > 0) toasts.ok(DEVICE.moveUndone(count(done, 'device')))
    if (stuck.length > 0)
      toasts.failed(DEVICE.moveNotUndone(count(stuck.length, 'device')), {
        label: 'Retry',
        onAct: () => void takeBack(stuck, project)
      })
    void refresh()
  }

  return {
    results,
    running,
    move,
    announce,
    stop: () => {
      stopped.current = true
    }
  }
}

async function resultOf(device: Device, projectId: string, move: () => Promise<void>): Promise<Result> {
  if (device.projectId === projectId) return 'stays'
  try {
    await move()
    return 'moved'
  } catch (error) {
    return { failed: refusalText(error) }
  }
}

export function isFailed(result: Result | undefined): boolean {
  return typeof result === 'object' && result !== null
}

/** Whether the device still has to move: its move failed or was stopped. */
export function isOpen(result: Result | undefined): boolean {
  return result === null || isFailed(result)
}
