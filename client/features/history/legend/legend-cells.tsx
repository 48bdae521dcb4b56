import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import X from 'lucide-react/icons/x'
import { Fragment } from 'react'
import { durationText } from '../../../lib/duration.ts'
import { count } from '../../../lib/format.ts'
import type { TimeRange } from '../../../lib/time/date-range.ts'
import { tellMoment } from '../../../lib/time/offset.ts'
import { LineSwatch } from '../../../ui/chart/line-swatch.tsx'
import { isGhost, isState, valueWords } from '../drawing/chart-lines.ts'
import { IconButton } from '../icon-button.tsx'
import type { LegendProps, TableProps } from './legend-props.ts'
import type { LegendRow } from './legend-rows.ts'

interface NameProps extends Pick<TableProps, 'onIsolate' | 'withDevice'> {
  row: LegendRow
}

export function Name({ row: { line, hidden }, onIsolate, withDevice }: NameProps) {
  const swatch = <LineSwatch color={line.color} square={isState(line.point)} ghost={isGhost(line)} />
  if (isGhost(line))
    return (
      <span className="legend-name" data-hidden={hidden || undefined}>
        {swatch} Previous period
      </span>
    )
  return (
    <button
      type="button"
      className="legend-name"
      data-hidden={hidden || undefined}
      title="Show this one alone; again for all"
      onClick={() => onIsolate(line)}
    >
      {swatch}
      <span>
        {line.name}
        {withDevice && <small> {line.device}</small>}
      </span>
    </button>
  )
}

export function Actions({
  row: { line, hidden },
  onHide,
  onRemove
}: Pick<LegendProps, 'onHide' | 'onRemove'> & { row: LegendRow }) {
  if (isGhost(line)) return null
  return (
    <span className="legend-actions">
      <IconButton
        small
        name={`Show ${line.name}`}
        title={hidden ? 'Show' : 'Hide'}
        pressed={!hidden}
        Icon={hidden ? EyeOff : Eye}
        onPress={() => onHide(line)}
      />
      <IconButton small name={`Remove ${line.name}`} Icon={X} onPress={() => onRemove(line)} />
    </span>
  )
}

export const words = ({ line }: LegendRow, value: number | null) =>
  value === null ? '–' : valueWords(line.point, value)
export const withUnit = (row: LegendRow, value: number | null) =>
  value === null ? '–' : `${words(row, value)} ${row.line.point.units}`.trim()

interface ValueAtProps {
  row: LegendRow
  what: 'min' | 'max'
  view: TimeRange
  zone: string
}

const DAY_MS = 86_400_000

/** With the time that it was, as much of it as the view leaves open. */
export function ValueAt({ row, what, view, zone }: ValueAtProps) {
  const { [what]: value, [`${what}Ms` as const]: ms } = row.statistics
  if (value === null) return '–'
  const told = tellMoment(ms - (row.line.shiftMs ?? 0), zone)
  const short =
    view.toMs - view.fromMs <= DAY_MS ? told.slice('00-Jan-2000 '.length) : told.replace(/-\d{4} /, ' ')
  return (
    <span className="value-at" title={told}>
      {words(row, value)}
      <small>{short}</small>
    </span>
  )
}

/** "Running 28 h, Off 20 h" and how often it started. */
export function Times({ row: { line, states } }: { row: LegendRow }) {
  if (!states || states.times.length === 0) return '–'
  const { times, starts, changes } = states
  const often = line.point.kind === 'Boolean' ? count(starts, 'start') : count(changes, 'change')
  return (
    <span className="state-times">
      {times.map(({ value, ms }, index) => (
        <Fragment key={value}>
          {index > 0 && ', '}
          <span>
            {valueWords(line.point, value)} {durationText(ms)}
          </span>
        </Fragment>
      ))}
      <small>{often}</small>
    </span>
  )
}
