import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import X from 'lucide-react/icons/x'
import type { Device } from '#shared/answers/customers.ts'
import { FAILURES } from '#shared/messages.ts'
import { failureOf } from '../../../lib/http/api-error.ts'
import { CHART_POINTS_MAX } from '../../../lib/limits.ts'
import { LineSwatch } from '../../../ui/chart/line-swatch.tsx'
import { IconButton } from '../../../ui/input/icon-button.tsx'
import { keyOfPoint } from '../points/history-address.ts'
import { notChartable } from '../points/point.ts'
import { PointPicker } from '../points/point-picker.tsx'
import { selectionRefusal } from '../points/selected-points.ts'
import { sampleText } from './chart/chart-lines.ts'
import type { ChosenPoint } from './use-histories.ts'
import type { History } from './use-history.ts'

const MOVES = [
  { by: -1, to: 'up', Icon: ArrowUp },
  { by: 1, to: 'down', Icon: ArrowDown }
]

export function ChosenPoints({ history }: { history: History }) {
  const { chosen, nameOf, remove, change } = history
  function move(at: number, by: number) {
    const points = [...chosen]
    const [point] = points.splice(at, 1)
    if (point) points.splice(at + by, 0, point)
    change({ points })
  }
  return (
    <section className="stack tight chosen" aria-labelledby="chosen-heading">
      <h2 id="chosen-heading">
        Selected ({chosen.length}/{CHART_POINTS_MAX})
      </h2>
      {chosen.length === 0 && (
        <p className="muted">No points yet. Search below and select points to chart.</p>
      )}
      <ol className="ruled">
        {chosen.map((chosenPoint, at) => {
          const { key, color, device } = chosenPoint
          const name = nameOf(chosenPoint)
          return (
            <li key={key} className="line">
              <LineSwatch color={color} />
              <div className="stacked grow">
                <strong>{name}</strong>
                <small>{device?.deviceName}</small>
                <ChosenState chosenPoint={chosenPoint} history={history} />
              </div>
              <div className="chosen-actions">
                {MOVES.map(({ by, to, Icon }) => (
                  <IconButton
                    key={to}
                    small
                    name={`Move ${name} ${to}`}
                    Icon={Icon}
                    off={!chosen[at + by]}
                    onPress={() => move(at, by)}
                  />
                ))}
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
  const pendingPoints = chosen.filter((chosenPoint) => histories.of(chosenPoint)?.state !== 'ready')
  if (pendingPoints.length === 0) return null
  return (
    <ul className="stack tight findings" aria-label="Points without a line">
      {pendingPoints.map((chosenPoint) => (
        <li key={chosenPoint.key} className="line">
          <LineSwatch color={chosenPoint.color} />
          <div>
            <strong>{nameOf(chosenPoint)}</strong> <ChosenState chosenPoint={chosenPoint} history={history} />
          </div>
          <IconButton
            small
            name={`Remove ${nameOf(chosenPoint)}`}
            Icon={X}
            onPress={() => remove(chosenPoint.key)}
          />
        </li>
      ))}
    </ul>
  )
}

function ChosenState({ chosenPoint, history }: { chosenPoint: ChosenPoint; history: History }) {
  const { loads, of, keyOf } = history.histories
  const { found, point } = chosenPoint
  if (found?.state === 'failed')
    return <Failed error={found.error} onRetry={() => history.retry(chosenPoint.key)} />
  if (found?.state !== 'ready') return <small>Loading…</small>
  if (!point) return <Problem text="This point is no longer there" />
  const refusal = notChartable(point)
  if (refusal) return <Problem text={refusal} />
  const load = of(chosenPoint)
  const loadAgain = () => loads.retry(keyOf(chosenPoint))
  if (load?.state === 'failed') return <Failed error={load.error} onRetry={loadAgain} />
  if (load?.state === 'cancelled')
    return <Problem text={FAILURES.cancelled.text} action="Load again" onAct={loadAgain} />
  if (load?.state === 'loading' || load?.state === 'waiting')
    return (
      <small>
        {load.state === 'loading' ? 'Loading…' : 'Waiting…'}{' '}
        <button
          type="button"
          className="link-button"
          aria-label={`Cancel loading ${point.displayName}`}
          onClick={() => loads.cancel(keyOf(chosenPoint))}
        >
          Cancel
        </button>
      </small>
    )
  if (load?.state !== 'ready') return null
  const { times, values } = load.value
  return (
    <small>
      {times.length === 0 ? 'No records in the range' : `Last ${sampleText(point, values.at(-1))}`}
    </small>
  )
}

function Failed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <span role="alert">
      <Problem text={`${failureOf(error).title}.`} action="Retry" onAct={onRetry} />
    </span>
  )
}

function Problem({ text, action, onAct }: { text: string; action?: string; onAct?: () => void }) {
  return (
    <span className="field-error">
      {text}{' '}
      {action && (
        <button type="button" className="link-button" onClick={onAct}>
          {action}
        </button>
      )}
    </span>
  )
}

interface AddPointsProps {
  customerId: string
  device: Device | undefined
  history: History
}

export function AddPoints({ customerId, device, history }: AddPointsProps) {
  const { chosen, remove, change } = history
  return (
    <PointPicker
      customerId={customerId}
      first={device}
      isChosen={({ cloudId }) => chosen.some((chosenPoint) => chosenPoint.cloudId === cloudId)}
      refusalOf={(point) => notChartable(point) ?? selectionRefusal(chosen.length)}
      onChange={([point], on, { deviceUuid }) => {
        if (!point) return
        const ref = { deviceUuid, cloudId: point.cloudId }
        if (on) change({ points: [...chosen, ref] })
        else remove(keyOfPoint(ref))
      }}
    />
  )
}
