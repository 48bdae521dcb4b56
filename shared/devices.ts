// Search, sort and paging of the device table (§2, §5). Pure: the gateway applies it to whole customers,
// the client uses it to explain why a search cannot match.
import type { Device, OfferingCode, Page } from './entities.ts'
import { EXPIRY_DANGER_DAYS, EXPIRY_WARNING_DAYS } from './limits.ts'

export const DEVICE_SORTS = ['deviceName', 'hostId', 'projectName', 'location'] as const
export type DeviceSort = (typeof DEVICE_SORTS)[number]
export type SortOrder = 'asc' | 'desc'

// §5 lists them "such as"; the full stop that ends its sentence is taken as punctuation, for names may hold one.
const UNSEARCHABLE = /[*<>"'%()&+/^|?[\]\\]/g

/** The characters of a keyword that make the search return nothing (§5), each once, in order. */
export function unsearchableCharacters(keyword: string): string[] {
  return [...new Set(keyword.match(UNSEARCHABLE) ?? [])]
}

/** The keyword without those characters, for "search without them". */
export function withoutUnsearchable(keyword: string): string {
  return keyword.replace(UNSEARCHABLE, '')
}

/** §5: search ignores white space and case. */
export function searchForm(text: string): string {
  return text.replace(/\s+/g, '').toLowerCase()
}

/** The devices whose host id, name, project or location contain the keyword; none when it holds unsearchable characters. */
export function searchDevices(devices: readonly Device[], keyword: string): readonly Device[] {
  const wanted = searchForm(keyword)
  if (wanted === '') return devices
  if (unsearchableCharacters(keyword).length > 0) return []
  return devices.filter((device) =>
    DEVICE_SORTS.some((field) => searchForm(device[field] ?? '').includes(wanted))
  )
}

const byText = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** Compares two texts as people read them: whatever their case, and numbers by their value. */
export const compareTexts: (a: string, b: string) => number = byText.compare

/** Sorted as people read ("AHU-2" before "AHU-10"); equal rows keep a stable order by name, then uuid. */
export function sortDevices(devices: readonly Device[], sort: DeviceSort, order: SortOrder): Device[] {
  const direction = order === 'desc' ? -1 : 1
  return [...devices].sort(
    (a, b) =>
      direction * byText.compare(a[sort] ?? '', b[sort] ?? '') ||
      byText.compare(a.deviceName, b.deviceName) ||
      (a.deviceUuid < b.deviceUuid ? -1 : 1)
  )
}

/** The services that devices can be chosen by (§1). */
export const DEVICE_SERVICES = ['NDS', 'Remote', 'Recover'] as const satisfies readonly OfferingCode[]
/** Days left that devices can be chosen by: those of the red badge, and of the red and the orange one (§9). */
export const DEVICE_EXPIRIES = [EXPIRY_DANGER_DAYS, EXPIRY_WARNING_DAYS] as const

const DAY_MS = 86_400_000

/** Milliseconds since 1970; NaN for a date that cannot be read. */
export interface Term {
  startMs: number
  endMs: number
}

/** A subscription counts from its start until its end, exclusive. */
export function isActive({ startMs, endMs }: Term, nowMs: number): boolean {
  return startMs <= nowMs && nowMs < endMs
}

/** Whether it is active and has no more than so many days left, a day begun counting as one. */
export function expiresWithin(term: Term, days: number, nowMs: number): boolean {
  return isActive(term, nowMs) && Math.ceil((term.endMs - nowMs) / DAY_MS) <= days
}

export interface DeviceFilter {
  /** Only devices with an active subscription of it. */
  service?: (typeof DEVICE_SERVICES)[number] | undefined
  /** Only devices with an active subscription, of that service if one is given, that ends within so many days. */
  expires?: number | undefined
}

/** The devices that pass the filter. */
export function filterDevices(
  devices: readonly Device[],
  { service, expires }: DeviceFilter,
  nowMs: number
): readonly Device[] {
  if (service === undefined && expires === undefined) return devices
  return devices.filter(({ subscriptions }) =>
    subscriptions.some(({ offeringCode, startDate, endDate }) => {
      const term = { startMs: Date.parse(startDate), endMs: Date.parse(endDate) }
      if (service !== undefined && offeringCode !== service) return false
      return expires === undefined ? isActive(term, nowMs) : expiresWithin(term, expires, nowMs)
    })
  )
}

/** One page, numbered from 0. A number past the end gives an empty page with the true totals. */
export function pageOf<T>(items: readonly T[], number: number, size: number): Page<T> {
  return {
    items: items.slice(number * size, (number + 1) * size),
    page: { number, size, totalPages: Math.ceil(items.length / size), totalElements: items.length }
  }
}
