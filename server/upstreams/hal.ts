// Reads paged lists of the upstreams: `_embedded.<rel>`, `_links.next`, `page`. An empty list may lack `_embedded`.
import pLimit from 'p-limit'
import type { Api } from '../config/settings.ts'
import { problems } from '../errors.ts'
import type { Bearer, UpstreamClient } from './client.ts'

/** Maximum number of pages of one list that are fetched in parallel. */
const PARALLEL_PAGES = 8
/** Maximum number of pages of a list: enough for a million devices, 1,000 per page. */
const PAGES_MAX = 1000
/** Maximum number of pages that the main thread parses. An endless list blocks the thread for at most 2 s. */
const PARSED_PAGES_MAX = 100
/** Maximum number of records: no integrator has as many customers, no organization as many users. Sorted in 100 ms. */
const RECORDS_MAX = 5_000

export interface HalPage {
  items: unknown[]
  totalPages: number
  totalElements: number
  /** Path and query of the next page; null on the last page. */
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

/** Path and query of a link. Drops the host, so that all pages come from the configured upstream. */
function pathOf(href: unknown): string | null {
  if (typeof href !== 'string' || !URL.canParse(href, 'http://upstream')) return null
  const { pathname, search } = new URL(href, 'http://upstream')
  return pathname + search
}

/** Links contain the base path of an upstream's URL, which each call adds again. */
function withoutBase(link: string, listPath: string): string {
  const [linkPath = ''] = link.split('?', 1)
  return linkPath.endsWith(listPath) ? link.slice(linkPath.length - listPath.length) : link
}

interface Pages {
  /** The path without paging parameters. */
  path: string
  size: number
  /** The first page to fetch. */
  first?: number
  /** Maximum number of pages. Longer lists are refused. */
  maxPages?: number
  /** Number of pages that are fetched in parallel. */
  parallel?: number
}

/** The position of a page in its list. */
export type PageLinks = Pick<HalPage, 'totalPages' | 'next'>

/**
 * Fetches all pages of a list, in order. If the first page contains their number, fetches the others in parallel. Then follows
 * links to further pages. The first failure cancels the other fetches. Throws a 502 problem for a list that is too long.
 */
export async function fetchPages<T extends PageLinks>(
  { path, size, first = 0, maxPages = PAGES_MAX, parallel = PARALLEL_PAGES }: Pages,
  pageAt: (path: string, signal: AbortSignal) => Promise<T>,
  signal?: AbortSignal
): Promise<T[]> {
  const aborter = new AbortController()
  const anySignal = signal ? AbortSignal.any([signal, aborter.signal]) : aborter.signal
  const pathOfPage = (number: number) => `${path}${path.includes('?') ? '&' : '?'}page=${number}&size=${size}`
  const listPath = path.split('?', 1)[0] ?? ''
  const tooLongProblem = () => problems.upstreamTooLarge(`more than ${maxPages} pages`)

  const firstPage = await pageAt(pathOfPage(first), anySignal)
  if (firstPage.totalPages - first > maxPages) throw tooLongProblem()
  const limit = pLimit(parallel)
  const otherPages = Array.from({ length: Math.max(0, firstPage.totalPages - first - 1) }, (_, index) =>
    limit(() => pageAt(pathOfPage(first + index + 1), anySignal))
  )
  try {
    const pages = [firstPage, ...(await Promise.all(otherPages))]
    const followedLinks = new Set<string>()
    for (let next = pages.at(-1)?.next ?? null; next !== null && !followedLinks.has(next); ) {
      if (pages.length >= maxPages) throw tooLongProblem()
      followedLinks.add(next)
      const page = await pageAt(withoutBase(next, listPath), anySignal)
      pages.push(page)
      next = page.next
    }
    return pages
  } catch (error) {
    limit.clearQueue()
    aborter.abort()
    throw error
  }
}

export interface List<T> extends Pages {
  api: Api
  /** Name of the list in `_embedded`. */
  rel: string
  /** Maps an item. */
  read: (item: unknown) => T
  /** Maximum number of items. Longer lists are refused. */
  maxRecords?: number
}

/** Fetches all items of a list. Throws the upstream's problem, and a 502 problem for a list that is too long. */
export async function fetchAll<T>(
  client: UpstreamClient,
  { api, rel, read, maxRecords = RECORDS_MAX, maxPages = PARSED_PAGES_MAX, ...pages }: List<T>,
  bearer: Bearer,
  signal?: AbortSignal
): Promise<T[]> {
  let records = 0
  const pageAt = async (target: string, anySignal: AbortSignal) => {
    const { items, totalPages, next } = readPage(await client.get(api, target, bearer, anySignal), rel)
    records += items.length
    if (records > maxRecords) throw problems.upstreamTooLarge(`more than ${maxRecords} records`)
    return { items: items.map(read), totalPages, next }
  }
  return (await fetchPages({ ...pages, maxPages }, pageAt, signal)).flatMap(({ items }) => items)
}
