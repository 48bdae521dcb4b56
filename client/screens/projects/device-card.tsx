import ChevronDown from 'lucide-react/icons/chevron-down'
import Trash from 'lucide-react/icons/trash-2'
import { useId, useState } from 'react'
import type { Device } from '#shared/entities.ts'
import { ClippedText } from '../../components/clipped-text.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { ExpiryBadge } from '../../components/expiry-badge.tsx'
import { PrefetchLink } from '../../components/prefetch-link.tsx'
import { ServiceButtons } from '../../components/service-links.tsx'
import { useCustomer } from '../../deeds/customer.ts'
import { actionsOf, showDeleteDevice } from '../../deeds/device-actions.tsx'
import { paths } from '../../paths.ts'
import type { DeviceServices } from './use-device-services.ts'

interface DeviceCardProps {
  device: Device
  services: DeviceServices
  selected: boolean
  onSelect: (selected: boolean) => void
}

export function DeviceCard({ device, services, selected, onSelect }: DeviceCardProps) {
  const customer = useCustomer()
  const [open, setOpen] = useState(false)
  const id = useId()
  const expiry = services.expiryOf(device)
  return (
    <li className="device-card" data-selected={selected || undefined}>
      <div className="device-summary">
        <label className="device-select">
          <input type="checkbox" checked={selected} onChange={({ target }) => onSelect(target.checked)} />
          <span className="sr-only">Select {device.deviceName}</span>
        </label>
        <span className="device-words">
          <PrefetchLink to={paths.device(services.customerPath, device.deviceUuid)}>
            <ClippedText text={device.deviceName} />
          </PrefetchLink>
          <span className="muted">
            <ClippedText text={device.location} />
          </span>
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
        {open && (
          <dl>
            <dt>Host ID</dt>
            <dd className="host-id">
              <span className="mono">{device.hostId}</span>
              {device.hostId && (
                <CopyButton text={device.hostId} label={`Copy host ID of ${device.deviceName}`} />
              )}
            </dd>
            <dt>Project</dt>
            <dd>{device.projectName ?? '–'}</dd>
            <dt>Services</dt>
            <dd>
              <ServiceButtons deviceName={device.deviceName} links={services.linksOf(device)} />
            </dd>
          </dl>
        )}
        {open && (
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
            {customer.may.deleteDevice && (
              <button type="button" className="button" onClick={() => showDeleteDevice(device, customer)}>
                <Trash />
                <span>
                  Delete Device<span className="sr-only"> {device.deviceName}</span>
                </span>
              </button>
            )}
          </div>
        )}
      </div>
    </li>
  )
}
