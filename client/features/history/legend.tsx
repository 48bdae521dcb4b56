import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import X from 'lucide-react/icons/x'
import { Fragment, type ReactNode, useState } from 'react'
import { durationText } from '../../lib/duration.ts'
import { count, formatNumber } from '../../lib/format.ts'
import { useLayout } from '../../lib/layout.ts'
import type { TimeRange } from '../../lib/time/date-range.ts'
import { tellMoment } from '../../lib/time/offset.ts'
import { IconButton } from '../../ui/input/icon-button.tsx'
import { CardList } from '../../ui/list/card-list.tsx'
import type { ListColumn } from '../../ui/list/columns/column.ts'
import { DataTable } from '../../ui/list/data-table.tsx'
import { type ChartLine, isGhost, valueWords } from './chart/chart-lines.ts'
import { LineName } from './chart/panel-head.tsx'
import { shareText } from './chart/states.ts'
import { type LegendRow, legendRows } from './chart/statistics.ts'
import type { History } from './use-history.ts'

interface LegendProps {
  history: History
  view: TimeRange
  onPick: (line: ChartLine, adds: boolean) => void
}

/** A view that ends so close to the present is live. */
const LIVE_MS = 120_000

const SORTS: Record<string, (row: LegendRow) => string | number> = {
  point: ({ line }) => line.name.toLowerCase(),
  last: ({ statistics }) => statistics.last ?? Number.NEGATIVE_INFINITY,
  min: ({ statistics }) => statistics.min ?? Number.POSITIVE_INFINITY,
  max: ({ statistics }) => statistics.max ?? Number.NEGATIVE_INFINITY,
  average: ({ statistics }) => statistics.average ?? Number.NEGATIVE_INFINITY
}

/** The lines in numbers, hidden ones and the previous period too; they follow the view. */
export function Legend(props: LegendProps) {
  const { history, view } = props
  const { zone, asOf } = history
  const { lines } = history.histories
  const layout = useLayout()
  const [{ sort, order }, setSort] = useState({ sort: '', order: 'asc' as 'asc' | 'desc' })
  const rows = legendRows(lines, view, history.view.hidden)
  const numbers = rows.filter(({ states }) => states === null)
  const states = rows.filter((row) => row.states !== null)
  const now = view.toMs > asOf - LIVE_MS ? 'Now' : 'Last'
  const withDevice = new Set(lines.map(({ device }) => device)).size > 1
  const name = (row: LegendRow) => <Name {...props} {...{ row, withDevice }} />
  const actions = (row: LegendRow) => <Actions {...{ row, history }} />
  const ends = (what: 'min' | 'max') => (row: LegendRow) => <ValueAt {...{ row, what, view, zone }} />
  if (layout === 'mobile')
    return (
      <CardList
        label="Summary"
        rows={rows}
        rowKey={({ line }) => line.id}
        heading={name}
        nameOf={({ line }) => line.name}
        facts={(row) => [
          { name: now, value: withUnit(row, row.statistics.last) },
          row.states
            ? { name: 'Time in state', value: <Times row={row} /> }
            : { name: 'Avg', value: withUnit(row, row.statistics.average) }
        ]}
        more={(row) => [
          ...(row.states
            ? []
            : [
                { name: 'Min', value: ends('min')(row) },
                { name: 'Max', value: ends('max')(row) }
              ]),
          { name: 'Samples', value: formatNumber(row.statistics.samples) }
        ]}
        actions={actions}
      />
    )
  const column = (
    id: string,
    header: string,
    cell: (row: LegendRow) => ReactNode
  ): ListColumn<LegendRow> => ({
    ...{ id, header, cell },
    ...(id in SORTS ? { sort: header } : {}),
    ...(id === 'last' || id === 'min' || id === 'max' || id === 'average' ? { align: 'end' } : {})
  })
  const last = column('last', now, (row) => <strong>{words(row, row.statistics.last)}</strong>)
  const end = { ...column('actions', 'Actions', actions), silent: true, align: 'end' } as const
  return (
    <div className="row legend">
      {numbers.length > 0 && (
        <div className="table-scroll">
          <DataTable
            caption="Summary of the points in view"
            columns={[
              column('point', 'Point', name),
              column('unit', 'Unit', ({ line }) => line.point.units),
              last,
              column('min', 'Min', ends('min')),
              column('max', 'Max', ends('max')),
              column('average', 'Avg', (row) => (
                <span className="value-at">
                  {words(row, row.statistics.average)}
                  <small>of {formatNumber(row.statistics.samples)}</small>
                </span>
              )),
              end
            ]}
            rows={sorted(numbers, SORTS[sort], order)}
            rowKey={({ line }) => line.id}
            {...{ sort, order }}
            onSort={(id) => setSort({ sort: id, order: sort === id && order === 'asc' ? 'desc' : 'asc' })}
            status={`Summary of ${count(numbers.length, 'point')}`}
          />
        </div>
      )}
      {states.length > 0 && (
        <div className="table-scroll">
          <DataTable
            caption="States in view"
            columns={[
              { id: 'point', header: 'State', cell: name },
              column('now', now, (row) => <strong>{words(row, row.statistics.last)}</strong>),
              column('times', 'Time in state', (row) => <Times row={row} />),
              end
            ]}
            rows={states}
            rowKey={({ line }) => line.id}
            status={`Summary of ${count(states.length, 'state')}`}
          />
        </div>
      )}
    </div>
  )
}

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

