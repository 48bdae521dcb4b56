// Names the visibility of a caller: the data that an upstream shows them. Only callers of equal visibility share answers and
// fetches. It does not decide about access.
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

/** A user stored by an earlier version shares nothing until they are read again. */
export function visibilityOf({ user }: Pick<Viewer, 'user'>): string {
  return user.visibility ?? `user ${user.id}`
}

const FIELDS = ['scope', 'roleName', 'roleNumber', 'role']
/** A known name, alone or after one word (`ncp_partner_admin`). A suffix could mean a narrower role. */
const ROLE_NAME = new RegExp(
  `^([a-z0-9]+_)?(${[...ROLES.map(({ name }) => name), 'custom', 'no_?access'].join('|')})$`,
  'i'
)

/**
 * The visibility of a `/myUser` answer: equal for users of one organization and type with equal assignments. A user with an
 * unknown field or role in an assignment shares with nobody.
 */
export function readVisibility(body: unknown): string {
  const { id, userType, organizationId, roleAssignments = [] } = raw(body)
  const assignments = (Array.isArray(roleAssignments) ? roleAssignments : [null]).map(readAssignment)
  const isShared = USER_TYPES.some((type) => type === userType) && assignments.every(isKnown)
  const held = assignments.map((assignment) => JSON.stringify(assignment)).sort()
  return hash('sha256', JSON.stringify([isShared ? null : id, userType, organizationId, held]), 'base64url')
}

/** The assignment without its id and link, which differ for every user. */
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
