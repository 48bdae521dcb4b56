import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import X from 'lucide-react/icons/x'
import { CHART_POINTS_MAX } from '#shared/limits.ts'
import { FAILURES } from '#shared/messages.ts'
import { failureOf } from '../../api/api-error.ts'
import { LineSwatch } from '../../components/line-swatch.tsx'
import { sampleText } from '../../lib/chart-lines.ts'
import { notChartable } from '../../lib/points.ts'
import type { ChosenPoint } from './use-chosen-points.ts'
import type { Histories } from './use-histories.ts'

interface ChosenListProps {
  chosen: readonly ChosenPoint[]
  hidden: readonly string[]
  histories: Histories
  /** What a missing point was called when its report was saved. */
  nameOf: (point: ChosenPoint) => string
  onHide: (key: string) => void
  onRemove: (key: string) => void
  onMove: (place: number, by: 1 | -1) => void
  onRetry: (key: string) => void
}

/** The points of the chart: which line is which, and how its loading goes. */
export function ChosenList(props: ChosenListProps) {
  const { chosen, hidden, histories, nameOf, onHide, onRemove, onMove, onRetry } = props
  return (
    <section className="chosen" aria-labelledby="chosen-heading">
      <h2 id="chosen-heading">
        Selected ({chosen.length}/{CHART_POINTS_MAX})
      </h2>
      {chosen.length === 0 && <p className="muted">No point yet. Search below and tick what to chart.</p>}
      <ol>
        {chosen.map((one) => {
          const name = nameOf(one)
          const isHidden = hidden.includes(one.key)
          return (
            <li key={one.key} data-hidden={isHidden || undefined}>
              <LineSwatch color={one.place} />
              <div className="chosen-words">
                <strong>{name}</strong>
                <small>{one.device?.deviceName}</small>
                <ChosenState one={one} histories={histories} onRetry={onRetry} />
              </div>
              <div className="chosen-actions">
                <Act
                  name={`Move ${name} up`}
                  Icon={ArrowUp}
                  off={one.place === 0}
                  onPress={() => onMove(one.place, -1)}
                />
                <Act
                  name={`Move ${name} down`}
                  Icon={ArrowDown}
                  off={one.place === chosen.length - 1}
                  onPress={() => onMove(one.place, 1)}
                />
                <button
                  type="button"
                  className="button quiet icon small"
                  aria-label={`Show ${name}`}
                  aria-pressed={!isHidden}
                  title={isHidden ? 'Show' : 'Hide'}
                  onClick={() => onHide(one.key)}
                >
                  {isHidden ? <EyeOff /> : <Eye />}
                </button>
                <Act name={`Remove ${name}`} Icon={X} off={false} onPress={() => onRemove(one.key)} />
              </div>
            </li>
          )
        })}
      </ol>
    </section>
  )
}

interface ActProps {
  name: string
  Icon: typeof X
  off: boolean
  onPress: () => void
}

function Act({ name, Icon, off, onPress }: ActProps) {
  return (
    <button
      type="button"
      className="button quiet icon small"
      aria-label={name}
      title={name}
      aria-disabled={off}
      onClick={() => off || onPress()}
    >
      <Icon />
    </button>
  )
}

interface ChosenStateProps {
  one: ChosenPoint
  histories: Histories
  onRetry: (key: string) => void
}

function ChosenState({ one, histories, onRetry }: ChosenStateProps) {
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
