// Caches organizations by id for a short time, because every call needs the integrator of its customer. Callers of equal
// visibility share cached organizations.
import type { Organization } from '#shared/entities.ts'
import type { Clock } from '../types.ts'
import type { UpstreamClient } from './client.ts'
import { fetchOrganization } from './organizations.ts'
import { createSharedCache } from './shared-cache.ts'
import { type Viewer, visibilityOf } from './visibility.ts'

/** Maximum age of data that proves ownership, because a device or customer may have moved. */
export const PROOF_MAX_AGE_MS = 30_000
const ORGANIZATIONS_MAX = 20_000

export type OrganizationDirectory = ReturnType<typeof createOrganizationDirectory>

export function createOrganizationDirectory(client: UpstreamClient, clock: Clock) {
  const organizations = createSharedCache<Organization>(ORGANIZATIONS_MAX, PROOF_MAX_AGE_MS, clock)
  return {
    /** Returns an organization that was fetched at most 30 s ago. Throws a 404 problem if it does not exist. */
    find: (organizationId: string, viewer: Viewer): Promise<Organization> =>
      organizations.of(`${organizationId} ${visibilityOf(viewer)}`, () =>
        fetchOrganization(client, organizationId, viewer)
      )
  }
}
