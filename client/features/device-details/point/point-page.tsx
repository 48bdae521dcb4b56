import '../style.css'
import '../../points/style.css'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useLocation } from 'react-router-dom'
import type { Device } from '#shared/entities.ts'
import { failureOf, isNotFound } from '../../../lib/http/api-error.ts'
import { paths } from '../../../lib/paths.ts'
import { useTick } from '../../../lib/time/ago.ts'
import { CopyButton } from '../../../ui/input/copy-button.tsx'
import { Checkbox } from '../../../ui/input/field.tsx'
import { Facts } from '../../../ui/list/card-list.tsx'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { ErrorPanel } from '../../../ui/state/error-panel.tsx'
import { Notice } from '../../../ui/state/notice.tsx'
import { NotFound } from '../../../ui/state/panel.tsx'
import { TitleBlock } from '../../../ui/title-block.tsx'
import { type Customer, useCustomer } from '../../customers/customer.ts'
import { offeringProblem } from '../../devices/service-links/device-services.ts'
import { usePoint } from '../../points/api.ts'
import { type Point, withUnits } from '../../points/point.ts'
import { PointStatus, PointValue } from '../../points/point-value.tsx'
import { WholePath } from '../../points/slot-path.tsx'
import { useSession } from '../../session/session.ts'
import { useLiveValues } from '../api.ts'
import { ClearDialog } from '../commands/clear-dialog.tsx'
import { WriteDialog } from '../commands/write-dialog.tsx'
import { DeviceSkeleton, NoDevice, NoService } from '../device-states.tsx'
import { useShownDevice, useShownPoint } from '../use-shown.ts'
import { LastDay } from './last-day.tsx'
import { PointTags } from './point-tags.tsx'

// What the point says comes first.
const RecentAlarms = lazy(() => import('./recent-alarms.tsx'))

export default function PointPage() {
  const area = useCustomer()
  const { pathname, search } = useLocation()
  const device = useShownDevice(area.customerId)
  const { nowMs } = useSession()
  const inactive = device.data ? offeringProblem(device.data, 'NDS', nowMs()) : null
  const [cloudId, keep] = useShownPoint(area.customerId, device.deviceUuid)
  const allowed = area.can('data:query-model') && inactive === null
  const point = usePoint(area.customerId, allowed ? (device.data?.systemGuid ?? null) : null, cloudId)
  const failure = device.error ?? area.error ?? point.error
  const found = point.data !== undefined && point.data !== null
  useEffect(() => {
    if (found) keep()
  }, [found, keep])

  if (isNotFound(device.error) || !device.deviceUuid)
    return <NoDevice area={area} known={!isNotFound(device.error)} path={pathname + search} />
  const title = point.data?.displayName ?? (failure === undefined && !inactive ? null : 'Point Details')
  const back = paths.device(area.customerPath, device.deviceUuid)
  if (device.data && !inactive && (point.data === null || cloudId === ''))
    return <NotFound path={pathname + search} home={back} />
  return (
    <>
      <TitleBlock
        title={title}
        crumbs={[...area.trail, { label: 'Device Details', to: back }, { label: title }]}
        facts={
          device.data && (
            <>
              <PrefetchLink to={back}>{device.data.deviceName}</PrefetchLink>
              {point.data?.slotPath && (
                <>
                  {' · '}
                  <span className="mono">
                    <WholePath path={point.data.slotPath} />
                  </span>
                  <CopyButton text={point.data.slotPath} label="Copy path" />
                </>
              )}
            </>
          )
        }
      />
      {failure !== undefined && !point.data && (
        <ErrorPanel
          failure={failureOf(failure)}
          busy={device.busy || point.busy}
          onRefresh={() => {
            area.reload()
            device.reload()
            point.reload()
          }}
        />
      )}
      {inactive && <NoService reason={inactive} />}
      {!point.data && !inactive && failure === undefined && <DeviceSkeleton />}
      {device.data && !inactive && point.data && (
        <PointCards key={point.data.cloudId} area={area} device={device.data} point={point.data} />
      )}
    </>
  )
}

