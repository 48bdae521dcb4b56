// Moves several devices into one project, and can undo the move.
import type { Device, Project } from '#shared/answers/customers.ts'
import { count } from '../../../../lib/format.ts'
import { toasts } from '../../../../ui/state/toasts.ts'
import { oppositeOf, withChange } from '../device-changes.ts'
import { DEVICE } from '../messages.ts'
import { useDeviceRun } from '../use-device-run.ts'

export function useMoves(devices: readonly Device[], onMoved: (deviceUuids: readonly string[]) => void) {
  const { results, running, run, stop } = useDeviceRun()

  async function move(some: readonly Device[], project: Project) {
    const steps = some.map((device) => ({
      device,
      change: device.projectId === project.id ? null : { project }
    }))
    const found = await run(steps)
    onMoved(
      [...found].filter(([, result]) => result === 'changed' || result === 'stays').map(([uuid]) => uuid)
    )
  }

  /** Reports the number of moved devices with an Undo. */
  function announce(project: Project) {
    const moved = devices.filter(({ deviceUuid }) => results?.get(deviceUuid) === 'changed')
    if (moved.length === 0) return
    const undo = { label: 'Undo', onAct: () => void takeBack(moved, project), brief: true }
    const isUndoable = moved.every(({ projectId }) => projectId !== null)
    toasts.ok(
      DEVICE.movedMany(count(moved.length, 'device'), project.projectName),
      isUndoable ? undo : undefined
    )
  }

  async function takeBack(some: readonly Device[], project: Project) {
    const found = await run(
      some.map((device) => ({
        device: withChange(device, { project }),
        change: oppositeOf(device, { project })
      }))
    )
    const stuck = some.filter(({ deviceUuid }) => found.get(deviceUuid) !== 'changed')
    const done = some.length - stuck.length
    if (done > 0) toasts.ok(DEVICE.moveUndone(count(done, 'device')))
    if (stuck.length > 0)
      toasts.failed(DEVICE.moveNotUndone(count(stuck.length, 'device')), {
        label: 'Retry',
        onAct: () => void takeBack(stuck, project)
      })
  }

  return { results, running, move, stop, announce }
}
