// The points of a chart, each with its line and its loading state.
import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import X from 'lucide-react/icons/x'
import { CHART_POINTS_MAX } from '#shared/limits.ts'
import { FAILURES } from '#shared/messages.ts'
import { failureOf } from '../../lib/http/api-error.ts'
import { LineSwatch } from '../../ui/chart/line-swatch.tsx'
import { IconButton } from '../../ui/input/icon-button.tsx'
import { notChartable } from '../points/point.ts'
import { sampleText } from './chart/chart-lines.ts'
import type { ChosenPoint } from './use-histories.ts'
import type { History } from './use-history.ts'

export function ChosenPoints({ history }: { history: History }) {
  const { chosen, nameOf, remove, change } = history
  function move(at: number, by: 1 | -1) {
    const points = [...history.points]
    const [point] = points.splice(at, 1)
    if (point) points.splice(at + by, 0, point)
    change({ points })
  }
  return (
    <section className="chosen" aria-labelledby="chosen-heading">
      <h2 id="chosen-heading">
        Selected ({chosen.length}/{CHART_POINTS_MAX})
      </h2>
      {chosen.length === 0 && (
        <p className="muted">No points yet. Search below and select points to chart.</p>
      )}
      <ol>
        {chosen.map((one) => {
          const { key, color, place, device } = one
          const name = nameOf(one)
          return (
            <li key={key}>
              <LineSwatch color={color} />
              <div className="chosen-words">
                <strong>{name}</strong>
                <small>{device?.deviceName}</small>
                <ChosenState {...{ one, history }} />
              </div>
              <div className="chosen-actions">
                <IconButton
                  small
                  name={`Move ${name} up`}
                  Icon={ArrowUp}
                  off={place === 0}
                  onPress={() => move(place, -1)}
                />
                <IconButton
                  small
                  name={`Move ${name} down`}
                  Icon={ArrowDown}
                  off={place === chosen.length - 1}
                  onPress={() => move(place, 1)}
                />
                <IconButton small name={`Remove ${name}`} Icon={X} onPress={() => remove(key)} />
              </div>
            </li>
          )
        })}
      </ol>
    </section>
  )
}

export function PendingPoints({ history }: { history: History }) {
  const { chosen, histories, nameOf, remove } = history
  const pending = chosen.filter((one) => histories.of(one)?.state !== 'ready')
  if (pending.length === 0) return null
  return (
    <ul className="findings" aria-label="Points without a line">
      {pending.map((one) => (
        <li key={one.key}>
          <LineSwatch color={one.color} />
          <div>
            <strong>{nameOf(one)}</strong> <ChosenState {...{ one, history }} />
          </div>
          <IconButton small name={`Remove ${nameOf(one)}`} Icon={X} onPress={() => remove(one.key)} />
        </li>
      ))}
    </ul>
  )
}

function ChosenState({ one, history }: { one: ChosenPoint; history: History }) {
  const { loads, of, keyOf } = history.histories
  if (one.state === 'missing') return <small className="chosen-problem">This point is no longer there</small>
  if (one.state === 'failed') return <Failed error={one.error} onRetry={() => history.retry(one.key)} />
  if (one.state === 'loading' || !one.point) return <small>Loading…</small>
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
