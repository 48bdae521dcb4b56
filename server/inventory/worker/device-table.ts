// Searches, filters, sorts and pages the devices of a customer.

import type { Device } from '#shared/answers/customers.ts'
import type { Page } from '#shared/answers/parts.ts'
import {
  canFind,
  DEVICE_SEARCHED,
  END_SORT,
  ENDED_DAYS,
  searchForm,
  USAGE_SORT,
  unsearchableCharacters,
  wordsOf
} from '#shared/devices.ts'
import type { Match } from '#shared/found-devices.ts'
import { compareTexts } from '#shared/text-order.ts'
import { pageOf } from '../../paging.ts'
import { inOneGo, ranksInSteps, sortInSteps } from '../../sort-in-steps.ts'
import type { DeviceFilter, DeviceQuery, DeviceSort, SortOrder } from '../device-query.ts'
import { type DeviceTerm, firstEnds, termsOf, withActiveService, withEndedService } from './terms.ts'
import { closestIn, either, searchIn } from './text-search.ts'

/** Fields that the search over customers looks at. */
export const DEVICE_FOUND_BY = ['deviceName', 'hostId', 'deviceUuid'] as const

export interface DeviceTable {
  /** Returns one page of the devices that match. An unknown project has no devices. */
  page(query: DeviceQuery, nowMs: number): Page<Device>
  /**
   * Finds devices whose name, host id or uuid contains the keyword. Returns their number and the first `size`, sorted by
   * closeness, then by name. If there are several words, one must be in the name of the device; the others may be in the
   * name of its project or customer. A blank keyword finds nothing.
   */
  find(
    q: string,
    size: number,
    customerName?: string
  ): { total: number; items: { match: Match; device: Device }[] }
  /** Returns the indexes of all devices that match, in order. */
  matching(query: DeviceQuery, nowMs: number): number[]
  /** Returns the devices that pass the filter, in no particular order. */
  filter(filter: DeviceFilter, nowMs: number): Device[]
  /** Whether `find` finds a device. */
  finds(q: string, customerName?: string): boolean
  /** Prepares a sort order before its first query, in steps between which other work can run. */
  prepare(sort: DeviceSort, order: SortOrder): Generator<void, void>
  /** Returns the prepared sort orders. */
  orders(): [sort: DeviceSort, order: SortOrder][]
}

/**
 * Answers any number of queries over the same devices. Texts sort as people read them ("AHU-2" before "AHU-10"), host ids by
 * characters; ties are sorted by name, then uuid, for both orders. Indexes are built when first needed, then cached.
 */
export function createDeviceTable(devices: readonly Device[]): DeviceTable {
  const orders = new Map<string, readonly number[]>()
  let byNameAndUuid: readonly number[] | undefined
  let isPreparing = false
  let search: ((keyword: string) => Uint8Array) | undefined
  let identify: ReturnType<typeof closestIn> | undefined
  let searchWords: ReturnType<typeof createWordSearch> | undefined
  let terms: readonly DeviceTerm[] | undefined

  function* makeOrder(sort: DeviceSort, order: SortOrder): Generator<void, readonly number[]> {
    byNameAndUuid ??= yield* sortByNameAndUuid(devices)
    const sorted = yield* sortBy(devices, byNameAndUuid, sort, order)
    orders.set(`${sort} ${order}`, sorted)
    return sorted
  }

  const inOrder = (sort: DeviceSort, order: SortOrder) =>
    orders.get(`${sort} ${order}`) ?? inOneGo(makeOrder(sort, order))

  function withWords(q: string, customerName: string): Uint8Array | null {
    const words = wordsOf(q)
    if (words.length === 0) return null
    searchWords ??= createWordSearch(devices)
    return searchWords(words, customerName)
  }

  function findClosest(q: string, size: number, customerName: string, inOrder: () => readonly number[]) {
    if (!canFind(q)) return { total: 0, items: [] }
    identify ??= closestIn(devices.map(identifyingTexts))
    return identify(searchForm(q), withWords(q, customerName), inOrder, size)
  }

  function filterConditions({ service, expires, usage }: DeviceFilter, nowMs: number): Uint8Array[] {
    const lists: Uint8Array[] = []
    if (usage !== undefined)
      lists.push(Uint8Array.from(devices, ({ deviceUuid }) => Number(usage.has(deviceUuid))))
    if (service === undefined && expires === undefined) return lists
    terms ??= termsOf(devices)
    const matchTerms = expires === ENDED_DAYS ? withEndedService : withActiveService
    lists.push(matchTerms(terms, devices.length, { service, expires }, nowMs))
    return lists
  }

  /** One list per condition of the query: 1 for devices that meet the condition, 0 for others. */
  function conditions(
    { projectId, q, match, customerName = '', ...filter }: DeviceQuery,
    nowMs: number
  ): Uint8Array[] {
    const lists = filterConditions(filter, nowMs)
    if (projectId !== undefined)
      lists.push(Uint8Array.from(devices, (device) => Number(device.projectId === projectId)))
    const keyword = searchForm(q)
    if (keyword === '') return lists
    if (unsearchableCharacters(q).length > 0) return [new Uint8Array(devices.length)]
    if (searchForm(customerName).includes(keyword)) return lists
    search ??= searchIn(devices.map(searchedText))
    const withKeyword = search(keyword)
    if (match !== 'words') return [...lists, withKeyword]
    const matches = either(withKeyword, withWords(q, customerName))
    // Only a whole uuid: devices would match a part of one by chance.
    const withUuid = devices.findIndex(({ deviceUuid }) => deviceUuid.toLowerCase() === keyword)
    if (withUuid >= 0) matches[withUuid] = 1
    return [...lists, matches]
  }

  /** The numbers to sort by, for a sort order that is not prepared. */
  function numbersOf({ sort, usage }: DeviceQuery, nowMs: number): ArrayLike<number> | null {
    if (sort === USAGE_SORT) return devices.map(({ deviceUuid }) => usage?.get(deviceUuid) ?? 0)
    if (sort !== END_SORT) return null
    terms ??= termsOf(devices)
    return firstEnds(terms, devices.length, nowMs)
  }

  function matching(query: DeviceQuery, nowMs: number): number[] {
    const matches = conditions(query, nowMs)
    const sorted = inOrder(...preparedOrder(query))
    const found = sorted.filter((index) => matches.every((match) => match[index] === 1))
    const numbers = numbersOf(query, nowMs)
    return numbers ? byNumber(found, numbers, query.order) : found
  }

  return {
    matching,
    page(query, nowMs) {
      const { items, page } = pageOf(matching(query, nowMs), query.page, query.size)
      return { items: items.map((index) => withUsage(devices[index] as Device, query.usage)), page }
    },
    find(q, size, customerName = '') {
      const { total, items } = findClosest(q, size, customerName, () => inOrder('deviceName', 'asc'))
      return { total, items: items.map(({ match, index }) => ({ match, device: devices[index] as Device })) }
    },
    finds: (q, customerName = '') => findClosest(q, 0, customerName, () => []).total > 0,
    filter(filter, nowMs) {
      const matches = filterConditions(filter, nowMs)
      return devices.filter((_, index) => matches.every((match) => match[index] === 1))
    },
    *prepare(sort, order) {
      // Prepare one order at a time: a caller who needs the same order waits for it.
      while (isPreparing) yield
      if (orders.has(`${sort} ${order}`)) return
      isPreparing = true
      yield* makeOrder(sort, order)
      isPreparing = false
    },
    orders: () => [...orders.keys()].map((name) => name.split(' ') as [DeviceSort, SortOrder])
  }
}

