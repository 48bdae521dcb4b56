import { useState } from 'react'
import type { Device } from '#shared/entities.ts'
import { PAGE_SIZE_MAX } from '#shared/limits.ts'
import { failureOf } from '../../api/api-error.ts'
import { fetchDevices } from '../../api/devices.ts'
import { useCustomer } from '../../deeds/customer.ts'
import { csvOf, fileName, saveFile } from '../../lib/csv.ts'
import type { DeviceView } from '../../lib/device-view.ts'
import { count, formatDate, formatNumber } from '../../lib/format.ts'
import { OFFERING_NAMES } from '../../lib/service-links.ts'
import { toasts } from '../../lib/toasts.ts'
import type { DeviceSelection } from './use-device-selection.ts'

export interface SelectionBarProps {
  selection: DeviceSelection
  view: DeviceView
  /** How many the view is about. */
  total: number
}

/** What can be done with all that is ticked. */
export default function SelectionBar({ selection, view, total }: SelectionBarProps) {
  const customer = useCustomer()
  const [busy, setBusy] = useState(false)
  const { devices } = selection
  const most = Math.min(total, PAGE_SIZE_MAX)

  async function selectAll() {
    if (busy) return
    setBusy(true)
    try {
      const { items } = await fetchDevices(customer.id, { ...view, page: 0 })
      selection.change(new Set([...selection.keys, ...items.map(({ deviceUuid }) => deviceUuid)]), items)
    } catch (error) {
      toasts.failed(failureOf(error).title, { label: 'Retry', onAct: () => void selectAll() })
    }
    setBusy(false)
  }

  const move = () =>
    customer.showDialog(async (close) => {
      const { MoveDevices } = await import('../../deeds/dialogs/move-devices.tsx')
      return <MoveDevices devices={devices} onMoved={selection.drop} onClose={close} />
    })

  return (
    <section className="selection-bar" aria-label="Selected devices">
      <p role="status">{count(devices.length, 'device')} selected</p>
      {devices.length < most && (
        <button
          type="button"
          className="link-button"
          aria-disabled={busy}
          aria-busy={busy}
          onClick={() => void selectAll()}
        >
          Select {most < total ? 'the first' : 'all'} {formatNumber(most)}
        </button>
      )}
      <span className="toolbar-end">
        {customer.may.moveDevice && (
          <button type="button" className="button" onClick={move}>
            Move to project
          </button>
        )}
        <button type="button" className="button" onClick={() => exportDevices(devices, customer.name)}>
          Export CSV
        </button>
        <button type="button" className="button quiet" onClick={() => selection.drop()}>
          Clear
        </button>
      </span>
    </section>
  )
}

function exportDevices(devices: readonly Device[], customerName: string): void {
  const columns = [
    { header: 'Device', value: (device: Device) => device.deviceName },
    { header: 'Host ID', value: (device: Device) => device.hostId },
    { header: 'Project', value: (device: Device) => device.projectName },
    { header: 'Location', value: (device: Device) => device.location },
    { header: 'Services', value: servicesOf },
    { header: 'Device UUID', value: (device: Device) => device.deviceUuid }
  ]
  saveFile(fileName(['devices', customerName], 'csv'), csvOf(columns, devices))
}

function servicesOf({ subscriptions }: Device): string {
  return subscriptions
    .map(
      ({ offeringCode, endDate }) =>
        `${OFFERING_NAMES[offeringCode] ?? offeringCode} until ${formatDate(endDate)}`
    )
    .join('; ')
}
