// Fills a customer with projects, devices and subscriptions.
import type { ProjectRecord } from '../records/sites.ts'
import type { State } from '../state.ts'
import { deviceName, EQUIPMENT, hostId, location, projectNames, type SiteKind, uuid } from './names.ts'
import { type Random, randomFrom } from './random.ts'
import { subscriptionsFor } from './subscriptions.ts'

const DAY_MS = 86_400_000

export interface Site {
  customerId: string
  kind: SiteKind
  projects: number
  devices: number
}

/** Seeds the random numbers by customer, so that a customer's data do not depend on other customers. */
export function buildSite(state: State, site: Site): void {
  const { customerId } = site
  const number = Number(customerId.replace(/\D/g, ''))
  const random = randomFrom(number)
  const names = projectNames(site.kind, site.projects, random)
  const projects = names.map((projectName, index) =>
    state.projects.add({ id: `p-${number}-${index + 1}`, projectName, customerId })
  )
  const subscriptions = []
  for (let index = 0; index < site.devices; index++) {
    const project = projects[index % projects.length] as ProjectRecord
    const indexInProject = Math.floor(index / projects.length)
    const device = addDevice(state, `d-${number}-${index + 1}`, project, indexInProject, random)
    subscriptions.push(...subscriptionsFor(device.deviceUuid, index, state.clock(), random))
  }
  state.subscriptions.set(customerId, subscriptions)
}

function addDevice(state: State, id: string, project: ProjectRecord, indexInProject: number, random: Random) {
  const ageDays = 30 + random.below(1500)
  const deviceUuid = uuid(random)
  const kind = random.pick(EQUIPMENT)
  return state.devices.add({
    id,
    deviceUuid,
    deviceName: deviceName(kind, indexInProject),
    hostId: hostId(random),
    location: location(random),
    projectId: project.id,
    systemGuid: random.hex(24),
    createdDate: new Date(startOfDay(state.clock()) - ageDays * DAY_MS).toISOString(),
    customerId: project.customerId,
    equipment: kind
  })
}

/** Returns midnight UTC. Dates derived from midnight stay the same all day. */
export function startOfDay(timeMs: number): number {
  return Math.floor(timeMs / DAY_MS) * DAY_MS
}
