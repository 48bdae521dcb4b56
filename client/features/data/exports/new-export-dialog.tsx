import { useState } from 'react'
import type { Export } from '#shared/answers/files.ts'
import { count, formatBytes, formatNumber } from '../../../lib/format.ts'
import { type QueryResult, useQuery } from '../../../lib/http/query.ts'
import { useSession } from '../../../lib/session/session.ts'
import { dayBegin, dayEnd, dayOf } from '../../../lib/time/calendar.ts'
import { browserZone, currentZone } from '../../../lib/time/time.ts'
import { freeName } from '../../../lib/validation.ts'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import type { Option } from '../../../ui/input/combobox.tsx'
import { DateField } from '../../../ui/input/date-field.tsx'
import { SelectField, TextField } from '../../../ui/input/field.tsx'
import { CustomerChoice } from '../../sites/customers/customer-choice.tsx'
import { fetchDevices } from '../../sites/devices/api.ts'
import { FIRST_VIEW } from '../../sites/devices/device-view.ts'
import { fetchAllPoints } from '../points/api.ts'
import { type NewExport, startExport } from './api.ts'
import { ExportPoints } from './export-points.tsx'
import { exportWatch } from './export-watch.ts'
import { bySystem, type ChosenPoint, estimateOf, keyOf, pointsOf } from './points.ts'

interface NewExportDialogProps {
  organizationId: string | null
  /** The customers to choose from; null for all of the organization. */
  customers: readonly Option[] | null
  /** The export to run again; null for an empty form. */
  like: Export | null
  onClose: () => void
  onStarted: (text: string) => void
  onReload: () => void
}

/** The point's name, or a placeholder if there is no name; null while the names load. */
function pointLabel({ data, error }: ReturnType<typeof usePointNames>, point: ChosenPoint): string | null {
  if (data) return data.get(keyOf(point)) ?? 'Deleted point'
  return error === undefined ? null : 'Name could not be loaded'
}

const DAY_MS = 86_400_000
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString()

export function NewExportDialog(props: NewExportDialogProps) {
  const { organizationId, customers, like, onClose, onStarted, onReload } = props
  const { user } = useSession()
  const [name, setName] = useState(like?.exportName ?? '')
  const [customer, setCustomer] = useState<Option | null>(
    like && { id: like.customerId, name: like.customerName ?? like.customerId }
  )
  const [points, setPoints] = useState<ChosenPoint[]>(() => pointsOf(like))
  const names = usePointNames(like)
  const namedPoints = points.map((point) => ({ ...point, label: point.label ?? pointLabel(names, point) }))
  const [format, setFormat] = useState<NewExport['format']>(like?.format ?? 'CSV')
  const [zone, setZone] = useState(like?.timeZone ?? currentZone())
  const [from, setFrom] = useState(() => dayOf(like?.startTime ?? daysAgo(30), zone))
  const [to, setTo] = useState(() => dayOf(like?.endTime ?? daysAgo(0), zone))

  const draft = JSON.stringify([name, customer?.id, points.map(keyOf), format, zone, from, to])
  const [firstDraft] = useState(draft)

  const nameProblem = name.trim() === '' ? null : freeName(name)
  const rangeProblem = from && to && from > to ? 'The range ends before it begins.' : null
  const needs = [
    name.trim() === '' && 'a name',
    customer === null && 'a customer',
    points.length === 0 && 'a point',
    (!from || !to) && 'a range'
  ].filter(Boolean)
  const ready = needs.length === 0 && !nameProblem && !rangeProblem

  async function start() {
    if (!customer) return
    const newExport = await startExport({
      exportName: name.trim(),
      customerId: customer.id,
      selectedPoints: bySystem(points),
      startTime: dayBegin(from, zone),
      endTime: dayEnd(to, zone),
      format,
      timeZone: zone
    })
    await exportWatch.wait(user.id, newExport)
    onStarted(`Export “${name.trim()}” started.`)
  }

  const { rows, bytes } = estimateOf(points.length, from, to, format)
  const size =
    points.length > 0 && !rangeProblem
      ? `About ${formatNumber(rows)} rows of ${count(points.length, 'point')}, ${formatBytes(bytes)}.`
      : 'Choose points and a range to see how big the file will be.'
  const zones = [...new Set([zone, currentZone(), browserZone(), 'UTC'])]
  return (
    <FormDialog
      title="New export"
      kind="wide"
      saveLabel="Start export"
      ready={ready}
      edited={draft !== firstDraft}
      note={
        <div className="muted actions-note">
          {needs.length > 0 && <p>Still needed: {needs.join(', ')}</p>}
          <p role="status">{size}</p>
        </div>
      }
      onSave={start}
      onClose={onClose}
      reload={onReload}
    >
      <div className="form-row">
        <TextField
          label="Name"
          bodyField="exportName"
          value={name}
          onChange={setName}
          error={nameProblem}
          autoFocus
        />
        <CustomerChoice
          organizationId={organizationId}
          among={customers}
          chosen={customer}
          placeholder="Choose a customer"
          onChoose={(option) => {
            setCustomer(option)
            if (option?.id !== customer?.id) setPoints([])
          }}
        />
      </div>
      <div className="form-row">
        <DateField label="From" value={from} onChange={setFrom} error={rangeProblem} />
        <DateField label="To" value={to} onChange={setTo} />
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
      {customer && (
        <ExportPoints key={customer.id} customerId={customer.id} points={namedPoints} onChange={setPoints} />
      )}
    </FormDialog>
  )
}

const DEVICES_MAX = 5_000

/** The names of an export's points by key, without deleted points. */
function usePointNames(like: Export | null): QueryResult<Map<string, string>> {
  return useQuery(
    like && `names of the points of export ${like.id}`,
    (_name, signal) => namesOf(like?.customerId ?? '', pointsOf(like), signal),
    { revalidateOnFocus: false }
  )
}

async function namesOf(
  customerId: string,
  points: readonly ChosenPoint[],
  signal: AbortSignal
): Promise<Map<string, string>> {
  const systems = [...new Set(points.map(({ systemGuid }) => systemGuid))]
  const [devices, ...pointLists] = await Promise.all([
    fetchDevices(customerId, FIRST_VIEW, DEVICES_MAX, signal),
    ...systems.map((systemGuid) => fetchAllPoints(customerId, { systemGuid }, signal))
  ])
  const deviceNames = new Map(devices.map(({ systemGuid, deviceName }) => [systemGuid, deviceName]))
  return new Map(
    pointLists.flatMap(({ items }) =>
      items.map(({ systemGuid, pointId, cloudId, displayName }) => [
        keyOf({ systemGuid, pointId: pointId ?? cloudId }),
        [deviceNames.get(systemGuid), displayName].filter(Boolean).join(' · ')
      ])
    )
  )
}
