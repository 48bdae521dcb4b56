// Searches, filters, sorts and pages the devices of a customer. Pure.
import {
  canFind,
  compareTexts,
  DEVICE_FOUND_BY,
  DEVICE_SEARCHED,
  type DeviceFilter,
  type DeviceQuery,
  type DeviceSort,
  ENDED_DAYS,
  keptOrder,
  pageOf,
  type SortOrder,
  searchForm,
  USAGE_SORT,
  unsearchableCharacters
} from '../devices.ts'
import type { Device, Page } from '../entities.ts'
import { inOneGo, STEP, sortInSteps } from './sort-in-steps.ts'
import { type HeldTerm, havingEnded, havingTerm, termsOf } from './terms.ts'
import { closestIn, either, type Match, searchIn } from './text-search.ts'

export interface DeviceTable {
  /** One page of the devices that match. An unknown project has none. */
  page(query: DeviceQuery, nowMs: number): Page<Device>
  /**
   * Finds devices whose name, host id or uuid contains the keyword: their number, and the first `size`, the closest first,
   * then by name. Of several words, one must be in the device's own name; the others may be in its project's or customer's.
   * A blank keyword finds none.
   */
  find(
    q: string,
    size: number,
    customerName?: string
  ): { total: number; items: { match: Match; device: Device }[] }
  /** Devices that pass the filter, in no order. */
  filter(filter: DeviceFilter, nowMs: number): Device[]
  /** Whether `find` finds any. */
  finds(q: string, customerName?: string): boolean
  /** Prepares an order before its first query, in steps between which other work can run. */
  prepare(sort: DeviceSort, order: SortOrder): Generator<void, void>
  /** The prepared orders. */
  orders(): [sort: DeviceSort, order: SortOrder][]
}

/**
 * Answers any number of queries over the same devices. Texts sort as people read them ("AHU-2" before "AHU-10"), host ids by
 * characters; ties sort by name, then uuid, in both directions. Indexes are built when first needed, then kept.
 */
export function createDeviceTable(devices: readonly Device[]): DeviceTable {
  const orders = new Map<string, readonly number[]>()
  let byNameAndUuid: readonly number[] | undefined
  let isPreparing = false
  let search: ((wanted: string) => Uint8Array) | undefined
  let identify: ReturnType<typeof closestIn> | undefined
  let searchWords: ReturnType<typeof createWordSearch> | undefined
  let terms: readonly HeldTerm[] | undefined

  function* makeOrder(sort: DeviceSort, order: SortOrder): Generator<void, readonly number[]> {
    byNameAndUuid ??= yield* sortByNameAndUuid(devices)
    const made = yield* sortBy(devices, byNameAndUuid, sort, order)
    orders.set(`${sort} ${order}`, made)
    return made
  }

  const inOrder = (sort: DeviceSort, order: SortOrder) =>
    orders.get(`${sort} ${order}`) ?? inOneGo(makeOrder(sort, order))

  function havingWords(q: string, customerName: string): Uint8Array | null {
    const words = wordsOf(q)
    if (words.length === 0) return null
    searchWords ??= createWordSearch(devices)
    return searchWords(words, customerName)
  }

  function identifying(q: string, size: number, customerName: string, inOrder: () => readonly number[]) {
    if (!canFind(q)) return { total: 0, items: [] }
    identify ??= closestIn(devices.map(identifyingTexts))
    return identify(searchForm(q), havingWords(q, customerName), inOrder, size)
  }

  function filterConditions({ service, expires, usage }: DeviceFilter, nowMs: number): Uint8Array[] {
    const met: Uint8Array[] = []
    if (usage !== undefined)
      met.push(Uint8Array.from(devices, ({ deviceUuid }) => Number(usage.has(deviceUuid))))
    if (service === undefined && expires === undefined) return met
    terms ??= termsOf(devices)
    const having = expires === ENDED_DAYS ? havingEnded : havingTerm
    return [...met, having(terms, devices.length, { service, expires }, nowMs)]
  }

  /** For each condition a list: 1 for devices that meet it, 0 for others. */
  function conditions({ projectId, q, match, ...filter }: DeviceQuery, nowMs: number): Uint8Array[] {
    const met = filterConditions(filter, nowMs)
    if (projectId !== undefined)
      met.push(Uint8Array.from(devices, (device) => Number(device.projectId === projectId)))
    const wanted = searchForm(q)
    if (wanted === '') return met
    if (unsearchableCharacters(q).length > 0) return [new Uint8Array(devices.length)]
    search ??= searchIn(devices.map(searchedText))
    const found = search(wanted)
    return [...met, match === 'words' ? either(found, havingWords(q, '')) : found]
  }

  return {
    page(query, nowMs) {
      const met = conditions(query, nowMs)
      const all = inOrder(...keptOrder(query))
      const found = met
        .reduce((left, condition) => left.filter((at) => condition[at] === 1), all)
        .map((at) => withUsage(devices[at] as Device, query.usage))
      return pageOf(query.sort === USAGE_SORT ? byUsage(found, query.order) : found, query.page, query.size)
    },
    find(q, size, customerName = '') {
      const { total, items } = identifying(q, size, customerName, () => inOrder('deviceName', 'asc'))
      return { total, items: items.map(({ match, at }) => ({ match, device: devices[at] as Device })) }
    },
    finds: (q, customerName = '') => identifying(q, 0, customerName, () => []).total > 0,
    filter(filter, nowMs) {
      const met = filterConditions(filter, nowMs)
      return devices.filter((_, at) => met.every((condition) => condition[at] === 1))
    },
    *prepare(sort, order) {
      // One at a time: queries for the same order wait for it.
      while (isPreparing) yield
      if (orders.has(`${sort} ${order}`)) return
      isPreparing = true
      yield* makeOrder(sort, order)
      isPreparing = false
    },
    orders: () => [...orders.keys()].map((name) => name.split(' ') as [DeviceSort, SortOrder])
  }
}

