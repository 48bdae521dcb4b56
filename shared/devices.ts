// The fields of a device, and what the device table searches, sorts and filters by. The client also uses this file to explain
// why a search fails.
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
  createdDate: 'time or null'
} as const satisfies Record<string, 'id' | 'text' | 'text or null' | 'time or null'>

/** Fields by which devices can be sorted. */
export const DEVICE_SORTS = ['deviceName', 'hostId', 'projectName', 'location'] as const
/** The order of a device table that nobody has sorted. */
export const DEVICE_ORDER = { sort: 'deviceName', order: 'asc' }
/** An additional sort field: when the first active service of a device ends. */
export const END_SORT = 'nearestEnd'
/** An additional sort field for devices filtered by data usage. */
export const USAGE_SORT = 'usagePercent'
/** Fields that the search within a customer looks at. */
export const DEVICE_SEARCHED = ['hostId', 'deviceName', 'projectName', 'location'] as const

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

/** Maximum number of words. A keyword with more words is searched as one text. */
const WORDS_MAX = 8

/** The words of a keyword. Empty if the keyword is a single word or has more than WORDS_MAX. */
export function wordsOf(keyword: string): string[] {
  const words = new Set(keyword.toLowerCase().split(/\s+/).filter(Boolean))
  return words.size > 1 && words.size <= WORDS_MAX ? [...words] : []
}

/** Whether a search over customers can find anything with this keyword. */
export function canFind(keyword: string): boolean {
  return searchForm(keyword) !== '' && unsearchableCharacters(keyword).length === 0
}

/** Offering codes of the services of a device. */
export const DEVICE_SERVICES = ['NDS', 'Remote', 'Recover'] as const
export type OfferingCode = (typeof DEVICE_SERVICES)[number]
/** The filter for devices with an ended service that has no later subscription. */
export const ENDED_DAYS = 0
/** Filters by days until the end of a service: ended, red badge, red or orange badge. */
export const DEVICE_EXPIRIES = [ENDED_DAYS, EXPIRY_DANGER_DAYS, EXPIRY_WARNING_DAYS] as const
