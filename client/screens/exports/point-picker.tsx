import X from 'lucide-react/icons/x'
import { useCallback, useState } from 'react'
import type { Device } from '#shared/entities.ts'
import { useDeviceSearch } from '../../api/device-search.ts'
import { type ExportablePoint, usePointsOf } from '../../api/point-search.ts'
import { Checkbox } from '../../components/field.tsx'
import { RemoteChoice } from '../../components/remote-choice.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { type ChosenPoint, keyOf } from './chosen-points.ts'

interface PointPickerProps {
  customerId: string
  points: ChosenPoint[]
  onChange: (points: ChosenPoint[]) => void
}

/** Any number of points with a history, of any devices of the customer. */
export function PointPicker({ customerId, points, onChange }: PointPickerProps) {
  const [device, setDevice] = useState<Device | null>(null)
  const [keyword, setKeyword] = useState('')
  const [text, setText] = useState('')
  const devices = useDeviceSearch(customerId, keyword)
  const search = useCallback((typed: string) => setKeyword(typed), [])
  const found = usePointsOf(customerId, device?.systemGuid ?? null, text)
  const asChosen = (point: ExportablePoint): ChosenPoint => ({
    systemGuid: device?.systemGuid ?? '',
    pointId: point.tags?.telemetryId ?? point.cloudId,
    label: `${device?.deviceName} · ${point.displayName}`
  })
  const offered = found.data?.items.filter(({ tags }) => tags?.historyName) ?? []
  return (
    <fieldset className="point-picker">
      <legend>Points</legend>
      <div className="form-row">
        <RemoteChoice
          label="Device"
          placeholder="Choose a device"
          options={(devices.data ?? []).map(({ deviceUuid, deviceName }) => ({
            id: deviceUuid,
            name: deviceName
          }))}
          busy={devices.busy}
          chosen={device && { id: device.deviceUuid, name: device.deviceName }}
          onSearch={search}
          onChoose={(option) =>
            setDevice(devices.data?.find(({ deviceUuid }) => deviceUuid === option?.id) ?? null)
          }
        />
        {device && <SearchField label="Search points" value={text} onSearch={setText} />}
      </div>
      {device && found.error !== undefined && (
        <p className="field-error" role="alert">
          The points of this device could not be loaded.{' '}
          <button type="button" className="link-button" onClick={found.reload}>
            Retry
          </button>
        </p>
      )}
      {device && found.data && (
        <OfferedPoints offered={offered} points={points} asChosen={asChosen} onChange={onChange} />
      )}
      {points.length > 0 && (
        <ul className="filter-chips chosen-points" aria-label="Chosen points">
          {points.map((one) => (
            <li key={keyOf(one)} className="chip">
              <span>{one.label}</span>
              <button
                type="button"
                aria-label={`Remove ${one.label}`}
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
  offered: readonly ExportablePoint[]
  points: ChosenPoint[]
  asChosen: (point: ExportablePoint) => ChosenPoint
  onChange: (points: ChosenPoint[]) => void
}

function OfferedPoints({ offered, points, asChosen, onChange }: OfferedPointsProps) {
  if (offered.length === 0) {
    return (
      <div className="point-list">
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
    <div className="point-list">
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
