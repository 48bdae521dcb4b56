import { lazy, Suspense, useState } from 'react'
import { recall, remember } from '../lib/store.ts'
import { DataTable, type DataTableProps } from './data-table.tsx'

const ColumnsMenu = lazy(() => import('./columns-menu.tsx'))

interface ColumnTableProps<Row> extends DataTableProps<Row> {
  /** By which name this browser remembers what is chosen. */
  list: string
  /** Columns that show once somebody asks for them. */
  hidden?: readonly string[]
}

/** A table whose columns can be chosen. The first names the row and the actions end it: these two always show. */
export function ColumnTable<Row>({ list, hidden = [], columns, ...table }: ColumnTableProps<Row>) {
  const stored = `portal.columns.${list}`
  const [off, setOff] = useState<readonly string[]>(() => {
    const before = recall<unknown>(stored)
    return Array.isArray(before) ? before.map(String) : hidden
  })
  const choosable = columns.filter(({ silent }, index) => index > 0 && !silent)
  const ids = choosable.map(({ id }) => id)
  const menu = (
    <Suspense>
      <ColumnsMenu
        choices={choosable.map(({ id, header }) => ({ value: id, label: header }))}
        chosen={ids.filter((id) => !off.includes(id))}
        onChange={(chosen) => {
          const next = ids.filter((id) => !chosen.includes(id))
          setOff(next)
          remember(stored, next)
        }}
      />
    </Suspense>
  )
  const shown = columns.filter(({ id }) => !(ids.includes(id) && off.includes(id)))
  return <DataTable {...table} columns={shown} corner={menu} />
}
