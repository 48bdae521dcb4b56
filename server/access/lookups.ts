// The look-ups of access decisions, by the calls of server/upstreams and with the caller's own token.
import { LRUCache } from 'lru-cache'
import type { AssignableLevel } from '#shared/permissions.ts'
import { parseScope } from '#shared/scopes.ts'
import type { Clock } from '../types.ts'
import type { UpstreamClient } from '../upstreams/client.ts'
import { raw } from '../upstreams/fields.ts'
import type { OrganizationDirectory } from '../upstreams/organization-directory.ts'
import { createSingleFlight } from '../upstreams/single-flight.ts'
import { fetchRoles, fetchUser, fetchUsersOf, toAssignments } from '../upstreams/users.ts'
import { visibilityOf } from '../upstreams/visibility.ts'
import type { GrantLookups, RolesByNumber } from './grants.ts'
import { createOwnership, type Inventories } from './ownership.ts'
import type { Lookups } from './scope-of.ts'

/** Roles hardly ever change. */
const ROLES_FRESH_MS = 10 * 60_000
const ROLE_LISTS_KEPT = 1_000

interface Services {
  client: UpstreamClient
  organizations: OrganizationDirectory
  snapshots: Inventories
  clock: Clock
}

export function createLookups({ client, organizations, snapshots, clock }: Services): Lookups & GrantLookups {
  const roles = new LRUCache<string, RolesByNumber>({
    max: ROLE_LISTS_KEPT,
    ttl: ROLES_FRESH_MS,
    perf: { now: clock },
    ttlResolution: 0
  })
  const fetches = createSingleFlight<RolesByNumber>(clock)

  return {
    organizations,
    ownership: createOwnership({ snapshots, client }),
    organizationOfUser: async (userId, caller) => (await fetchUser(client, userId, caller)).organizationId,
    async roles(caller) {
      const name = visibilityOf(caller)
      return (
        roles.get(name) ??
        fetches.share(name, {
          fetch: () => fetchRoles(client, caller),
          // Don't keep an empty list: a caller who changes roles has at least one.
          keep: (found, start) => void (found.size > 0 && roles.set(name, found, { start }))
        })
      )
    },
    async assignmentsOf(kind, id, caller) {
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