interface NameProps extends Pick<LegendProps, 'onPick'> {
  row: LegendRow
  withDevice: boolean
}

function Name({ row, onPick, withDevice }: NameProps) {
  const { line, hidden, statistics } = row
  return (
    <LineName {...{ line, hidden, onPick }} value={statistics.last}>
      {withDevice && !isGhost(line) && <small> {line.device}</small>}
    </LineName>
  )
}

function Actions({ row: { line, hidden }, history }: { row: LegendRow; history: History }) {
  if (isGhost(line)) return null
  const { view, change, remove } = history
  const others = view.hidden.filter((key) => key !== line.key)
  return (
    <span className="legend-actions">
      <IconButton
        small
        name={`Show ${line.name}`}
        title={hidden ? 'Show' : 'Hide'}
        pressed={!hidden}
        Icon={hidden ? EyeOff : Eye}
        onPress={() => change({ hidden: hidden ? others : [...others, line.key] })}
      />
      <IconButton small name={`Remove ${line.name}`} Icon={X} onPress={() => remove(line.key)} />
    </span>
  )
}

const words = ({ line }: LegendRow, value: number | null) =>
  value === null ? '–' : valueWords(line.point, value)
const withUnit = (row: LegendRow, value: number | null) =>
  value === null || row.states ? words(row, value) : `${words(row, value)} ${row.line.point.units}`.trim()

const DAY_MS = 86_400_000

interface ValueAtProps {
  row: LegendRow
  what: 'min' | 'max'
  view: TimeRange
  zone: string
}

function ValueAt({ row, what, view, zone }: ValueAtProps) {
  const { [what]: value, [`${what}Ms` as const]: ms } = row.statistics
  if (value === null) return '–'
  const moment = tellMoment(ms - (row.line.shiftMs ?? 0), zone)
  const short =
    view.toMs - view.fromMs <= DAY_MS ? moment.slice('00-Jan-2000 '.length) : moment.replace(/-\d{4} /, ' ')
  return (
    <span className="value-at" title={moment}>
      {words(row, value)}
      <small>{short}</small>
    </span>
  )
}

/** "Running 28 h (58 %), Off 20 h (42 %)" and how often it started. */
function Times({ row: { line, states } }: { row: LegendRow }) {
  if (!states || states.times.length === 0) return '–'
  const { times, starts, changes } = states
  return (
    <span className="state-times">
      {times.map(({ value, text, ms, share }, index) => (
        <Fragment key={value}>
          {index > 0 && ', '}
          <span>
            {text} {durationText(ms)} ({shareText(share)})
          </span>
        </Fragment>
      ))}
      <small>{line.point.kind === 'Boolean' ? count(starts, 'start') : count(changes, 'change')}</small>
    </span>
  )
}
