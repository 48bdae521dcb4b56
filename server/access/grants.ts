// Checks calls that grant roles by the rules of shared/grants.ts: looks up the user's current roles and the remaining admins,
// and adds to the call's deletions the narrower assignments that its grants replace.
import pLimit from 'p-limit'
import type { RoleAssignment } from '#shared/answers/portal.ts'
import { excerpt } from '#shared/excerpt.ts'
import {
  adminsLost,
  grantRefusal,
  overlap,
  type RoleChanges,
  removalRefusal,
  replacedBy
} from '#shared/grants.ts'
import { ROLE_CHANGES_MAX } from '#shared/limits.ts'
import { CODES } from '#shared/messages.ts'
import type { Action, AssignableLevel, Assignment } from '#shared/permissions.ts'
import { covers, parseScope } from '#shared/scopes.ts'
import { Problem, problems } from '../errors.ts'
import { raw } from '../upstreams/fields.ts'
import type { CheckedCall, CheckRule } from './checks.ts'
import { linkedId } from './links.ts'
import type { Lookups, RolesByNumber } from './lookups.ts'

/** Limits of the look-ups of one call. */
const LOOKUPS_MAX = 100
const LOOKUPS_AT_ONCE = 4

const GRANT_LIMITS =
  'Callers may not give roles that are above their own, outside their scopes, or not assignable at the scope.'
const LIMITS_OF_NEW_USERS = `${GRANT_LIMITS} Every scope must lie within that organization.`
const REPLACING = `${GRANT_LIMITS} Assignments at narrower scopes are replaced`

export const GRANT_CHECKS = {
  'user-grants': {
    says: `${REPLACING}, and the last admin must remain.`,
    needsBody: true,
    proves: ['id', 'delete'],
    async run(call, lookups) {
      const { userId = '' } = call.request.params as Record<string, string>
      const { changes, current, body } = await checkChanges(call, lookups, 'user', userId)
      await lookUpEach(adminsLost(changes, current), async (adminRole) => {
        const admins = await lookups.admins(adminRole, call.caller)
        if (admins.every((admin) => admin === userId)) throw lastAdmin(adminRole.scope)
      })
      return body
    }
  },
  'account-grants': {
    says: `${REPLACING}.`,
    needsBody: true,
    proves: ['id', 'delete'],
    async run(call, lookups) {
      const { serviceAccountId = '' } = call.request.params as Record<string, string>
      return (await checkChanges(call, lookups, 'serviceAccount', serviceAccountId)).body
    }
  },
  'invitation-grants': {
    says: LIMITS_OF_NEW_USERS,
    needsBody: true,
    run: (call, lookups) => checkNew(call, lookups, raw(call.body).customer ? 'CUSTOMER' : 'PARTNER')
  },
  'new-account-grants': {
    says: LIMITS_OF_NEW_USERS,
    needsBody: true,
    run: (call, lookups) => checkNew(call, lookups, 'SERVICE_ACCOUNT')
  }
} as const satisfies Record<string, CheckRule>

/** Checks the assignments of a new user or account. Each must lie within the call's organization. */
async function checkNew(call: CheckedCall, lookups: Lookups, level: AssignableLevel): Promise<void> {
  const { roleAssignments } = call.body as { roleAssignments?: LinkedAssignment[] }
  const grants = withRoles(roleAssignments, await lookups.roles(call.caller))
  refuseOutside(grants, call.scope)
  const refusal = grantRefusal(call.caller.user.roleAssignments, grants, level, actionOf(call))
  if (refusal !== null) throw problems.forbidden(refusal)
  await refuseInvalidScopes(grants, call, lookups)
}

