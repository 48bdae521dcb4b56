// A customer as its upstreams tell it, taken as a whole: fetched and put together. How long it may serve is decided by
// whoever keeps it.
import type { Organization } from '#shared/entities.ts'
import type { Clock } from '../types.ts'
import type { UpstreamClient } from '../upstreams/client.ts'
import { fetchDevices, fetchProjects, fetchSubscriptions, type Source } from '../upstreams/inventory.ts'
import type { OrganizationDirectory } from '../upstreams/organization-directory.ts'
import type { Turns } from '../upstreams/turns.ts'
import type { Viewer } from '../upstreams/visibility.ts'
import { assemble } from './assemble.ts'
import { createDeviceIndex, type DeviceIndex } from './device-index.ts'
import { joinPages, joinSlices } from './fetched.ts'
import { createHoldings, type Holdings } from './holdings.ts'
import type { Tree } from './tree.ts'

/** How long subscriptions are waited for once all else is there. */
const SUBSCRIPTIONS_GRACE_MS = 5_000

export interface Snapshot {
  organization: Organization
  tree: Tree
  index: DeviceIndex
  /** When the reading of it began, in milliseconds since 1970: what it says may have changed since. */
  takenAt: number
  /** Whether it has that project, device or system. */
  has: Holdings
}

export interface Sources {
  client: UpstreamClient
  organizations: OrganizationDirectory
  turns: Turns
  clock: Clock
  /** The time that a fetch may take as a whole, and what subscriptions may take longer than all else. */
  limits: { fetchMs: number; subscriptionsMs?: number }
}

/**
 * All of a customer, its parts at the same time. Without subscriptions it is still one (§4), without the rest none. Throws
 * the upstream's problem; given up when `gone` is aborted.
 */
export async function takeSnapshot(
  { client, organizations, turns, clock, limits }: Sources,
  customerId: string,
  viewer: Viewer,
  gone: AbortSignal
): Promise<Snapshot> {
  const takenAt = clock()
  const late = AbortSignal.timeout(limits.fetchMs)
  const failed = new AbortController()
  const enough = new AbortController()
  const signal = AbortSignal.any([gone, late, failed.signal])
  const source: Source = { client, customerId, bearer: viewer, signal }
  const subscriptions = fetchSubscriptions({
    ...source,
    signal: AbortSignal.any([signal, enough.signal])
  }).catch(() => null)
  const rest = Promise.all([
    organizations.find(customerId, viewer),
    fetchProjects(source),
    fetchDevices(source)
  ])
  const [organization, projects, pages] = await rest.catch((error) => {
    failed.abort()
    throw error
  })
  const grace = setTimeout(() => enough.abort(), limits.subscriptionsMs ?? SUBSCRIPTIONS_GRACE_MS)
  const found = await subscriptions.finally(() => clearTimeout(grace))
  gone.throwIfAborted()

  const assembledAt = new Date(clock()).toISOString()
  const tree = await assemble(
    {
      customerId,
      projects,
      devices: joinPages(pages),
      subscriptions: found && joinSlices(found),
      assembledAt
    },
    turns
  )
  return {
    organization,
    tree,
    takenAt,
    index: createDeviceIndex(tree.rows, turns),
    has: createHoldings(tree, turns)
  }
}
