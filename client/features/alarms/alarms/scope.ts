// What a board of alarms is about: a device, a customer, or all customers of an organization.
import { useMemo } from 'react'
import type { CustomerName, Device } from '#shared/answers/customers.ts'
import type { AlarmOfCustomer } from '#shared/answers/portal.ts'
import { isGlobalAdmin } from '#shared/landing.ts'
import { mayAnywhere } from '#shared/permissions.ts'
import { ALL_ALARMS_QUERY } from '#shared/screens.ts'
import { paths } from '../../../lib/paths.ts'
import { useSession } from '../../../lib/session/session.ts'
import { useCustomer } from '../../sites/customers/customer.tsx'
import type { Preset } from './alarm.ts'

export interface AlarmScope {
  /** The organization whose customers the board lists; null for one customer. */
  organizationId: string | null
  /** The customer whose alarms the board lists; null for all customers. */
  customer: CustomerName | null
  /** The device whose alarms the board lists; null for all devices. */
  device: Device | null
  presets: readonly Preset[]
  /** How the list is sorted at first. */
  firstOrder: { sort: string; order: string }
  customerPathOf: (customer: Pick<CustomerName, 'id'>) => string
  /** The integrator in the addresses of customers, for a global admin. */
  integratorId: string | undefined
  /** Whether the person may see the alarms; null until the rights are known. */
  mayQuery: boolean | null
  mayManage: (alarm: AlarmOfCustomer) => boolean
  /** Whether the person may manage any alarm. Otherwise a selection has no use. */
  managesAny: boolean
  mayOpenHistory: (alarm: AlarmOfCustomer) => boolean
}

/** @param device null for all devices of the customer in the address */
export function useCustomerScope(device: Device | null): AlarmScope {
  const { customerId, customerPath, organizationId, list, can } = useCustomer()
  const manages = can('alarms:manage')
  const queries = can('alarms:query')
  const { enableHistoryCharting } = useSession().flags
  const readsHistory = enableHistoryCharting && can('data:query')
  const customer = list?.customer
  return useMemo(
    () => ({
      organizationId: null,
      customer: { id: customerId, orgName: customer?.orgName ?? '', scope: customer?.scope ?? '' },
      device,
      presets: device ? ['action', 'all'] : ['action', 'active', 'unacked', 'all'],
      firstOrder: { sort: 'timestamp', order: 'desc' },
      customerPathOf: () => customerPath,
      integratorId: organizationId,
      mayQuery: list ? queries : null,
      mayManage: () => manages,
      managesAny: manages,
      mayOpenHistory: () => readsHistory
    }),
    [customerId, customerPath, organizationId, list, customer, device, queries, manages, readsHistory]
  )
}

/** All customers of the organization that the person may see. */
export function useOrganizationScope(organizationId: string): AlarmScope {
  const session = useSession()
  return useMemo(() => {
    const integratorId = isGlobalAdmin(session) ? organizationId : undefined
    return {
      organizationId,
      customer: null,
      device: null,
      presets: ['action', 'active', 'unacked'],
      firstOrder: { sort: ALL_ALARMS_QUERY.sort, order: ALL_ALARMS_QUERY.order },
      customerPathOf: ({ id }) => paths.customer(id, integratorId),
      integratorId,
      // The guard of the page has checked it.
      mayQuery: true,
      mayManage: ({ customer }) => session.can('alarms:manage', customer.scope),
      managesAny: mayAnywhere(session.user.roleAssignments, 'alarms:manage'),
      mayOpenHistory: ({ customer }) =>
        session.flags.enableHistoryCharting && session.can('data:query', customer.scope)
    }
  }, [organizationId, session])
}
