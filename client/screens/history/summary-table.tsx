import { useState } from 'react'
import { CardList } from '../../components/card-list.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { LineSwatch } from '../../components/line-swatch.tsx'
import { type ChartLine, sampleText } from '../../lib/chart-lines.ts'
import type { TimeRange } from '../../lib/date-range.ts'
import { count, formatNumber } from '../../lib/format.ts'
import { type Summary, summaryOf } from '../../lib/history-samples.ts'
import { useLayout } from '../../lib/layout.ts'
import { formatMoment } from '../../lib/time.ts'

interface SummaryTableProps {
  lines: readonly ChartLine[]
  view: TimeRange
  zone: string
}

interface Row {
  line: ChartLine
  summary: Summary
}

const SORTS: Record<string, (row: Row) => string | number> = {
  point: ({ line }) => line.name.toLowerCase(),
  samples: ({ summary }) => summary.samples,
  min: ({ summary }) => summary.min ?? Number.POSITIVE_INFINITY,
  max: ({ summary }) => summary.max ?? Number.NEGATIVE_INFINITY,
  average: ({ summary }) => summary.average ?? Number.NEGATIVE_INFINITY,
  last: ({ summary }) => summary.last ?? Number.NEGATIVE_INFINITY
}

/** The lowest, highest, average and last value of each point in view. */
export function SummaryTable({ lines, view, zone }: SummaryTableProps) {
  const [{ sort, order }, setSort] = useState<{ sort: string; order: 'asc' | 'desc' }>({
    sort: '',
    order: 'asc'
  })
  const layout = useLayout()
  const rows = lines.map((line): Row => ({ line, summary: summaryOf(line.samples, view) }))
  const key = SORTS[sort]
  if (key) {
    const sign = order === 'asc' ? 1 : -1
    rows.sort((a, b) => sign * (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0))
  }
  const valued = ({ line }: Row, value: number | null, ms?: number) =>
    value === null ? '–' : <ValueAt text={sampleText(line.point, value)} at={ms} zone={zone} />
  const averaged = ({ line, summary }: Row) =>
    line.point.kind === 'Numeric' && summary.average !== null ? sampleText(line.point, summary.average) : '–'

  if (layout === 'mobile')
    return (
      <CardList
        label="Summary"
        rows={rows}
        rowKey={({ line }) => line.id}
        heading={({ line }) => (
          <>
            <LineSwatch color={line.color} /> {line.name}
          </>
        )}
        nameOf={({ line }) => line.name}
        facts={(row) => [
          { name: 'Last', value: valued(row, row.summary.last, row.summary.lastMs) },
          { name: 'Average', value: averaged(row) }
        ]}
        more={(row) => [
          { name: 'Samples', value: formatNumber(row.summary.samples) },
          { name: 'Lowest', value: valued(row, row.summary.min, row.summary.minMs) },
          { name: 'Highest', value: valued(row, row.summary.max, row.summary.maxMs) }
        ]}
      />
    )
  const column = (id: string, header: string, cell: Column<Row>['cell']): Column<Row> => ({
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
          {
            id: 'point',
            header: 'Point',
            sortable: true,
            cell: ({ line }) => (
              <span className="summary-name">
                <LineSwatch color={line.color} />
                <span>
                  {line.name}
                  <small> {line.device}</small>
                </span>
              </span>
            )
          },
          column('samples', 'Samples', ({ summary }) => formatNumber(summary.samples)),
          column('min', 'Lowest', (row) => valued(row, row.summary.min, row.summary.minMs)),
          column('max', 'Highest', (row) => valued(row, row.summary.max, row.summary.maxMs)),
          column('average', 'Average', averaged),
          column('last', 'Last', (row) => valued(row, row.summary.last, row.summary.lastMs))
        ]}
        rows={rows}
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

function ValueAt({ text, at, zone }: { text: string; at: number | undefined; zone: string }) {
  return (
    <span className="value-at">
      {text}
      {at !== undefined && <small>{formatMoment(new Date(at).toISOString(), zone)}</small>}
    </span>
  )
}