/** The prepared order that a query needs. Devices with equal numbers are sorted by name. */
export function preparedOrder({ sort, order }: Pick<DeviceQuery, 'sort' | 'order'>): [DeviceSort, SortOrder] {
  return sort === USAGE_SORT || sort === END_SORT ? ['deviceName', 'asc'] : [sort, order]
}

function withUsage(device: Device, usage: DeviceFilter['usage']): Device {
  const usagePercent = usage?.get(device.deviceUuid)
  return usagePercent === undefined ? device : { ...device, usagePercent }
}

/** Sorts devices, given by index. Devices whose number is infinite come last in both orders. */
function byNumber(indexes: readonly number[], numbers: ArrayLike<number>, order: SortOrder): number[] {
  const direction = order === 'desc' ? -1 : 1
  const last = Number.POSITIVE_INFINITY
  return indexes.toSorted((a, b) => {
    const [first, second] = [numbers[a] ?? last, numbers[b] ?? last]
    if (first === second) return 0
    return first === last || second === last ? first - second : direction * (first - second)
  })
}

/** The search forms of the searched fields, joined by a character that no keyword contains. */
function searchedText(device: Device): string {
  return searchForm(DEVICE_SEARCHED.map((field) => device[field] ?? '').join('*'))
}

/**
 * Returns 1 for devices that have each word in their name, project or customer, and at least one word in their name.
 */
function createWordSearch(devices: readonly Device[]) {
  const inNames = searchIn(devices.map(({ deviceName }) => deviceName.toLowerCase()))
  const inProjects = searchIn(devices.map(({ projectName }) => (projectName ?? '').toLowerCase()))
  return (words: readonly string[], customerName: string): Uint8Array => {
    const nameMatches = words.map(inNames)
    const anyNameMatches = nameMatches.reduce(either)
    const requiredMatches: Uint8Array[] = [anyNameMatches]
    for (const [number, word] of words.entries()) {
      if (customerName.toLowerCase().includes(word)) continue
      requiredMatches.push(either(nameMatches[number] as Uint8Array, inProjects(word)))
    }
    return anyNameMatches.map((_, index) => Number(requiredMatches.every((match) => match[index] === 1)))
  }
}

function identifyingTexts(device: Device): string[] {
  return DEVICE_FOUND_BY.map((field) => searchForm(device[field]))
}

function* sortByNameAndUuid(devices: readonly Device[]): Generator<void, readonly number[]> {
  const uuidOf = (index: number) => (devices[index] as Device).deviceUuid
  const byUuid = yield* sortInSteps([...devices.keys()], (a, b) => (uuidOf(a) < uuidOf(b) ? -1 : 1))
  return yield* sortBy(devices, byUuid, 'deviceName', 'asc')
}

/** Sorts devices. Equal devices stay in the order of `sorted`. */
function* sortBy(
  devices: readonly Device[],
  sorted: readonly number[],
  sort: DeviceSort,
  order: SortOrder
): Generator<void, readonly number[]> {
  const texts = devices.map((device) => device[sort] ?? '')
  // Only distinct texts are compared, because texts repeat and comparing is slow.
  const rankOf = yield* ranksInSteps([...new Set(texts)], comparing(sort))
  const ranks = texts.map((text) => rankOf.get(text) as number)
  const direction = order === 'desc' ? -1 : 1
  return yield* sortInSteps(sorted, (a, b) => direction * ((ranks[a] as number) - (ranks[b] as number)))
}

const byCharacter = new Intl.Collator('en', { sensitivity: 'base' })
/** Compares host ids by character, because their digits are hexadecimal. */
export const comparing = (sort: DeviceSort) => (sort === 'hostId' ? byCharacter.compare : compareTexts)
