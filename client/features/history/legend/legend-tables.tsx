import { useState } from 'react'
import { count, formatNumber } from '../../../lib/format.ts'
import { type Column, DataTable } from '../../../ui/list/data-table.tsx'
import { isGhost } from '../drawing/chart-lines.ts'
import { Actions, Name, Times, ValueAt, words } from './legend-cells.tsx'
import type { LegendProps, TableProps } from './legend-props.ts'
import type { LegendRow } from './legend-rows.ts'

const SORTS: Record<string, (row: LegendRow) => string | number> = {
  point: ({ line }) => line.name.toLowerCase(),
  last: ({ statistics }) => statistics.last ?? Number.NEGATIVE_INFINITY,
  min: ({ statistics }) => statistics.min ?? Number.POSITIVE_INFINITY,
  max: ({ statistics }) => statistics.max ?? Number.NEGATIVE_INFINITY,
  average: ({ statistics }) => statistics.average ?? Number.NEGATIVE_INFINITY
}

export function NumberTable(props: TableProps) {
  const { rows, now, view, zone } = props
  const [{ sort, order }, setSort] = useState<{ sort: string; order: 'asc' | 'desc' }>({
    sort: '',
    order: 'asc'
  })
  const number = (id: string, header: string, cell: Column<LegendRow>['cell']): Column<LegendRow> => ({
    id,
    header,
    sortable: true,
    align: 'end',
    cell
  })
  return (
    <div className="table-scroll">
      <DataTable
        caption="Summary of the points in view"
        columns={[
          { id: 'point', header: 'Point', sortable: true, cell: (row) => <Name {...props} row={row} /> },
          { id: 'unit', header: 'Unit', sortable: false, cell: ({ line }) => line.point.units },
          number('last', now, (row) => <strong>{words(row, row.statistics.last)}</strong>),
          number('min', 'Min', (row) => <ValueAt row={row} what="min" {...{ zone, view }} />),
          number('max', 'Max', (row) => <ValueAt row={row} what="max" {...{ zone, view }} />),
          number('average', 'Avg', (row) => (
            <span className="value-at">
              {words(row, row.statistics.average)}
              <small>of {formatNumber(row.statistics.samples)}</small>
            </span>
          )),
          actions(props)
        ]}
        rows={sorted(rows, SORTS[sort], order)}
        rowKey={({ line }) => line.id}
        sort={sort}
        order={order}
        onSort={(id) => setSort({ sort: id, order: sort === id && order === 'asc' ? 'desc' : 'asc' })}
        busy={false}
        status={`Summary of ${count(rows.length, 'point')}`}
      />
    </div>
  )
}

export function StateTable(props: TableProps) {
  const { rows, now } = props
  return (
    <div className="table-scroll">
      <DataTable
        caption="States in view"
        columns={[
          { id: 'point', header: 'State', sortable: false, cell: (row) => <Name {...props} row={row} /> },
          {
            id: 'last',
            header: now,
            sortable: false,
            cell: (row) => <strong>{words(row, row.statistics.last)}</strong>
          },
          { id: 'times', header: 'Time in state', sortable: false, cell: (row) => <Times row={row} /> },
          actions(props)
        ]}
        rows={rows}
        rowKey={({ line }) => line.id}
        sort=""
        order="asc"
        onSort={() => {}}
        busy={false}
        status={`Summary of ${count(rows.length, 'state')}`}
      />
    </div>
  )
}

/** Those of the earlier period stay below their own. */
function sorted(
  rows: readonly LegendRow[],
  key: ((row: LegendRow) => string | number) | undefined,
  order: 'asc' | 'desc'
): readonly LegendRow[] {
  if (!key) return rows
  const sign = order === 'asc' ? 1 : -1
  const own = rows.filter(({ line }) => !isGhost(line))
  own.sort((a, b) => sign * (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0))
  return own.flatMap((row) => rows.filter(({ line }) => line.color === row.line.color))
}

function actions(props: LegendProps): Column<LegendRow> {
  return {
    id: 'actions',
    header: 'Actions',
    sortable: false,
    silent: true,
    align: 'end',
    cell: (row) => <Actions {...props} row={row} />
  }
}
