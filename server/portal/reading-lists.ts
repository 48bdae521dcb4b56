// Lists over what has been read of many customers (readings/): filtered, sorted and paged. A list may have 100,000 rows, so it is
// kept sorted, long work runs in steps, and equal calls share one computation. The callers of this file decide about access.
import { LRUCache } from 'lru-cache'
import type { CustomerName } from '#shared/answers/customers.ts'
import type { Page } from '#shared/answers/parts.ts'
import { compareTexts } from '#shared/text-order.ts'
import { pageOf } from '../paging.ts'
import { positionOf, sortInSteps, sortKeysInSteps } from '../sort-in-steps.ts'
import { inSteps } from '../steps.ts'

/** What has been read of one customer. The same object for as long as the data is the same. */
export interface CustomerReading<Reading> {
  customer: CustomerName
  reading: Reading
}

export interface Row<Item> {
  item: Item
  customer: CustomerName
  /** The searched texts in lower case. The first search makes them. */
  text: string | null
  /** Rows of equal order are sorted by this, the highest first. */
  tie: number
  /** Rows that are equal otherwise are sorted by this, so that no page repeats or skips a row. */
  id: string
  /** The reading that the row belongs to. */
  reading: object
}

/** What the rows of a list are, and how they are searched and sorted. */
export interface RowKind<Reading, Item> {
  itemsOf: (reading: Reading) => readonly Item[]
  /** The texts that the search looks at. */
  searched: (item: Item, customer: CustomerName) => readonly string[]
  /** Whether these texts, in lower case and a line each, match a keyword in lower case. By default, they contain it. */
  matching?: (keyword: string) => (texts: string) => boolean
  /** For example the time, so that rows of equal order are sorted by it, the newest first. */
  tie: (item: Item) => number
  id: (item: Item) => string
  /** What a row is sorted by: numbers by value, texts as people read them. */
  sortKey: (sort: string, row: Pick<Row<Item>, 'item' | 'customer'>) => SortKey
}

export type SortKey = number | string

export interface RowQuery<Item> {
  sort: string
  order: 'asc' | 'desc'
  /** A part of the searched texts, unless the kind matches in another way; case is ignored. */
  keyword: string
  filter: (row: Row<Item>) => boolean
  /** Equal for equal filters. */
  filterName: string
  page: number
  size: number
}

/** Maximum number of lists: one for each organization and visibility that somebody looks at. */
const LISTS_MAX = 100
/** Maximum number of sort orders that the next version of a list starts from, of which one is by ties alone. */
const ORDERS_MAX = 7
/** Maximum number of all filtered rows in memory. */
const FILTERED_ROWS_MAX = 1_000_000
/** What nobody asks for during this time is freed, with the readings that it refers to. */
const UNUSED = { ttl: 60_000, ttlAutopurge: true, updateAgeOnGet: true } as const
/** Rows between two pauses. Comparing two rows takes up to a few microseconds, filtering one less than one. */
const SORTED_PER_STEP = 50
const ROWS_PER_STEP = 500
/** If a larger part of the rows is new, sorting all of them is quicker than inserting the new ones. */
const INSERTED_PART_MAX = 0.1
/** Number of characters of a text that are compared: screens show fewer, and long texts are slow to compare. */
const TEXT_COMPARED = 200

/** The rows of the same readings. */
interface Version<Item> {
  customers: ReadonlyMap<object, CustomerName>
  sorted: Map<string, Promise<readonly Row<Item>[]>>
}

interface List<Item> {
  version: Version<Item>
  /** The latest complete rows of each sort order. */
  latest: LRUCache<string, { rows: readonly Row<Item>[]; version: Version<Item> }>
}

