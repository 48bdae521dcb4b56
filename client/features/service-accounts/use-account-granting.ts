import type { Action } from '#shared/permissions.ts'
import type { Granting } from '../access/access-draft.ts'
import { useRoleNumbers } from '../access/api.ts'
import { scopeNames } from '../access/role-text.ts'
import { useAllCustomers } from '../customers/api.ts'
import { useOrganization } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import type { AccountsCustomer } from './use-customer.ts'

/** What giving roles to a service account needs: who gives, which roles there are, and what scopes are called. */
export function useAccountGranting(customer: AccountsCustomer, action: Action) {
  const { user, can } = useSession()
  const numbers = useRoleNumbers()
  const integratorId = can('customers:view', customer.integratorScope) ? customer.integratorId : null
  const integrator = useOrganization(integratorId)
  const customers = useAllCustomers(integratorId)
  const integratorName = integrator.data?.orgName ?? 'the integrator'
  const known = customers.data ?? [customer]
  const granting: Granting = {
    granter: user.roleAssignments,
    level: 'SERVICE_ACCOUNT',
    action,
    // Until the roles are known the choices keep their place; nothing can be sent before.
    known: (role) => numbers.data?.has(role) ?? true
  }
  return {
    numbers,
    customers: known.filter(({ scope }) => can(action, scope)),
    integratorName,
    granting,
    nameOf: scopeNames(customer.integratorScope, known)
  }
}
