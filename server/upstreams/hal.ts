// The house style of paged lists: `_embedded.<rel>`, `_links.next`, `page`. An empty list may lack `_embedded`.
import pLimit from 'p-limit'
import type { Api } from '../config/settings.ts'
import { problems } from '../errors.ts'
import type { Bearer, UpstreamClient } from './client.ts'

/** Pages of one list under way at a time. */
const PARALLEL_PAGES = 8
/** A list that does not end by then is refused rather than followed for ever. */
const PAGES_MAX = 1000

export interface HalPage {
  items: unknown[]
  totalPages: number
  totalElements: number
  /** Path and query of the next page; null on the last. */
  next: string | null
}

/** Reads one page. Throws a 502 problem when the answer is no list. */
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
    totalPages: Number.isSafeInteger(page?.totalPages) ? Number(page?.totalPages) : 0,
    totalElements: typeof page?.totalElements === 'number' ? page.totalElements : items.length,
    next: pathOf(_links?.next?.href)
  }
}

/** Only path and query of a link are followed, at the configured upstream, never another host. */
function pathOf(href: unknown): string | null {
  if (typeof href !== 'string' || !URL.canParse(href, 'http://upstream')) return null
  const { pathname, search } = new URL(href, 'http://upstream')
  return pathname + search
}

export interface List {
  /** Without paging parameters. */
  path: string
  size: number
}

/** Where a list goes on after a page. */
export type PageLinks = Pick<HalPage, 'totalPages' | 'next'>

/**
 * The pages of a list to its end, in order: those after the first in parallel where their number is told, what lies beyond
 * link by link. The first failure ends it, and gives up the other pages.
 */
export async function fetchPages<T extends PageLinks>(
  { path, size }: List,
  pageAt: (path: string, signal: AbortSignal) => Promise<T>,
  signal?: AbortSignal
): Promise<T[]> {
  const failed = new AbortController()
  const either = signal ? AbortSignal.any([signal, failed.signal]) : failed.signal
  const numbered = (number: number) => `${path}${path.includes('?') ? '&' : '?'}page=${number}&size=${size}`

  const first = await pageAt(numbered(0), either)
  if (first.totalPages > PAGES_MAX) throw problems.upstreamGarbled()
  const limit = pLimit(PARALLEL_PAGES)
  const others = Array.from({ length: Math.max(0, first.totalPages - 1) }, (_, index) =>
    limit(() => pageAt(numbered(index + 1), either))
  )
  try {
    const pages = [first, ...(await Promise.all(others))]
    const seen = new Set<string>()
    for (let next = pages.at(-1)?.next ?? null; next !== null && !seen.has(next) && seen.size < PAGES_MAX; ) {
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

/** The items of a list to its end. */
export async function fetchAll(
  client: UpstreamClient,
  api: Api,
  path: string,
  rel: string,
  size: number,
  bearer: Bearer,
  signal?: AbortSignal
): Promise<unknown[]> {
  const pageAt = async (target: string, either: AbortSignal) =>
    readPage(await client.get(api, target, bearer, either), rel)
  return (await fetchPages({ path, size }, pageAt, signal)).flatMap(({ items }) => items)
}
