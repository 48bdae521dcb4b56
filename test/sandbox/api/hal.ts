// HAL pages with a link to the next page, searched and sorted by the query.
import type { FastifyRequest } from 'fastify'
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

interface Listing<T> {
  rel: string
  items: readonly T[]
  toBody: (item: T) => object
  searched?: (item: T) => (string | null)[]
  size?: number
  /** The order if the query does not name one. */
  order?: Order
}

type Query = Record<string, unknown>

/** Uses `page`, `size`, `sort` and `keyword` of the query. */
export function halPage<T>(request: FastifyRequest, listing: Listing<T>): object {
  const query = request.query as Query
  const order = readSort(query.sort) ?? listing.order ?? null
  const sortedItems = inOrder(matching(listing, query.keyword), order, listing.toBody)
  return halBody(request, { ...listing, items: sortedItems })
}

/** Uses `page`, `size`, `sortBy` and `sortDir` of the query; includes the total only with `count=true`. */
export function searchPage<T>(request: FastifyRequest, listing: Listing<T>): object {
  const query = request.query as Query
  const order = readSortBy(query) ?? listing.order ?? null
  const body = halBody(request, { ...listing, items: inOrder(listing.items, order, listing.toBody) })
  return query.count === 'true' ? body : { ...body, page: readPaging(query, listing.size) }
}

/** A page of sorted items. */
export function halBody<T>(request: FastifyRequest, { rel, items, toBody, size }: Listing<T>): object {
  const paging = readPaging(request.query as Query, size)
  const page = pageOf(items, paging).map(toBody)
  const totalPages = Math.ceil(items.length / paging.size)
  return {
    ...(page.length > 0 && { _embedded: { [rel]: page } }),
    _links: {
      self: { href: pageUrl(request, paging.number, paging.size) },
      ...(paging.number + 1 < totalPages && {
        next: { href: pageUrl(request, paging.number + 1, paging.size) }
      })
    },
    page: { ...paging, totalPages, totalElements: items.length }
  }
}

export function readPaging(query: Query, sizeDefault = PAGE_SIZE_DEFAULT): Paging {
  const number = wholeNumber(query, 'page', 0, 0)
  return { number, size: Math.min(wholeNumber(query, 'size', sizeDefault, 1), PAGE_SIZE_MAX) }
}

export function pageOf<T>(items: readonly T[], { number, size }: Paging): T[] {
  return items.slice(number * size, (number + 1) * size)
}

/** Reads `property,direction`; null without a sort. */
export function readSort(text: unknown): Order | null {
  if (typeof text !== 'string' || text === '') return null
  const [property = '', direction = 'asc'] = text.split(',')
  return { property, descending: direction.toLowerCase() === 'desc' }
}

function readSortBy(query: Query): Order | null {
  const { sortBy, sortDir = 'asc' } = query
  if (typeof sortBy !== 'string' || sortBy === '') return null
  if (!/^(asc|desc)$/i.test(String(sortDir))) throw malformed('sortDir must be asc or desc', 'sortDir')
  return readSort(`${sortBy},${sortDir}`)
}

/** Sorts the items. The property `actor.name` is the field `name` of the object `actor`. */
export function inOrder<T>(
  items: readonly T[],
  order: Order | null,
  toBody: (item: T) => object
): readonly T[] {
  if (order === null) return items
  const path = order.property.split('.')
  const sign = order.descending ? -1 : 1
  return items
    .map((item) => ({ item, key: sortKey(toBody(item), path) }))
    .sort((a, b) => sign * (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ item }) => item)
}

function sortKey(body: object, path: string[]): string | number {
  let value: unknown = body
  for (const property of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, property))
      throw malformed(`cannot sort by ${path.join('.')}`, 'sort')
    value = (value as Query)[property]
  }
  return typeof value === 'number' ? value : String(value ?? '').toLowerCase()
}

function matching<T>({ items, searched }: Listing<T>, keyword: unknown): readonly T[] {
  if (!searched || typeof keyword !== 'string' || keyword.trim() === '') return items
  const lowerKeyword = keyword.trim().toLowerCase()
  return items.filter((item) => searched(item).some((text) => text?.toLowerCase().includes(lowerKeyword)))
}

function pageUrl(request: FastifyRequest, page: number, size: number): string {
  const url = new URL(request.url, `${request.protocol}://${request.host}`)
  url.searchParams.set('page', String(page))
  url.searchParams.set('size', String(size))
  return url.href
}

function wholeNumber(query: Query, name: string, fallback: number, min: number): number {
  const text = query[name]
  if (text === undefined) return fallback
  const number = Number(text)
  if (!Number.isInteger(number) || number < min) throw malformed(`${name} must be a whole number`, name)
  return number
}
