import { useState } from 'react'
import { rangeProblem, type TimeRange } from '../../../lib/time/date-range.ts'
import { DateTimeField } from '../../../ui/input/date-field.tsx'

interface RangeEndsProps {
  range: TimeRange | null
  zone: string
  nowMs: number
  onCustom: (range: TimeRange) => void
}

interface Draft {
  /** The range that it changes. */
  of: TimeRange | null
  fromMs: number | null
  toMs: number | null
  /** Apply was pressed. */
  tried: boolean
}

/** The ends of the range, to be typed; Apply or Enter takes them. */
export function RangeEnds({ range, zone, nowMs, onCustom }: RangeEndsProps) {
  const none: Draft = { of: range, fromMs: range?.fromMs ?? null, toMs: range?.toMs ?? null, tried: false }
  const [latest, setDraft] = useState(none)
  const draft = latest.of === range ? latest : none
  const { fromMs, toMs, tried } = draft
  const changed = fromMs !== range?.fromMs || toMs !== range?.toMs
  const complete = fromMs !== null && toMs !== null
  const problem = rangeProblem(fromMs, toMs, nowMs)
  const shown = changed && (tried || complete) ? problem : null

  return (
    <form
      className="range-ends"
      noValidate
      tabIndex={-1}
      onSubmit={(event) => {
        event.preventDefault()
        if (!changed) return
        setDraft({ ...draft, tried: true })
        if (problem !== null || !complete) return
        onCustom({ fromMs, toMs })
        // The button disappears; the focus stays in the form.
        if (document.activeElement?.matches('[type="submit"]')) event.currentTarget.focus()
      }}
    >
      <DateTimeField
        label="From"
        value={fromMs}
        onChange={(ms) => setDraft({ ...draft, fromMs: ms })}
        zone={zone}
        error={fromMs === null ? shown : null}
      />
      <DateTimeField
        label="To"
        value={toMs}
        onChange={(ms) => setDraft({ ...draft, toMs: ms })}
        zone={zone}
        error={fromMs === null ? null : shown}
      />
      {changed && (
        <button type="submit" className="button">
          Apply
        </button>
      )}
    </form>
  )
}
