// Joins the devices of a customer to its projects by project name. Pure.
import type { CustomerTree, Device, Project } from '#shared/entities.ts'

export interface Fetched {
  customerId: string
  projects: readonly Project[]
  devices: readonly Device[]
  /** ISO 8601 UTC. */
  assembledAt: string
}

export interface Assembled {
  tree: CustomerTree
  /** In the order of the tree: by project, then those without a known project. */
  devices: readonly Device[]
  /** By uuid; the first of two with the same. */
  byUuid: ReadonlyMap<string, Device>
}

/** The whole customer without subscriptions. Completes the given devices in place. */
export function assemble({ customerId, projects, devices, assembledAt }: Fetched): Assembled {
  const branches = projects.map((project) => ({ ...project, devices: [] as Device[] }))
  const unassigned: Device[] = []
  // The last of two projects with one name has the devices; a project without a name has none.
  const byName = new Map(branches.map((branch) => [branch.projectName, branch]))
  byName.delete('')
  const { distinct, byUuid } = withoutRepeats(devices)
  for (const device of distinct) {
    const branch = byName.get(device.projectName ?? '')
    if (branch) device.projectId = branch.id
    const siblings = branch?.devices ?? unassigned
    siblings.push(device)
  }
  return {
    tree: { customerId, assembledAt, partial: [], projects: branches, unassigned },
    devices: [...branches.flatMap((branch) => branch.devices), ...unassigned],
    byUuid
  }
}

/** A list that changes while it is paged may repeat a device with the same id and uuid. */
function withoutRepeats(devices: readonly Device[]) {
  const byUuid = new Map<string, Device>()
  const distinct = devices.filter((device) => {
    const known = byUuid.get(device.deviceUuid)
    if (known === undefined) byUuid.set(device.deviceUuid, device)
    return known?.id !== device.id
  })
  return { distinct, byUuid }
}
