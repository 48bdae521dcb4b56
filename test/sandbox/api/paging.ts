// Reads page, size and order of a query.
import { malformed } from './problems.ts'

const PAGE_SIZE_DEFAULT = 20
const PAGE_SIZE_MAX = 1000

export interface Paging {
  number: number
  size: number
}

export interface Order {
  property: string
  descending: boolean
}

export function readPaging(query: Record<string, unknown>, sizeDefault = PAGE_SIZE_DEFAULT): Paging {
  const number = wholeNumber(query, 'page', 0, 0)
  return { number, size: Math.min(wholeNumber(query, 'size', sizeDefault, 1), PAGE_SIZE_MAX) }
}

/** Reads `property,direction`; null where nothing is asked for. */
export function readSort(text: unknown): Order | null {
  if (typeof text !== 'string' || text === '') return null
  const [property = '', direction = 'asc'] = text.split(',')
  return { property, descending: direction.toLowerCase() === 'desc' }
}

/** Reads `sortBy` and `sortDir`; null where nothing is asked for. */
export function readSortBy(query: Record<string, unknown>): Order | null {
  const { sortBy, sortDir = 'asc' } = query
  if (typeof sortBy !== 'string' || sortBy === '') return null
  if (!/^(asc|desc)$/i.test(String(sortDir))) throw malformed('sortDir must be asc or desc', 'sortDir')
  return { property: sortBy, descending: String(sortDir).toLowerCase() === 'desc' }
}

interface Sorted<T> {
  items: readonly T[]
  keys: readonly (string | number)[]
  sorted: readonly T[]
}

/** Orders that lists were put in: one that is asked for page by page, and has not changed meanwhile, is sorted once. */
export class Orders<T> {
  readonly #last = new Map<string, Sorted<T>>()

  /** The items in order; the given list stays as it is. `actor.name` looks into an object of the body. */
  inOrder(items: readonly T[], order: Order, toBody: (item: T) => object): readonly T[] {
    const name = `${order.property} ${order.descending}`
    const path = order.property.split('.')
    const keys = items.map((item) => sortKey(toBody(item), path))
    const last = this.#last.get(name)
    if (last && isSame(last.items, items) && isSame(last.keys, keys)) return last.sorted
    const sign = order.descending ? -1 : 1
    const keyed = items.map((item, index) => ({ item, key: keys[index] as string | number }))
    keyed.sort((a, b) => sign * (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    const sorted = keyed.map(({ item }) => item)
    this.#last.set(name, { items, keys, sorted })
    return sorted
  }
}

/** The items in order, of a list that is asked for once. */
export function inOrder<T>(
  items: readonly T[],
  order: Order | null,
  toBody: (item: T) => object
): readonly T[] {
  return order === null ? items : new Orders<T>().inOrder(items, order, toBody)
}

function isSame(before: readonly unknown[], now: readonly unknown[]): boolean {
  return before.length === now.length && before.every((one, index) => one === now[index])
}

export function pageOf<T>(items: readonly T[], { number, size }: Paging): T[] {
  return items.slice(number * size, (number + 1) * size)
}

function sortKey(body: object, path: string[]): string | number {
  let value: unknown = body
  for (const property of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, property))
      throw malformed(`cannot sort by ${path.join('.')}`, 'sort')
    value = (value as Record<string, unknown>)[property]
  }
  return typeof value === 'number' ? value : String(value ?? '').toLowerCase()
}

function wholeNumber(query: Record<string, unknown>, name: string, fallback: number, least: number): number {
  const text = query[name]
  if (text === undefined) return fallback
  const number = Number(text)
  if (!Number.isInteger(number) || number < least) throw malformed(`${name} must be a whole number`, name)
  return number
}
