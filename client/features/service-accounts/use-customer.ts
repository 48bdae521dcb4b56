import { useParams } from 'react-router-dom'
import { organizationScope } from '#shared/scopes.ts'
import { paths } from '../../lib/paths.ts'
import { useOrganization } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { type Crumb, useTrail } from '../session/use-trail.ts'

export interface AccountsCustomer {
  id: string
  name: string
  scope: string
  integratorId: string
  integratorScope: string
  /** The customer's address, under its integrator for a global admin. */
  path: string
}

interface CustomerLoad {
  customer: AccountsCustomer | undefined
  /** The customer is not there, or its service accounts are not the caller's to see. */
  hidden: boolean
  error: unknown
  busy: boolean
  reload: () => void
  trail: Crumb[]
}

/** The customer of the address, whose service accounts these are. */
export function useCustomer(): CustomerLoad {
  const { customerId = '', organizationId } = useParams()
  const { can } = useSession()
  const { data, error, busy, reload } = useOrganization(customerId)
  const trail = useTrail(data?.orgName)
  const customer = data?.partnerId
    ? {
        id: data.id,
        name: data.orgName,
        scope: data.scope,
        integratorId: data.partnerId,
        integratorScope: organizationScope(data.partnerId),
        path: paths.customer(customerId, organizationId)
      }
    : undefined
  const hidden =
    data !== undefined && (customer === undefined || !can('service-accounts:view', customer.scope))
  return { customer: hidden ? undefined : customer, hidden, error, busy, reload, trail }
}
