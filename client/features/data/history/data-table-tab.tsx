import { useEffect, useState } from 'react'
import type { TimeRange } from '#shared/time/date-ranges.ts'
import { formatNumber } from '../../../lib/format.ts'
import { DataTable } from '../../../ui/list/data-table.tsx'
import { Pager } from '../../../ui/list/pager.tsx'
import { LoadFailed } from '../../../ui/state/load-failed.tsx'
import { Skeleton } from '../../../ui/state/loading.tsx'
import { sampleText } from './chart/chart-lines.ts'
import { tableValueAt } from './chart/history-samples.ts'
import { timeText } from './chart/readings.ts'
import type { History } from './use-history.ts'

const PAGE_SIZE = 50

/** A table with a row for each time in view at which a line has a record, as in the CSV file of every record. */
export function DataTab({ history, view }: { history: History; view: TimeRange }) {
  const { current: lines, zone } = history
  const { drawing } = history.chart
  const [times, setTimes] = useState<Float64Array | null>(null)
  const [hasFailed, setHasFailed] = useState(false)
  const [chosenPage, setPage] = useState(0)
  useEffect(() => {
    let isCurrent = true
    void drawing?.times(lines, view).then(
      (newTimes) => {
        if (!isCurrent) return
        setTimes(newTimes)
        setHasFailed(false)
      },
      () => {
        if (isCurrent) setHasFailed(true)
      }
    )
    return () => {
      isCurrent = false
    }
  }, [drawing, lines, view])
  if (hasFailed && drawing)
    return <LoadFailed onRetry={drawing.restart}>The records could not be listed.</LoadFailed>
  if (!times) return <Skeleton width="60%" label="Loading data" />
  const totalPages = Math.ceil(times.length / PAGE_SIZE)
  const page = Math.min(chosenPage, Math.max(totalPages - 1, 0))
  const rows = [...times.subarray(page * PAGE_SIZE, (page + 1) * PAGE_SIZE)]
  if (rows.length === 0) return <p className="muted card-body">No records in view.</p>
  return (
    <>
      <div className="table-scroll">
        <DataTable
          caption={`Records in view, times in ${zone}`}
          columns={[
            {
              id: 'time',
              header: `Time (${zone})`,
              cell: (atMs) => timeText({ atMs, span: null }, zone)
            },
            ...lines.map(({ color, name, samples, point }) => ({
              id: `line-${color + 1}`,
              header: `${color + 1} ${name}`,
              align: 'end' as const,
              cell: (ms: number) => {
                const value = tableValueAt(samples, ms)
                return value === null ? '' : sampleText(point, value)
              }
            }))
          ]}
          rows={rows}
          rowKey={String}
          status={`${rows.length} of ${formatNumber(times.length)} rows`}
        />
      </div>
      <div className="row card-foot">
        <Pager
          label="Pages of data"
          page={{ number: page, size: PAGE_SIZE, totalPages, totalElements: times.length }}
          onPage={setPage}
        />
      </div>
    </>
  )
}
