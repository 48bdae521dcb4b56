// The filters, sort orders and pages of a query to the device table.
import type { DEVICE_SORTS, END_SORT, OfferingCode, USAGE_SORT } from '#shared/devices.ts'

export type DeviceSort = (typeof DEVICE_SORTS)[number]
export type SortOrder = 'asc' | 'desc'

export interface DeviceFilter {
  /** Only devices with an active subscription of this service. */
  service?: OfferingCode | undefined
  /**
   * Only devices with an active subscription (of `service`, if given) that ends within this number of days; 0: only devices
   * with an ended service.
   */
  expires?: number | undefined
  /** Only devices in this map, from uuid to data usage in percent of the plan limit. */
  usage?: ReadonlyMap<string, number> | undefined
}

export interface DeviceQuery extends DeviceFilter {
  projectId?: string | undefined
  q: string
  /**
   * `words`: also the device whose uuid is `q`, and devices that have each word of `q` in their name or project, at least one
   * of them in their name.
   */
  match?: 'words' | undefined
  /** With `words`: words may also be in this name, and all devices match a keyword that it contains. */
  customerName?: string | undefined
  sort: DeviceSort | typeof END_SORT | typeof USAGE_SORT
  order: SortOrder
  page: number
  size: number
}

/** A query of the devices of several customers. */
export interface DeviceListQuery extends Pick<DeviceFilter, 'service'> {
  q: string
  sort: DeviceSort | typeof END_SORT | 'customer'
  order: SortOrder
}
