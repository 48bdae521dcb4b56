import X from 'lucide-react/icons/x'
import { useCallback, useState } from 'react'
import type { Device } from '#shared/entities.ts'
import { freeName } from '#shared/validation.ts'
import { failureOf } from '../../api/api-error.ts'
import { useDeviceSearch } from '../../api/device-search.ts'
import { type NewExport, type SavedExport, startExport } from '../../api/exports.ts'
import { type ExportablePoint, usePointsOf } from '../../api/point-search.ts'
import type { Option } from '../../components/combobox.tsx'
import { Checkbox, SelectField, TextField } from '../../components/field.tsx'
import { Modal } from '../../components/modal.tsx'
import { RemoteChoice } from '../../components/remote-choice.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { formatBytes } from '../../lib/bytes.ts'
import { count, formatNumber } from '../../lib/format.ts'
import { browserZone, currentZone } from '../../lib/time.ts'
import { toasts } from '../../lib/toasts.ts'
import { CustomerChoice } from './customer-choice.tsx'
import { estimateOf } from './estimate.ts'

interface ChosenPoint {
  systemGuid: string
  pointId: string
  label: string
}

interface NewExportDialogProps {
  organizationId: string | null
  /** An export to make once more. */
  like: SavedExport | null
  onClose: () => void
  onStarted: () => void
}

const DAY_MS = 86_400_000
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

export function NewExportDialog({ organizationId, like, onClose, onStarted }: NewExportDialogProps) {
  const [name, setName] = useState(like?.exportName ?? '')
  const [customer, setCustomer] = useState<Option | null>(
    like && { id: like.customerId, name: like.customerName ?? like.customerId }
  )
  const [points, setPoints] = useState<ChosenPoint[]>(() => pointsOf(like))
  const [from, setFrom] = useState(like?.startTime.slice(0, 10) ?? dayOf(Date.now() - 30 * DAY_MS))
  const [to, setTo] = useState(like?.endTime.slice(0, 10) ?? dayOf(Date.now()))
  const [format, setFormat] = useState<NewExport['format']>(like?.format ?? 'CSV')
  const [zone, setZone] = useState(like?.timeZone ?? currentZone())
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)

  const nameProblem = name.trim() === '' ? null : freeName(name)
  const rangeProblem = from && to && from > to ? 'The range ends before it begins.' : null
  const missing = [
    name.trim() === '' && 'a name',
    customer === null && 'a customer',
    points.length === 0 && 'a point',
    (!from || !to) && 'a range'
  ].filter(Boolean)
  const ready = missing.length === 0 && !nameProblem && !rangeProblem && !busy

  async function start() {
    if (!ready || !customer) return
    setBusy(true)
    setFailure(null)
    try {
      await startExport({
        exportName: name.trim(),
        customerId: customer.id,
        selectedPoints: bySystem(points),
        startTime: `${from}T00:00:00.000Z`,
        endTime: `${to}T23:59:59.999Z`,
        format,
        timeZone: zone
      })
      toasts.ok(`Export “${name.trim()}” started.`)
      onStarted()
    } catch (error) {
      setFailure(failureOf(error).text)
      setBusy(false)
    }
  }

  const { rows, bytes } = estimateOf(points.length, from, to, format)
  const zones = [...new Set([zone, currentZone(), browserZone(), 'UTC'])]
  return (
    <Modal title="New export" kind="wide" onClose={() => busy || onClose()}>
      <div className="modal-body">
        <div className="form-row">
          <TextField label="Name" value={name} onChange={setName} error={nameProblem} autoFocus />
          <CustomerChoice
            organizationId={organizationId}
            chosen={customer}
            onChoose={(option) => {
              setCustomer(option)
              if (option?.id !== customer?.id) setPoints([])
            }}
          />
        </div>
        {customer && (
          <PointPicker key={customer.id} customerId={customer.id} points={points} onChange={setPoints} />
        )}
        <div className="form-row">
          <TextField label="From" type="date" value={from} onChange={setFrom} error={rangeProblem} />
          <TextField label="To" type="date" value={to} onChange={setTo} />
          <SelectField
            label="Format"
            value={format}
            onChange={(value) => setFormat(value as NewExport['format'])}
            options={['CSV', 'JSON'].map((value) => ({ value, label: value }))}
          />
          <SelectField
            label="Time zone"
            value={zone}
            onChange={setZone}
            options={zones.map((value) => ({ value, label: value }))}
          />
        </div>
        <p className="muted" role="status">
          {points.length > 0 && !rangeProblem
            ? `About ${formatNumber(rows)} rows of ${count(points.length, 'point')}, ${formatBytes(bytes)}.`
            : 'Choose points and a range to see how big the file will be.'}
        </p>
        {failure && (
          <p className="field-error" role="alert">
            {failure}
          </p>
        )}
      </div>
      <div className="modal-actions">
        {missing.length > 0 && <span className="muted actions-note">Still needed: {missing.join(', ')}</span>}
        <button type="button" className="button" onClick={() => busy || onClose()}>
          Cancel
        </button>
        <button
          type="button"
          className="button primary"
          aria-disabled={!ready}
          aria-busy={busy}
          onClick={() => void start()}
        >
          Start export
        </button>
      </div>
    </Modal>
  )
}

