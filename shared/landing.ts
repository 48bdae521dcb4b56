// Decides which page a user sees first (.github/product.md#routes).
import type { Bootstrap } from './answers/portal.ts'
import { holds } from './permissions.ts'

export type Landing = { to: 'users-and-roles' } | { to: 'customers' } | { to: 'customer'; customerId: string }

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
