import Bell from 'lucide-react/icons/bell-ring'
import ChartLine from 'lucide-react/icons/chart-line'
import Monitor from 'lucide-react/icons/monitor'
import RotateCcw from 'lucide-react/icons/rotate-ccw'
import { useMemo } from 'react'
import type { Device } from '#shared/entities.ts'
import { count } from '../../../lib/format.ts'
import { formatDay } from '../../../lib/time/time.ts'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { Tooltip } from '../../../ui/tooltip.tsx'
import { useCustomer } from '../../customers/customer.ts'
import { useSession } from '../../session/session.ts'
import {
  type Expiry,
  OFFERING_NAMES,
  type ServiceId,
  type ServiceLink,
  serviceLinks,
  soonestExpiry
} from './device-services.ts'

export interface DeviceServices {
  customerPath: string
  linksOf: (device: Device) => ServiceLink[]
  expiryOf: (device: Device) => Expiry | null
}

/** What this person can do with the services of this customer's devices, right now. */
export function useDeviceServices(subscriptionsKnown: boolean): DeviceServices {
  const { flags, links, nowMs } = useSession()
  const { customerPath, can } = useCustomer()
  return useMemo(
    () => ({
      customerPath,
      linksOf: (device) =>
        serviceLinks(device, {
          customerPath,
          remoteUrl: links.remote,
          historyCharting: flags.enableHistoryCharting,
          subscriptionsKnown,
          nowMs: nowMs(),
          can
        }),
      expiryOf: (device) => soonestExpiry(device.subscriptions, nowMs())
    }),
    [customerPath, subscriptionsKnown, links, flags, nowMs, can]
  )
}

const ICONS = { alarms: Bell, data: ChartLine, remote: Monitor, recover: RotateCcw } satisfies Record<
  ServiceId,
  unknown
>

interface ServiceLinksProps {
  deviceName: string
  links: ServiceLink[]
}

/** The service icons of a table row. Those that lead nowhere stay reachable and say why. */
export function ServiceLinks({ deviceName, links }: ServiceLinksProps) {
  const [nearest] = links.flatMap(({ expiry }) => expiry ?? []).sort((a, b) => a.days - b.days)
  return (
    <ul className="service-links">
      {links.map((link) => (
        <li key={link.id} className={link.expiry?.level}>
          <Tooltip text={tooltipOf(link)}>
            {(describedBy) => <ServiceIcon link={link} deviceName={deviceName} describedBy={describedBy} />}
          </Tooltip>
        </li>
      ))}
      {nearest && (
        <li className={nearest.level}>
          <ExpiryDays expiry={nearest} />
        </li>
      )}
    </ul>
  )
}

function tooltipOf({ name, reason, external, expiry }: ServiceLink): string {
  if (reason) return `${name}: ${reason}`
  const ends = expiry ? `${name}: ends ${formatDay(expiry.subscription.endDate)}` : name
  return external ? `${ends} (opens a new tab)` : ends
}

interface ServiceIconProps {
  link: ServiceLink
  deviceName: string
  describedBy?: string
}

function ServiceIcon({ link, deviceName, describedBy }: ServiceIconProps) {
  const Icon = ICONS[link.id]
  const name = `${link.name} for ${deviceName}`
  if (link.href === null) {
    return (
      // biome-ignore lint/a11y/useSemanticElements: a link without an address cannot take focus
      <span role="link" tabIndex={0} aria-disabled="true" aria-label={name} aria-describedby={describedBy}>
        <Icon />
      </span>
    )
  }
  if (link.external) {
    return (
      <a href={link.href} target="_blank" rel="noopener noreferrer" aria-label={`${name} (opens a new tab)`}>
        <Icon />
      </a>
    )
  }
  return (
    <PrefetchLink to={link.href} aria-label={name}>
      <Icon />
    </PrefetchLink>
  )
}

/** The same with their names and reasons in sight, for touch. */
export function ServiceButtons({ deviceName, links }: ServiceLinksProps) {
  return (
    <ul className="service-buttons">
      {links.map((link) => (
        <li key={link.id}>
          <ServiceButton link={link} deviceName={deviceName} />
        </li>
      ))}
    </ul>
  )
}

function ServiceButton({ link, deviceName }: ServiceIconProps) {
  const Icon = ICONS[link.id]
  const content = (
    <>
      <Icon />
      <span>
        {link.name}
        <span className="sr-only"> for {deviceName}</span>
        {link.external && link.href && <span className="sr-only"> (opens a new tab)</span>}
        {link.reason && <small>{link.reason}</small>}
      </span>
      {link.expiry && <ExpiryBadge expiry={link.expiry} />}
    </>
  )
  if (link.href === null) {
    return (
      // biome-ignore lint/a11y/useSemanticElements: a link without an address cannot take focus
      <span role="link" tabIndex={0} aria-disabled="true">
        {content}
      </span>
    )
  }
  if (link.external) {
    return (
      <a href={link.href} target="_blank" rel="noopener noreferrer">
        {content}
      </a>
    )
  }
  return <PrefetchLink to={link.href}>{content}</PrefetchLink>
}

const nameOf = ({ subscription: { offeringCode } }: Expiry) => OFFERING_NAMES[offeringCode] ?? offeringCode

const endsOn = (expiry: Expiry) => `${nameOf(expiry)} ends ${formatDay(expiry.subscription.endDate)}`

/** After the icons: what ends first. */
function ExpiryDays({ expiry }: { expiry: Expiry }) {
  return (
    <span className="expiry" title={endsOn(expiry)}>
      <span className="sr-only">{`${nameOf(expiry)} ends in ${count(expiry.days, 'day')}`}</span>
      <span aria-hidden="true">{expiry.days} d</span>
    </span>
  )
}

export function ExpiryBadge({ expiry }: { expiry: Expiry }) {
  return (
    <span className={`badge ${expiry.level}`} title={endsOn(expiry)}>
      <span className="sr-only">{nameOf(expiry)} ends in </span>
      {count(expiry.days, 'day')}
    </span>
  )
}
