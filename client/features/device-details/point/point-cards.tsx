import { useState } from 'react'
import type { Device } from '#shared/answers/customers.ts'
import { failureOf } from '../../../lib/http/api-error.ts'
import { Copyable } from '../../../ui/input/copy-button.tsx'
import { Checkbox } from '../../../ui/input/field.tsx'
import { SearchField } from '../../../ui/input/search-field.tsx'
import type { CardFact } from '../../../ui/list/columns/column.ts'
import { Facts } from '../../../ui/list/facts.tsx'
import { Notice } from '../../../ui/state/notice.tsx'
import { type Point, withUnits } from '../../data/points/point.ts'
import { PointStatus, PointValue } from '../../data/points/point-value.tsx'
import { useCustomer } from '../../sites/customers/customer.tsx'
import { clearProblem, flagsOf, useLiveValues } from '../api.ts'
import { CommandDialog, type CommandKind } from '../command-dialogs.tsx'
import { LastDay } from './last-day.tsx'
import { RecentAlarms } from './recent-alarms.tsx'

interface PointCardsProps {
  device: Device
  point: Point
}

export function PointCards({ device, point }: PointCardsProps) {
  const linkFacts = [...Object.entries(point.links), ...Object.entries(point.facets)].map(
    ([name, value]) => ({
      name,
      value: <span className="mono">{value}</span>
    })
  )
  return (
    <div className="point-cards">
      <CurrentValue device={device} point={point} />
      <LastDay device={device} point={point} />
      <FactsCard title="Properties" facts={propertiesOf(point)} />
      <PointTags tags={point.tags} />
      <div className="stack stacked-cards">
        <RecentAlarms device={device} point={point} />
        <FactsCard title="Links and facets" facts={linkFacts} />
      </div>
    </div>
  )
}

function FactsCard({ title, facts }: { title: string; facts: readonly CardFact[] }) {
  return (
    <section className="card" aria-label={title}>
      <div className="row card-head">
        <h2>{title}</h2>
      </div>
      <div className="card-body">
        <Facts facts={facts} />
        {facts.length === 0 && <p className="muted">None.</p>}
      </div>
    </section>
  )
}

function propertiesOf(point: Point) {
  const { kind, units, low, high, texts, trueText, falseText, historyName, pointId, cloudId, writable } =
    point
  const range = low !== null && high !== null ? `${low} to ${withUnits(String(high), units)}` : '–'
  const kindFacts = {
    Numeric: [
      { name: 'Units', value: units || 'None' },
      { name: 'Range', value: range }
    ],
    Enum: [
      { name: 'Range', value: texts.map(({ ordinal, text }) => `${ordinal} ${text}`).join(', ') || '–' }
    ],
    Boolean: [
      { name: 'True text', value: trueText },
      { name: 'False text', value: falseText }
    ],
    String: []
  }[kind]
  return [
    { name: 'Kind', value: kind },
    { name: 'Writable', value: writable ? 'Yes' : 'No' },
    ...kindFacts,
    { name: 'History name', value: historyName ?? 'None' },
    {
      name: 'Telemetry id',
      value: pointId === null ? 'None' : <Copyable text={pointId} label="Copy telemetry id" />
    },
    { name: 'Cloud id', value: <Copyable text={cloudId} label="Copy cloud id" /> }
  ]
}

function CurrentValue({ device, point }: PointCardsProps) {
  const area = useCustomer()
  const mayRead = area.can('live:read')
  const [live, setLive] = useState(true)
  const [dialog, setDialog] = useState<CommandKind | null>(null)
  const deviceIds = { customerId: area.customerId, deviceId: device.id }
  const liveValues = useLiveValues(live && mayRead ? deviceIds : null, [point.cloudId])
  const liveValue = liveValues.values.get(point.cloudId)
  const flags = flagsOf(point, live && mayRead ? liveValues : null)
  const noClearReason = clearProblem(point, flags)
  return (
    <section className="card current-value" aria-labelledby="value-heading">
      <div className="row card-head">
        <h2 id="value-heading">Current value</h2>
        {mayRead && <Checkbox kind="switch" label="Live" checked={live} onChange={setLive} />}
      </div>
      <div className="card-body">
        <div className="large-value">
          <PointValue point={point} live={liveValue} outdated={liveValues.error !== undefined} />
        </div>
        <PointStatus flags={flags} />
        {liveValues.error !== undefined && (
          <Notice tone="warn" action={{ label: 'Retry', onAct: liveValues.refresh }}>
            {failureOf(liveValues.error).title}. The last known value is shown.
          </Notice>
        )}
        {area.can('live:write') && point.writable && (
          <div className="row current-actions">
            <button type="button" className="button primary" onClick={() => setDialog('write')}>
              Write
            </button>
            <button
              type="button"
              className="button"
              aria-disabled={noClearReason !== null}
              title={noClearReason ?? undefined}
              onClick={() => noClearReason === null && setDialog('clear')}
            >
              Clear override
            </button>
          </div>
        )}
      </div>
      {dialog && (
        <CommandDialog
          kind={dialog}
          deviceIds={deviceIds}
          point={point}
          deviceName={device.deviceName}
          live={liveValue}
          onClose={() => {
            setDialog(null)
            liveValues.refresh()
          }}
        />
      )}
    </section>
  )
}

function PointTags({ tags }: { tags: Record<string, string> }) {
  const [keyword, setKeyword] = useState('')
  const lowerKeyword = keyword.trim().toLowerCase()
  const allTags = Object.entries(tags)
  const matches = allTags.filter((pair) => pair.some((text) => text.toLowerCase().includes(lowerKeyword)))
  return (
    <section className="card" aria-labelledby="tags-heading">
      <div className="row card-head">
        <h2 id="tags-heading">Tags</h2>
        <span className="muted">{allTags.length}</span>
        <SearchField label="Search tags" value={keyword} onSearch={setKeyword} everyKey />
      </div>
      <div className="card-body">
        {matches.length > 0 ? (
          <Facts
            facts={matches.map(([name, value]) => ({
              name,
              value: <span className="mono">{value}</span>
            }))}
          />
        ) : (
          <p className="muted" role="status">
            {allTags.length === 0 ? 'This point has no tags.' : `No tag matches “${keyword.trim()}”.`}
          </p>
        )}
      </div>
    </section>
  )
}
