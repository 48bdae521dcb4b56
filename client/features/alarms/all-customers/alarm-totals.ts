// The numbers of alarms that need action, for the frame.
import { useParams } from 'react-router-dom'
import { useStore } from 'zustand'
import type { OrganizationAlarms } from '#shared/answers/portal.ts'
import { calls } from '#shared/calls.ts'
import { isGlobalAdmin, ownCustomer } from '#shared/landing.ts'
import { get, useQuery } from '../../../lib/http/query.ts'
import { live, useLateSince } from '../../../lib/live/live.ts'
import { paths } from '../../../lib/paths.ts'
import { mayOpenAlarms } from '../../../lib/session/may-open.ts'
import { useOrganization } from '../../../lib/session/organization.ts'
import { useSession } from '../../../lib/session/session.ts'

const POLL_MS = 60_000

interface AlarmsTarget {
  /** The address of the alarms. */
  to: string
  /** Null for the alarms of all customers. */
  customerId: string | null
}

/** The alarms of the customer in the address, or of all customers; null if the person may not open them. */
export function useAlarmsTarget(): AlarmsTarget | null {
  const session = useSession()
  const params = useParams()
  const organization = useOrganization()
  if (!mayOpenAlarms(session)) return null
  const customerId = params.customerId ?? ownCustomer(session)
  if (customerId !== null)
    return { to: paths.alarms(paths.customer(customerId, params.organizationId)), customerId }
  if (organization.id === null) return null
  return {
    to: paths.withIntegrator(paths.allAlarms, isGlobalAdmin(session) ? organization.id : null),
    customerId: null
  }
}

interface AlarmTotal {
  /** The number of alarms that need action; null if it is not known. */
  total: number | null
  /** Since when the number is out of date; null if it is not. */
  lateSince: string | null
}

/** The alarms of a customer, or of all customers, that need action. */
export function useAlarmTotal(customerId: string | null): AlarmTotal {
  const { state, alarms } = useStore(live)
  const organizationId = useOrganization().id
  const isPolling = state === 'polling' && organizationId !== null
  const { data, error } = useQuery(
    isPolling ? calls.organizationAlarms(organizationId, { size: 1 }) : null,
    get<OrganizationAlarms>,
    { refreshInterval: POLL_MS }
  )
  const late = useLateSince(customerId)
  const polledDelay = data?.totals.flatMap(({ delayedSince }) => delayedSince ?? []).sort()[0]
  const polledSince = error === undefined ? (polledDelay ?? null) : (data?.readAt ?? null)
  const polledCounts = data?.totals.map(({ customer, count }) => ({ customerId: customer.id, count }))
  const counts = (polledCounts ?? [...alarms.values()]).filter(
    (entry) => customerId === null || entry.customerId === customerId
  )
  const knownCounts = counts.flatMap(({ count }) => count ?? [])
  return {
    total: knownCounts.length > 0 ? knownCounts.reduce((sum, count) => sum + count, 0) : null,
    lateSince: isPolling ? polledSince : (late?.since ?? null)
  }
}
