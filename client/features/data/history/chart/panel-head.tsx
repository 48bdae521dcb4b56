// The heading of a chart: the names of its lines and their values at the cursor; for a state, the share of each value.
import SlidersVertical from 'lucide-react/icons/sliders-vertical'
import { type ReactNode, useMemo, useState } from 'react'
import { isState } from '#shared/history/point-type.ts'
import { durationText } from '../../../../lib/duration.ts'
import { cssColor, stateColor } from '../../../../ui/chart/chart-colors.ts'
import type { AxisChoice } from '../../../../ui/chart/chart-series.ts'
import { LineSwatch } from '../../../../ui/chart/line-swatch.tsx'
import { Checkbox, TextField } from '../../../../ui/input/field.tsx'
import { Popover } from '../../../../ui/list/filters/popover.tsx'
import { axisOf, type ChartLine, isGhost } from './chart-lines.ts'
import type { Drawn } from './decimation.ts'
import type { DrawnPicture } from './drawing.ts'
import type { HistoryChartProps } from './history-chart.tsx'
import { type Readings, readingText, spreadText, timeText } from './readings.ts'
import { colorOfState, type StateTime, shareText, statesIn } from './states.ts'

interface LineNameProps {
  line: ChartLine
  value?: number | null | undefined
  hidden?: boolean
  onPick?: ((line: ChartLine, withCtrl: boolean) => void) | undefined
  children?: ReactNode
}

/** The swatch, number and name of a line. A press shows only this line; with Ctrl, it shows or hides the line. */
export function LineName({ line, value, hidden = false, onPick, children }: LineNameProps) {
  const state = isState(line.point) ? (value == null ? null : colorOfState(line.point, value)) : undefined
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
      title="Click to show only this line, again to show all. Ctrl+click shows or hides it."
      onClick={(event) => onPick(line, event.ctrlKey || event.metaKey)}
    >
      {content}
    </button>
  )
}

interface PanelHeadProps
  extends Pick<HistoryChartProps, 'zone' | 'view' | 'axes' | 'onAxes' | 'onPick' | 'printed'> {
  picture: DrawnPicture
  hiddenKeys: readonly string[]
  readings: Readings
  tools: ReactNode
  isAtCursor: boolean
  picked: readonly number[]
  onPicked: (values: readonly number[]) => void
}

/** The names of the lines stay where they are when a line is hidden. */
export function PanelHead(props: PanelHeadProps) {
  const { picture, hiddenKeys, readings, tools, isAtCursor, zone, axes, onAxes, onPick, printed } = props
  const { lines, named, state, drawn } = picture
  const units = state ? [] : [...new Set(lines.map(axisOf))]
  const note = averageNote(drawn)
  return (
    <header className="panel-head">
      <div className="panel-lines">
        {named.map((line) => {
          const reading = readings.of.get(line.id)
          if (printed)
            return (
              <LineName key={line.id} line={line} value={reading?.value}>
                <small>{[line.device, line.point.units].filter(Boolean).join(' · ')}</small>
              </LineName>
            )
          if (hiddenKeys.includes(line.key))
            return <LineName key={line.id} line={line} onPick={onPick} hidden />
          return (
            <LineName key={line.id} line={line} value={reading?.value} onPick={onPick}>
              <strong title={(reading && spreadText(line, reading)) ?? undefined}>
                {reading ? readingText(line, reading) : '–'}
              </strong>
              {!state && <small>{line.point.units}</small>}
            </LineName>
          )
        })}
      </div>
      {state && lines.length > 0 && <StateKey {...props} state={state} />}
      {!state && isAtCursor && <small>{timeText(readings, zone)}</small>}
      <div className="panel-tools">
        {tools}
        {onAxes && units.length > 0 && <AxisMenu units={units} axes={axes ?? {}} onAxes={onAxes} />}
      </div>
      {note && <p className="chart-note">{note}</p>}
    </header>
  )
}

/** Says what the line and the band of a chart of averages mean; null for a chart of samples. */
export function averageNote({ bucketMs }: Drawn): string | null {
  return bucketMs === null ? null : `Line: average of ${durationText(bucketMs)}. Band: min to max.`
}

