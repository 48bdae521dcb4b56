// The matrix of roles and actions (.github/product.md#actions) and its rules. The gateway enforces them; the client shows only
// what the rules allow. server/access finds the scope of a call.
import { ancestors, covers, parseScope } from './scopes.ts'

/** A role link ends with `number`. Upstream role names contain `name`. */
export const ROLES = [
  { number: 1, name: 'global_admin', label: 'Global admin' },
  { number: 2, name: 'partner_admin', label: 'Partner admin' },
  { number: 3, name: 'partner_user', label: 'Partner user' },
  { number: 4, name: 'customer_admin', label: 'Customer admin' },
  { number: 5, name: 'customer_user', label: 'Customer user' },
  { number: 6, name: 'niagara_remote', label: 'Niagara Remote' },
  { number: 7, name: 'nds_operator', label: 'NDS operator' }
] as const

export type RealRole = (typeof ROLES)[number]['name']
/** The markers `custom` and `noaccess` are assigned like roles, but allow nothing. */
export type Role = RealRole | 'custom' | 'noaccess'

const GA = 'global_admin'
const PA = 'partner_admin'
const PU = 'partner_user'
const CA = 'customer_admin'
const CU = 'customer_user'
const NR = 'niagara_remote'
const NO = 'nds_operator'

const ADMINS_ABOVE_CUSTOMER = [GA, PA] as const
const ADMINS = [GA, PA, CA] as const
const READERS = [GA, PA, PU, CA, CU, NR, NO] as const

const MATRIX = {
  'customers:view': [GA, PA, PU, NR, NO],
  'projects:view': READERS,
  'devices:view': READERS,
  'projects:create': ADMINS_ABOVE_CUSTOMER,
  'projects:edit': ADMINS_ABOVE_CUSTOMER,
  'projects:delete': ADMINS_ABOVE_CUSTOMER,
  'devices:register': ADMINS_ABOVE_CUSTOMER,
  'devices:edit': ADMINS_ABOVE_CUSTOMER,
  'devices:move': ADMINS_ABOVE_CUSTOMER,
  'devices:delete': ADMINS_ABOVE_CUSTOMER,
  'exports:view': [GA, PA, PU, CA, CU],
  'exports:download': [GA, PA, PU, CA],
  'exports:initiate': [GA, PA, PU, CA],
  'users:view': ADMINS,
  'users:modify-roles': ADMINS,
  'service-accounts:view': ADMINS_ABOVE_CUSTOMER,
  'service-accounts:create': ADMINS_ABOVE_CUSTOMER,
  'service-accounts:edit': ADMINS_ABOVE_CUSTOMER,
  'service-accounts:delete': ADMINS_ABOVE_CUSTOMER,
  'service-accounts:regenerate-secret': ADMINS_ABOVE_CUSTOMER,
  'service-accounts:modify-roles': ADMINS_ABOVE_CUSTOMER,
  'data:query-model': READERS,
  'data:query': READERS,
  'data:export': READERS,
  'reports:view': READERS,
  'reports:create': ADMINS,
  'reports:delete': ADMINS,
  'recover:view': [GA, PA, PU, CA, CU],
  'recover:edit': ADMINS_ABOVE_CUSTOMER,
  'recover:delete': ADMINS_ABOVE_CUSTOMER,
  'recover:download': [GA, PA, PU, CA],
  'remote:connect': [GA, PA, CA, NR],
  'alarms:query': READERS,
  'alarms:manage': [GA, PA, CA, NO],
  'live:read': READERS,
  'live:write': [GA, PA, CA, NO],
  'audit-log:view': READERS,
  'tech-support:toggle': [PA]
} as const satisfies Record<string, readonly RealRole[]>

export type Action = keyof typeof MATRIX

export const ACTIONS = Object.keys(MATRIX) as Action[]

export interface Assignment {
  role: Role
  /** A scope path, see scopes.ts. */
  scope: string
}

/** The roles that allow an action. */
export function rolesAllowing(action: Action): readonly RealRole[] {
  return MATRIX[action]
}

/** Whether an assignment at `scope`, or at a scope above, allows the action. */
export function may(assignments: readonly Assignment[], action: Action, scope: string): boolean {
  const roles: readonly string[] = MATRIX[action]
  return assignments.some(({ role, scope: outer }) => roles.includes(role) && covers(outer, scope))
}

/** Indexes assignments. Returns a function that finds the assignments for a scope, fast even among thousands. */
export function holdingAt(assignments: readonly Assignment[]): (scope: string) => Assignment[] {
  const rolesAt = new Map<string, Set<Role>>()
  for (const { role, scope } of assignments) {
    const roles = rolesAt.get(scope) ?? new Set()
    rolesAt.set(scope, roles.add(role))
  }
  return (innerScope) =>
    [innerScope, ...ancestors(innerScope)].flatMap((scope) =>
      Array.from(rolesAt.get(scope) ?? [], (role): Assignment => ({ role, scope }))
    )
}

/** Whether the action is allowed in at least one scope, for menus and pages that are not about one object. */
export function mayAnywhere(assignments: readonly Assignment[], action: Action): boolean {
  const roles: readonly string[] = MATRIX[action]
  return assignments.some(({ role }) => roles.includes(role))
}

/** Whether the assignments contain one of the roles, at any scope. */
export function holds(assignments: readonly Assignment[], ...roles: Role[]): boolean {
  return assignments.some(({ role }) => roles.includes(role))
}

/** The role whose name is contained in an upstream role name; null if there is none. */
export function recognizeRole(upstreamName: string): Role | null {
  const name = upstreamName.toLowerCase()
  const role = ROLES.find((candidate) => name.includes(candidate.name))
  if (role) return role.name
  if (/no_?access/.test(name)) return 'noaccess'
  return name.includes('custom') && !name.includes('customer') ? 'custom' : null
}

/** Assignable roles by grantee and kind of scope (.github/product.md#giving-roles). */
const ASSIGNABLE_ROLES = {
  PARTNER: { organization: [PA, PU, NR, NO, 'custom', 'noaccess'], customer: [CA, CU, NR, NO, 'noaccess'] },
  CUSTOMER: { organization: [], customer: [CA, CU, NR, NO, 'custom', 'noaccess'] },
  SERVICE_ACCOUNT: { organization: [PU, NO, 'custom'], customer: [CU, NO, 'custom'] }
} as const satisfies Record<string, Record<'organization' | 'customer', readonly Role[]>>

export type AssignableLevel = keyof typeof ASSIGNABLE_ROLES

/** The roles that a grantee of this level may get at a scope. None at the root. */
export function assignableRoles(level: AssignableLevel, scope: string): readonly Role[] {
  const { organizationId, customerId } = parseScope(scope) ?? {}
  if (!organizationId) return []
  return ASSIGNABLE_ROLES[level][customerId ? 'customer' : 'organization']
}

/** Tiers of roles, from the highest to the lowest. */
const HIERARCHY: readonly (readonly Role[])[] = [[GA], [PA, CA], [PU, CU, NR, NO], ['custom'], ['noaccess']]

/** The tier of a role: 0 is the highest. */
export function tierOf(role: Role): number {
  return HIERARCHY.findIndex((tier) => tier.includes(role))
}
