import Download from 'lucide-react/icons/download'
import { count, formatNumber } from '../../lib/format.ts'
import { IconButton } from '../input/icon-button.tsx'
import { MenuButton } from '../input/menu-button.tsx'
import { toasts } from '../state/toasts.ts'
import type { ListColumn } from './columns/column.ts'
import { type ReadRows, useAllRows } from './use-all-rows.ts'

const ROWS_MAX = 5_000

export interface ListFile<Row> {
  /** The file's name, to which the day is added. */
  name: string
  read: ReadRows<Row>
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
  const { start, stop } = useAllRows(read, max)
  const reason = refusalOf(total, `${noun}s`, max)

  const save = (format: Format) =>
    start(async (rows) => {
      const { saveRows } = await import('./save-rows.ts')
      saveRows(name, format, columns, rows)
      toasts.ok(`${count(rows.length, noun)} saved.`)
    })

  if (stop) {
    return (
      <button type="button" className="button" onClick={stop}>
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
