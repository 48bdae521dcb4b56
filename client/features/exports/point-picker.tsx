import X from 'lucide-react/icons/x'
import { useState } from 'react'
import type { Device } from '#shared/entities.ts'
import { deviceOption } from '../../lib/format.ts'
import { Checkbox } from '../../ui/input/field.tsx'
import { RemoteChoice } from '../../ui/input/remote-choice.tsx'
import { SearchField } from '../../ui/input/search-field.tsx'
import { LoadFailed } from '../../ui/state/load-failed.tsx'
import { Skeleton } from '../../ui/state/loading.tsx'
import { useDeviceSearch } from '../devices/api.ts'
import { usePointPage } from '../points/api.ts'
import type { Point } from '../points/point.ts'
import { type ChosenPoint, keyOf } from './points.ts'

const POINTS_OFFERED = 100

interface PointPickerProps {
  customerId: string
  points: ChosenPoint[]
  onChange: (points: ChosenPoint[]) => void
}

export function PointPicker({ customerId, points, onChange }: PointPickerProps) {
  const [device, setDevice] = useState<Device | null>(null)
  const [keyword, setKeyword] = useState('')
  const [text, setText] = useState('')
  const devices = useDeviceSearch(customerId, keyword)
  const found = usePointPage(
    customerId,
    device && { systemGuid: device.systemGuid, items: text ? [text] : [], size: POINTS_OFFERED },
    { revalidateOnFocus: false }
  )
  const asChosen = (point: Point): ChosenPoint => ({
    systemGuid: device?.systemGuid ?? '',
    pointId: point.pointId ?? point.cloudId,
    label: `${device?.deviceName} · ${point.displayName}`
  })
  const offered = found.data?.items.filter(({ tags }) => tags.historyName) ?? []
  return (
    <fieldset className="point-picker">
      <legend>Points</legend>
      <div className="form-row">
        <RemoteChoice
          label="Device"
          placeholder="Choose a device"
          options={(devices.data ?? []).map(deviceOption)}
          busy={devices.busy}
          chosen={device && { id: device.deviceUuid, name: device.deviceName }}
          onSearch={setKeyword}
          onChoose={(option) =>
            setDevice(devices.data?.find(({ deviceUuid }) => deviceUuid === option?.id) ?? null)
          }
        />
        {device && <SearchField label="Search points" value={text} onSearch={setText} />}
      </div>
      {device && found.error !== undefined && (
        <LoadFailed onRetry={found.reload}>The points of this device could not be loaded.</LoadFailed>
      )}
      {device && found.data && (
        <OfferedPoints offered={offered} points={points} asChosen={asChosen} onChange={onChange} />
      )}
      {points.length > 0 && (
        <ul className="row filter-chips chosen-points" aria-label="Chosen points">
          {points.map((one) => (
            <li key={keyOf(one)} className="chip">
              <span>{one.label ?? <Skeleton width="8rem" label="Loading the name" />}</span>
              <button
                type="button"
                aria-label={`Remove ${one.label ?? 'this point'}`}
                onClick={() => onChange(points.filter((other) => other !== one))}
              >
                <X />
              </button>
            </li>
          ))}
        </ul>
      )}
    </fieldset>
  )
}

interface OfferedPointsProps {
  offered: readonly Point[]
  points: ChosenPoint[]
  asChosen: (point: Point) => ChosenPoint
  onChange: (points: ChosenPoint[]) => void
}

function OfferedPoints({ offered, points, asChosen, onChange }: OfferedPointsProps) {
  if (offered.length === 0) {
    return (
      <div className="plain-list">
        <p className="muted">No point with a history matches.</p>
      </div>
    )
  }
  const chosen = new Set(points.map(keyOf))
  const all = offered.map(asChosen)
  const taken = all.filter((one) => chosen.has(keyOf(one))).length
  const without = (gone: readonly ChosenPoint[]) => {
    const keys = new Set(gone.map(keyOf))
    return points.filter((one) => !keys.has(keyOf(one)))
  }
  return (
    <div className="plain-list">
      {offered.length > 1 && (
        <Checkbox
          label={`All ${offered.length} shown`}
          checked={taken === all.length}
          partly={taken > 0 && taken < all.length}
          onChange={(on) => onChange(on ? [...without(all), ...all] : without(all))}
        />
      )}
      {offered.map((point) => {
        const one = asChosen(point)
        return (
          <Checkbox
            key={keyOf(one)}
            label={point.displayName}
            checked={chosen.has(keyOf(one))}
            onChange={(on) => onChange(on ? [...points, one] : without([one]))}
          />
        )
      })}
    </div>
  )
}
