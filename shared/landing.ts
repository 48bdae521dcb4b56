// Decides which page a user sees first (.github/product.md#routes), and who may open a customer.
import type { Bootstrap } from './entities.ts'
import { holds, ROLES } from './permissions.ts'
import { parseScope } from './scopes.ts'

export type Landing = { to: 'users-and-roles' } | { to: 'customers' } | { to: 'customer'; customerId: string }

/** Whether the user has one of the seven roles, without which the main area cannot be opened. */
export function mayEnter({ user }: Bootstrap): boolean {
  return holds(user.roleAssignments, ...ROLES.map((role) => role.name))
}

export function isGlobalAdmin({ user }: Bootstrap): boolean {
  return holds(user.roleAssignments, 'global_admin')
}

/** The customer of a customer user who has only one; null for all other users. */
export function ownCustomer({ user, customers }: Bootstrap): string | null {
  return user.userType === 'CUSTOMER' ? (customers.only?.id ?? null) : null
}

export function landingOf(bootstrap: Bootstrap): Landing {
  if (isGlobalAdmin(bootstrap)) return { to: 'users-and-roles' }
  const customerId = ownCustomer(bootstrap)
  return customerId === null ? { to: 'customers' } : { to: 'customer', customerId }
}

/** Whether a customer user with several customers opens a customer that is not theirs. */
export function isForeignCustomer(bootstrap: Bootstrap, customerId: string): boolean {
  const { user } = bootstrap
  if (user.userType !== 'CUSTOMER' || ownCustomer(bootstrap) !== null) return false
  return !user.roleAssignments.some(({ scope }) => {
    const parts = parseScope(scope)
    return parts !== null && (parts.customerId ?? customerId) === customerId
  })
}

const ALARM_ROLES = [
  'partner_admin',
  'partner_user',
  'customer_admin',
  'customer_user',
  'global_admin'
] as const

/** Whether the user may open the alarms page. Niagara Remote and NDS operators open alarms only through a device. */
export function mayOpenAlarms({ user }: Bootstrap): boolean {
  return holds(user.roleAssignments, ...ALARM_ROLES)
}
