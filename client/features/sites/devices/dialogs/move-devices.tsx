import './style.css'
import Check from 'lucide-react/icons/check'
import X from 'lucide-react/icons/x'
import { useState } from 'react'
import type { Device } from '#shared/answers/customers.ts'
import { csvOf, fileName } from '#shared/csv.ts'
import { count } from '../../../../lib/format.ts'
import { saveFile } from '../../../../lib/save-file.ts'
import { Modal } from '../../../../ui/dialog/modal.tsx'
import { SelectField } from '../../../../ui/input/field.tsx'
import { useCustomer } from '../../customers/customer.tsx'
import { DEVICE } from '../messages.ts'
import { isOpen, isUnknown, type Result } from '../use-device-run.ts'
import { useMoves } from './use-moves.ts'

interface MoveDevicesProps {
  devices: readonly Device[]
  onMoved: (deviceUuids: readonly string[]) => void
  onClose: () => void
}

/** Moves several devices into one project. Shows the result of each device, and offers to retry failed moves. */
export function MoveDevices({ devices, onMoved, onClose }: MoveDevicesProps) {
  const { list, orgName = '' } = useCustomer()
  const projects = list?.projects ?? []
  const [projectId, setProjectId] = useState('')
  const { results, running, move, stop, announce } = useMoves(devices, onMoved)
  const project = projects.find(({ id }) => id === projectId)
  const start = (devicesToMove: readonly Device[]) => {
    if (project && !running) void move(devicesToMove, project)
  }
  const close = () => {
    onClose()
    if (project) announce(project)
  }
  const unmovedDevices = devices.filter(({ deviceUuid }) => isOpen(results?.get(deviceUuid)))
  const deviceCount = count(devices.length, 'device')

  return (
    <Modal
      title={results ? `Moving ${deviceCount}` : `Move ${deviceCount}`}
      {...(running ? {} : { onClose: close })}
      onEnter={() => results || start(devices)}
    >
      <div className="modal-body">
        {results ? (
          <Results devices={devices} results={results} />
        ) : (
          <SelectField
            label="To project"
            value={projectId}
            onChange={setProjectId}
            placeholder="Choose a project"
            options={projects.map(({ id, projectName }) => ({ value: id, label: projectName || id }))}
            required
          />
        )}
      </div>
      <div className="row modal-actions">
        {results && !running && (
          <button
            type="button"
            className="button"
            onClick={() => saveResults(devices, results, [orgName, 'move'])}
          >
            Save results as CSV
          </button>
        )}
        {running ? (
          <button type="button" className="button" onClick={stop}>
            Stop
          </button>
        ) : (
          <button type="button" className={results ? 'button primary' : 'button'} onClick={close}>
            {results ? 'Close' : 'Cancel'}
          </button>
        )}
        {results && !running && unmovedDevices.length > 0 && (
          <button type="button" className="button" onClick={() => start(unmovedDevices)}>
            Retry {unmovedDevices.length}
          </button>
        )}
        {!results && (
          <button
            type="button"
            className="button primary"
            aria-disabled={!project || running}
            onClick={() => start(devices)}
          >
            Move {deviceCount}
          </button>
        )}
      </div>
    </Modal>
  )
}

interface ResultsProps {
  devices: readonly Device[]
  results: ReadonlyMap<string, Result>
}

function Results({ devices, results }: ResultsProps) {
  const resultList = [...results.values()]
  const doneCount = resultList.filter((result) => result !== null).length
  const failedCount = resultList.filter((result) => result !== null && isOpen(result)).length
  return (
    <>
      <p role="status">
        {doneCount} of {devices.length} done{failedCount > 0 && `, ${failedCount} not moved`}
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
  )
}

function resultText(result: Result): string {
  if (result === null) return 'Waiting'
  if (result === 'changed') return 'Moved'
  if (result === 'stays') return 'Already in this project'
  if (isUnknown(result)) return `Not known: ${result.unknown}`
  return `${DEVICE.moveFailed}: ${result.failed}`
}

function ResultRow({ device, result }: { device: Device; result: Result }) {
  const tone = result === null ? 'waiting' : isOpen(result) ? 'failed' : 'moved'
  return (
    <li data-result={tone}>
      {tone === 'moved' && <Check />}
      {tone === 'failed' && <X />}
      <span>{device.deviceName}</span>
      <span className="move-result">{resultText(result)}</span>
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
    { header: 'Result', value: (device: Device) => resultText(results.get(device.deviceUuid) ?? null) }
  ]
  saveFile(fileName(name, 'csv'), csvOf(columns, devices))
}
