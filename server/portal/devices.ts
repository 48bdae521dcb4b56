// The device table of a customer (§2, §5): search, sort and paging over its snapshot.

import { type DeviceSort, pageOf, type SortOrder, searchDevices, sortDevices } from '#shared/devices.ts'
import type { Device, DevicePage } from '#shared/entities.ts'
import type { Snapshot } from './snapshots.ts'

export interface DeviceQuery {
  projectId?: string
  q: string
  sort: DeviceSort
  order: SortOrder
  page: number
  size: number
}

/** One page of the devices that match, in the order asked for. An unknown project has none. */
export function queryDevices(snapshot: Snapshot, query: DeviceQuery): DevicePage {
  const { projectId, q, sort, order, page, size } = query
  const inProject =
    projectId === undefined
      ? snapshot.devices
      : snapshot.devices.filter((device) => device.projectId === projectId)
  const sorted = sortDevices(searchDevices(inProject, q), sort, order)
  return { ...pageOf(sorted, page, size), partial: snapshot.tree.partial }
}

export function findDevice(snapshot: Snapshot, deviceUuid: string): Device | undefined {
  return snapshot.devices.find((device) => device.deviceUuid === deviceUuid)
}

/** One device a line, for readers that do not want to hold the whole tree. */
export function* deviceLines({ devices }: Snapshot): Generator<string> {
  for (const device of devices) yield `${JSON.stringify(device)}\n`
}
