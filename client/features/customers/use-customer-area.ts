import { useParams } from 'react-router-dom'
import type { Action } from '#shared/permissions.ts'
import { paths } from '../../lib/paths.ts'
import { useSession } from '../session/session.ts'
import { type Crumb, useTrail } from '../session/use-trail.ts'
import { useProjects } from './api.ts'

export interface CustomerArea {
  customerId: string
  organizationId: string | undefined
  customerPath: string
  orgName: string | undefined
  /** False until the customer's scope is known. */
  can: (action: Action) => boolean
  /** Up to the customer, whose devices its crumb leads to. */
  trail: Crumb[]
  error: unknown
  busy: boolean
  reload: () => void
}

/** The customer that the address is about, and what this person may do there. */
export function useCustomerArea(): CustomerArea {
  const { can } = useSession()
  const { customerId = '', organizationId } = useParams()
  const { data, error, busy, reload } = useProjects(customerId)
  const scope = data?.customer.scope
  return {
    customerId,
    organizationId,
    customerPath: paths.customer(customerId, organizationId),
    orgName: data?.customer.orgName,
    can: (action) => scope !== undefined && can(action, scope),
    trail: useTrail(data?.customer.orgName),
    error: data ? undefined : error,
    busy,
    reload
  }
}
