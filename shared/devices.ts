// The fields of a device, and the queries of the device table. The client uses them too, to explain why a search cannot match.
import type { Page } from './answers/parts.ts'
import { EXPIRY_DANGER_DAYS, EXPIRY_WARNING_DAYS } from './limits.ts'

/** The fields of a device in an upstream's answer, in JSON order: opaque ids, texts (empty if missing), texts or null. */
export const DEVICE_FIELDS = {
  id: 'id',
  deviceUuid: 'text',
  deviceName: 'text',
  hostId: 'text',
  location: 'text',
  projectName: 'text or null',
  systemGuid: 'text',
  /** ISO 8601 UTC. */
  createdDate: 'text or null'
} as const satisfies Record<string, 'id' | 'text' | 'text or null'>

/** Sortable fields. */
export const DEVICE_SORTS = ['deviceName', 'hostId', 'projectName', 'location'] as const
/** An additional sort field for devices filtered by data usage. */
export const USAGE_SORT = 'usagePercent'
/** Fields of the search within a customer. */
export const DEVICE_SEARCHED = ['hostId', 'deviceName', 'projectName', 'location'] as const
/** Fields of the search over customers. */
export const DEVICE_FOUND_BY = ['deviceName', 'hostId', 'deviceUuid'] as const
export type DeviceSort = (typeof DEVICE_SORTS)[number]
export type SortOrder = 'asc' | 'desc'

// Without the full stop, which names may contain. See .github/product.md#devices.
const UNSEARCHABLE = /[*<>"'%()&+/^|?[\]\\]/g

/** The distinct characters of a keyword that make the search return nothing, in order. */
export function unsearchableCharacters(keyword: string): string[] {
  return [...new Set(keyword.match(UNSEARCHABLE) ?? [])]
}

/** The keyword without those characters, for "search without them". */
export function withoutUnsearchable(keyword: string): string {
  return keyword.replace(UNSEARCHABLE, '')
}

/** Search ignores white space and case. */
export function searchForm(text: string): string {
  return text.replace(/\s+/g, '').toLowerCase()
}

/** Whether a search over customers can find anything with this keyword. */
export function canFind(keyword: string): boolean {
  return searchForm(keyword) !== '' && unsearchableCharacters(keyword).length === 0
}

const byText = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** Compares two texts as people read them: ignores case and compares numbers by value. */
export const compareTexts: (a: string, b: string) => number = byText.compare

/** Offering codes of the services of a device. */
export const DEVICE_SERVICES = ['NDS', 'Remote', 'Recover'] as const
export type OfferingCode = (typeof DEVICE_SERVICES)[number]
/** No days left: a service has ended and has no later subscription. */
export const ENDED_DAYS = 0
/** Filters by days left: ended, red badge, red or orange badge. */
export const DEVICE_EXPIRIES = [ENDED_DAYS, EXPIRY_DANGER_DAYS, EXPIRY_WARNING_DAYS] as const

export interface DeviceFilter {
  /** Only devices with an active subscription of this service. */
  service?: OfferingCode | undefined
  /**
   * Only devices with an active subscription (of `service`, if given) that ends within this number of days; 0: only devices
   * with an ended service.
   */
  expires?: number | undefined
  /** Only the devices in this map of uuid to data usage in percent of the plan limit. */
  usage?: ReadonlyMap<string, number> | undefined
}

/** The indexed order that a query needs; devices of equal usage follow by name. */
export function keptOrder({ sort, order }: Pick<DeviceQuery, 'sort' | 'order'>): [DeviceSort, SortOrder] {
  return sort === USAGE_SORT ? ['deviceName', 'asc'] : [sort, order]
}

/** A page, numbered from 0. A number past the end gives an empty page with the true totals. */
export function pageOf<T>(items: readonly T[], number: number, size: number): Page<T> {
  return {
    items: items.slice(number * size, (number + 1) * size),
    page: { number, size, totalPages: Math.ceil(items.length / size), totalElements: items.length }
  }
}

export interface DeviceQuery extends DeviceFilter {
  projectId?: string | undefined
  q: string
  /** `words`: also devices with each word of `q` in their own or their project's name, and at least one in their own. */
  match?: 'words' | undefined
  sort: DeviceSort | typeof USAGE_SORT
  order: SortOrder
  page: number
  size: number
}
