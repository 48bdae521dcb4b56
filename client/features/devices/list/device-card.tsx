import ChevronDown from 'lucide-react/icons/chevron-down'
import Trash from 'lucide-react/icons/trash-2'
import { Fragment, useId, useState } from 'react'
import type { Device } from '#shared/entities.ts'
import type { CardFact } from '../../../ui/list/card-list.tsx'
import { cardFacts, type ListColumn } from '../../../ui/list/columns/column.ts'
import { useCustomer } from '../../customers/customer.ts'
import { actionsOf, showDeleteDevice } from '../device-actions.tsx'
import type { Expiry } from '../service-links/device-services.ts'
import { ExpiryBadge } from '../service-links/service-links.tsx'

interface DeviceCardProps {
  device: Device
  columns: readonly ListColumn<Device>[]
  expiry: Expiry | null
  selected: boolean
  onSelect: (selected: boolean) => void
}

export function DeviceCard({ device, columns, expiry, selected, onSelect }: DeviceCardProps) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const [heading] = cardFacts(columns, 'heading')(device)
  const inView = cardFacts(columns, 'fact')(device)
  return (
    <li className="device-card" data-selected={selected || undefined}>
      <div className="device-summary">
        <label className="device-select">
          <input type="checkbox" checked={selected} onChange={({ target }) => onSelect(target.checked)} />
          <span className="sr-only">Select {device.deviceName}</span>
        </label>
        <span className="device-words">
          {heading?.value}
          {inView.map(({ name, value }) => (
            <span key={name} className="muted">
              {value}
            </span>
          ))}
        </span>
        {expiry && <ExpiryBadge expiry={expiry} />}
        <button
          type="button"
          className="button quiet icon"
          aria-label={`Details of ${device.deviceName}`}
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
        >
          <ChevronDown />
        </button>
      </div>
      <div id={id} hidden={!open} className="device-more">
        {open && <DeviceFacts facts={cardFacts(columns, 'more')(device)} />}
        {open && <DeviceCardActions device={device} />}
      </div>
    </li>
  )
}

export function DeviceFacts({ facts }: { facts: readonly CardFact[] }) {
  return (
    <dl className="device-about">
      {facts.map(({ name, value }) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  )
}

/** What can be done with a device, as buttons. */
export function DeviceCardActions({ device }: { device: Device }) {
  const customer = useCustomer()
  return (
    <div className="device-card-actions">
      {actionsOf(device, customer).map(({ label, icon, disabledReason, onSelect: act }) => (
        <button
          key={label}
          type="button"
          className="button"
          aria-disabled={disabledReason ? true : undefined}
          onClick={() => disabledReason || act()}
        >
          {icon}
          <span>
            {label}
            <span className="sr-only"> for {device.deviceName}</span>
            {disabledReason && <small>{disabledReason}</small>}
          </span>
        </button>
      ))}
      {customer.can('devices:delete') && (
        <button type="button" className="button" onClick={() => showDeleteDevice(device)}>
          <Trash />
          <span>
            Delete Device<span className="sr-only"> {device.deviceName}</span>
          </span>
        </button>
      )}
    </div>
  )
}
