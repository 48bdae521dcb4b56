// Joins what was fetched of a customer (§4): devices to projects by project name, subscriptions to devices by
// device uuid. Pure; each list is walked once.
import type { CustomerTree, Device, Missing, Project, Subscription } from '#shared/entities.ts'
import type { FetchedDevice, FetchedSubscription } from '../upstreams/inventory.ts'

export interface Fetched {
  customerId: string
  projects: readonly Project[]
  devices: readonly FetchedDevice[]
  /** Null when they could not be fetched: the devices then have none (§4). */
  subscriptions: readonly FetchedSubscription[] | null
  assembledAt: string
}

/** The whole customer, and its devices as one list in the order of the upstream. */
export interface Assembled {
  tree: CustomerTree
  devices: Device[]
}

export function assemble({ customerId, projects, devices, subscriptions, assembledAt }: Fetched): Assembled {
  const partial: Missing[] = subscriptions === null ? ['subscriptions'] : []
  const byDevice = new Map<string, Subscription[]>()
  for (const { deviceUuid, ...subscription } of subscriptions ?? []) {
    const held = byDevice.get(deviceUuid)
    if (held) held.push(subscription)
    else byDevice.set(deviceUuid, [subscription])
  }

  const branches = projects.map((project) => ({ ...project, devices: [] as Device[] }))
  const byName = new Map(branches.map((branch) => [branch.projectName, branch]))
  const unassigned: Device[] = []
  const all = devices.map((fetched): Device => {
    const branch = fetched.projectName === null ? undefined : byName.get(fetched.projectName)
    const device = {
      ...fetched,
      projectId: branch?.id ?? null,
      subscriptions: byDevice.get(fetched.deviceUuid) ?? []
    }
    ;(branch?.devices ?? unassigned).push(device)
    return device
  })
  return { tree: { customerId, assembledAt, partial, projects: branches, unassigned }, devices: all }
}
