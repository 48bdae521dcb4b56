import { useColumnChoice } from './columns/column-choice.ts'
import { ColumnMenu } from './columns/column-menu.tsx'
import { DataTable, type DataTableProps } from './data-table.tsx'

interface ColumnTableProps<Row> extends DataTableProps<Row> {
  /** By which name this browser remembers what is chosen. */
  list: string
  /** Columns that show once somebody asks for them. */
  hidden?: readonly string[]
}

/** A table whose columns can be chosen and ordered. The first names the row and the actions end it: these always show. */
export function ColumnTable<Row>({ list, hidden, columns, ...table }: ColumnTableProps<Row>) {
  const { columns: shown, chosen, change } = useColumnChoice(columns, { list, hidden })
  return (
    <DataTable {...table} columns={shown} corner={<ColumnMenu chosen={chosen} onChange={change} small />} />
  )
}
