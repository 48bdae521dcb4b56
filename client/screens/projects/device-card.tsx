import ChevronDown from 'lucide-react/icons/chevron-down'
import { useId, useState } from 'react'
import type { Device } from '#shared/entities.ts'
import { ClippedText } from '../../components/clipped-text.tsx'
import { ExpiryBadge } from '../../components/expiry-badge.tsx'
import { PrefetchLink } from '../../components/prefetch-link.tsx'
import { ServiceButtons } from '../../components/service-links.tsx'
import { paths } from '../../paths.ts'
import type { DeviceServices } from './use-device-services.ts'

interface DeviceCardProps {
  device: Device
  services: DeviceServices
}

export function DeviceCard({ device, services }: DeviceCardProps) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const expiry = services.expiryOf(device)
  return (
    <li className="device-card">
      <div className="device-summary">
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
            <dd className="mono">{device.hostId}</dd>
            <dt>Project</dt>
            <dd>{device.projectName ?? '–'}</dd>
            <dt>Services</dt>
            <dd>
              <ServiceButtons deviceName={device.deviceName} links={services.linksOf(device)} />
            </dd>
          </dl>
        )}
      </div>
    </li>
  )
}