export function createReadingLists<Reading extends object, Item>(kind: RowKind<Reading, Item>) {
  const lists = new LRUCache<string, List<Item>>({ max: LISTS_MAX, ...UNUSED })
  const rowsByReading = new WeakMap<object, { customer: CustomerName; rows: readonly Row<Item>[] }>()
  const filtered = new LRUCache<string, Promise<readonly Row<Item>[]>>({
    maxSize: FILTERED_ROWS_MAX,
    maxEntrySize: FILTERED_ROWS_MAX,
    ...UNUSED
  })
  const names = new WeakMap<Version<Item>, number>()
  let versionCount = 0

  function rowsOf(reading: object, customer: CustomerName): readonly Row<Item>[] {
    const known = rowsByReading.get(reading)
    if (known !== undefined && isSameCustomer(known.customer, customer)) return known.rows
    const rows = kind.itemsOf(reading as Reading).map((item) => ({
      item,
      customer,
      text: null,
      tie: kind.tie(item),
      id: kind.id(item),
      reading
    }))
    rowsByReading.set(reading, { customer, rows })
    return rows
  }

  function textOf(row: Row<Item>): string {
    row.text ??= kind.searched(row.item, row.customer).join('\n').toLowerCase()
    return row.text
  }

  /** The list with these readings: the known version if none of them has changed. */
  function listOf(name: string, readings: readonly CustomerReading<Reading>[]): List<Item> {
    const known = lists.get(name)
    const isKnown = known !== undefined && hasReadings(known.version, readings)
    if (isKnown) return known
    const customers = new Map(readings.map(({ reading, customer }) => [reading as object, customer]))
    versionCount += 1
    const version = { customers, sorted: new Map() }
    names.set(version, versionCount)
    const list = { version, latest: known?.latest ?? new LRUCache({ max: ORDERS_MAX, ...UNUSED }) }
    lists.set(name, list)
    return list
  }

  function comparing(sort: string, order: 'asc' | 'desc'): (a: Row<Item>, b: Row<Item>) => number {
    const direction = order === 'desc' ? -1 : 1
    return (a, b) =>
      direction * compareKeys(kind.sortKey(sort, a), kind.sortKey(sort, b)) || compareTies(a, b)
  }

  /** All rows, the highest tie first. */
  function* byTies({ customers }: Version<Item>): Generator<void, readonly Row<Item>[]> {
    const rows: Row<Item>[] = []
    for (const [reading, customer] of customers) {
      for (const row of rowsOf(reading, customer)) rows.push(row)
      yield
    }
    return yield* sortInSteps(rows, compareTies, ROWS_PER_STEP)
  }

  /** Sorts the distinct keys only: many rows have the same, and comparing texts is slow. */
  function* allSorted(
    rowsByTies: readonly Row<Item>[],
    sort: string,
    order: 'asc' | 'desc'
  ): Generator<void, readonly Row<Item>[]> {
    const rowsByKey = new Map<SortKey, Row<Item>[]>()
    yield* eachInSteps(rowsByTies, (row) => {
      const key = cut(kind.sortKey(sort, row))
      const equalRows = rowsByKey.get(key)
      if (equalRows === undefined) rowsByKey.set(key, [row])
      else equalRows.push(row)
    })
    const ascending = yield* sortKeysInSteps([...rowsByKey.keys()], compareKeys, SORTED_PER_STEP)
    const keys = order === 'desc' ? ascending.toReversed() : ascending
    const distinctKeys: SortKey[] = []
    const mixedKeys = new Set<SortKey>()
    yield* eachInSteps(keys, (key) => {
      const last = distinctKeys.at(-1)
      if (last === undefined || compareKeys(last, key) !== 0) {
        distinctKeys.push(key)
        return
      }
      // Different texts may be equal, for example if they differ by case only.
      mixedKeys.add(last)
      const equalRows = rowsByKey.get(last)
      for (const row of rowsByKey.get(key) ?? []) equalRows?.push(row)
    })
    for (const key of mixedKeys) {
      const byTie = yield* sortInSteps(rowsByKey.get(key) ?? [], compareTies, ROWS_PER_STEP)
      rowsByKey.set(key, [...byTie])
    }
    const sorted: Row<Item>[] = []
    yield* eachInSteps(distinctKeys, (key) => {
      for (const row of rowsByKey.get(key) ?? []) sorted.push(row)
    })
    return sorted
  }

  /** The sorted rows with the readings of another version, most of which are the same. */
  function* updated(
    { rows, version }: { rows: readonly Row<Item>[]; version: Version<Item> },
    { customers }: Version<Item>,
    compare: (a: Row<Item>, b: Row<Item>) => number
  ): Generator<void, readonly Row<Item>[]> {
    const unchanged = new Set<object>()
    const newRows: Row<Item>[] = []
    for (const [reading, customer] of customers) {
      const before = version.customers.get(reading)
      if (before !== undefined && isSameCustomer(before, customer)) unchanged.add(reading)
      else {
        newRows.push(...rowsOf(reading, customer))
        yield
      }
    }
    const inserted = yield* sortInSteps(newRows, compare, SORTED_PER_STEP)
    const result: Row<Item>[] = []
    let next = 0
    let nextAt = positionOf(inserted[next], rows, compare)
    yield* eachInSteps(rows, (row, index) => {
      while (index === nextAt) {
        result.push(inserted[next] as Row<Item>)
        next += 1
        nextAt = positionOf(inserted[next], rows, compare)
      }
      if (unchanged.has(row.reading)) result.push(row)
    })
    for (const row of inserted.slice(next)) result.push(row)
    return result
  }

  /** The rows in an order that has a name, sorted once for each version of the list. */
  function inOrder(
    { version, latest }: List<Item>,
    name: string,
    compare: (a: Row<Item>, b: Row<Item>) => number,
    sortAll: () => Promise<readonly Row<Item>[]>
  ): Promise<readonly Row<Item>[]> {
    const running = version.sorted.get(name)
    if (running !== undefined) return running
    const before = latest.get(name)
    const isSmallChange = before !== undefined && changedPart(before.version, version) <= INSERTED_PART_MAX
    const rows = isSmallChange ? inSteps(updated(before, version, compare)) : sortAll()
    version.sorted.set(name, rows)
    rows.then(
      (sorted) => latest.set(name, { rows: sorted, version }),
      () => version.sorted.delete(name)
    )
    return rows
  }

  function sortedRows(list: List<Item>, sort: string, order: 'asc' | 'desc') {
    const rowsByTies = () => inOrder(list, '', compareTies, () => inSteps(byTies(list.version)))
    return inOrder(list, `${sort} ${order}`, comparing(sort, order), async () =>
      inSteps(allSorted(await rowsByTies(), sort, order))
    )
  }

  async function matchingRows(list: List<Item>, query: RowQuery<Item>): Promise<readonly Row<Item>[]> {
    const { sort, order, filter, filterName } = query
    const rows = await sortedRows(list, sort, order)
    const keyword = query.keyword.trim().toLowerCase()
    if (filterName === '' && keyword === '') return rows
    const name = JSON.stringify([names.get(list.version), sort, order, filterName, keyword])
    const known = filtered.get(name)
    if (known !== undefined) return known
    const isFound = kind.matching?.(keyword) ?? ((texts: string) => texts.includes(keyword))
    const matches = inSteps(filterInSteps(rows, (row) => filter(row) && isFound(textOf(row))))
    // Counts as the longest result until it is known.
    filtered.set(name, matches, { size: Math.max(1, rows.length) })
    matches.then(
      (found) => filtered.peek(name) === matches && filtered.set(name, matches, { size: found.length + 1 }),
      () => filtered.delete(name)
    )
    return matches
  }

  return {
    /** Returns all rows that match, see `page`. */
    all: (
      name: string,
      readings: readonly CustomerReading<Reading>[],
      query: RowQuery<Item>
    ): Promise<readonly Row<Item>[]> => matchingRows(listOf(name, readings), query),
    /**
     * Returns one page of the rows that match.
     * @param name equal for callers who see the same readings
     * @param readings what the caller may see
     */
    async page(
      name: string,
      readings: readonly CustomerReading<Reading>[],
      query: RowQuery<Item>
    ): Promise<Page<Row<Item>>> {
      return pageOf(await matchingRows(listOf(name, readings), query), query.page, query.size)
    }
  }
}

