import { createContext, useCallback, useContext } from 'react'
import { useParams } from 'react-router-dom'
import type { ProjectList } from '#shared/entities.ts'
import { isGlobalAdmin } from '#shared/landing.ts'
import { CUSTOMER_NOT_SET } from '#shared/messages.ts'
import type { Action } from '#shared/permissions.ts'
import { paths } from '../../lib/paths.ts'
import { useSession } from '../session/session.ts'
import { useTrail } from '../session/use-trail.ts'
import { useProjects } from './api.ts'

export type ProjectEntry = ProjectList['projects'][number]

export type Customer = ReturnType<typeof useLoadedCustomer>

export const CustomerContext = createContext<Customer | null>(null)

/** The customer in the address, with the person's rights. */
export function useCustomer(): Customer {
  const customer = useContext(CustomerContext)
  if (!customer) throw new Error(CUSTOMER_NOT_SET)
  return customer
}

/** Loads the customer once for all pages below the guard. */
export function useLoadedCustomer() {
  const session = useSession()
  const { can, user } = session
  const { customerId = '', organizationId } = useParams()
  const { data: list, error, busy, reload } = useProjects(customerId)
  const scope = list?.customer.scope
  const canHere = useCallback((action: Action) => scope !== undefined && can(action, scope), [can, scope])
  const own = user.userType === 'PARTNER' ? user.organizationId : null
  const integrator = isGlobalAdmin(session) ? organizationId : own
  return {
    customerId,
    organizationId,
    customerPath: paths.customer(customerId, organizationId),
    list,
    orgName: list?.customer.orgName,
    /** The integrator of new projects; null without the right to create one. */
    partnerId: canHere('projects:create') ? (integrator ?? null) : null,
    /** False until the customer's scope is known. */
    can: canHere,
    trail: useTrail(list?.customer.orgName),
    /** The first load failed. */
    error: list ? undefined : error,
    /** A reload failed. */
    staleError: list ? error : undefined,
    busy,
    reload
  }
}

/** The reason that a project cannot be deleted; null when it can. */
export function deletionRefusal({ deviceCount }: { deviceCount: number }): string | null {
  if (deviceCount === 0) return null
  return `It has ${deviceCount === 1 ? 'a device' : 'devices'}. Move or delete ${deviceCount === 1 ? 'it' : 'them'} first.`
}