/** Each value with its share of the time in view. A press highlights the value; with Ctrl, several values. */
function StateKey({ state, view, picked, onPicked, printed }: PanelHeadProps & { state: ChartLine }) {
  const { times } = useMemo(() => statesIn(state, view), [state, view])
  const content = ({ text, color, share }: StateTime) => (
    <>
      <i style={{ background: cssColor(stateColor, color) }} />
      {text} <small>{shareText(share)}</small>
    </>
  )
  return (
    <ul className="state-key" aria-label={`States of ${state.name}`}>
      {times.map((time) => {
        const { value, text, ms } = time
        if (printed) return <li key={value}>{content(time)}</li>
        return (
          <li key={value}>
            <button
              type="button"
              aria-pressed={picked.includes(value)}
              title={`${text} for ${durationText(ms)}. Press to highlight this state.`}
              onClick={(event) => {
                const otherValues = picked.filter((pickedValue) => pickedValue !== value)
                const base = event.ctrlKey || event.metaKey ? otherValues : []
                onPicked(picked.includes(value) ? base : [...base, value])
              }}
            >
              {content(time)}
            </button>
          </li>
        )
      })}
    </ul>
  )
}

interface AxisDraft {
  min: string
  max: string
  log: boolean
}

const textOf = (value: number | null) => (value === null ? '' : String(value))
const numberOf = (text: string) => (text.trim() === '' ? null : Number(text.replace(',', '.')))
const draftOf = (choice: AxisChoice | undefined): AxisDraft => ({
  min: textOf(choice?.min ?? null),
  max: textOf(choice?.max ?? null),
  log: choice?.log ?? false
})
const choiceOf = ({ min, max, log }: AxisDraft): AxisChoice => ({
  min: numberOf(min),
  max: numberOf(max),
  log
})

interface AxisMenuProps {
  units: readonly string[]
  axes: Readonly<Record<string, AxisChoice>>
  onAxes: (choices: Readonly<Record<string, AxisChoice | null>>) => void
}

/** A menu that sets the ends and the scale of a chart's axes, all at once. */
function AxisMenu({ units, axes, onAxes }: AxisMenuProps) {
  const name = `Axis of ${units.join(' and ')}`
  return (
    <Popover
      label={
        <>
          <SlidersVertical />
          <span className="sr-only">{name}</span>
        </>
      }
      legend={name}
      className="button quiet icon small"
      alignment="end"
    >
      <AxisForm units={units} axes={axes} onAxes={onAxes} />
    </Popover>
  )
}

function AxisForm({ units, axes, onAxes }: AxisMenuProps) {
  const [drafts, setDrafts] = useState<Readonly<Record<string, AxisDraft>>>({})
  const [problems, setProblems] = useState<Readonly<Record<string, string | null>>>({})
  const draftFor = (unit: string) => drafts[unit] ?? draftOf(axes[unit])
  const edit = (unit: string, change: Partial<AxisDraft>) =>
    setDrafts({ ...drafts, [unit]: { ...draftFor(unit), ...change } })

  function apply() {
    const choices = units.map((unit) => [unit, choiceOf(draftFor(unit))] as const)
    const newProblems = Object.fromEntries(choices.map(([unit, choice]) => [unit, axisProblem(choice)]))
    setProblems(newProblems)
    if (Object.values(newProblems).some((problem) => problem !== null)) return
    const isAutomatic = ({ min, max, log }: AxisChoice) => min === null && max === null && !log
    onAxes(Object.fromEntries(choices.map(([unit, choice]) => [unit, isAutomatic(choice) ? null : choice])))
  }

  return (
    <form
      className="axis-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        apply()
      }}
    >
      {units.map((unit) => {
        const { min, max, log } = draftFor(unit)
        return (
          <div key={unit} className="axis-fields">
            <TextField
              label={`From (${unit})`}
              inputMode="decimal"
              placeholder="Automatic"
              value={min}
              error={problems[unit] ?? null}
              onChange={(text) => edit(unit, { min: text })}
            />
            <TextField
              label={`To (${unit})`}
              inputMode="decimal"
              placeholder="Automatic"
              value={max}
              onChange={(text) => edit(unit, { max: text })}
            />
            <Checkbox
              label={units.length > 1 ? `Logarithmic (${unit})` : 'Logarithmic'}
              checked={log}
              onChange={(checked) => edit(unit, { log: checked })}
            />
          </div>
        )
      })}
      <button type="submit" className="button">
        Apply
      </button>
    </form>
  )
}

export function axisProblem({ min, max, log }: AxisChoice): string | null {
  if ([min, max].some((end) => end !== null && !Number.isFinite(end))) return 'Enter numbers.'
  if (min !== null && max !== null && min >= max) return 'The axis must end above its beginning.'
  if (log && [min, max].some((end) => end !== null && end <= 0))
    return 'A logarithmic axis needs values above 0.'
  return null
}
