import { FAILURES } from '#shared/messages.ts'
import { failureOf } from '../../../lib/http/api-error.ts'
import { notChartable } from '../../points/point.ts'
import { sampleText } from '../drawing/chart-lines.ts'
import type { Histories } from '../records/use-histories.ts'
import type { ChosenPoint } from './use-chosen-points.ts'

interface ChosenStateProps {
  one: ChosenPoint
  histories: Histories
  onRetry: (key: string) => void
}

/** How the loading of a point goes, with what can be done about it. */
export function ChosenState({ one, histories, onRetry }: ChosenStateProps) {
  const { loads, of, keyOf } = histories
  if (one.state === 'missing') return <small className="chosen-problem">This point is no longer there</small>
  if (one.state === 'failed') return <Failed error={one.error} onRetry={() => onRetry(one.key)} />
  if (one.state === 'loading' || !one.point) return <small>Looking it up…</small>
  const refusal = notChartable(one.point)
  if (refusal) return <small className="chosen-problem">{refusal}</small>
  const load = of(one)
  const key = keyOf(one)
  if (load?.state === 'failed') return <Failed error={load.error} onRetry={() => loads.retry(key)} />
  if (load?.state === 'cancelled')
    return (
      <small className="chosen-problem">
        {FAILURES.cancelled.text}{' '}
        <button type="button" className="link-button" onClick={() => loads.retry(key)}>
          Load again
        </button>
      </small>
    )
  if (load?.state === 'loading' || load?.state === 'waiting')
    return (
      <small>
        {load.state === 'loading' ? 'Loading…' : 'Waiting…'}{' '}
        <button
          type="button"
          className="link-button"
          aria-label={`Cancel loading ${one.point.displayName}`}
          onClick={() => loads.cancel(key)}
        >
          Cancel
        </button>
      </small>
    )
  if (load?.state !== 'ready') return null
  const { times, values } = load.value
  return (
    <small>
      {times.length === 0 ? 'No records in the range' : `Last ${sampleText(one.point, values.at(-1))}`}
    </small>
  )
}

function Failed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <small className="chosen-problem" role="alert">
      {failureOf(error).title}.{' '}
      <button type="button" className="link-button" onClick={onRetry}>
        Retry
      </button>
    </small>
  )
}
