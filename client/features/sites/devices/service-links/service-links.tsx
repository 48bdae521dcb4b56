import './style.css'
import Bell from 'lucide-react/icons/bell-ring'
import ChartLine from 'lucide-react/icons/chart-line'
import Monitor from 'lucide-react/icons/monitor'
import RotateCcw from 'lucide-react/icons/rotate-ccw'
import { type ReactNode, useMemo } from 'react'
import type { Device } from '#shared/answers/customers.ts'
import { count } from '../../../../lib/format.ts'
import { SERVICES_UNKNOWN } from '../../../../lib/messages.ts'
import { useSession } from '../../../../lib/session/session.ts'
import { formatDay } from '../../../../lib/time/time.ts'
import { PrefetchLink } from '../../../../ui/prefetch-link.tsx'
import { Notice } from '../../../../ui/state/notice.tsx'
import { Tooltip } from '../../../../ui/tooltip.tsx'
import { useCustomer } from '../../customers/customer.tsx'
import {
  type Expiry,
  OFFERING_NAMES,
  type ServiceId,
  type ServiceLink,
  serviceLinks,
  soonestExpiry
} from './device-services.ts'

export type DeviceServices = ReturnType<typeof useDeviceServices>

/** The services of this customer's devices, with the person's current permissions. */
export function useDeviceServices() {
  const { flags, links, nowMs } = useSession()
  const { customerPath, can } = useCustomer()
  return useMemo(
    () => ({
      customerPath,
      linksOf: (device: Device) =>
        serviceLinks(device, {
          customerPath,
          remoteUrl: links.remote,
          historyCharting: flags.enableHistoryCharting,
          nowMs: nowMs(),
          can
        }),
      expiryOf: (device: Device) => soonestExpiry(device.subscriptions, nowMs())
    }),
    [customerPath, links, flags, nowMs, can]
  )
}

export function ServicesUnknown({ onRetry }: { onRetry: () => void }) {
  return (
    <Notice tone="warn" action={{ label: 'Retry', onAct: onRetry }}>
      {SERVICES_UNKNOWN}
    </Notice>
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

/** The service icons of a table row. */
export function ServiceLinks({ deviceName, links }: ServiceLinksProps) {
  return (
    <ul className="line service-links">
      {links.map((link) => {
        const Icon = ICONS[link.id]
        const newTabText = link.external && link.href !== null ? ' (opens a new tab)' : ''
        return (
          <li key={link.id} className={link.expiry?.level}>
            <Tooltip text={tooltipOf(link)}>
              {(describedBy) => (
                <ServiceAnchor
                  link={link}
                  aria-label={`${link.name} for ${deviceName}${newTabText}`}
                  aria-describedby={link.href === null ? describedBy : undefined}
                >
                  <Icon />
                </ServiceAnchor>
              )}
            </Tooltip>
          </li>
        )
      })}
    </ul>
  )
}

function tooltipOf({ name, reason, external, expiry }: ServiceLink): string {
  if (reason) return `${name}: ${reason}`
  const ends = expiry ? `${name}: ends ${formatDay(expiry.subscription.endDate)}` : name
  return external ? `${ends} (opens a new tab)` : ends
}

interface ServiceAnchorProps {
  link: ServiceLink
  className?: string
  'aria-label'?: string
  'aria-describedby'?: string | undefined
  children: ReactNode
}

/** A link to a service. An unavailable service can still have focus, so that people can read the reason. */
export function ServiceAnchor({ link: { href, external }, ...anchor }: ServiceAnchorProps) {
  if (href === null) {
    // biome-ignore lint/a11y/useSemanticElements: a link without an address cannot take focus
    return <span role="link" tabIndex={0} aria-disabled="true" {...anchor} />
  }
  if (external) return <a href={href} target="_blank" rel="noopener noreferrer" {...anchor} />
  return <PrefetchLink to={href} {...anchor} />
}

/** The active services of a device as icons, which the sheet of the device links to. */
export function ServiceMarks({ links, expiry }: { links: readonly ServiceLink[]; expiry: Expiry | null }) {
  const active = links.filter(({ id, href }) => id !== 'alarms' && href !== null)
  return (
    <span className="line service-marks">
      {active.map(({ id, name }) => {
        const Icon = ICONS[id]
        return (
          <span key={id}>
            <Icon />
            <span className="sr-only">{name}</span>
          </span>
        )
      })}
      {expiry && <ExpiryBadge expiry={expiry} />}
    </span>
  )
}

/** Links to services, with names and reasons as text, for touch devices. */
export function ServiceButtons({ deviceName, links }: ServiceLinksProps) {
  return (
    <ul className="service-buttons">
      {links.map((link) => {
        const Icon = ICONS[link.id]
        return (
          <li key={link.id}>
            <ServiceAnchor link={link} className="entry">
              <Icon />
              <span>
                {link.name}
                <span className="sr-only"> for {deviceName}</span>
                {link.external && link.href && <span className="sr-only"> (opens a new tab)</span>}
                {link.reason && <small>{link.reason}</small>}
              </span>
              {link.expiry && <ExpiryBadge expiry={link.expiry} />}
            </ServiceAnchor>
          </li>
        )
      })}
    </ul>
  )
}

const nameOf = ({ subscription: { offeringCode } }: Expiry) => OFFERING_NAMES[offeringCode] ?? offeringCode

/** The service that ends first, and the days until then. */
export function NearestEnd({ expiry }: { expiry: Expiry | null }) {
  if (!expiry) return <span className="zero">–</span>
  return (
    <span className={`expiry ${expiry.level}`} title={endsOn(expiry)}>
      {nameOf(expiry)} <span aria-hidden="true">{expiry.days} d</span>
      <span className="sr-only">{`ends in ${count(expiry.days, 'day')}`}</span>
    </span>
  )
}

const endsOn = (expiry: Expiry) => `${nameOf(expiry)} ends ${formatDay(expiry.subscription.endDate)}`

export function ExpiryBadge({ expiry }: { expiry: Expiry }) {
  return (
    <span className={`badge ${expiry.level}`} title={endsOn(expiry)}>
      <span className="sr-only">{`${nameOf(expiry)} ends in ${count(expiry.days, 'day')}`}</span>
      <span aria-hidden="true">{expiry.days} d</span>
    </span>
  )
}
