// Queries and bodies that several areas share. Data only.
import { oneOf } from '#shared/answers/parts.ts'
import { PAGE_SIZE_MAX, ROLE_CHANGES_MAX } from '#shared/limits.ts'
import { SCOPE_MAX_CHARACTERS } from '#shared/scopes.ts'
import { closed, id, link, listOf, optional, orNull, pageNumber, roleLink, text, whole, yesNo } from '../../schemas.ts'

/** Maximum number of objects that a call may name: one page. */
export const OBJECTS_MAX = 1000
/** Maximum size of a body with OBJECTS_MAX identifiers (39 bytes per UUID in JSON), or with ROLE_CHANGES_MAX roles (33 KB). */
export const IDS_BYTES = 64 * 1024
/** Maximum size of a body with OBJECTS_MAX objects: a report of 1,000 points with their devices takes 400 KB. */
export const OBJECTS_BYTES = 512 * 1024

const page = optional(pageNumber)
const size = optional(whole(1, PAGE_SIZE_MAX, 'Maximum number of items on a page.'))

/** Query of a HAL list. */
export const PAGED = { page, size, sort: optional(text(100, 'Property and direction.', { examples: ['fullName,asc', 'createdDate,desc'] })) }
export const SEARCHED = { ...PAGED, keyword: optional(text(300, 'Text to look for.')) }
/** Query of calls with the paging, counting and sorting of the entity-model API. */
export const COUNTED = { page, size, count: optional(yesNo('Whether the page contains totals.')), sortBy: optional(text(100, 'Property to sort by.')), sortDir: optional(oneOf(['asc', 'desc'], 'Ascending or descending.')) }
/** Query of the notifier's lists. */
export const NOTIFIED = { readStatus: optional(yesNo('True: only read notifications. False: only unread ones.')), page, size, sortBy: optional(text(100, 'Property and direction.', { examples: ['generatedDate,desc'] })) }

export const integrator = link('organizations', '`/organizations/{id}` of the integrator.')
/** The owner of a new object. */
export const owner = { customer: optional(orNull(link('organizations'), '`/organizations/{id}` of the customer; null for an object of the integrator itself.')), partner: optional(orNull(integrator)) }

const assignment = { role: roleLink, scope: text(SCOPE_MAX_CHARACTERS, 'A scope path.') }
/** The first roles of a new object, or further ones. */
export const newAssignments = listOf(closed(assignment, { $id: 'NewRoleAssignment' }), ROLE_CHANGES_MAX)

/** Body of `PATCH …/roleAssignments`. */
export const roleChanges = closed(
  { create: optional(newAssignments), update: optional(listOf(closed({ id: id('Id of an assignment.', 'ra-1'), ...assignment }), ROLE_CHANGES_MAX)), delete: optional(listOf(id('Id of an assignment.', 'ra-1'), ROLE_CHANGES_MAX)) },
  { $id: 'RoleChanges', description: `At most ${ROLE_CHANGES_MAX} changes in all lists together.` }
)

/** The fields of role changes, and of an object with its first roles, that the audit trail records. */
export const ROLE_CHANGES = ['create.role', 'create.scope', 'update.id', 'update.role', 'update.scope', 'delete'] as const
export const NEW_ROLES = ['customer', 'partner', 'roleAssignments.role', 'roleAssignments.scope'] as const

/** Path parameters by name. */
export const PATH_PARAMETERS: Readonly<Record<string, readonly [meaning: string, example: string]>> = {
  organizationId: ['Id of an integrator or a customer.', '1'],
  customerId: ['Id of a customer.', '9'],
  userId: ['Id of a user.', 'u-17'],
  projectId: ['Id of a project.', '3'],
  deviceId: ['Id of a device.', 'd-7'],
  deviceUuid: ['Uuid of a device.', '6f1c2d8e-0b7a-4c59-9f3e-2a4d5b6c7e80'],
  serviceAccountId: ['Id of a service account.', 'sa-2'],
  invitationId: ['Id of an invitation.', 'inv-4'],
  reportId: ['Id of a report.', 'rep-11'],
  exportId: ['Id of an export.', 'exp-5'],
  backupId: ['Id of a backup.', 'bak-8'],
  code: ['The code that the device shows: 8 characters, valid for 15 minutes.', 'AB12CD34']
}
