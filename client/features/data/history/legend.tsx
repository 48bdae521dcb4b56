import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import X from 'lucide-react/icons/x'
import { Fragment, memo, type ReactNode, useDeferredValue, useMemo, useState } from 'react'
import { isState } from '#shared/history/point-type.ts'
import { type Statistics, statisticsOf } from '#shared/history/statistics.ts'
import { compareTexts } from '#shared/text-order.ts'
import type { TimeRange } from '#shared/time/date-ranges.ts'
import { durationText } from '../../../lib/duration.ts'
import { count, formatNumber } from '../../../lib/format.ts'
import { useLayout } from '../../../lib/layout.ts'
import { momentWithOffset } from '../../../lib/time/offset.ts'
import { IconButton } from '../../../ui/input/icon-button.tsx'
import type { ListColumn } from '../../../ui/list/columns/column.ts'
import { DataTable } from '../../../ui/list/data-table.tsx'
import { RowCards } from '../../../ui/list/row-cards.tsx'
import { RowSheet } from '../../../ui/list/row-sheet.tsx'
import { type ChartLine, coveredBy, ghostOf, isGhost, valueWords } from './chart/chart-lines.ts'
import { LineName } from './chart/panel-head.tsx'
import { type StateTimes, shareText, statesIn } from './chart/states.ts'
import type { History } from './use-history.ts'

interface LegendProps {
  history: History
  view: TimeRange
  onPick: (line: ChartLine, adds: boolean) => void
}

export interface LegendRow {
  line: ChartLine
  statistics: Statistics
  states: StateTimes | null
}

type Sort = { sort: string; order: 'asc' | 'desc' }

const DAY_MS = 86_400_000

/** A table of the lines' statistics, with hidden lines and the previous period. */
export function Legend(props: LegendProps) {
  const { history, view } = props
  // New records change the lines often; the charts come first.
  const lines = useDeferredValue(history.histories.lines)
  const layout = useLayout()
  const [openKey, setOpenKey] = useState<string | null>(null)
  const [{ sort, order }, setSort] = useState<Sort>({ sort: '', order: 'asc' })
  const previous = history.zoom ? null : history.previous
  const rows = useMemo(() => legendRows(lines, view, previous), [lines, view, previous])
  const numbers = rows.filter(({ states }) => states === null)
  const states = rows.filter((row) => row.states !== null)
  const columns = columnsOf(props)
  const actions = (row: LegendRow) => <Actions row={row} history={history} />
  const rowKey = ({ line }: LegendRow) => line.id
  const nameOf = ({ line }: LegendRow) => line.name
  const openRow = rows.find((row) => rowKey(row) === openKey)
  if (layout === 'mobile')
    return (
      <>
        <RowCards
          label="Summary"
          rows={rows}
          rowKey={rowKey}
          columns={columns}
          nameOf={nameOf}
          onOpen={(row) => setOpenKey(rowKey(row))}
        />
        {openRow && (
          <RowSheet
            noun="point"
            rows={rows}
            rowKey={rowKey}
            nameOf={nameOf}
            columns={columns}
            actions={[]}
            lead={actions(openRow)}
            openKey={rowKey(openRow)}
            onMove={setOpenKey}
            onClose={() => setOpenKey(null)}
          />
        )}
      </>
    )
  const lastColumn = { id: 'actions', header: 'Actions', silent: true, align: 'end', cell: actions } as const
  const table = (names: readonly string[]) => [...columns.filter(({ id }) => names.includes(id)), lastColumn]
  return (
    <div className="row legend">
      {numbers.length > 0 && (
        <div className="table-scroll">
          <DataTable
            caption="Summary of the points in view"
            columns={table(['point', 'unit', 'last', 'min', 'max', 'average'])}
            rows={sorted(numbers, { sort, order })}
            rowKey={rowKey}
            sort={sort}
            order={order}
            onSort={(id) => setSort({ sort: id, order: sort === id && order === 'asc' ? 'desc' : 'asc' })}
            status={`Summary of ${count(numbers.length, 'point')}`}
          />
        </div>
      )}
      {states.length > 0 && (
        <div className="table-scroll">
          <DataTable
            caption="States in view"
            columns={table(['state', 'now', 'times'])}
            rows={states}
            rowKey={rowKey}
            status={`Summary of ${count(states.length, 'state')}`}
          />
        </div>
      )}
    </div>
  )
}

/** The lines in order, each with the line of its previous period. */
export function legendRows(
  lines: readonly ChartLine[],
  view: TimeRange,
  previous: TimeRange | null
): LegendRow[] {
  return lines
    .filter((line) => !isGhost(line))
    .flatMap((line) => {
      const ghost = ghostOf(lines, line)
      return ghost ? [line, ghost] : [line]
    })
    .map((line) => {
      const period = coveredBy(line, view, previous)
      const states = isState(line.point) ? statesIn(line, period) : null
      return { line, statistics: statisticsOf(line.samples, period), states }
    })
}

