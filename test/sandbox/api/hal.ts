// Lists as HAL pages with a link to the next page.
import type { FastifyRequest } from 'fastify'
import { type Order, Orders, type Paging, pageOf, readPaging, readSort, readSortBy } from './paging.ts'

export interface Listing<T> {
  rel: string
  /** Never changed and, unless it must be filtered or sorted, never copied. */
  items: readonly T[]
  toBody: (item: T) => object
  /** What the order looks at, where it is cheaper to have than the body. */
  sortedBy?: (item: T) => object
  searched?: (item: T) => (string | null)[]
  size?: number
  /** The order when the query's `sort` does not say. */
  order?: Order
  /** The order that the items come in: asked for, it costs nothing. */
  comeBy?: Order
  orders?: Orders<T>
}

export function halPage<T>(request: FastifyRequest, listing: Listing<T>): object {
  const { rel, toBody } = listing
  const query = request.query as Record<string, unknown>
  const paging = readPaging(query, listing.size)
  const order = readSort(query.sort) ?? listing.order ?? null
  const found = ordered({ ...listing, items: matching(listing, query.keyword) }, order)
  return halBody(request, rel, pageOf(found, paging).map(toBody), paging, found.length)
}

export function halBody(
  request: FastifyRequest,
  rel: string,
  items: object[],
  { number, size }: Paging,
  totalElements: number
): object {
  const totalPages = Math.ceil(totalElements / size)
  return {
    ...(items.length > 0 && { _embedded: { [rel]: items } }),
    _links: {
      self: { href: pageUrl(request, number, size) },
      ...(number + 1 < totalPages && { next: { href: pageUrl(request, number + 1, size) } })
    },
    page: { number, size, totalPages, totalElements }
  }
}

export function searchPage<T>(request: FastifyRequest, listing: Listing<T>): object {
  const { rel, toBody } = listing
  const query = request.query as Record<string, unknown>
  const paging = readPaging(query, listing.size)
  const found = ordered(listing, readSortBy(query) ?? listing.order ?? null)
  const body = halBody(request, rel, pageOf(found, paging).map(toBody), paging, found.length)
  return query.count === 'true' ? body : { ...body, page: paging }
}

function ordered<T>(listing: Listing<T>, order: Order | null): readonly T[] {
  const { items, toBody, sortedBy = toBody, comeBy, orders = new Orders<T>() } = listing
  const isInOrder = order?.property === comeBy?.property && order?.descending === comeBy?.descending
  return order === null || isInOrder ? items : orders.inOrder(items, order, sortedBy)
}

function matching<T>({ items, searched }: Listing<T>, keyword: unknown): readonly T[] {
  if (!searched || typeof keyword !== 'string' || keyword.trim() === '') return items
  const wanted = keyword.trim().toLowerCase()
  return items.filter((item) => searched(item).some((text) => text?.toLowerCase().includes(wanted)))
}

function pageUrl(request: FastifyRequest, page: number, size: number): string {
  const url = new URL(request.url, `${request.protocol}://${request.host}`)
  url.searchParams.set('page', String(page))
  url.searchParams.set('size', String(size))
  return url.href
}
