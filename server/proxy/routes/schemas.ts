// Queries and bodies that rows of several areas have in common (upstream contract, house style). Data only.
import { PAGE_SIZE_MAX } from '#shared/limits.ts'
import { SCOPE_MAX_CHARACTERS } from '#shared/scopes.ts'
import { closed, id, link, listOf, oneOf, optional, orNull, pageNumber, roleLink, text, whole, yesNo } from '../../schemas.ts'

/** Changes of roles in each list of a call; all lists together take no more (access/role-bodies.ts). */
const ROLES_MAX = 100
/** Objects that a call names: as many as a page holds. */
export const OBJECTS_MAX = 1000

const page = optional(pageNumber)
const size = optional(whole(1, PAGE_SIZE_MAX, 'Items of a page.'))

/** Query of a HAL list. */
export const PAGED = { page, size, sort: optional(text(100, 'Property and direction.', { examples: ['fullName,asc', 'createdDate,desc'] })) }
export const SEARCHED = { ...PAGED, keyword: optional(text(300, 'Text to look for.')) }
/** Query of the calls that count and sort in the way of the entity model. */
export const COUNTED = { page, size, count: optional(yesNo('Whether the totals are counted.')), sortBy: optional(text(100, 'Property to sort by.')), sortDir: optional(oneOf(['asc', 'desc'], 'Ascending or descending.')) }
/** Query of the notifier's lists. */
export const NOTIFIED = { readStatus: optional(yesNo('Only read or unread ones; without it all.')), page, size, sortBy: optional(text(100, 'Property and direction.', { examples: ['generatedDate,desc'] })) }

export const userType = oneOf(['PARTNER', 'CUSTOMER', 'INTERNAL', 'UNASSIGNED'], '`INTERNAL` is a global admin.')

/** Whom a new object belongs to. */
export const owner = {
  customer: optional(orNull(link('organizations'), '`/organizations/{id}` of the customer; null for what is of the integrator itself.')),
  partner: optional(orNull(link('organizations'), '`/organizations/{id}` of the integrator.'))
}

const assignment = { role: roleLink, scope: text(SCOPE_MAX_CHARACTERS, 'A scope path.') }
export const newAssignments = optional(listOf(closed(assignment, { $id: 'NewRoleAssignment' }), ROLES_MAX))

/** Body of `PATCH …/roleAssignments`. */
export const roleChanges = closed(
  { create: newAssignments, update: optional(listOf(closed({ id: id('Id of an assignment.', 'ra-1'), ...assignment }), ROLES_MAX)), delete: optional(listOf(id('Id of an assignment.', 'ra-1'), ROLES_MAX)) },
  { $id: 'RoleChanges', description: `At most ${ROLES_MAX} changes in all lists together.` }
)
