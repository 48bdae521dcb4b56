// The fields of a device, and the queries of the device table. The client also uses this file to explain why a search fails.
import type { Page } from './answers/parts.ts'
import { EXPIRY_DANGER_DAYS, EXPIRY_WARNING_DAYS } from './limits.ts'

/** The fields of a device in an upstream's answer, in JSON order. A missing text becomes '' or null. */
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

/** Fields by which devices can be sorted. */
export const DEVICE_SORTS = ['deviceName', 'hostId', 'projectName', 'location'] as const
/** The order of a device table that nobody has sorted. */
export const DEVICE_ORDER = { sort: 'deviceName', order: 'asc' }
/** An additional sort field for devices filtered by data usage. */
export const USAGE_SORT = 'usagePercent'
/** Fields that the search within a customer looks at. */
export const DEVICE_SEARCHED = ['hostId', 'deviceName', 'projectName', 'location'] as const
/** Fields that the search over customers looks at. */
export const DEVICE_FOUND_BY = ['deviceName', 'hostId', 'deviceUuid'] as const
export type DeviceSort = (typeof DEVICE_SORTS)[number]
export type SortOrder = 'asc' | 'desc'

// The full stop is searchable, because names may contain it. See .github/product.md#devices.
const UNSEARCHABLE = /[*<>"'%()&+/^|?[\]\\]/g

/** The distinct characters of a keyword because of which the search finds nothing, in order. */
export function unsearchableCharacters(keyword: string): string[] {
  return [...new Set(keyword.match(UNSEARCHABLE) ?? [])]
}

/** The keyword without its unsearchable characters. */
export function withoutUnsearchable(keyword: string): string {
  return keyword.replace(UNSEARCHABLE, '')
}

/** The form in which texts are searched: in lower case and without white space. */
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
/** The filter for devices with an ended service that has no later subscription. */
export const ENDED_DAYS = 0
/** Filters by days until the end of a service: ended, red badge, red or orange badge. */
export const DEVICE_EXPIRIES = [ENDED_DAYS, EXPIRY_DANGER_DAYS, EXPIRY_WARNING_DAYS] as const

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

/** One page of the items, numbered from 0. A page after the last one is empty, but has correct totals. */
export function pageOf<T>(items: readonly T[], number: number, size: number): Page<T> {
  return {
    items: items.slice(number * size, (number + 1) * size),
    page: { number, size, totalPages: Math.ceil(items.length / size), totalElements: items.length }
  }
}

export interface DeviceQuery extends DeviceFilter {
  projectId?: string | undefined
  q: string
  /** `words`: also devices that have each word of `q` in their name or project, and at least one in their name. */
  match?: 'words' | undefined
  sort: DeviceSort | typeof USAGE_SORT
  order: SortOrder
  page: number
  size: number
}
