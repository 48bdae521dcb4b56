// Everything that access decisions look up, over the calls of server/upstreams and with the caller's own token.
import { LRUCache } from 'lru-cache'
import type { AssignableLevel } from '#shared/permissions.ts'
import { parseScope } from '#shared/scopes.ts'
import type { Caller, Clock } from '../types.ts'
import type { UpstreamClient } from '../upstreams/client.ts'
import { raw } from '../upstreams/fields.ts'
import type { OrganizationDirectory } from '../upstreams/organization-directory.ts'
import { fetchRoles, fetchUser, fetchUsersOf, toAssignments } from '../upstreams/users.ts'
import { createBelongings, type Inventories } from './belongings.ts'
import type { GrantLookups } from './grant-checks.ts'
import type { RolesByNumber } from './role-bodies.ts'
import type { Lookups } from './scope-of.ts'

/** Roles hardly ever change. */
const ROLES_FRESH_MS = 10 * 60_000

interface Services {
  client: UpstreamClient
  organizations: OrganizationDirectory
  inventories: Inventories
  clock: Clock
}

export function createLookups({
  client,
  organizations,
  inventories,
  clock
}: Services): Lookups & GrantLookups {
  const roles = new LRUCache<'all', RolesByNumber, Caller>({
    max: 1,
    ttl: ROLES_FRESH_MS,
    perf: { now: clock },
    ttlResolution: 0,
    fetchMethod: (_key, _stale, { context }) => fetchRoles(client, context)
  })

  return {
    organizations,
    belongings: createBelongings({ inventories, client, clock }),
    organizationOfUser: async (userId, caller) => (await fetchUser(client, userId, caller)).organizationId,
    roles: async (caller) => (await roles.fetch('all', { context: caller })) as RolesByNumber,
    async holder(kind, id, caller) {
      if (kind === 'user') {
        const { userType, roleAssignments } = await fetchUser(client, id, caller)
        const level: AssignableLevel = userType === 'CUSTOMER' ? 'CUSTOMER' : 'PARTNER'
        return { level, held: roleAssignments }
      }
      const path = `/api/v2/management/serviceAccounts/${encodeURIComponent(id)}`
      const account = raw(await client.get('MANAGEMENT', path, caller))
      return { level: 'SERVICE_ACCOUNT', held: toAssignments(account.roleAssignments) }
    },
    async admins({ role, scope }, caller) {
      const { customerId, organizationId } = parseScope(scope) ?? {}
      const home = customerId ?? organizationId
      if (!home) return []
      const users = await fetchUsersOf(client, home, caller)
      const isAdmin = (held: { role: string; scope: string }) => held.role === role && held.scope === scope
      return users.filter(({ roleAssignments }) => roleAssignments.some(isAdmin)).map(({ id }) => id)
    }
  }
}
