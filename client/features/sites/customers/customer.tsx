import { createContext, type ReactNode, useCallback, useContext } from 'react'
import type { ProjectList } from '#shared/answers/customers.ts'
import { isGlobalAdmin } from '#shared/landing.ts'
import type { Action } from '#shared/permissions.ts'
import { CUSTOMER_NOT_SET } from '../../../lib/messages.ts'
import { paths } from '../../../lib/paths.ts'
import { useSession } from '../../../lib/session/session.ts'
import { useTrail } from '../../../lib/session/use-trail.ts'
import { useProjects } from './api.ts'

export type ProjectEntry = ProjectList['projects'][number]

export type Customer = ReturnType<typeof useCustomerWithRights>

const CustomerContext = createContext<Customer | null>(null)

/** The customer here: of the page or, in a list of all customers, of the open row. With the person's rights. */
export function useCustomer(): Customer {
  const customer = useContext(CustomerContext)
  if (!customer) throw new Error(CUSTOMER_NOT_SET)
  return customer
}

interface CustomerScopeProps {
  customerId: string
  /** The customer's integrator, for a global admin. */
  organizationId: string | undefined
  children: ReactNode
}

/** Loads the customer once for everything inside. */
export function CustomerScope({ customerId, organizationId, children }: CustomerScopeProps) {
  return (
    <CustomerContext value={useCustomerWithRights(customerId, organizationId)}>{children}</CustomerContext>
  )
}

function useCustomerWithRights(customerId: string, organizationId: string | undefined) {
  const session = useSession()
  const { can, user } = session
  const { data: list, error, isFetching, refetch } = useProjects(customerId)
  const { only } = session.customers
  const knownName = list?.customer.orgName ?? (only?.id === customerId ? only.orgName : undefined)
  const scope = list?.customer.scope
  const mayAct = useCallback((action: Action) => scope !== undefined && can(action, scope), [can, scope])
  const ownIntegratorId = user.userType === 'PARTNER' ? user.organizationId : null
  const integratorId = isGlobalAdmin(session) ? organizationId : ownIntegratorId
  return {
    customerId,
    organizationId,
    customerPath: paths.customer(customerId, organizationId),
    list,
    orgName: list?.customer.orgName,
    /** The name, possibly before the customer is loaded. */
    knownName,
    /** The integrator of new projects; null if the person may not create projects. */
    partnerId: mayAct('projects:create') ? (integratorId ?? null) : null,
    /** Whether the person may do an action at this customer. False until the customer's scope is known. */
    can: mayAct,
    trail: useTrail(knownName),
    /** The error of a failed first load. */
    error: list ? undefined : error,
    /** The error of a failed reload. */
    staleError: list ? error : undefined,
    isFetching,
    refetch
  }
}

/** Why a project cannot be deleted; null if it can. */
export function deletionRefusal({ deviceCount }: { deviceCount: number }): string | null {
  if (deviceCount === 0) return null
  return `It has ${deviceCount === 1 ? 'a device' : 'devices'}. Move or delete ${deviceCount === 1 ? 'it' : 'them'} first.`
}
