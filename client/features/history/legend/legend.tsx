import './legend.css'
import { formatNumber } from '../../../lib/format.ts'
import { useLayout } from '../../../lib/layout.ts'
import { CardList } from '../../../ui/list/card-list.tsx'
import { Actions, Name, Times, ValueAt, withUnit, words } from './legend-cells.tsx'
import type { LegendProps, TableProps } from './legend-props.ts'
import { legendRows } from './legend-rows.ts'
import { NumberTable, StateTable } from './legend-tables.tsx'

/** What shows, in numbers: they follow the view. A click on a name leaves it alone, another one brings the others back. */
export function Legend(props: LegendProps) {
  const { lines, view, isHidden, isLive } = props
  const layout = useLayout()
  const devices = new Set(lines.map(({ device }) => device))
  const rows = legendRows(lines, view, isHidden)
  const numbers = rows.filter(({ states }) => states === null)
  const states = rows.filter((row) => row.states !== null)
  const now = isLive ? 'Now' : 'Last'
  const withDevice = devices.size > 1
  if (layout === 'mobile') return <LegendCards {...props} {...{ rows, now, withDevice }} />
  return (
    <div className="legend">
      {numbers.length > 0 && <NumberTable {...props} {...{ now, withDevice }} rows={numbers} />}
      {states.length > 0 && <StateTable {...props} {...{ now, withDevice }} rows={states} />}
    </div>
  )
}

function LegendCards({ rows, now, ...props }: TableProps) {
  const { view, zone } = props
  return (
    <CardList
      label="Summary"
      rows={rows}
      rowKey={({ line }) => line.id}
      heading={(row) => <Name {...props} row={row} />}
      nameOf={({ line }) => line.name}
      facts={(row) =>
        row.states
          ? [
              { name: now, value: words(row, row.statistics.last) },
              { name: 'Time in state', value: <Times row={row} /> }
            ]
          : [
              { name: now, value: withUnit(row, row.statistics.last) },
              { name: 'Avg', value: withUnit(row, row.statistics.average) }
            ]
      }
      more={(row) =>
        row.states
          ? [{ name: 'Samples', value: formatNumber(row.statistics.samples) }]
          : [
              { name: 'Min', value: <ValueAt row={row} what="min" {...{ zone, view }} /> },
              { name: 'Max', value: <ValueAt row={row} what="max" {...{ zone, view }} /> },
              { name: 'Samples', value: formatNumber(row.statistics.samples) }
            ]
      }
      actions={(row) => <Actions {...props} row={row} />}
    />
  )
}
