// Joins what was fetched of a customer (§4): devices to projects by project name, subscriptions to devices by device
// uuid. Each list is walked once, in turns. What comes out is written by tree.ts.
import type { Missing, Project, Subscription } from '#shared/entities.ts'
import type { FetchedSubscription } from '../upstreams/inventory.ts'
import type { Turns } from '../upstreams/turns.ts'
import type { DevicePages } from './device-pages.ts'
import { type Tree, writeTree } from './tree.ts'

export interface Fetched {
  customerId: string
  projects: readonly Project[]
  devices: DevicePages
  /** Null when they could not be fetched: the devices then have none (§4). */
  subscriptions: readonly FetchedSubscription[][] | null
  /** ISO 8601 UTC. */
  assembledAt: string
}

/** A project, or those of none; its devices in the order of the upstream. */
export interface Branch {
  /** Null: devices of no known project. */
  project: Project | null
  devices: Uint32Array
}

/** The whole customer. Nothing that the upstream gave makes it fail. */
export async function assemble(fetched: Fetched, turns: Turns): Promise<Tree> {
  const { customerId, assembledAt, devices, subscriptions } = fetched
  const partial: Missing[] = subscriptions === null ? ['subscriptions'] : []
  const branches = await branchesOf(fetched.projects, devices, await distinct(devices, turns), turns)
  const services = await servicesByUuid(subscriptions ?? [], turns)
  return writeTree({ head: { customerId, assembledAt, partial }, branches, devices, services }, turns)
}

/** Each device once, by its number: while it is paged, a list may move on and bring one again. */
async function distinct({ count, idOf, uuidOf }: DevicePages, turns: Turns): Promise<Uint32Array> {
  const seen = new Map<string, number>()
  const kept = new Uint32Array(count)
  let at = 0
  await turns.each(count, (device) => {
    const known = seen.get(uuidOf(device))
    if (known !== undefined && idOf(known) === idOf(device)) return
    if (known === undefined) seen.set(uuidOf(device), device)
    kept[at++] = device
  })
  return kept.subarray(0, at)
}

/** The projects as they come, and the devices of no known one last. Of two projects of one name, the last has them. */
async function branchesOf(
  projects: readonly Project[],
  { columns, valueAt }: DevicePages,
  devices: Uint32Array,
  turns: Turns
): Promise<Branch[]> {
  const byName = new Map(projects.map(({ projectName }, index) => [projectName, index]))
  byName.delete('')
  const branchOfName = columns.projectName.values.map((name) => byName.get(name) ?? projects.length)
  const branchOf = (device: number) => branchOfName[valueAt('projectName', device)] as number

  const sizes = new Uint32Array(projects.length + 1)
  await turns.each(devices.length, (at) => {
    const branch = branchOf(devices[at] as number)
    sizes[branch] = (sizes[branch] as number) + 1
  })
  const branches = [...projects, null].map(
    (project, index): Branch => ({ project, devices: new Uint32Array(sizes[index] as number) })
  )
  sizes.fill(0)
  await turns.each(devices.length, (at) => {
    const device = devices[at] as number
    const branch = branchOf(device)
    const place = sizes[branch] as number
    sizes[branch] = place + 1
    ;(branches[branch] as Branch).devices[place] = device
  })
  return branches
}

async function servicesByUuid(
  slices: readonly FetchedSubscription[][],
  turns: Turns
): Promise<Map<string, Subscription[]>> {
  const services = new Map<string, Subscription[]>()
  for (const slice of slices) {
    await turns.each(slice.length, (at) => {
      const { deviceUuid, subscription } = slice[at] as FetchedSubscription
      const held = services.get(deviceUuid)
      if (held) held.push(subscription)
      else services.set(deviceUuid, [subscription])
    })
  }
  return services
}
