import type { Bootstrap } from '#shared/answers/portal.ts'
import { ownCustomer } from '#shared/landing.ts'
import { holds, ROLES } from '#shared/permissions.ts'
import { parseScope } from '#shared/scopes.ts'

/** Whether the user has one of the seven roles, without which the main area cannot be opened. */
export function mayEnter({ user }: Bootstrap): boolean {
  return holds(user.roleAssignments, ...ROLES.map((role) => role.name))
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
