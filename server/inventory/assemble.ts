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
  /** In the order of the tree: project by project, and last those of no known project. */
  devices: readonly Device[]
  /** Of two devices of one uuid, the first. */
  byUuid: ReadonlyMap<string, Device>
}

/** The whole customer, but for subscriptions. The devices given are completed and become part of it. */
export function assemble({ customerId, projects, devices, assembledAt }: Fetched): Assembled {
  const branches = projects.map((project) => ({ ...project, devices: [] as Device[] }))
  const unassigned: Device[] = []
  // Of two projects of one name, the last has the devices; one without a name has none.
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

/** A list that changes while it is paged brings a device again: the same id and uuid. */
function withoutRepeats(devices: readonly Device[]) {
  const byUuid = new Map<string, Device>()
  const distinct = devices.filter((device) => {
    const known = byUuid.get(device.deviceUuid)
    if (known === undefined) byUuid.set(device.deviceUuid, device)
    return known?.id !== device.id
  })
  return { distinct, byUuid }
}
