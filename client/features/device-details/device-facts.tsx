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

/** What a device is, with identifiers to copy and what is subscribed for it. */
export function DeviceFacts({ area, device }: { area: Customer; device: Device }) {
  const { customerPath } = area
  const project = new URLSearchParams({ project: device.projectId ?? '' })
  const layout = useLayout()
  const facts = (
    <>
      <dl>
        <Fact name="Host ID" copy={device.hostId} />
        <Fact name="Device UUID" copy={device.deviceUuid} />
        <Fact name="System GUID" copy={device.systemGuid} />
        <div>
          <dt>Project</dt>
          <dd>
            {device.projectId ? (
              <PrefetchLink to={`${customerPath}?${project}`} className="text-link">
                {device.projectName}
              </PrefetchLink>
            ) : (
              'None'
            )}
          </dd>
        </div>
        <div>
          <dt>Location</dt>
          <dd>{device.location || '–'}</dd>
        </div>
        <div>
          <dt>Registered</dt>
          <dd>
            <Timestamp iso={device.createdDate} as="day" />
          </dd>
        </div>
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

function Fact({ name, copy }: { name: string; copy: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="copyable">
        <span className="mono">{copy || '–'}</span>
        {copy && <CopyButton text={copy} label={`Copy ${name}`} />}
      </dd>
    </div>
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
