// Reads paged lists of the upstreams: `_embedded.<rel>`, `_links.next`, `page`. An empty list may lack `_embedded`.
import pLimit from 'p-limit'
import type { Api } from '../config/settings.ts'
import { problems } from '../errors.ts'
import type { Bearer, UpstreamClient } from './client.ts'

/** Pages of one list that are fetched at the same time. */
const PARALLEL_PAGES = 8
/** Longer lists are refused. Enough for a million devices, 1,000 per page. */
const PAGES_MAX = 1000
/** The same for lists parsed on the main thread. An endless list takes at most 2 s of it. */
const PARSED_PAGES_MAX = 100
/** More than the customers of any integrator or the users of any organization. Sorting them takes 100 ms. */
const RECORDS_MAX = 5_000

export interface HalPage {
  items: unknown[]
  totalPages: number
  totalElements: number
  /** Path and query of the next page; null on the last. */
  next: string | null
}

/** Reads one page. Throws a 502 problem if the answer is not a list. */
export function readPage(body: unknown, rel: string): HalPage {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw problems.upstreamGarbled()
  const { _embedded, _links, page } = body as {
    _embedded?: Record<string, unknown>
    _links?: { next?: { href?: unknown } }
    page?: { totalPages?: unknown; totalElements?: unknown }
  }
  const items = _embedded?.[rel] ?? []
  if (!Array.isArray(items)) throw problems.upstreamGarbled()
  return {
    items,
    totalPages: isCount(page?.totalPages) ? page.totalPages : 0,
    totalElements: isCount(page?.totalElements) ? page.totalElements : items.length,
    next: pathOf(_links?.next?.href)
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

/** Path and query of a link. They are requested from the configured upstream, never from another host. */
function pathOf(href: unknown): string | null {
  if (typeof href !== 'string' || !URL.canParse(href, 'http://upstream')) return null
  const { pathname, search } = new URL(href, 'http://upstream')
  return pathname + search
}

interface Pages {
  /** Without paging parameters. */
  path: string
  size: number
  /** A longer list is refused. */
  maxPages?: number
}

/** The position of a page in its list. */
export type PageLinks = Pick<HalPage, 'totalPages' | 'next'>

/**
 * All pages of a list, in order. Fetches those after the first in parallel if their number is known, and further ones link by
 * link. The first failure cancels the other pages. Throws a 502 problem for a list that is too long.
 */
export async function fetchPages<T extends PageLinks>(
  { path, size, maxPages = PAGES_MAX }: Pages,
  pageAt: (path: string, signal: AbortSignal) => Promise<T>,
  signal?: AbortSignal
): Promise<T[]> {
  const failed = new AbortController()
  const either = signal ? AbortSignal.any([signal, failed.signal]) : failed.signal
  const numbered = (number: number) => `${path}${path.includes('?') ? '&' : '?'}page=${number}&size=${size}`
  const tooLong = () => problems.upstreamTooLarge(`more than ${maxPages} pages`)

  const first = await pageAt(numbered(0), either)
  if (first.totalPages > maxPages) throw tooLong()
  const limit = pLimit(PARALLEL_PAGES)
  const others = Array.from({ length: Math.max(0, first.totalPages - 1) }, (_, index) =>
    limit(() => pageAt(numbered(index + 1), either))
  )
  try {
    const pages = [first, ...(await Promise.all(others))]
    const seen = new Set<string>()
    for (let next = pages.at(-1)?.next ?? null; next !== null && !seen.has(next); ) {
      if (pages.length >= maxPages) throw tooLong()
      seen.add(next)
      const page = await pageAt(next, either)
      pages.push(page)
      next = page.next
    }
    return pages
  } catch (error) {
    limit.clearQueue()
    failed.abort()
    throw error
  }
}

export interface List<T> extends Pages {
  api: Api
  /** Its name in `_embedded`. */
  rel: string
  /** Reads an item. */
  read: (item: unknown) => T
  /** A longer list is refused. */
  maxRecords?: number
}

/** All items of a list. Throws the upstream's problem, and a 502 problem for a list that is too long. */
export async function fetchAll<T>(
  client: UpstreamClient,
  { api, rel, read, maxRecords = RECORDS_MAX, maxPages = PARSED_PAGES_MAX, ...pages }: List<T>,
  bearer: Bearer,
  signal?: AbortSignal
): Promise<T[]> {
  let records = 0
  const pageAt = async (target: string, either: AbortSignal) => {
    const { items, totalPages, next } = readPage(await client.get(api, target, bearer, either), rel)
    records += items.length
    if (records > maxRecords) throw problems.upstreamTooLarge(`more than ${maxRecords} records`)
    return { items: items.map(read), totalPages, next }
  }
  return (await fetchPages({ ...pages, maxPages }, pageAt, signal)).flatMap(({ items }) => items)
}
