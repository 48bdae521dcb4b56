import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import ZoomIn from 'lucide-react/icons/zoom-in'
import ZoomOut from 'lucide-react/icons/zoom-out'
import { useState } from 'react'
import { Checkbox, SelectField, TextField } from '../../components/field.tsx'
import { ZoneChoice } from '../../components/zone-choice.tsx'
import {
  DATE_FILTERS,
  type DateFilter,
  rangeProblem,
  shiftRange,
  type TimeRange
} from '../../lib/date-range.ts'
import { fromInput, toInput } from '../../lib/zoned-time.ts'

interface RangeBarProps {
  filter: DateFilter
  /** Null while a range of its own is not complete. */
  range: TimeRange | null
  zoom: TimeRange | null
  zone: string
  nowMs: number
  compare: boolean
  onFilter: (filter: DateFilter) => void
  onCustom: (range: TimeRange) => void
  onZoom: (zoom: TimeRange | null) => void
  onZone: (zone: string) => void
  onCompare: (on: boolean) => void
  onRefresh: () => void
}

const ZOOM = 0.5

/** Which time is shown, by name, by its ends, and by moving and zooming. */
export function RangeBar(props: RangeBarProps) {
  const { filter, range, zoom, zone, nowMs, compare, onFilter, onCustom, onZoom, onZone, onCompare } = props
  const view = zoom ?? range
  const shift = (by: 1 | -1) => {
    if (!range) return
    if (zoom) {
      const length = zoom.toMs - zoom.fromMs
      onZoom({ fromMs: zoom.fromMs + (by * length) / 2, toMs: zoom.toMs + (by * length) / 2 })
    } else onCustom(shiftRange(range, by, zone))
  }
  const zoomBy = (factor: number) => {
    if (!view) return
    const middle = (view.fromMs + view.toMs) / 2
    const half = ((view.toMs - view.fromMs) / 2) * factor
    onZoom({ fromMs: middle - half, toMs: middle + half })
  }
  const noLater = !zoom && range !== null && shiftRange(range, 1, zone).fromMs > nowMs
  return (
    <section className="range-bar" aria-label="Time range">
      <SelectField
        label="Range"
        value={filter}
        onChange={(value) => onFilter(value as DateFilter)}
        options={DATE_FILTERS.map((value) => ({ value, label: value }))}
      />
      <RangeEnds key={`${range?.fromMs} ${range?.toMs} ${zone}`} {...{ range, zone, nowMs, onCustom }} />
      <ZoneChoice zone={zone} onZone={onZone} />
      <fieldset className="range-steps">
        <legend className="sr-only">Move and zoom</legend>
        <Step
          name={zoom ? 'Move left' : 'Previous range'}
          Icon={ChevronLeft}
          onPress={() => shift(-1)}
          off={!range}
        />
        <Step
          name={zoom ? 'Move right' : 'Next range'}
          Icon={ChevronRight}
          onPress={() => shift(1)}
          off={!range || noLater}
        />
        <Step name="Zoom in" Icon={ZoomIn} onPress={() => zoomBy(ZOOM)} off={!range} />
        <Step name="Zoom out" Icon={ZoomOut} onPress={() => zoomBy(1 / ZOOM)} off={!zoom} />
        <Step name="Refresh" Icon={RefreshCw} onPress={props.onRefresh} off={false} />
        {zoom && (
          <button type="button" className="button quiet" onClick={() => onZoom(null)}>
            Show all
          </button>
        )}
      </fieldset>
      <Checkbox kind="switch" label="Compare with previous period" checked={compare} onChange={onCompare} />
    </section>
  )
}

interface StepProps {
  name: string
  Icon: typeof ChevronLeft
  off: boolean
  onPress: () => void
}

function Step({ name, Icon, off, onPress }: StepProps) {
  return (
    <button
      type="button"
      className="button quiet icon"
      aria-label={name}
      title={name}
      aria-disabled={off}
      onClick={() => off || onPress()}
    >
      <Icon />
    </button>
  )
}

interface RangeEndsProps {
  range: TimeRange | null
  zone: string
  nowMs: number
  onCustom: (range: TimeRange) => void
}

/** The ends of the range as somebody would type them; taken by Apply or Enter. */
function RangeEnds({ range, zone, nowMs, onCustom }: RangeEndsProps) {
  const [from, setFrom] = useState(range ? toInput(range.fromMs, zone) : '')
  const [to, setTo] = useState(range ? toInput(range.toMs, zone) : '')
  const [tried, setTried] = useState(false)
  const changed = range === null || from !== toInput(range.fromMs, zone) || to !== toInput(range.toMs, zone)
  const [fromMs, toMs] = [fromInput(from, zone), fromInput(to, zone)]
  const problem = rangeProblem(fromMs, toMs, nowMs)

  function apply() {
    setTried(true)
    if (problem === null && fromMs !== null && toMs !== null) onCustom({ fromMs, toMs })
  }

  return (
    <form
      className="range-ends"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (changed) apply()
      }}
    >
      <TextField label="From" type="datetime-local" value={from} onChange={setFrom} max="9999-12-31T23:59" />
      <TextField label="To" type="datetime-local" value={to} onChange={setTo} max="9999-12-31T23:59" />
      {changed && (
        <button type="submit" className="button">
          Apply
        </button>
      )}
      <p className="field-error" role="status">
        {changed && (tried || (from !== '' && to !== '')) ? problem : null}
      </p>
    </form>
  )
}
