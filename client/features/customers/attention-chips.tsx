import Archive from 'lucide-react/icons/archive-x'
import CalendarClock from 'lucide-react/icons/calendar-clock'
import CalendarX from 'lucide-react/icons/calendar-x'
import Check from 'lucide-react/icons/check-check'
import EyeOff from 'lucide-react/icons/eye-off'
import Gauge from 'lucide-react/icons/gauge'
import Siren from 'lucide-react/icons/siren'
import type { ComponentType } from 'react'
import type { AttentionKind, CustomerAttention } from '#shared/attention.ts'
import { count, formatNumber } from '../../lib/format.ts'
import { paths } from '../../lib/paths.ts'
import { formatAgo } from '../../lib/time/ago.ts'
import { PrefetchLink } from '../../ui/prefetch-link.tsx'
import { mayOpenAlarms } from '../session/landing.ts'
import { useSession } from '../session/session.ts'
import { foundIn, isOld, missingIn, readAtOf, TONES } from './attention.ts'

interface Chip {
  icon: ComponentType
  label: string
  meaning: string
  /** The list that shows exactly those. */
  to: (customerPath: string) => string
}

const CHIPS: Record<AttentionKind, Chip> = {
  servicesEnded: {
    icon: CalendarX,
    label: 'Services ended',
    meaning: 'devices with a service that has ended',
    to: (customer) => `${customer}?expires=0`
  },
  plansExceeded: {
    icon: Gauge,
    label: 'Plan exceeded',
    meaning: 'devices with data usage above their plan',
    to: (customer) => `${customer}?plan=exceeded`
  },
  alarms: {
    icon: Siren,
    label: 'Alarms',
    meaning: 'alarms that need action',
    to: (customer) => `${paths.alarms(customer)}?range=all`
  },
  servicesEnding: {
    icon: CalendarClock,
    label: 'Services ending',
    meaning: 'devices with a service that ends within 30 days',
    to: (customer) => `${customer}?expires=30`
  },
  plansWarning: {
    icon: Gauge,
    label: 'Plan warning',
    meaning: 'devices with data usage close to the limit of their plan',
    to: (customer) => `${customer}?plan=warning`
  },
  withoutBackup: {
    icon: Archive,
    label: 'No backup',
    meaning: 'devices without a good backup in 30 days',
    to: (customer) => `${paths.savedBackups(customer)}?missing=yes`
  }
}

interface AttentionProps {
  customer: CustomerAttention
  customerPath: string
}

/** What of a customer needs a person, each count a way to its list; or that nothing does, or is not known. */
export function AttentionChips({ customer, customerPath }: AttentionProps) {
  const found = foundIn(customer)
  const { failed, unread } = missingIn(customer)
  const allWell = found.length + failed.length + unread.length === 0
  return (
    <ul className="attention" aria-label={`What needs attention at ${customer.orgName}`}>
      {found.map((kind) => (
        <li key={kind}>
          <CountChip kind={kind} customer={customer} customerPath={customerPath} />
        </li>
      ))}
      {failed.length > 0 && (
        <li className="attention-note">
          <EyeOff />
          {sentence(failed)} not read
        </li>
      )}
      {unread.length > 0 && <li className="attention-note">{readingOf(customer, unread)}</li>}
      {allWell && (
        <li className="attention-note all-well">
          <Check />
          All well
        </li>
      )}
    </ul>
  )
}

function CountChip({ kind, customer, customerPath }: AttentionProps & { kind: AttentionKind }) {
  const session = useSession()
  const { icon: Icon, label, meaning, to } = CHIPS[kind]
  const counted = customer.counts[kind]
  const words = (
    <>
      <Icon />
      {label} <b className="attention-count">{formatNumber(counted?.count ?? 0)}</b>{' '}
      <span className="sr-only">{meaning}</span>
    </>
  )
  const look = {
    className: `attention-chip ${TONES[kind]}`,
    title: `${meaning}, read ${formatAgo(counted?.readAt ?? '', session.nowMs())}`
  }
  if (kind === 'alarms' && !mayOpenAlarms(session)) return <span {...look}>{words}</span>
  return (
    <PrefetchLink {...look} to={to(customerPath)} state={{ orgName: customer.orgName }}>
      {words}
    </PrefetchLink>
  )
}

function readingOf(customer: CustomerAttention, unread: readonly string[]): string {
  if (readAtOf(customer) === null) return 'Reading…'
  const plans = customer.counts.plansExceeded?.unread
  return plans === undefined ? `Reading ${unread.join(', ')}…` : `Reading ${count(plans, 'plan')}…`
}

/** How old what is said of a customer is. */
export function AttentionAge({ customer }: { customer: CustomerAttention }) {
  const { nowMs } = useSession()
  const readAt = readAtOf(customer)
  if (readAt === null) return null
  return (
    <span className="attention-age" data-old={isOld(customer, nowMs()) || undefined}>
      as of <time dateTime={readAt}>{formatAgo(readAt, nowMs())}</time>
    </span>
  )
}

function sentence(words: readonly string[]): string {
  const text = words.join(', ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
