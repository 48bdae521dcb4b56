import { useState } from 'react'
import type { Device } from '#shared/entities.ts'
import { deviceOption } from '../../lib/format.ts'
import { failureOf } from '../../lib/http/api-error.ts'
import { Combobox } from '../../ui/input/combobox.tsx'
import { SearchField } from '../../ui/input/search-field.tsx'
import { Pager } from '../../ui/list/pager.tsx'
import { ProgressBar, Skeleton } from '../../ui/state/loading.tsx'
import { useDeviceSearch } from '../devices/api.ts'
import { usePointPage } from '../points/api.ts'
import { keyOfPoint } from '../points/history-address.ts'
import { notChartable, type Point } from '../points/point.ts'
import { type Comparison, PointSearchChoices, type SearchType } from '../points/point-search.tsx'
import { selectionRefusal } from '../points/selected-points.ts'
import type { History } from './use-history.ts'

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
          setSearch({ ...search, page: 0 })
        }}
      />
      {device && (
        <>
          <SearchField
            label="Search points"
            value={q}
            onSearch={(text) => setSearch({ ...search, q: text, page: 0 })}
          />
          <div className="picker-choices">
            <PointSearchChoices
              type={type}
              comparison={comparison}
              onChange={(choice) => setSearch({ ...search, ...choice, page: 0 })}
            />
          </div>
          <div className="picker-results">
            <ProgressBar busy={points.busy && points.data !== undefined} />
            {!points.data && points.error === undefined && <Skeleton width="70%" label="Loading points" />}
            {points.error !== undefined && (
              <p role="alert" className="chosen-problem">
                {failureOf(points.error).title}.{' '}
                <button type="button" className="link-button" onClick={points.reload}>
                  Retry
                </button>
              </p>
            )}
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
            <Pager
              label="Pages of points"
              page={points.data.page}
              onPage={(to) => setSearch({ ...search, page: to })}
            />
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
