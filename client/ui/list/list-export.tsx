import Download from 'lucide-react/icons/download'
import { useRef, useState } from 'react'
import { csvOf, fileName } from '#shared/csv.ts'
import { count, formatNumber } from '../../lib/format.ts'
import { failureOf, isAbort } from '../../lib/http/api-error.ts'
import { saveFile } from '../../lib/save-file.ts'
import { IconButton } from '../input/icon-button.tsx'
import { MenuButton } from '../input/menu-button.tsx'
import { toasts } from '../state/toasts.ts'
import { csvColumns, type ListColumn } from './columns/column.ts'

const ROWS_MAX = 5_000

export interface ListFile<Row> {
  /** The file's name, to which the day is added. */
  name: string
  /** Reads up to `max` rows in the displayed order. */
  read: (max: number, signal: AbortSignal) => Promise<readonly Row[]>
  max?: number
}

interface ListExportProps<Row> extends ListFile<Row> {
  noun: string
  /** Number of matching rows; null until it is loaded. */
  total: number | null
  columns: readonly ListColumn<Row>[]
  json?: boolean
}

type Format = 'csv' | 'json'

/** Saves the rows that match the filters as a file. Disabled for more rows than `max`. */
export function ListExport<Row>(props: ListExportProps<Row>) {
  const { name, noun, total, columns, read, max = ROWS_MAX, json } = props
  const [busy, setBusy] = useState(false)
  const controllerRef = useRef<AbortController>(null)
  const reason = refusalOf(total, `${noun}s`, max)

  async function save(format: Format) {
    const controller = new AbortController()
    controllerRef.current = controller
    setBusy(true)
    try {
      const rows = await read(max, controller.signal)
      const file = fileName([name, new Date().toISOString().slice(0, 10)], format)
      if (format === 'csv') saveFile(file, csvOf(csvColumns(columns), rows))
      else saveFile(file, JSON.stringify(rows, null, 2), 'application/json')
      toasts.ok(`${count(rows.length, noun)} saved.`)
    } catch (error) {
      if (!isAbort(error))
        toasts.failed(failureOf(error).text, { label: 'Retry', onAct: () => void save(format) })
    } finally {
      setBusy(false)
    }
  }

  if (busy) {
    return (
      <button type="button" className="button" onClick={() => controllerRef.current?.abort()}>
        Stop export
      </button>
    )
  }
  if (json) {
    return (
      <MenuButton
        label="Export"
        className="button icon"
        items={(['csv', 'json'] as const).map((format) => ({
          label: `As ${format.toUpperCase()}`,
          disabledReason: reason,
          onSelect: () => void save(format)
        }))}
      >
        <Download />
        <span className="sr-only">Export</span>
      </MenuButton>
    )
  }
  return (
    <IconButton
      name="Export CSV"
      title={reason ?? 'Export CSV'}
      Icon={Download}
      className=""
      off={reason !== null}
      onPress={() => void save('csv')}
    />
  )
}

function refusalOf(total: number | null, plural: string, max: number): string | null {
  if (total === null) return `The ${plural} are not loaded yet`
  if (total === 0) return 'There is nothing to export'
  return total > max ? `Narrow the filters to ${formatNumber(max)} ${plural}` : null
}
