// Looks up data for access decisions, with the caller's own token.
import type { RoleAssignment } from '#shared/answers/portal.ts'
import type { AssignableLevel, Assignment, Role } from '#shared/permissions.ts'
import { parseScope } from '#shared/scopes.ts'
import { problems } from '../errors.ts'
import type { Caller, Clock } from '../types.ts'
import type { UpstreamClient } from '../upstreams/client.ts'
import { raw } from '../upstreams/fields.ts'
import type { OrganizationDirectory } from '../upstreams/organization-directory.ts'
import { createSharedCache } from '../upstreams/shared-cache.ts'
import { fetchRoles, fetchUser, fetchUsersOf, toAssignments } from '../upstreams/users.ts'
import { visibilityOf } from '../upstreams/visibility.ts'
import { createOwnership, type Inventories } from './ownership.ts'

/** Maximum age of a cached list of roles. Long, because roles hardly ever change. */
const ROLES_FRESH_MS = 10 * 60_000
const ROLE_LISTS_MAX = 1_000

/** Roles by the number at the end of their link. */
export type RolesByNumber = ReadonlyMap<string, Role>

export type Lookups = ReturnType<typeof createLookups>

interface Services {
  client: UpstreamClient
  sharedClient: UpstreamClient
  organizations: OrganizationDirectory
  snapshots: Inventories
  clock: Clock
}

export function createLookups({ client, sharedClient, organizations, snapshots, clock }: Services) {
  const sharedRoles = createSharedCache<RolesByNumber>(ROLE_LISTS_MAX, ROLES_FRESH_MS, clock)

  return {
    organizations,
    ownership: createOwnership({ snapshots, client }),
    /** The organization of a user. Throws a 404 problem if there is no such user. */
    organizationOfUser: async (userId: string, caller: Caller): Promise<string | null> =>
      (await fetchUser(client, userId, caller)).organizationId,
    roles: (caller: Caller): Promise<RolesByNumber> =>
      sharedRoles.of(visibilityOf(caller), async () => {
        const rolesByNumber = await fetchRoles(sharedClient, caller)
        // Don't cache an empty list: a caller who may change roles has at least one role.
        if (rolesByNumber.size === 0) throw problems.upstreamGarbled('the list of roles is empty')
        return rolesByNumber
      }),
    /** The current assignments and the level of a user or service account. Throws a 404 problem if there is no such object. */
    async assignmentsOf(
      kind: 'user' | 'serviceAccount',
      id: string,
      caller: Caller
    ): Promise<{ level: AssignableLevel; assignments: RoleAssignment[] }> {
      if (kind === 'user') {
        const { userType, roleAssignments } = await fetchUser(client, id, caller)
        return { level: userType === 'CUSTOMER' ? 'CUSTOMER' : 'PARTNER', assignments: roleAssignments }
      }
      const path = `/api/v2/management/serviceAccounts/${encodeURIComponent(id)}`
      const account = raw(await client.get('MANAGEMENT', path, caller))
      return { level: 'SERVICE_ACCOUNT', assignments: toAssignments(account.roleAssignments) }
    },
    /** Ids of the users who have exactly that assignment. */
    async admins({ role, scope }: Assignment, caller: Caller): Promise<string[]> {
      const { customerId, organizationId } = parseScope(scope) ?? {}
      const usersOf = customerId ?? organizationId
      if (!usersOf) return []
      const users = await fetchUsersOf(client, usersOf, caller)
      const isThatAdmin = (assignment: { role: string; scope: string }) =>
        assignment.role === role && assignment.scope === scope
      return users.filter(({ roleAssignments }) => roleAssignments.some(isThatAdmin)).map(({ id }) => id)
    }
  }
}