/** Maps items in steps. */
export function* mapInSteps<T, U>(items: readonly T[], map: (item: T) => U): Generator<void, U[]> {
  const mapped: U[] = []
  for (const item of items) if (mapped.push(map(item)) % 10 === 0) yield
  return mapped
}

/** Work on one item is a function of its own, because a function that pauses is slow. */
function* eachInSteps<T>(items: readonly T[], work: (item: T, index: number) => void): Generator<void, void> {
  for (let at = 0; at < items.length; at += ROWS_PER_STEP) {
    items.slice(at, at + ROWS_PER_STEP).forEach((item, index) => {
      work(item, at + index)
    })
    yield
  }
}

function* filterInSteps<T>(
  items: readonly T[],
  matches: (item: T) => boolean
): Generator<void, readonly T[]> {
  const found: T[] = []
  yield* eachInSteps(items, (item) => {
    if (matches(item)) found.push(item)
  })
  return found
}

const isSameCustomer = (a: CustomerName, b: CustomerName) =>
  a === b || (a.id === b.id && a.orgName === b.orgName && a.scope === b.scope)

function hasReadings<Reading extends object>(
  { customers }: Version<unknown>,
  readings: readonly CustomerReading<Reading>[]
): boolean {
  if (customers.size !== readings.length) return false
  return readings.every(({ reading, customer }) => {
    const known = customers.get(reading)
    return known !== undefined && isSameCustomer(known, customer)
  })
}

/** The part of the readings that are new. */
function changedPart(before: Version<unknown>, { customers }: Version<unknown>): number {
  let changed = 0
  for (const reading of customers.keys()) if (!before.customers.has(reading)) changed += 1
  return changed / Math.max(1, customers.size)
}

const cut = (key: SortKey): SortKey => (typeof key === 'string' ? key.slice(0, TEXT_COMPARED) : key)

function compareKeys(a: SortKey, b: SortKey): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return compareTexts(String(cut(a)), String(cut(b)))
}

function compareTies(a: Row<unknown>, b: Row<unknown>): number {
  if (a.tie !== b.tie) return b.tie - a.tie
  if (a.id === b.id) return 0
  return a.id < b.id ? -1 : 1
}
