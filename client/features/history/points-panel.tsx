import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import X from 'lucide-react/icons/x'
import { useState } from 'react'
import type { Device } from '#shared/entities.ts'
import { CHART_POINTS_MAX } from '#shared/limits.ts'
import { FAILURES } from '#shared/messages.ts'
import { deviceOption } from '../../lib/format.ts'
import { failureOf } from '../../lib/http/api-error.ts'
import { LineSwatch } from '../../ui/chart/line-swatch.tsx'
import { Combobox } from '../../ui/input/combobox.tsx'
import { IconButton } from '../../ui/input/icon-button.tsx'
import { SearchField } from '../../ui/input/search-field.tsx'
import { Pager } from '../../ui/list/pager.tsx'
import { ProgressBar, Skeleton } from '../../ui/state/loading.tsx'
import { useDeviceSearch } from '../devices/api.ts'
import { usePointPage } from '../points/api.ts'
import { keyOfPoint } from '../points/history-address.ts'
import { notChartable, type Point } from '../points/point.ts'
import { type Comparison, PointSearchChoices, type SearchType } from '../points/point-search.tsx'
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
                {MOVES.map(({ by, to, Icon }) => (
                  <IconButton
                    key={to}
                    small
                    name={`Move ${name} ${to}`}
                    Icon={Icon}
                    off={!chosen[place + by]}
                    onPress={() => move(place, by)}
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
  const { state, point, error } = one
  if (state === 'missing') return <Problem text="This point is no longer there" />
  if (state === 'failed') return <Failed error={error} onRetry={() => history.retry(one.key)} />
  if (state === 'loading' || !point) return <small>Loading…</small>
  const refusal = notChartable(point)
  if (refusal) return <Problem text={refusal} />
  const load = of(one)
  const again = () => loads.retry(keyOf(one))
  if (load?.state === 'failed') return <Failed error={load.error} onRetry={again} />
  if (load?.state === 'cancelled')
    return <Problem text={FAILURES.cancelled.text} action="Load again" onAct={again} />
  if (load?.state === 'loading' || load?.state === 'waiting')
    return (
      <small>
        {load.state === 'loading' ? 'Loading…' : 'Waiting…'}{' '}
        <button
          type="button"
          className="link-button"
          aria-label={`Cancel loading ${point.displayName}`}
          onClick={() => loads.cancel(keyOf(one))}
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
    <small className="chosen-problem">
      {text}{' '}
      {action && (
        <button type="button" className="link-button" onClick={onAct}>
          {action}
        </button>
      )}
    </small>
  )
}

interface PointPickerProps {
  customerId: string
  device: Device | undefined
  history: History
}

export function PointPicker({ customerId, device: begun, history }: PointPickerProps) {
  const [picked, setPicked] = useState<Device | null>(null)
  const [deviceText, setDeviceText] = useState('')
  const [search, setSearch] = useState({
    q: '',
    type: 'pointNames' as SearchType,
    comparison: 'CONTAINS' as Comparison,
    page: 0
  })
  const seek = (next: Partial<typeof search>) => setSearch({ ...search, page: 0, ...next })
  const devices = useDeviceSearch(customerId, deviceText)
  const device = picked ?? begun ?? null
  const { q, type, comparison, page } = search
  const points = usePointPage(
    customerId,
    device && { systemGuid: device.systemGuid, items: q.trim() ? [q.trim()] : [], type, comparison, page }
  )
  const found = devices.data ?? []
  return (
    <section className="history-picker" aria-labelledby="picker-heading">
      <h2 id="picker-heading">Add points</h2>
      <Combobox
        label="Device"
        placeholder="Search devices"
        options={found.map(deviceOption)}
        chosen={device ? { id: device.deviceUuid, name: device.deviceName } : null}
        emptyText={devices.busy ? 'Searching…' : 'No device has this name.'}
        onSearch={setDeviceText}
        onChoose={({ id }) => {
          setPicked(found.find(({ deviceUuid }) => deviceUuid === id) ?? null)
          seek({})
        }}
      />
      {device && (
        <>
          <SearchField label="Search points" value={q} onSearch={(text) => seek({ q: text })} />
          <div className="picker-choices">
            <PointSearchChoices {...{ type, comparison }} onChange={seek} />
          </div>
          <div className="picker-results">
            <ProgressBar busy={points.busy && points.data !== undefined} />
            {!points.data && points.error === undefined && <Skeleton width="70%" label="Loading points" />}
            {points.error !== undefined && <Failed error={points.error} onRetry={points.reload} />}
            {points.data?.items.length === 0 && (
              <p className="muted" role="status">
                {q.trim() ? `No points match “${q.trim()}”.` : 'No points published by this device.'}
              </p>
            )}
            <ul aria-label={`Points of ${device.deviceName}`}>
              {points.data?.items.map((point) => (
                <PickerRow key={point.cloudId} {...{ point, device, history }} />
              ))}
            </ul>
          </div>
          {points.data && points.data.page.totalElements > 0 && (
            <Pager label="Pages of points" page={points.data.page} onPage={(to) => seek({ page: to })} />
          )}
        </>
      )}
    </section>
  )
}

function PickerRow({ point, device, history }: { point: Point; device: Device; history: History }) {
  const { points, remove, change } = history
  const ref = { deviceUuid: device.deviceUuid, cloudId: point.cloudId }
  const on = points.some((one) => keyOfPoint(one) === keyOfPoint(ref))
  const refusal = on ? null : (notChartable(point) ?? selectionRefusal(points.length))
  return (
    <li>
      <label title={refusal ?? point.slotPath}>
        <input
          type="checkbox"
          checked={on}
          aria-disabled={refusal ? true : undefined}
          onChange={() => {
            if (on) remove(keyOfPoint(ref))
            else if (refusal === null) change({ points: [...points, ref] })
          }}
        />
        <span>
          {point.displayName}
          {point.units && <small> {point.units}</small>}
          {refusal && <small className="picker-refusal">{refusal}</small>}
        </span>
      </label>
    </li>
  )
}
