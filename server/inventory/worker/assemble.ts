// Joins the devices of a customer to its projects by project name.
import type { CustomerTree, Device, Project } from '#shared/answers/customers.ts'

export interface FetchedLists {
  customerId: string
  projects: readonly Project[]
  devices: readonly Device[]
  /** ISO 8601 UTC. */
  assembledAt: string
}

export interface Assembled {
  tree: CustomerTree
  /** Sorted as in the tree: by project, then devices without a known project. */
  devices: readonly Device[]
  /** The devices by uuid. If two devices have the same uuid, contains the first one. */
  byUuid: ReadonlyMap<string, Device>
}

/** Assembles a customer without subscriptions. Sets `projectId` in the given devices. */
export function assemble({ customerId, projects, devices, assembledAt }: FetchedLists): Assembled {
  const branches = withoutRepeatedProjects(projects).map((project) => ({
    ...project,
    devices: [] as Device[]
  }))
  const unassigned: Device[] = []
  // If two projects have the same name, the last one gets the devices. A project without a name gets none.
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

/** Drops repeated projects, as of devices. Keeps each without an id. */
function withoutRepeatedProjects(projects: readonly Project[]): Project[] {
  const ids = new Set<string>()
  return projects.filter(({ id }) => {
    const isRepeated = id !== '' && ids.has(id)
    ids.add(id)
    return !isRepeated
  })
}

/** Drops repeated devices: a list that changes while its pages are fetched may contain a device twice. */
function withoutRepeats(devices: readonly Device[]) {
  const byUuid = new Map<string, Device>()
  const distinct = devices.filter((device) => {
    const first = byUuid.get(device.deviceUuid)
    if (first === undefined) byUuid.set(device.deviceUuid, device)
    return first?.id !== device.id
  })
  return { distinct, byUuid }
}
