// Decides the first page of each person (.github/product.md#routes) and who may open a customer's area.
import type { Bootstrap } from './entities.ts'
import { holds, ROLES } from './permissions.ts'
import { parseScope } from './scopes.ts'

export type Landing = { to: 'users-and-roles' } | { to: 'customers' } | { to: 'customer'; customerId: string }

/** The main area needs one of the seven roles. */
export function mayEnter({ user }: Bootstrap): boolean {
  return holds(user.roleAssignments, ...ROLES.map((role) => role.name))
}

export function isGlobalAdmin({ user }: Bootstrap): boolean {
  return holds(user.roleAssignments, 'global_admin')
}

/** The only customer of a customer user; null for others. */
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
    const held = parseScope(scope)
    return held !== null && (held.customerId ?? customerId) === customerId
  })
}

const ALARM_ROLES = [
  'partner_admin',
  'partner_user',
  'customer_admin',
  'customer_user',
  'global_admin'
] as const

/** Niagara Remote and NDS operators open alarms only through a device. */
export function mayOpenAlarms({ user }: Bootstrap): boolean {
  return holds(user.roleAssignments, ...ALARM_ROLES)
}
