import CalendarRange from 'lucide-react/icons/calendar-range'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import Maximize from 'lucide-react/icons/maximize'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import ZoomIn from 'lucide-react/icons/zoom-in'
import ZoomOut from 'lucide-react/icons/zoom-out'
import { Fragment, type ReactNode, useState } from 'react'
import { CUSTOM_RANGE, DATE_FILTERS, type DateFilter, type TimeRange } from '#shared/time/date-ranges.ts'
import { shiftRange } from '#shared/time/earlier-periods.ts'
import { rangeProblem } from '../../../lib/time/date-range.ts'
import { chooseZone, formatMoment } from '../../../lib/time/time.ts'
import { Modal } from '../../../ui/dialog/modal.tsx'
import { DateTimeField } from '../../../ui/input/date-field.tsx'
import { SelectField } from '../../../ui/input/field.tsx'
import { IconButton } from '../../../ui/input/icon-button.tsx'
import { ZoneChoice } from '../../../ui/input/zone-choice.tsx'
import { LiveSwitch } from './live-switch.tsx'
import type { History } from './use-history.ts'

const ZOOM_FACTOR = 0.5

/** The controls that choose, move and zoom the range. */
export function RangeBar({ history, children }: { history: History; children?: ReactNode }) {
  const { view, change, range, zone, asOf, refresh, isFollowed } = history
  return (
    <section className="row range-bar" aria-label="Time range">
      <SelectField
        label="Range"
        value={view.filter}
        onChange={(value) => {
          const filter = value as DateFilter
          refresh()
          change({ filter, custom: filter === CUSTOM_RANGE ? range : null, zoom: null })
        }}
        options={DATE_FILTERS.map((value) => ({ value, label: value }))}
      />
      <div className="range-group">
        <Shift history={history} by={-1} />
        <RangeEnds
          key={`${view.filter} ${view.custom?.fromMs} ${view.custom?.toMs}`}
          range={range}
          zone={zone}
          nowMs={asOf}
          isFollowed={isFollowed}
          onCustom={(custom) => change({ filter: CUSTOM_RANGE, custom, zoom: null })}
        />
        <Shift history={history} by={1} />
      </div>
      <ZoneChoice
        zone={zone}
        shortAtMs={asOf}
        onZone={(chosen) => {
          chooseZone(chosen)
          change({ zone: null, zoom: null })
        }}
      />
      <Zooms history={history} />
      <div className="row push">
        <LiveSwitch history={history} />
        <button
          type="button"
          className="button"
          aria-pressed={view.compare !== null}
          onClick={() => change({ compare: view.compare === null ? 'before' : null })}
        >
          Compare<span className="sr-only"> with previous period</span>
        </button>
        {children}
      </div>
    </section>
  )
}

/** A button that moves to the previous or next range, or moves a zoomed view by half its length. */
function Shift({ history, by }: { history: History; by: 1 | -1 }) {
  const { range, zoom, zone, asOf, change, zoomIn } = history
  const isForward = by === 1
  const isLatest = isForward && !zoom && range !== null && shiftRange(range, 1, zone).fromMs > asOf
  const side = isForward ? 'right' : 'left'
  return (
    <IconButton
      name={zoom ? `Move ${side}` : `${isForward ? 'Next' : 'Previous'} range`}
      Icon={isForward ? ChevronRight : ChevronLeft}
      off={!range || isLatest}
      onPress={() => {
        if (!range) return
        if (!zoom) return change({ filter: CUSTOM_RANGE, custom: shiftRange(range, by, zone), zoom: null })
        const ms = (by * (zoom.toMs - zoom.fromMs)) / 2
        zoomIn({ fromMs: zoom.fromMs + ms, toMs: zoom.toMs + ms })
      }}
    />
  )
}

function Zooms({ history: { inView, zoom, zoomIn, refresh, isFollowed } }: { history: History }) {
  const zoomBy = (factor: number) => {
    if (!inView) return
    const middle = (inView.fromMs + inView.toMs) / 2
    const half = ((inView.toMs - inView.fromMs) / 2) * factor
    zoomIn({ fromMs: middle - half, toMs: middle + half })
  }
  return (
    <fieldset className="range-steps">
      <legend className="sr-only">Zoom</legend>
      <IconButton small name="Zoom in" Icon={ZoomIn} onPress={() => zoomBy(ZOOM_FACTOR)} off={!inView} />
      <IconButton small name="Zoom out" Icon={ZoomOut} onPress={() => zoomBy(1 / ZOOM_FACTOR)} off={!zoom} />
      <IconButton small name="Show all" Icon={Maximize} onPress={() => zoomIn(null)} off={!zoom} />
      {!isFollowed && <IconButton small name="Refresh" Icon={RefreshCw} onPress={refresh} />}
    </fieldset>
  )
}

