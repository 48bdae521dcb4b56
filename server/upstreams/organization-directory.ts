// Organizations by id, remembered for a short while: which integrator a customer belongs to is asked with every call.
// Answers are shared by those who see the same; who may see an organization is decided by the asker.
import { LRUCache } from 'lru-cache'
import type { Organization } from '#shared/entities.ts'
import type { Clock } from '../types.ts'
import type { UpstreamClient } from './client.ts'
import { fetchOrganization } from './organizations.ts'
import { createSingleFlight } from './single-flight.ts'
import { type Viewer, visibilityOf } from './visibility.ts'

/** What proves that something belongs to somebody is read again when older: a device or customer may have moved. */
export const PROOF_MAX_AGE_MS = 30_000
const REMEMBERED = 20_000

export interface OrganizationDirectory {
  /** As read at most 30 s ago. Throws a 404 problem when there is no such organization. */
  find(organizationId: string, viewer: Viewer): Promise<Organization>
}

export function createOrganizationDirectory(client: UpstreamClient, clock: Clock): OrganizationDirectory {
  const known = new LRUCache<string, { organization: Organization; readAt: number }>({
    max: REMEMBERED,
    ttl: PROOF_MAX_AGE_MS,
    perf: { now: clock },
    ttlResolution: 0
  })
  const fetches = createSingleFlight<Organization>(clock)

  return {
    async find(organizationId, viewer) {
      const name = `${organizationId} ${visibilityOf(viewer)}`
      const found = known.get(name)
      // After the clock was set back, an entry may be dated in the future: its age is unknown.
      if (found && found.readAt <= clock()) return found.organization
      return fetches.share(name, {
        fetch: () => fetchOrganization(client, organizationId, viewer),
        keep: (organization, readAt) => void known.set(name, { organization, readAt }, { start: readAt }),
        notBefore: clock() - PROOF_MAX_AGE_MS
      })
    }
  }
}
