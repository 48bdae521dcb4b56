import { useRef } from 'react'
import { useFittedColumns } from './columns/use-fitted-columns.ts'
import { DataTable, type DataTableProps } from './data-table.tsx'

interface FittedTableProps<Row> extends Omit<DataTableProps<Row>, 'fitted'> {
  /** Names the filters. With other filters, the columns forget the widths that earlier rows needed. */
  filterKey: string
}

/** A table of rows of one line, whose columns get the widths that their content needs. */
export function FittedTable<Row>({ filterKey, ...props }: FittedTableProps<Row>) {
  const table = useRef<HTMLTableElement>(null)
  useFittedColumns(table, props.columns, props.rows, filterKey)
  return <DataTable {...props} fitted={table} />
}
