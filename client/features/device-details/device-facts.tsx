import type { Device } from '#shared/answers/customers.ts'
import { useLayout } from '../../lib/layout.ts'
import { useSession } from '../../lib/session/session.ts'
import { formatDay } from '../../lib/time/time.ts'
import { Fact } from '../../ui/fact.tsx'
import { Copyable } from '../../ui/input/copy-button.tsx'
import { PrefetchLink } from '../../ui/prefetch-link.tsx'
import { Timestamp } from '../../ui/timestamp.tsx'
import { useCustomer } from '../sites/customers/customer.tsx'
import { isActive, OFFERING_NAMES } from '../sites/devices/service-links/device-services.ts'
import {
  ExpiryBadge,
  ServiceAnchor,
  useDeviceServices
} from '../sites/devices/service-links/service-links.tsx'

/** A device's identifiers and subscriptions. */
export function DeviceFacts({ device }: { device: Device }) {
  const { customerPath } = useCustomer()
  const project = new URLSearchParams({ project: device.projectId ?? '' })
  const layout = useLayout()
  const facts = (
    <>
      <dl>
        <Identifier name="Host ID" text={device.hostId} />
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
      <div className="row device-services">
        <Services device={device} />
        <details>
          <summary>Identifiers</summary>
          <dl>
            <Identifier name="Device UUID" text={device.deviceUuid} />
            <Identifier name="System GUID" text={device.systemGuid} />
          </dl>
        </details>
      </div>
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

function Identifier({ name, text }: { name: string; text: string }) {
  return <Fact name={name}>{text ? <Copyable text={text} label={`Copy ${name}`} /> : '–'}</Fact>
}

function Services({ device }: { device: Device }) {
  const nowMs = useSession().nowMs()
  const { linksOf } = useDeviceServices()
  return (
    <ul className="row" aria-label="Services">
      {linksOf(device)
        .filter(({ id }) => id !== 'alarms')
        .map((link) => (
          <li key={link.id} className="row">
            {link.href === null ? (
              <span className="service-off">{link.name}</span>
            ) : (
              <ServiceAnchor link={link} className="text-link">
                {link.name}
                {link.external && <span className="sr-only"> (opens a new tab)</span>}
              </ServiceAnchor>
            )}
            <span className="muted">{link.reason ?? endOf(device, link.name, nowMs)}</span>
            {link.expiry && <ExpiryBadge expiry={link.expiry} />}
          </li>
        ))}
    </ul>
  )
}

/** The first end of the active subscriptions of a service, as lists show it. */
function endOf({ subscriptions }: Device, name: string, nowMs: number): string {
  const ends = subscriptions
    .filter(
      (subscription) => OFFERING_NAMES[subscription.offeringCode] === name && isActive(subscription, nowMs)
    )
    .map(({ endDate }) => endDate)
  const [firstEnd] = ends.sort()
  return firstEnd ? `until ${formatDay(firstEnd)}` : ''
}
