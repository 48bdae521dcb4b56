import { useEffect, useState } from 'react'
import { formatNumber } from '../../lib/format.ts'
import type { TimeRange } from '../../lib/time/date-range.ts'
import { tellMoment, tellSecond } from '../../lib/time/offset.ts'
import { DataTable } from '../../ui/list/data-table.tsx'
import { Pager } from '../../ui/list/pager.tsx'
import { Skeleton } from '../../ui/state/loading.tsx'
import { type ChartLine, sampleText } from './drawing/chart-lines.ts'
import type { Drawing } from './drawing/drawing.ts'
import { recordOrHeld } from './records/history-samples.ts'

interface DataTabProps {
  lines: readonly ChartLine[]
  drawing: Drawing | null
  view: TimeRange
  zone: string
}

const PAGE_SIZE = 50

/** A row for each time of a record in view, as in the CSV file of every record. */
export function DataTab({ lines, drawing, view, zone }: DataTabProps) {
  const [times, setTimes] = useState<Float64Array | null>(null)
  const [page, setPage] = useState(0)
  useEffect(() => {
    let isWanted = true
    void drawing?.times(lines, view).then((all) => {
      if (!isWanted) return
      setTimes(all)
      setPage(0)
    })
    return () => {
      isWanted = false
    }
  }, [drawing, lines, view])
  if (!times) return <Skeleton width="60%" label="Loading data" />
  const totalPages = Math.ceil(times.length / PAGE_SIZE)
  const rows = [...times.subarray(page * PAGE_SIZE, (page + 1) * PAGE_SIZE)]
  if (rows.length === 0) return <p className="muted tab-empty">No records in view.</p>
  return (
    <>
      <div className="table-scroll">
        <DataTable
          caption={`Records in view, times in ${zone}`}
          columns={[
            {
              id: 'time',
              header: `Time (${zone})`,
              sortable: false,
              cell: (time) => exactMoment(time, zone)
            },
            ...lines.map((line) => ({
              id: `line-${line.color + 1}`,
              header: `${line.color + 1} ${line.name}`,
              sortable: false,
              align: 'end' as const,
              cell: (time: number) => {
                const value = recordOrHeld(line.samples, time)
                return value === null ? '' : sampleText(line.point, value)
              }
            }))
          ]}
          rows={rows}
          rowKey={String}
          sort=""
          order="asc"
          onSort={() => {}}
          busy={false}
          status={`${rows.length} of ${formatNumber(times.length)} rows`}
        />
      </div>
      <div className="card-foot">
        <Pager
          label="Pages of data"
          page={{ number: page, size: PAGE_SIZE, totalPages, totalElements: times.length }}
          onPage={setPage}
        />
      </div>
    </>
  )
}

/** With its seconds, where there are any. */
function exactMoment(ms: number, zone: string): string {
  return ms % 60_000 < 1000 ? tellMoment(ms, zone) : tellSecond(ms, zone)
}
