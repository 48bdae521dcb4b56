import { useState } from 'react'
import type { Device } from '#shared/answers/customers.ts'
import { csvOf, fileName } from '#shared/csv.ts'
import { PAGE_SIZE_MAX } from '#shared/limits.ts'
import { formatNumber } from '../../../lib/format.ts'
import { failureOf } from '../../../lib/http/api-error.ts'
import { paths } from '../../../lib/paths.ts'
import { saveFile } from '../../../lib/save-file.ts'
import { showLazyDialog } from '../../../ui/dialog/dialogs.tsx'
import { csvColumns, type ListColumn } from '../../../ui/list/columns/column.ts'
import type { Chosen } from '../../../ui/list/selection/use-selection.ts'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { toasts } from '../../../ui/state/toasts.ts'
import { useCustomer } from '../customers/customer.tsx'
import { fetchDevices } from './api.ts'
import type { BulkEditState } from './bulk-edit/save-file.tsx'
import { loadDeviceDialogs } from './device-actions.tsx'
import type { DeviceView } from './device-view.ts'

interface SelectionActionsProps {
  columns: readonly ListColumn<Device>[]
  selection: Chosen<Device>
  view: DeviceView
  /** Number of devices in the view. */
  total: number
}

/** The actions on the selected devices. */
export function SelectionActions({ columns, selection, view, total }: SelectionActionsProps) {
  const customer = useCustomer()
  const [busy, setBusy] = useState(false)
  const devices = selection.rows
  const maxCount = Math.min(total, PAGE_SIZE_MAX)

  async function selectAll() {
    if (busy) return
    setBusy(true)
    try {
      const items = await fetchDevices(customer.customerId, view)
      selection.change(new Set([...selection.keys, ...items.map(({ deviceUuid }) => deviceUuid)]), items)
    } catch (error) {
      toasts.failed(failureOf(error).title, { label: 'Retry', onAct: () => void selectAll() })
    }
    setBusy(false)
  }

  const move = () =>
    showLazyDialog(loadDeviceDialogs, ({ MoveDevices }, close) => (
      <MoveDevices devices={devices} onMoved={selection.drop} onClose={close} />
    ))

  return (
    <>
      {devices.length < maxCount && (
        <button
          type="button"
          className="link-button"
          aria-disabled={busy}
          aria-busy={busy}
          onClick={() => void selectAll()}
        >
          Select {maxCount < total ? 'the first' : 'all'} {formatNumber(maxCount)}
        </button>
      )}
      {customer.can('devices:move') && (
        <button type="button" className="button" onClick={move}>
          Move to project
        </button>
      )}
      <button
        type="button"
        className="button"
        onClick={() =>
          saveFile(fileName(['devices', customer.orgName ?? ''], 'csv'), csvOf(csvColumns(columns), devices))
        }
      >
        Export CSV
      </button>
      {customer.can('devices:edit') && (
        <PrefetchLink
          to={paths.bulkEdit(customer.customerPath)}
          state={{ deviceUuids: devices.map(({ deviceUuid }) => deviceUuid) } satisfies BulkEditState}
          className="button"
        >
          Edit as CSV
        </PrefetchLink>
      )}
    </>
  )
}
