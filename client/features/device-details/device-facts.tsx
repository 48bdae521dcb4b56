import type { ReactNode } from 'react'
import type { Device } from '#shared/entities.ts'
import { useLayout } from '../../lib/layout.ts'
import { formatDay } from '../../lib/time/time.ts'
import { CopyButton } from '../../ui/input/copy-button.tsx'
import { PrefetchLink } from '../../ui/prefetch-link.tsx'
import { Timestamp } from '../../ui/timestamp.tsx'
import type { Customer } from '../customers/customer.ts'
import {
  isActive,
  OFFERING_NAMES,
  type ServiceLink,
  serviceLinks,
  soonestExpiry
} from '../devices/service-links/device-services.ts'
import { ExpiryBadge } from '../devices/service-links/service-links.tsx'
import { useSession } from '../session/session.ts'

/** A device's identifiers and subscriptions. */
export function DeviceFacts({ area, device }: { area: Customer; device: Device }) {
  const { customerPath } = area
  const project = new URLSearchParams({ project: device.projectId ?? '' })
  const layout = useLayout()
  const facts = (
    <>
      <dl>
        <Copyable name="Host ID" text={device.hostId} />
        <Copyable name="Device UUID" text={device.deviceUuid} />
        <Copyable name="System GUID" text={device.systemGuid} />
        <Fact name="Project">
          {device.projectId ? (
            <PrefetchLink to={`${customerPath}?${project}`} className="text-link">
              {device.projectName}
            </PrefetchLink>
          ) : (
            'None'
          )}
        </Fact>
        <Fact name="Location">{device.location || '–'}</Fact>
        <Fact name="Registered">
          <Timestamp iso={device.createdDate} as="day" />
        </Fact>
      </dl>
      <Services area={area} device={device} />
    </>
  )
  if (layout === 'desktop')
    return (
      <section className="card device-facts" aria-label="About this device">
        {facts}
      </section>
    )
  return (
    <details className="card device-facts">
      <summary>About this device</summary>
      {facts}
    </details>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Copyable({ name, text }: { name: string; text: string }) {
  return (
    <Fact name={name}>
      <span className="copyable">
        <span className="mono">{text || '–'}</span>
        {text && <CopyButton text={text} label={`Copy ${name}`} />}
      </span>
    </Fact>
  )
}

function Services({ area, device }: { area: Customer; device: Device }) {
  const { flags, links, nowMs } = useSession()
  const now = nowMs()
  const services = serviceLinks(device, {
    customerPath: area.customerPath,
    remoteUrl: links.remote,
    historyCharting: flags.enableHistoryCharting,
    subscriptionsKnown: true,
    nowMs: now,
    can: area.can
  }).filter(({ id }) => id !== 'alarms')
  return (
    <ul className="device-services" aria-label="Services">
      {services.map((link) => (
        <li key={link.id}>
          <ServiceName link={link} />
          <span className="muted">{link.reason ?? endOf(device, link.name, now)}</span>
          <Expiry device={device} name={link.name} nowMs={now} />
        </li>
      ))}
    </ul>
  )
}

function ServiceName({ link: { name, href, external } }: { link: ServiceLink }) {
  if (href === null) return <span className="service-off">{name}</span>
  if (external)
    return (
      <a href={href} target="_blank" rel="noopener noreferrer" className="text-link">
        {name}
        <span className="sr-only"> (opens a new tab)</span>
      </a>
    )
  return (
    <PrefetchLink to={href} className="text-link">
      {name}
    </PrefetchLink>
  )
}

const ofName = (device: Device, name: string) =>
  device.subscriptions.filter(({ offeringCode }) => OFFERING_NAMES[offeringCode] === name)

function endOf(device: Device, name: string, nowMs: number): string {
  const ends = ofName(device, name)
    .filter((one) => isActive(one, nowMs))
    .map(({ endDate }) => endDate)
  const last = ends.sort().at(-1)
  return last ? `until ${formatDay(last)}` : ''
}

function Expiry({ device, name, nowMs }: { device: Device; name: string; nowMs: number }) {
  const expiry = soonestExpiry(ofName(device, name), nowMs)
  return expiry && <ExpiryBadge expiry={expiry} />
}
