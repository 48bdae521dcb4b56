import Download from 'lucide-react/icons/download'
import { useState } from 'react'
import { useLocation, useSearchParams } from 'react-router-dom'
import { fileName } from '#shared/csv.ts'
import { count, formatNumber } from '../../../../lib/format.ts'
import { failureOf } from '../../../../lib/http/api-error.ts'
import { BULK_EDIT_ROWS_MAX } from '../../../../lib/limits.ts'
import { saveFile } from '../../../../lib/save-file.ts'
import { toasts } from '../../../../ui/state/toasts.ts'
import { useCustomer } from '../../customers/customer.tsx'
import { fetchAllDevices, fetchDevices, useDeviceCount } from '../api.ts'
import { isNarrowed, readView } from '../device-view.ts'
import { deviceFile, type ProjectNames } from './device-file.ts'

/** The state of a link to the page: the devices selected in the list. */
export interface BulkEditState {
  deviceUuids?: readonly string[]
}

/** Saves the selected devices, or all that match the list's filters. */
export function SaveFile({ projects }: { projects: ProjectNames }) {
  const { customerId, orgName = '' } = useCustomer()
  const [params] = useSearchParams()
  const { state } = useLocation() as { state: BulkEditState | null }
  const [busy, setBusy] = useState(false)
  const view = readView(params)
  const isFiltered = isNarrowed(view) || view.project !== ''
  const matchingCount = useDeviceCount(customerId, view)
  const selectedUuids = state?.deviceUuids && new Set(state.deviceUuids)
  const deviceCount = selectedUuids?.size ?? matchingCount
  const refusal = refusalOf(deviceCount)

  async function save() {
    if (refusal !== null || busy) return
    setBusy(true)
    try {
      const devices = selectedUuids
        ? await fetchAllDevices(customerId)
        : await fetchDevices(customerId, view, BULK_EDIT_ROWS_MAX)
      const chosen = devices.filter(({ deviceUuid }) => selectedUuids?.has(deviceUuid) ?? true)
      const rows = chosen.map((device) => ({ device }))
      const day = new Date().toISOString().slice(0, 10)
      saveFile(fileName(['edit devices', orgName, day], 'csv'), deviceFile(rows, projects))
      toasts.ok(`${count(chosen.length, 'device')} saved.`)
    } catch (error) {
      toasts.failed(failureOf(error).text, { label: 'Retry', onAct: () => void save() })
    }
    setBusy(false)
  }

  return (
    <>
      <h2>Save the file</h2>
      <p>
        {whichDevices(deviceCount, selectedUuids !== undefined, isFiltered)} One row for each: Device UUID,
        Name, Location, Project and Version.
      </p>
      <div>
        <button
          type="button"
          className="button primary"
          aria-disabled={refusal !== null || busy}
          aria-busy={busy}
          onClick={() => void save()}
        >
          <Download />
          Save file
        </button>
      </div>
      {refusal && <p className="muted">{refusal}</p>}
    </>
  )
}

function whichDevices(deviceCount: number | undefined, isSelection: boolean, isFiltered: boolean): string {
  const devices = deviceCount === undefined ? 'Devices' : count(deviceCount, 'device')
  if (isSelection) return `${devices} that you selected in the list.`
  return isFiltered ? `${devices} that match the filters of the list.` : `${devices} of the customer.`
}

function refusalOf(deviceCount: number | undefined): string | null {
  if (deviceCount === undefined) return 'The devices are loading.'
  if (deviceCount === 0) return 'There is no device to save. Go back and change the filters of the list.'
  if (deviceCount <= BULK_EDIT_ROWS_MAX) return null
  return `Go back and narrow the filters of the list to ${formatNumber(BULK_EDIT_ROWS_MAX)} devices.`
}
