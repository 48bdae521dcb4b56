// Above each chart: the names of its lines with their values at the cursor; for a state, a key with the share of each.
import { type ReactNode, useMemo } from 'react'
import { durationText } from '../../../lib/duration.ts'
import { cssColor } from '../../../ui/chart/chart-colors.ts'
import { LineSwatch } from '../../../ui/chart/line-swatch.tsx'
import { AxisMenu } from './axis-menu.tsx'
import { axisOf, type ChartLine, isGhost, isState, valueWords } from './chart-lines.ts'
import type { DrawnPicture } from './drawing.ts'
import type { HistoryChartProps } from './history-chart.tsx'
import { type Readings, spreadText, timeText } from './readings.ts'
import { shareText, stateColor, statesIn } from './states.ts'

interface LineNameProps {
  line: ChartLine
  /** What a state is now. */
  value?: number | null | undefined
  hidden?: boolean
  onPick?: ((line: ChartLine, adds: boolean) => void) | undefined
  children?: ReactNode
}

/** A line's swatch, number and name; pressed, it is alone, and with Ctrl it is shown or hidden among the others. */
export function LineName({ line, value, hidden = false, onPick, children }: LineNameProps) {
  const state = isState(line.point) ? (value == null ? null : stateColor(line.point, value)) : undefined
  const content = (
    <>
      <LineSwatch color={line.color} state={state} ghost={isGhost(line)} />
      <span>{isGhost(line) ? 'Previous period' : line.name}</span>
      {children}
    </>
  )
  const shared = { className: 'legend-name', 'data-hidden': hidden || undefined }
  if (isGhost(line) || !onPick) return <span {...shared}>{content}</span>
  return (
    <button
      type="button"
      {...shared}
      title="Show this one alone; again for all. Ctrl and click adds it."
      onClick={(event) => onPick(line, event.ctrlKey || event.metaKey)}
    >
      {content}
    </button>
  )
}

interface PanelHeadProps extends Pick<HistoryChartProps, 'zone' | 'view' | 'axes' | 'onAxis' | 'onPick'> {
  picture: DrawnPicture
  hidden: readonly ChartLine[]
  readings: Readings
  isAtCursor: boolean
  picked: readonly number[]
  onPicked: (values: readonly number[]) => void
}

export function PanelHead(props: PanelHeadProps) {
  const { picture, hidden, readings, isAtCursor, zone, axes, onAxis, onPick } = props
  const { lines, state } = picture
  const units = state ? [] : [...new Set(lines.map(axisOf))]
  const own = lines.filter((line) => !isGhost(line))
  const others = hidden.filter(
    (line) => !isState(line.point) && !isGhost(line) && units.includes(axisOf(line))
  )
  return (
    <header className="panel-head">
      <div className="panel-lines">
        {own.map((line) => {
          const reading = readings.of.get(line.id)
          return (
            <LineName key={line.id} {...{ line, onPick }} value={reading?.value}>
              <strong title={(reading && spreadText(line, reading)) ?? undefined}>
                {reading ? valueWords(line.point, reading.value) : '–'}
              </strong>
              {!state && <small>{line.point.units}</small>}
            </LineName>
          )
        })}
        {others.map((line) => (
          <LineName key={line.id} {...{ line, onPick }} hidden />
        ))}
      </div>
      {state && <StateKey {...props} state={state} />}
      {!state && <span className="panel-time">{isAtCursor && timeText(readings, zone)}</span>}
      {onAxis && units.length > 0 && <AxisMenu {...{ units, onAxis }} axes={axes ?? {}} />}
    </header>
  )
}

/** Each value with its share of the time in view; a press picks it out, with Ctrl more than one. */
function StateKey({ state, view, picked, onPicked }: PanelHeadProps & { state: ChartLine }) {
  const { times } = useMemo(() => statesIn(state, view), [state, view])
  return (
    <ul className="state-key" aria-label={`States of ${state.name}`}>
      {times.map(({ value, text, color, ms, share }) => (
        <li key={value}>
          <button
            type="button"
            aria-pressed={picked.includes(value)}
            title={`${text} for ${durationText(ms)}. Press to pick it out.`}
            onClick={(event) => {
              const rest = picked.filter((one) => one !== value)
              const base = event.ctrlKey || event.metaKey ? rest : []
              onPicked(picked.includes(value) ? base : [...base, value])
            }}
          >
            <i style={{ background: cssColor(color) }} />
            {text} <small>{shareText(share)}</small>
          </button>
        </li>
      ))}
    </ul>
  )
}
