// A comparable name for what an upstream shows a user. Only callers of equal visibility share answers and fetches. It decides
// nothing about access.
import { hash } from 'node:crypto'
import { USER_TYPES } from '#shared/answers/people.ts'
import { ROLES } from '#shared/permissions.ts'
import { parseScope } from '#shared/scopes.ts'
import type { CallerUser } from '../types.ts'
import type { Bearer } from './client.ts'
import { type Raw, raw, text } from './fields.ts'

/** A caller for whom an upstream is read. */
export interface Viewer extends Bearer {
  readonly user: Readonly<Pick<CallerUser, 'id' | 'visibility'>>
}

/** A user whose assignments were read by an earlier version shares nothing until they are read again. */
export function visibilityOf({ user }: Pick<Viewer, 'user'>): string {
  return user.visibility ?? `user ${user.id}`
}

const FIELDS = ['scope', 'roleName', 'roleNumber', 'role']
/** A known name, alone or behind one word (`ncp_partner_admin`). What follows the name may narrow the role. */
const ROLE_NAME = new RegExp(
  `^([a-z0-9]+_)?(${[...ROLES.map(({ name }) => name), 'custom', 'no_?access'].join('|')})$`,
  'i'
)

/**
 * The visibility of a `/myUser` answer: equal for users of one organization and type with equal assignments. A user with an
 * unknown field or role in them shares with nobody.
 */
export function readVisibility(body: unknown): string {
  const { id, userType, organizationId, roleAssignments = [] } = raw(body)
  const assignments = (Array.isArray(roleAssignments) ? roleAssignments : [null]).map(readAssignment)
  const isShared = USER_TYPES.some((type) => type === userType) && assignments.every(isKnown)
  const held = assignments.map((assignment) => JSON.stringify(assignment)).sort()
  return hash('sha256', JSON.stringify([isShared ? null : id, userType, organizationId, held]), 'base64url')
}

/** The assignment without its id and address, which differ for every user. */
function readAssignment(body: unknown): Raw {
  const { id: _id, _links, ...fields } = raw(body)
  const { self: _self, ...links } = raw(_links)
  return { ...fields, links }
}

function isKnown({ links, ...fields }: Raw): boolean {
  return (
    Object.keys(fields).every((field) => FIELDS.includes(field)) &&
    Object.keys(raw(links)).every((link) => link === 'role') &&
    ROLE_NAME.test(text(fields.roleName)) &&
    parseScope(text(fields.scope)) !== null
  )
}