function withUsage(device: Device, usage: DeviceFilter['usage']): Device {
  const usagePercent = usage?.get(device.deviceUuid)
  return usagePercent === undefined ? device : { ...device, usagePercent }
}

function byUsage(devices: readonly Device[], order: SortOrder): Device[] {
  const direction = order === 'desc' ? -1 : 1
  return devices.toSorted((a, b) => direction * ((a.usagePercent ?? 0) - (b.usagePercent ?? 0)))
}

/** The search forms of the searched fields, separated by a character that no search contains. */
function searchedText(device: Device): string {
  return searchForm(DEVICE_SEARCHED.map((field) => device[field] ?? '').join('*'))
}

/**
 * 1 for devices that have each word in their own, their project's or their customer's name, and at least one in their own.
 */
function createWordSearch(devices: readonly Device[]) {
  const inNames = searchIn(devices.map(({ deviceName }) => deviceName.toLowerCase()))
  const inProjects = searchIn(devices.map(({ projectName }) => (projectName ?? '').toLowerCase()))
  return (words: readonly string[], customerName: string): Uint8Array => {
    const named = words.map(inNames)
    const each = words.flatMap((word, at) =>
      customerName.toLowerCase().includes(word) ? [] : [either(named[at] as Uint8Array, inProjects(word))]
    )
    const isNamed = named.reduce(either)
    return isNamed.map((own, at) => Number(own === 1 && each.every((found) => found[at] === 1)))
  }
}

function identifyingTexts(device: Device): string[] {
  return DEVICE_FOUND_BY.map((field) => searchForm(device[field]))
}

function* sortByNameAndUuid(devices: readonly Device[]): Generator<void, readonly number[]> {
  const uuidOf = (at: number) => (devices[at] as Device).deviceUuid
  const byUuid = yield* sortInSteps([...devices.keys()], (a, b) => (uuidOf(a) < uuidOf(b) ? -1 : 1))
  return yield* sortBy(devices, byUuid, 'deviceName', 'asc')
}

/** Equal devices keep their order. */
function* sortBy(
  devices: readonly Device[],
  before: readonly number[],
  sort: DeviceSort,
  order: SortOrder
): Generator<void, readonly number[]> {
  const texts = devices.map((device) => device[sort] ?? '')
  const places = yield* placesOf(texts, comparing(sort))
  const direction = order === 'desc' ? -1 : 1
  return before.toSorted((a, b) => direction * ((places[a] as number) - (places[b] as number)))
}

/** The rank of each text; equal texts share one. Sorts distinct texts only, because texts repeat and comparing is slow. */
function* placesOf(
  texts: readonly string[],
  compare: (a: string, b: string) => number
): Generator<void, number[]> {
  const places = new Map<string, number>()
  let [before, place] = ['', 0]
  for (const text of yield* sortInSteps([...new Set(texts)], compare)) {
    if (compare(before, text) !== 0) place += 1
    places.set(text, place)
    before = text
    if (places.size % STEP === 0) yield
  }
  return texts.map((text) => places.get(text) as number)
}

/** A keyword with more words is searched as one text. */
const WORDS_MAX = 8

/** The words of a keyword; none for a single word. */
function wordsOf(keyword: string): string[] {
  const words = new Set(keyword.toLowerCase().split(/\s+/).filter(Boolean))
  return words.size > 1 && words.size <= WORDS_MAX ? [...words] : []
}

const byCharacter = new Intl.Collator('en', { sensitivity: 'base' })
/** The digits of a host id are hexadecimal, not numbers. */
const comparing = (sort: DeviceSort) => (sort === 'hostId' ? byCharacter.compare : compareTexts)
