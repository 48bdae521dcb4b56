import '../../style/project-dialogs.css'
import Check from 'lucide-react/icons/check'
import X from 'lucide-react/icons/x'
import { useRef, useState } from 'react'
import type { Device } from '#shared/entities.ts'
import { DEVICE } from '#shared/messages.ts'
import { failureOf } from '../../api/api-error.ts'
import { SelectField } from '../../components/field.tsx'
import { Modal } from '../../components/modal.tsx'
import { csvOf, fileName, saveFile } from '../../lib/csv.ts'
import { count } from '../../lib/format.ts'
import { useCustomer } from '../customer.ts'
import { useDeviceDeeds } from '../use-device-deeds.ts'

const AT_ONCE = 4

/** Null while it waits its turn; a text is what went wrong. */
type Result = 'moved' | 'stays' | { failed: string } | null

interface MoveDevicesProps {
  devices: readonly Device[]
  /** Those that arrived. */
  onMoved: (deviceUuids: readonly string[]) => void
  onClose: () => void
}

/** Several devices into one project, with a result for each. Those that failed can be tried again. */
export function MoveDevices({ devices, onMoved, onClose }: MoveDevicesProps) {
  const { id: customerId, projects, name, reload } = useCustomer()
  const deeds = useDeviceDeeds(customerId)
  const [projectId, setProjectId] = useState('')
  const [results, setResults] = useState<ReadonlyMap<string, Result> | null>(null)
  const [running, setRunning] = useState(false)
  const stopped = useRef(false)
  const project = projects.find(({ id }) => id === projectId)
  const ready = project !== undefined && !running
  const all = [...(results?.values() ?? [])]
  const done = all.filter((result) => result !== null).length
  const failed = devices.filter(({ deviceUuid }) => isFailed(results?.get(deviceUuid)))
  const left = devices.filter(({ deviceUuid }) => results?.get(deviceUuid) === null)

  async function move(some: readonly Device[]) {
    if (!project || running) return
    stopped.current = false
    setRunning(true)
    const found = new Map<string, Result>(results ?? devices.map(({ deviceUuid }) => [deviceUuid, null]))
    for (const { deviceUuid } of some) found.set(deviceUuid, null)
    const note = (device: Device, result: Result) => {
      found.set(device.deviceUuid, result)
      setResults(new Map(found))
    }
    setResults(new Map(found))
    const waiting = [...some]
    const work = async () => {
      for (let device = waiting.shift(); device && !stopped.current; device = waiting.shift())
        note(device, await moved(device, project.id, () => deeds.moveDevice(device, project)))
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    setRunning(false)
    onMoved([...found].filter(([, result]) => result === 'moved' || result === 'stays').map(([uuid]) => uuid))
    reload()
  }

  return (
    <Modal
      title={
        results ? `Moving ${count(devices.length, 'device')}` : `Move ${count(devices.length, 'device')}`
      }
      {...(running ? {} : { onClose })}
      onEnter={() => results || void move(devices)}
    >
      <div className="modal-body">
        {!results && (
          <SelectField
            label="To project"
            value={projectId}
            onChange={setProjectId}
            placeholder="Choose a project"
            options={projects.map(({ id, projectName }) => ({ value: id, label: projectName || id }))}
            required
          />
        )}
        {results && (
          <>
            <p role="status">
              {done} of {devices.length} done{failed.length > 0 && `, ${failed.length} not moved`}
            </p>
            <ul className="move-results" aria-label="Results">
              {devices.map((device) => (
                <ResultRow
                  key={device.deviceUuid}
                  device={device}
                  result={results.get(device.deviceUuid) ?? null}
                />
              ))}
            </ul>
          </>
        )}
      </div>
      <div className="modal-actions">
        {results && !running && (
          <button
            type="button"
            className="button"
            onClick={() => saveResults(devices, results, [name, 'move'])}
          >
            Save results as CSV
          </button>
        )}
        {running ? (
          <button
            type="button"
            className="button"
            onClick={() => {
              stopped.current = true
            }}
          >
            Stop
          </button>
        ) : (
          <button type="button" className={results ? 'button primary' : 'button'} onClick={onClose}>
            {results ? 'Close' : 'Cancel'}
          </button>
        )}
        {results && !running && failed.length + left.length > 0 && (
          <button type="button" className="button" onClick={() => void move([...failed, ...left])}>
            Retry {failed.length + left.length}
          </button>
        )}
        {!results && (
          <button
            type="button"
            className="button primary"
            aria-disabled={!ready}
            onClick={() => void move(devices)}
          >
            Move {count(devices.length, 'device')}
          </button>
        )}
      </div>
    </Modal>
  )
}

async function moved(device: Device, projectId: string, move: () => Promise<void>): Promise<Result> {
  if (device.projectId === projectId) return 'stays'
  try {
    await move()
    return 'moved'
  } catch (error) {
    return { failed: failureOf(error).title }
  }
}

function isFailed(result: Result | undefined): boolean {
  return typeof result === 'object' && result !== null
}

function wordsOf(result: Result): string {
  if (result === null) return 'Waiting'
  if (result === 'moved') return 'Moved'
  if (result === 'stays') return 'Was there already'
  return `${DEVICE.moveFailed}: ${result.failed}`
}

function ResultRow({ device, result }: { device: Device; result: Result }) {
  const tone = result === null ? 'waiting' : isFailed(result) ? 'failed' : 'moved'
  return (
    <li data-result={tone}>
      {tone === 'moved' && <Check />}
      {tone === 'failed' && <X />}
      <span>{device.deviceName}</span>
      <span className="move-result">{wordsOf(result)}</span>
    </li>
  )
}

function saveResults(
  devices: readonly Device[],
  results: ReadonlyMap<string, Result>,
  name: readonly string[]
): void {
  const columns = [
    { header: 'Device', value: (device: Device) => device.deviceName },
    { header: 'Host ID', value: (device: Device) => device.hostId },
    { header: 'Result', value: (device: Device) => wordsOf(results.get(device.deviceUuid) ?? null) }
  ]
  saveFile(fileName(name, 'csv'), csvOf(columns, devices))
}
