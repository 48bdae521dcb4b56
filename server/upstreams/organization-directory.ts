// Caches organizations by id for a short time, because every call needs the integrator of its customer. Callers with the same
// visibility share them.
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
  const shared = createSharedCache<Organization>(ORGANIZATIONS_MAX, PROOF_MAX_AGE_MS, clock)
  return {
    /** The organization, read at most 30 s ago. Throws a 404 problem if there is none. */
    find: (organizationId: string, viewer: Viewer): Promise<Organization> =>
      shared(`${organizationId} ${visibilityOf(viewer)}`, () =>
        fetchOrganization(client, organizationId, viewer)
      )
  }
}
