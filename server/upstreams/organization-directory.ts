// Organizations by id, remembered for a minute: which integrator a customer belongs to is asked with every call.
// It holds no secret of the organization; who may see it is decided by the asker.
import { LRUCache } from 'lru-cache'
import type { Organization } from '#shared/entities.ts'
import type { Clock } from '../types.ts'
import type { Bearer } from './bodies.ts'
import type { UpstreamClient } from './client.ts'
import { fetchOrganization } from './organizations.ts'

const REMEMBERED = 20_000
const FRESH_MS = 60_000

export interface OrganizationDirectory {
  /** Throws a 404 problem when there is no such organization. */
  find(organizationId: string, bearer: Bearer): Promise<Organization>
  /** Forgets what it knows of one. */
  forget(organizationId: string): void
}

export function createOrganizationDirectory(client: UpstreamClient, clock: Clock): OrganizationDirectory {
  const known = new LRUCache<string, Organization, Bearer>({
    max: REMEMBERED,
    ttl: FRESH_MS,
    perf: { now: clock },
    ttlResolution: 0,
    fetchMethod: (organizationId, _stale, { context }) => fetchOrganization(client, organizationId, context)
  })
  return {
    find: async (organizationId, bearer) =>
      (await known.fetch(organizationId, { context: bearer })) as Organization,
    forget: (organizationId) => known.delete(organizationId)
  }
}
