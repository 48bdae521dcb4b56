// Names the visibility of a caller: which data an upstream shows the caller. Only callers of equal visibility share answers
// and fetches. Access is decided elsewhere (server/access).
import { hash } from 'node:crypto'
import { USER_TYPES } from '#shared/answers/people.ts'
import { ROLES } from '#shared/permissions.ts'
import { parseScope } from '#shared/scopes.ts'
import type { CallerUser } from '../types.ts'
import type { Bearer } from './client.ts'
import { type Raw, raw, text } from './fields.ts'

/** A caller for whom data is fetched from an upstream. */
export interface Viewer extends Bearer {
  readonly user: Readonly<Pick<CallerUser, 'id' | 'visibility'>>
}

/** A user whom an earlier version stored has no `visibility`, and shares nothing until fetched again. */
export function visibilityOf({ user }: Pick<Viewer, 'user'>): string {
  return user.visibility ?? `user ${user.id}`
}

const FIELDS = ['scope', 'roleName', 'roleNumber', 'role']
/** Matches a known role name, alone or after one word (`ncp_partner_admin`). A suffix could mean a narrower role. */
const ROLE_NAME = new RegExp(
  `^([a-z0-9]+_)?(${[...ROLES.map(({ name }) => name), 'custom', 'no_?access'].join('|')})$`,
  'i'
)

/**
 * Computes the visibility from a `/myUser` answer: equal for users of the same organization and type with equal assignments.
 * A user with an unknown field or role in an assignment has a visibility that no other user has.
 */
export function readVisibility(body: unknown): string {
  const { id, userType, organizationId, roleAssignments = [] } = raw(body)
  const assignments = (Array.isArray(roleAssignments) ? roleAssignments : [null]).map(readAssignment)
  const isShared = USER_TYPES.some((type) => type === userType) && assignments.every(isKnown)
  const texts = assignments.map((assignment) => JSON.stringify(assignment)).sort()
  return hash('sha256', JSON.stringify([isShared ? null : id, userType, organizationId, texts]), 'base64url')
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
