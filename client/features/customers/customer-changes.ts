// What a change leaves of the answers at hand: moved, renamed and deleted things show so before they are read again.
import type { Device, DevicePage, Project, ProjectList } from '#shared/entities.ts'

/** New values of a device; what is left out stays. */
export interface DeviceChange {
  deviceName?: string
  location?: string
  project?: Project
}

export type CustomerChange =
  | { kind: 'project-created'; project: Project }
  | { kind: 'project-renamed'; project: Project }
  | { kind: 'project-deleted'; projectId: string }
  | { kind: 'device-changed'; device: Device; change: DeviceChange }
  | { kind: 'device-deleted'; device: Device }

type Entry = ProjectList['projects'][number]

const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

export function changedList(list: ProjectList, change: CustomerChange): ProjectList {
  const projects = changedEntries(list.projects, change).sort((a, b) =>
    byName.compare(a.projectName, b.projectName)
  )
  const devices = list.totals.devices - (change.kind === 'device-deleted' ? 1 : 0)
  return { ...list, projects, totals: { projects: projects.length, devices } }
}

function changedEntries(projects: readonly Entry[], change: CustomerChange): Entry[] {
  const counted = (id: string | null, by: number) => (entry: Entry) =>
    entry.id === id ? { ...entry, deviceCount: entry.deviceCount + by } : entry
  switch (change.kind) {
    case 'project-created': {
      const others = projects.filter(({ id }) => id !== change.project.id)
      return [...others, { ...change.project, deviceCount: 0 }]
    }
    case 'project-renamed':
      return projects.map((entry) =>
        entry.id === change.project.id ? { ...entry, ...change.project } : entry
      )
    case 'project-deleted':
      return projects.filter(({ id }) => id !== change.projectId)
    case 'device-deleted':
      return projects.map(counted(change.device.projectId, -1))
    case 'device-changed': {
      const to = change.change.project
      if (!to) return [...projects]
      return projects.map(counted(change.device.projectId, -1)).map(counted(to.id, 1))
    }
  }
}

/** `projectId` is the project that the page is narrowed to. */
export function changedPage(page: DevicePage, change: CustomerChange, projectId: string | null): DevicePage {
  const items = page.items.flatMap((device) => changedDevice(device, change, projectId))
  const totalElements = page.page.totalElements - (page.items.length - items.length)
  const totalPages = Math.ceil(totalElements / page.page.size)
  return { ...page, items, page: { ...page.page, totalElements, totalPages } }
}

/** A device by itself; one that is deleted stays until its page is left. */
export function changedDetails(device: Device, change: CustomerChange): Device {
  return changedDevice(device, change, null)[0] ?? device
}

function changedDevice(device: Device, change: CustomerChange, projectId: string | null): Device[] {
  if (change.kind === 'project-renamed' && device.projectId === change.project.id)
    return [{ ...device, projectName: change.project.projectName }]
  if (!('device' in change) || change.device.deviceUuid !== device.deviceUuid) return [device]
  if (change.kind === 'device-deleted') return []
  const { project, ...rest } = change.change
  if (!project) return [{ ...device, ...rest }]
  if (projectId !== null && projectId !== project.id) return []
  return [{ ...device, ...rest, projectId: project.id, projectName: project.projectName }]
}
