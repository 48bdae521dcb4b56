// Caches organizations by id for a short time, because every call needs the integrator of its customer. Callers with the same
// visibility share them.
import { LRUCache } from 'lru-cache'
import type { Organization } from '#shared/entities.ts'
import type { Clock } from '../types.ts'
import type { UpstreamClient } from './client.ts'
import { fetchOrganization } from './organizations.ts'
import { createSingleFlight } from './single-flight.ts'
import { type Viewer, visibilityOf } from './visibility.ts'

/** Maximum age of data that proves ownership, because a device or customer may have moved. */
export const PROOF_MAX_AGE_MS = 30_000
const ORGANIZATIONS_MAX = 20_000

export type OrganizationDirectory = ReturnType<typeof createOrganizationDirectory>

export function createOrganizationDirectory(client: UpstreamClient, clock: Clock) {
  const known = new LRUCache<string, { organization: Organization; readAt: number }>({
    max: ORGANIZATIONS_MAX,
    ttl: PROOF_MAX_AGE_MS,
    perf: { now: clock },
    ttlResolution: 0
  })
  const fetches = createSingleFlight<Organization>(clock)

  return {
    /** The organization, read at most 30 s ago. Throws a 404 problem if there is none. */
    async find(organizationId: string, viewer: Viewer): Promise<Organization> {
      const name = `${organizationId} ${visibilityOf(viewer)}`
      const found = known.get(name)
      // Skip an entry with a future date: the clock was set back, so its age is unknown.
      if (found && found.readAt <= clock()) return found.organization
      return fetches.share(name, {
        fetch: () => fetchOrganization(client, organizationId, viewer),
        keep: (organization, readAt) => void known.set(name, { organization, readAt }, { start: readAt }),
        notBefore: clock() - PROOF_MAX_AGE_MS
      })
    }
  }
}