function PointCards({ area, device, point }: { area: Customer; device: Device; point: Point }) {
  const linked = [...Object.entries(point.links), ...Object.entries(point.facets)].map(([name, value]) => ({
    name,
    value: <span className="mono">{value}</span>
  }))
  return (
    <div className="point-cards">
      <CurrentValue area={area} device={device} point={point} />
      <LastDay area={area} device={device} point={point} />
      <section className="card" aria-labelledby="properties-heading">
        <div className="card-head">
          <h2 id="properties-heading">Properties</h2>
        </div>
        <div className="card-body">
          <Facts facts={propertiesOf(point)} />
        </div>
      </section>
      <PointTags tags={point.tags} />
      <div className="stacked-cards">
        <Suspense fallback={<section className="card" aria-hidden="true" />}>
          <RecentAlarms area={area} device={device} point={point} />
        </Suspense>
        <section className="card" aria-labelledby="links-heading">
          <div className="card-head">
            <h2 id="links-heading">Links and facets</h2>
          </div>
          <div className="card-body">
            <Facts facts={linked} />
            {linked.length === 0 && <p className="muted">This point has neither.</p>}
          </div>
        </section>
      </div>
    </div>
  )
}

function propertiesOf(point: Point) {
  const { kind, units, low, high, texts, trueText, falseText, historyName, pointId, cloudId, writable } =
    point
  const range = low !== null && high !== null ? `${low} to ${withUnits(String(high), units)}` : '–'
  return [
    { name: 'Kind', value: kind },
    { name: 'Writable', value: writable ? 'Yes' : 'No' },
    ...(kind === 'Numeric'
      ? [
          { name: 'Units', value: units || 'None' },
          { name: 'Range', value: range }
        ]
      : []),
    ...(kind === 'Enum'
      ? [{ name: 'Range', value: texts.map(({ ordinal, text }) => `${ordinal} ${text}`).join(', ') || '–' }]
      : []),
    ...(kind === 'Boolean'
      ? [
          { name: 'True text', value: trueText },
          { name: 'False text', value: falseText }
        ]
      : []),
    { name: 'History name', value: historyName ?? 'None' },
    { name: 'Telemetry id', value: <Copyable text={pointId} name="telemetry id" /> },
    { name: 'Cloud id', value: <Copyable text={cloudId} name="cloud id" /> }
  ]
}

function Copyable({ text, name }: { text: string | null; name: string }) {
  if (text === null) return <>None</>
  return (
    <span className="copyable">
      <span className="mono">{text}</span>
      <CopyButton text={text} label={`Copy ${name}`} />
    </span>
  )
}

const AGES_MS = 5_000

function CurrentValue({ area, device, point }: { area: Customer; device: Device; point: Point }) {
  const { nowMs } = useSession()
  const mayRead = area.can('live:read')
  const [live, setLive] = useState(true)
  const [dialog, setDialog] = useState<'write' | 'clear' | null>(null)
  const place = { customerId: area.customerId, deviceId: device.id }
  const readings = useLiveValues(live && mayRead ? place : null, [point.cloudId])
  const reading = readings.values.get(point.cloudId)
  const close = () => {
    setDialog(null)
    readings.refresh()
  }
  useTick(AGES_MS)
  const shared = { place, deviceName: device.deviceName, point, onClose: close }
  return (
    <section className="card current-value" aria-labelledby="value-heading">
      <div className="card-head">
        <h2 id="value-heading">Current value</h2>
        {mayRead && <Checkbox kind="switch" label="Live" checked={live} onChange={setLive} />}
      </div>
      <div className="card-body">
        <div className="large-value">
          <PointValue point={point} live={reading} outdated={readings.error !== undefined} nowMs={nowMs()} />
        </div>
        <PointStatus flags={reading?.flags ?? point.out.flags} />
        {readings.error !== undefined && (
          <Notice tone="warn" action={{ label: 'Retry', onAct: readings.refresh }}>
            {failureOf(readings.error).title}. Shown is the last value.
          </Notice>
        )}
        {area.can('live:write') && point.writable && (
          <div className="current-actions">
            <button type="button" className="button primary" onClick={() => setDialog('write')}>
              Write
            </button>
            <button type="button" className="button" onClick={() => setDialog('clear')}>
              Clear override
            </button>
          </div>
        )}
      </div>
      {dialog === 'write' && <WriteDialog {...shared} live={reading} />}
      {dialog === 'clear' && <ClearDialog {...shared} />}
    </section>
  )
}