interface PointPickerProps {
  customerId: string
  points: ChosenPoint[]
  onChange: (points: ChosenPoint[]) => void
}

function PointPicker({ customerId, points, onChange }: PointPickerProps) {
  const [device, setDevice] = useState<Device | null>(null)
  const [keyword, setKeyword] = useState('')
  const [text, setText] = useState('')
  const devices = useDeviceSearch(customerId, keyword)
  const search = useCallback((typed: string) => setKeyword(typed), [])
  const found = usePointsOf(customerId, device?.systemGuid ?? null, text)
  const keyOf = ({ systemGuid, pointId }: ChosenPoint) => `${systemGuid} ${pointId}`
  const chosen = new Set(points.map(keyOf))
  const asChosen = (point: ExportablePoint): ChosenPoint => ({
    systemGuid: device?.systemGuid ?? '',
    pointId: point.tags?.telemetryId ?? point.cloudId,
    label: `${device?.deviceName} · ${point.displayName}`
  })
  const offered = found.data?.items.filter(({ tags }) => tags?.historyName) ?? []
  const all = offered.map(asChosen)
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
        <div className="point-list">
          {offered.length === 0 && <p className="muted">No point with a history matches.</p>}
          {offered.length > 1 && (
            <Checkbox
              label={`All ${offered.length} shown`}
              checked={all.every((one) => chosen.has(keyOf(one)))}
              partly={
                all.some((one) => chosen.has(keyOf(one))) && !all.every((one) => chosen.has(keyOf(one)))
              }
              onChange={(on) => {
                const others = points.filter((one) => !all.some((shown) => keyOf(shown) === keyOf(one)))
                onChange(on ? [...others, ...all] : others)
              }}
            />
          )}
          {offered.map((point) => {
            const one = asChosen(point)
            return (
              <Checkbox
                key={keyOf(one)}
                label={point.displayName}
                checked={chosen.has(keyOf(one))}
                onChange={(on) =>
                  onChange(on ? [...points, one] : points.filter((other) => keyOf(other) !== keyOf(one)))
                }
              />
            )
          })}
        </div>
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

function pointsOf(like: SavedExport | null): ChosenPoint[] {
  return (like?.request?.selectedPoints ?? []).flatMap(({ systemGuid, pointIds }) =>
    pointIds.map((pointId) => ({ systemGuid, pointId, label: pointId }))
  )
}

function bySystem(points: readonly ChosenPoint[]): NewExport['selectedPoints'] {
  const systems = new Map<string, string[]>()
  for (const { systemGuid, pointId } of points) {
    systems.set(systemGuid, [...(systems.get(systemGuid) ?? []), pointId])
  }
  return [...systems].map(([systemGuid, pointIds]) => ({ systemGuid, pointIds }))
}
