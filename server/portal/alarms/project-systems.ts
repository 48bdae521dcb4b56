// The systems of a project, to which lists of alarms can be limited.
import type { Device } from '#shared/answers/customers.ts'
import type { Page } from '#shared/answers/parts.ts'
import { PAGE_SIZE_MAX } from '#shared/limits.ts'
import type { Snapshot } from '../../inventory/fetch.ts'

/** The system guids of the devices of a project: of its first PAGE_SIZE_MAX devices. */
async function systemsOfProject({ customer }: Snapshot, projectId: string, nowMs: number): Promise<string[]> {
  const query = { projectId, q: '', sort: 'deviceName', order: 'asc', page: 0, size: PAGE_SIZE_MAX } as const
  const page = await customer.devicePage(query, nowMs)
  const { items } = JSON.parse(page.toString()) as Page<Device>
  return items.map(({ systemGuid }) => systemGuid).filter(Boolean)
}

interface Places {
  systemGuid?: string | undefined
  projectId?: string | undefined
}

/** The systems to which a query limits alarms; null if it does not limit them. An empty list matches no alarm. */
export async function systemsIn(
  { systemGuid, projectId }: Places,
  snapshot: () => Promise<Snapshot>,
  nowMs: number
): Promise<string[] | null> {
  if (projectId === undefined) return systemGuid === undefined ? null : [systemGuid]
  const systems = await systemsOfProject(await snapshot(), projectId, nowMs)
  return systemGuid === undefined ? systems : systems.filter((guid) => guid === systemGuid)
}