async function checkChanges(
  call: CheckedCall,
  lookups: Lookups,
  kind: 'user' | 'serviceAccount',
  id: string
) {
  const changes = readChanges(call.body, await lookups.roles(call.caller))
  const { level, assignments: current } = await lookups.assignmentsOf(kind, id, call.caller)
  const currentById = new Map(current.map((assignment) => [assignment.id, assignment]))
  const changedIds = [...changes.delete, ...changes.update.map(({ id }) => id)]
  if (changedIds.some((changedId) => !currentById.has(changedId)))
    throw problems.notFound('An assignment that the call changes no longer exists.')

  const granter = call.caller.user.roleAssignments
  const oldAssignments = changedIds.map((changedId) => currentById.get(changedId) as RoleAssignment)
  const refusal =
    grantRefusal(granter, [...changes.create, ...changes.update], level, actionOf(call)) ??
    removalRefusal(granter, oldAssignments, actionOf(call))
  if (refusal !== null) throw problems.forbidden(refusal)
  await refuseInvalidScopes([...changes.create, ...changes.update], call, lookups)
  const removals = { delete: [...changes.delete, ...replacedBy(changes, current)] }
  return { changes: { ...changes, ...removals }, current, body: { ...raw(call.body), ...removals } }
}

function refuseOutside(grants: readonly Assignment[], scope: string): void {
  const { customerId, organizationId } = parseScope(scope) ?? {}
  const callScope = customerId ? scope : `/organizations/${organizationId}`
  const outsideGrant = grants.find((grant) => !covers(callScope, grant.scope))
  if (outsideGrant) throw problems.forbidden(`${excerpt(outsideGrant.scope)} lies outside this organization.`)
}

/** Refuses scopes whose customer does not belong to their integrator, and grants that replace others of the same call. */
async function refuseInvalidScopes(
  grants: readonly Assignment[],
  { caller }: CheckedCall,
  { organizations }: Lookups
) {
  if (overlap(grants)) throw problems.badRequest('The scope of one role lies within the scope of another.')
  const customers = new Set(grants.map(({ scope }) => scope).filter((scope) => parseScope(scope)?.customerId))
  await lookUpEach([...customers], async (scope) => {
    const { organizationId, customerId } = parseScope(scope) ?? {}
    const { partnerId } = await organizations.find(customerId ?? '', caller)
    if (partnerId !== organizationId) throw problems.notFound(`There is no ${excerpt(scope)}.`)
  })
}

/** Rethrows the first failure. Throws a 400 problem for too many look-ups. */
async function lookUpEach<T>(items: readonly T[], lookUp: (item: T) => Promise<void>): Promise<void> {
  if (items.length > LOOKUPS_MAX)
    throw problems.badRequest(`A call may change roles at ${LOOKUPS_MAX} customers at most.`)
  await pLimit(LOOKUPS_AT_ONCE).map(items, lookUp)
}

function actionOf({ action }: CheckedCall): Action {
  if (action === 'signed-in') throw problems.forbidden()
  return action
}

function lastAdmin(scope: string): Problem {
  return new Problem(409, 'last_admin', {
    detail: `This is the last admin of ${excerpt(scope)}; appoint another one first.`,
    code: CODES.lastAdmin
  })
}

// Bodies that grant roles, such as `{ role: '/roles/3', scope }`, already checked by the route's schema.

interface LinkedAssignment {
  role: string
  scope: string
}

interface LinkedChanges {
  create?: LinkedAssignment[]
  update?: (LinkedAssignment & { id: string })[]
  delete?: string[]
}

/** The assignments with their roles instead of links. Throws a 400 problem for an unknown role. */
function withRoles<T extends LinkedAssignment>(assignments: readonly T[] = [], roles: RolesByNumber) {
  return assignments.map((assignment) => {
    const role = roles.get(linkedId('roles', assignment.role) ?? '')
    if (role === undefined)
      throw problems.badRequest('The body names an unknown role; a role is given as "/roles/3".')
    return { ...assignment, role }
  })
}

/** Throws a 400 problem for too many changes, two changes of one assignment, or an unknown role. */
function readChanges(body: unknown, roles: RolesByNumber): RoleChanges {
  const { create = [], update = [], delete: deletedIds = [] } = body as LinkedChanges
  if (create.length + update.length + deletedIds.length > ROLE_CHANGES_MAX)
    throw problems.badRequest(`A call may contain ${ROLE_CHANGES_MAX} changes at most.`)
  const changedIds = [...deletedIds, ...update.map(({ id }) => id)]
  if (new Set(changedIds).size < changedIds.length)
    throw problems.badRequest('A call may change each assignment only once.')
  return {
    create: withRoles(create, roles),
    update: withRoles(update, roles),
    delete: deletedIds
  }
}
