// Joins what was fetched of a customer (§4): devices to projects by project name, subscriptions to devices by device
// uuid. Each list is walked once, in turns. What comes out is written by tree.ts.
import type { Missing, Project } from '#shared/entities.ts'
import { textListOf } from '../upstreams/text-list.ts'
import type { Turns } from '../upstreams/turns.ts'
import type { FetchedDevices, FetchedSubscriptions } from './fetched.ts'
import { TextTable } from './text-table.ts'
import { Texts } from './texts.ts'
import { type Tree, writeTree } from './tree.ts'

export interface Fetched {
  customerId: string
  projects: readonly Project[]
  devices: FetchedDevices
  /** Null when they could not be fetched: the devices then have none (§4). */
  subscriptions: FetchedSubscriptions | null
  /** ISO 8601 UTC. */
  assembledAt: string
}

/** Devices and subscriptions by their number, as they were fetched. */
export interface Joined {
  /** In the order of the tree, each device once: project by project, and last those of no known project. */
  order: Uint32Array
  /** How many devices each project has, and last those of none. */
  sizes: Uint32Array
  /** The first device of each uuid. */
  byUuid: TextTable
  /** Subscriptions of a device: its first one, and the one after each; -1 when there is none. */
  first: Int32Array
  next: Int32Array
}

const NONE = -1

/** The whole customer, of which what was fetched is used up. Nothing that the upstream gave makes it fail. */
export async function assemble(fetched: Fetched, turns: Turns): Promise<Tree> {
  const { projects, devices, subscriptions } = fetched
  const partial: Missing[] = subscriptions === null ? ['subscriptions'] : []
  const { distinct, byUuid } = await withoutRepeats(devices, turns)
  const { order, sizes } = await byProject(projects, devices, distinct, turns)
  const services = await byDevice(subscriptions?.uuids ?? new Texts([]), devices, byUuid, turns)
  const tree = await writeTree({ ...fetched, partial }, { order, sizes, byUuid, ...services }, turns)
  devices.heads.release()
  subscriptions?.bodies.release()
  return tree
}

/** A list that changes while it is paged brings a device again: the same id and uuid. */
async function withoutRepeats({ uuids, heads }: FetchedDevices, turns: Turns) {
  const byUuid = new TextTable(uuids)
  const kept = new Uint32Array(uuids.count)
  const idOf = (device: number) => JSON.parse(`${heads.read(device)}}`).id
  let count = 0
  await turns.each(uuids.count, (device) => {
    const known = byUuid.add(device)
    if (known !== device && idOf(known) === idOf(device)) return
    kept[count++] = device
  })
  return { distinct: kept.subarray(0, count), byUuid }
}

/** Of two projects of one name, the last has the devices; one without a name has none. */
async function byProject(
  projects: readonly Project[],
  { projectNames }: FetchedDevices,
  devices: Uint32Array,
  turns: Turns
) {
  const names = new Texts([textListOf(projects.map(({ projectName }) => projectName))])
  const byName = new TextTable(names)
  for (let index = projects.length - 1; index >= 0; index -= 1)
    if (names.lengthOf(index) > 0) byName.add(index)
  const branches = new Uint32Array(devices.length)
  const sizes = new Uint32Array(projects.length + 1)
  await turns.each(devices.length, (at) => {
    const found = byName.find(projectNames, devices[at] as number)
    const branch = found < 0 ? projects.length : found
    branches[at] = branch
    sizes[branch] = (sizes[branch] as number) + 1
  })
  const places = new Uint32Array(sizes.length)
  for (let branch = 1; branch < sizes.length; branch += 1)
    places[branch] = (places[branch - 1] as number) + (sizes[branch - 1] as number)
  const order = new Uint32Array(devices.length)
  await turns.each(devices.length, (at) => {
    const branch = branches[at] as number
    const place = places[branch] as number
    places[branch] = place + 1
    order[place] = devices[at] as number
  })
  return { order, sizes }
}

async function byDevice(owners: Texts, { uuids }: FetchedDevices, byUuid: TextTable, turns: Turns) {
  const first = new Int32Array(uuids.count).fill(NONE)
  const last = new Int32Array(uuids.count).fill(NONE)
  const next = new Int32Array(owners.count).fill(NONE)
  await turns.each(owners.count, (subscription) => {
    const device = byUuid.find(owners, subscription)
    if (device < 0) return
    const before = last[device] as number
    if (before === NONE) first[device] = subscription
    else next[before] = subscription
    last[device] = subscription
  })
  return { first, next }
}