function columnsOf({ history, view, onPick }: LegendProps): ListColumn<LegendRow>[] {
  const { zone, histories } = history
  const withDevice = new Set(histories.lines.map(({ device }) => device)).size > 1
  const nameCell = ({ line, statistics }: LegendRow) => (
    <LineName
      line={line}
      value={statistics.last}
      hidden={history.view.hidden.includes(line.key)}
      onPick={onPick}
    >
      {withDevice && !isGhost(line) && <small> {line.device}</small>}
    </LineName>
  )
  const lastCell = (row: LegendRow) => <strong>{textOf(row, row.statistics.last)}</strong>
  const ifNumber = (cell: (row: LegendRow) => ReactNode) => (row: LegendRow) =>
    row.states ? null : cell(row)
  const extremeCell = (what: 'min' | 'max') => (row: LegendRow) => {
    const { [what]: value, [`${what}Ms` as const]: ms } = row.statistics
    if (value === null) return '–'
    return (
      <ValueAt
        text={textOf(row, value)}
        atMs={ms - (row.line.shiftMs ?? 0)}
        isTimeOnly={view.toMs - view.fromMs <= DAY_MS}
        zone={zone}
      />
    )
  }
  return [
    { id: 'point', header: 'Point', sort: 'point', cell: nameCell, card: 'heading' },
    { id: 'state', header: 'State', cell: nameCell, card: false },
    { id: 'unit', header: 'Unit', cell: ({ line }) => line.point.units, card: false },
    {
      id: 'last',
      header: 'Last',
      sort: 'last',
      align: 'end',
      cell: lastCell,
      card: { as: 'fact', cell: (row) => withUnit(row, row.statistics.last) }
    },
    { id: 'now', header: 'Last', cell: lastCell, card: false },
    {
      id: 'times',
      header: 'Time in state',
      cell: (row) => <Times row={row} />,
      card: { as: 'fact', cell: (row) => row.states && <Times row={row} /> }
    },
    {
      id: 'min',
      header: 'Min',
      sort: 'min',
      align: 'end',
      cell: extremeCell('min'),
      card: { as: 'more', cell: ifNumber(extremeCell('min')) }
    },
    {
      id: 'max',
      header: 'Max',
      sort: 'max',
      align: 'end',
      cell: extremeCell('max'),
      card: { as: 'more', cell: ifNumber(extremeCell('max')) }
    },
    {
      id: 'average',
      header: 'Avg',
      sort: 'average',
      align: 'end',
      cell: (row) => (
        <span className="stacked">
          {textOf(row, row.statistics.average)}
          <small>of {formatNumber(row.statistics.samples)}</small>
        </span>
      ),
      card: { as: 'more', cell: ifNumber((row) => withUnit(row, row.statistics.average)) }
    },
    { id: 'samples', header: 'Samples', value: ({ statistics }) => formatNumber(statistics.samples) }
  ]
}

/** Sorts the rows. The row of a previous period stays below the row of its line. */
function sorted(rows: readonly LegendRow[], { sort, order }: Sort): readonly LegendRow[] {
  if (sort === '') return rows
  const numberOf = ({ statistics }: LegendRow) =>
    statistics[sort as 'last' | 'min' | 'max' | 'average'] ?? Number.NEGATIVE_INFINITY
  const compare = (a: LegendRow, b: LegendRow) => {
    if (sort === 'point') return compareTexts(a.line.name, b.line.name)
    return numberOf(a) < numberOf(b) ? -1 : numberOf(a) > numberOf(b) ? 1 : 0
  }
  const sign = order === 'asc' ? 1 : -1
  const currentRows = rows.filter(({ line }) => !isGhost(line))
  currentRows.sort((a, b) => sign * compare(a, b))
  return currentRows.flatMap((row) => rows.filter(({ line }) => line.color === row.line.color))
}

function Actions({ row: { line }, history }: { row: LegendRow; history: History }) {
  if (isGhost(line)) return null
  const { view, change, remove } = history
  const hidden = view.hidden.includes(line.key)
  const otherKeys = view.hidden.filter((key) => key !== line.key)
  return (
    <span className="row-actions">
      <IconButton
        small
        name={`Show ${line.name}`}
        title={hidden ? 'Show' : 'Hide'}
        pressed={!hidden}
        Icon={hidden ? EyeOff : Eye}
        onPress={() => change({ hidden: hidden ? otherKeys : [...otherKeys, line.key] })}
      />
      <IconButton small name={`Remove ${line.name}`} Icon={X} onPress={() => remove(line.key)} />
    </span>
  )
}

const textOf = ({ line }: LegendRow, value: number | null) =>
  value === null ? '–' : valueWords(line.point, value)
const withUnit = (row: LegendRow, value: number | null) =>
  value === null || row.states ? textOf(row, value) : `${textOf(row, value)} ${row.line.point.units}`.trim()

interface ValueAtProps {
  text: string
  atMs: number
  isTimeOnly: boolean
  zone: string
}

/** Memoized, because new records seldom change an extreme, and formatting a time is slow. */
const ValueAt = memo(function ValueAt({ text, atMs, isTimeOnly, zone }: ValueAtProps) {
  const moment = momentWithOffset(atMs, zone)
  const shortMoment = isTimeOnly ? moment.slice('00-Jan-2000 '.length) : moment.replace(/-\d{4} /, ' ')
  return (
    <span className="stacked" title={moment}>
      {text}
      <small>{shortMoment}</small>
    </span>
  )
})

/** "Running 28 h (58 %), Off 20 h (42 %)" and how often the point started or changed. */
function Times({ row: { line, states } }: { row: LegendRow }) {
  if (!states || states.times.length === 0) return '–'
  const { times, starts, changes } = states
  return (
    <span className="state-times">
      {times.map(({ value, text, ms, share }, index) => (
        <Fragment key={value}>
          {index > 0 && ' '}
          <span>
            {text} {durationText(ms)} ({shareText(share)}){index < times.length - 1 && ','}
          </span>
        </Fragment>
      ))}
      <small className="clip">
        {line.point.kind === 'Boolean' ? count(starts, 'start') : count(changes, 'change')}
      </small>
    </span>
  )
}