/** The range on a small screen: buttons that move the range and a button that opens all controls. */
export function RangeLine({ history }: { history: History }) {
  const [open, setOpen] = useState(false)
  const { view, inView, zone, zoom, zoomIn } = history
  return (
    <div className="row range-line">
      <Shift history={history} by={-1} />
      <button type="button" className="button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <CalendarRange />
        <span className="stacked">
          {zoom ? 'Part' : view.filter}
          {inView && (
            <small>
              {endTexts(inView, zone).map((text, at) => (
                <Fragment key={text}>
                  {at > 0 && ' – '}
                  <span>{text}</span>
                </Fragment>
              ))}
            </small>
          )}
        </span>
      </button>
      <Shift history={history} by={1} />
      {zoom && (
        <button type="button" className="button quiet" onClick={() => zoomIn(null)}>
          Show all
        </button>
      )}
      {open && (
        <Modal title="Time range" kind="screen" onClose={() => setOpen(false)}>
          <div className="modal-body">
            <RangeBar history={history} />
          </div>
          <div className="row modal-actions">
            <button type="button" className="button primary" onClick={() => setOpen(false)}>
              Done
            </button>
          </div>
        </Modal>
      )}
    </div>
  )
}

/** "01-Oct 00:00" and "01-Nov 00:00", with the years if they differ. */
export function endTexts({ fromMs, toMs }: TimeRange, zone: string): readonly string[] {
  const ends = [formatMoment(fromMs, zone), formatMoment(toMs, zone)]
  const [fromYear, toYear] = ends.map((end) => YEAR.exec(end)?.[0])
  return fromYear === toYear ? ends.map((end) => end.replace(YEAR, '')) : ends
}

const YEAR = /-\d{4}/

interface RangeEndsProps {
  range: TimeRange | null
  zone: string
  nowMs: number
  /** Whether the range ends now and moves on; it then does not replace what the person is typing. */
  isFollowed?: boolean
  onCustom: (range: TimeRange) => void
}

interface Draft {
  baseRange: TimeRange | null
  fromMs: number | null
  toMs: number | null
  isSubmitted: boolean
}

export function RangeEnds({ range, zone, nowMs, isFollowed = false, onCustom }: RangeEndsProps) {
  const initialDraft: Draft = {
    baseRange: range,
    fromMs: range?.fromMs ?? null,
    toMs: range?.toMs ?? null,
    isSubmitted: false
  }
  const [lastDraft, setDraft] = useState(initialDraft)
  const { baseRange } = lastDraft
  const isEdited =
    lastDraft.fromMs !== (baseRange?.fromMs ?? null) || lastDraft.toMs !== (baseRange?.toMs ?? null)
  const draft = baseRange === range || (isFollowed && isEdited) ? lastDraft : initialDraft
  const { fromMs, toMs, isSubmitted } = draft
  const isChanged = fromMs !== range?.fromMs || toMs !== range?.toMs
  const isComplete = fromMs !== null && toMs !== null
  const problem = rangeProblem(fromMs, toMs, nowMs)
  const shownProblem = isChanged && (isSubmitted || isComplete) ? problem : null

  return (
    <form
      className="range-ends"
      noValidate
      tabIndex={-1}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isChanged) return
        setDraft({ ...draft, isSubmitted: true })
        if (problem !== null || !isComplete) return
        onCustom({ fromMs, toMs })
        // The button disappears, so the form gets the focus.
        if (document.activeElement?.matches('[type="submit"]')) event.currentTarget.focus()
      }}
    >
      <DateTimeField
        label="From"
        value={fromMs}
        onChange={(ms) => setDraft({ ...draft, fromMs: ms })}
        zone={zone}
        error={fromMs === null ? shownProblem : null}
      />
      <DateTimeField
        label="To"
        value={toMs}
        onChange={(ms) => setDraft({ ...draft, toMs: ms })}
        zone={zone}
        error={fromMs === null ? null : shownProblem}
      />
      {isChanged && (
        <button type="submit" className="button">
          Apply
        </button>
      )}
    </form>
  )
}
