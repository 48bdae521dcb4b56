// A customer as its upstreams tell it, taken as a whole: fetched and put together, or seen to be what it was before.
import type { Organization } from '#shared/entities.ts'
import type { Assignment } from '#shared/permissions.ts'
import type { Clock } from '../types.ts'
import type { Bearer } from '../upstreams/bodies.ts'
import type { UpstreamClient } from '../upstreams/client.ts'
import { fetchDevices, fetchProjects, fetchSubscriptions, type Source } from '../upstreams/inventory.ts'
import type { OrganizationDirectory } from '../upstreams/organization-directory.ts'
import { noteBodies, type Reading, readAgain } from '../upstreams/readings.ts'
import type { Turns } from '../upstreams/turns.ts'
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
  /** When the upstream was last asked, in milliseconds since 1970. */
  takenAt: number
  /** Whether it has that project, device or system. */
  has: Holdings
  /** What of the upstreams it was put together from. */
  readings: readonly Reading[]
}

export interface Viewer extends Bearer {
  user: { roleAssignments: readonly Assignment[] }
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
 * With a previous one the upstreams are first asked whether they say what they said then: it is then given back, with
 * the time of the asking. Throws the upstream's problem; given up when `gone` is aborted.
 */
export async function takeSnapshot(
  sources: Sources,
  customerId: string,
  viewer: Viewer,
  gone: AbortSignal,
  previous?: Snapshot
): Promise<Snapshot> {
  const { client, organizations, clock, limits } = sources
  // One that misses something was not told all of it.
  if (!previous || previous.tree.partial.length > 0) return fetchSnapshot(sources, customerId, viewer, gone)
  const signal = AbortSignal.any([gone, AbortSignal.timeout(limits.fetchMs)])
  const { same, bodies } = await readAgain(client.bodies, previous.readings, viewer, signal)
  if (!same) return fetchSnapshot({ ...sources, client: client.over(bodies) }, customerId, viewer, gone)
  const takenAt = clock()
  return { ...previous, organization: await organizations.find(customerId, viewer), takenAt }
}

/** All of a customer, its parts at the same time. Without subscriptions it is still one (§4), without the rest none. */
async function fetchSnapshot(
  { client, organizations, turns, clock, limits }: Sources,
  customerId: string,
  viewer: Viewer,
  gone: AbortSignal
): Promise<Snapshot> {
  const late = AbortSignal.timeout(limits.fetchMs)
  const failed = new AbortController()
  const enough = new AbortController()
  const signal = AbortSignal.any([gone, late, failed.signal])
  const noted = noteBodies(client.bodies)
  const source: Source = { client: client.over(noted), customerId, bearer: viewer, signal }
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

  const takenAt = clock()
  const assembledAt = new Date(takenAt).toISOString()
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
    has: createHoldings(tree, turns),
    readings: noted.readings()
  }
}
