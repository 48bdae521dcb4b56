// The fields of a device, and what can be asked of the device table. Pure: also the client uses it, to explain why a search
// cannot match.

import type { OfferingCode, Page } from './entities.ts'
import { EXPIRY_DANGER_DAYS, EXPIRY_WARNING_DAYS } from './limits.ts'

/** The fields of a device in an upstream's answer, in the order of its JSON: opaque ids, texts (empty when missing), texts or null. */
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

/** What devices can be sorted by. */
export const DEVICE_SORTS = ['deviceName', 'hostId', 'projectName', 'location'] as const
/** Also where devices are chosen by their data usage. */
export const USAGE_SORT = 'usagePercent'
/** What the search looks into. */
export const DEVICE_SEARCHED = ['hostId', 'deviceName', 'projectName', 'location'] as const
/** What the search over several customers looks into. */
export const DEVICE_FOUND_BY = ['deviceName', 'hostId', 'deviceUuid'] as const
export type DeviceSort = (typeof DEVICE_SORTS)[number]
export type SortOrder = 'asc' | 'desc'

// Names may hold a full stop, so it can be searched for. See .github/product.md#devices.
const UNSEARCHABLE = /[*<>"'%()&+/^|?[\]\\]/g

/** The characters of a keyword that make the search return nothing, each once, in order. */
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

/** Whether a search over customers can find anything by it. */
export function canFind(keyword: string): boolean {
  return searchForm(keyword) !== '' && unsearchableCharacters(keyword).length === 0
}

const byText = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** Compares two texts as people read them: whatever their case, and numbers by their value. */
export const compareTexts: (a: string, b: string) => number = byText.compare

/** The services that devices can be chosen by. */
export const DEVICE_SERVICES = ['NDS', 'Remote', 'Recover'] as const satisfies readonly OfferingCode[]
/** Stands for no days left: a service has ended and has no later subscription. */
export const ENDED_DAYS = 0
/** Days left that devices can be chosen by: none, those of the red badge, and of the red and the orange one. */
export const DEVICE_EXPIRIES = [ENDED_DAYS, EXPIRY_DANGER_DAYS, EXPIRY_WARNING_DAYS] as const

export interface DeviceFilter {
  /** Only devices with an active subscription of it. */
  service?: (typeof DEVICE_SERVICES)[number] | undefined
  /**
   * Only devices with an active subscription, of that service if one is given, that ends within so many days; 0: only
   * those of which a service has ended.
   */
  expires?: number | undefined
  /** Only devices of these uuids, whose data usage is that percent of their plan limit. */
  usage?: ReadonlyMap<string, number> | undefined
}

/** The order that is kept for a query: those of one percent, or of none, stand by name. */
export function keptOrder({ sort, order }: Pick<DeviceQuery, 'sort' | 'order'>): [DeviceSort, SortOrder] {
  return sort === USAGE_SORT ? ['deviceName', 'asc'] : [sort, order]
}

/** One page, numbered from 0. A number past the end gives an empty page with the true totals. */
export function pageOf<T>(items: readonly T[], number: number, size: number): Page<T> {
  return {
    items: items.slice(number * size, (number + 1) * size),
    page: { number, size, totalPages: Math.ceil(items.length / size), totalElements: items.length }
  }
}

export interface DeviceQuery extends DeviceFilter {
  projectId?: string | undefined
  q: string
  /** `words`: also what has each word of `q` in its name or its project, and one at least in its name. */
  match?: 'words' | undefined
  sort: DeviceSort | typeof USAGE_SORT
  order: SortOrder
  page: number
  size: number
}
