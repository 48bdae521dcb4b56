// The house style of paged lists: `_embedded.<rel>`, `_links.next`, `page`. An empty list may lack `_embedded`.
import pLimit from 'p-limit'
import type { Api } from '../config.ts'
import { problems } from '../errors.ts'
import type { Bearer, UpstreamClient } from './client.ts'

/** Pages of one list under way at a time. */
const PARALLEL_PAGES = 6
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
    totalPages: typeof page?.totalPages === 'number' ? page.totalPages : 0,
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

/** A list's items to its end: the pages after the first in parallel where their number is told, else link by link. */
export async function fetchAll(
  client: UpstreamClient,
  api: Api,
  path: string,
  rel: string,
  size: number,
  bearer: Bearer,
  signal?: AbortSignal
): Promise<unknown[]> {
  const join = path.includes('?') ? '&' : '?'
  const pageAt = async (target: string) => readPage(await client.get(api, target, bearer, signal), rel)
  const first = await pageAt(`${path}${join}page=0&size=${size}`)
  if (first.totalPages > PAGES_MAX) throw problems.upstreamGarbled()
  if (first.totalPages > 1) {
    const limit = pLimit(PARALLEL_PAGES)
    const rest = Array.from({ length: first.totalPages - 1 }, (_, index) =>
      limit(() => pageAt(`${path}${join}page=${index + 1}&size=${size}`))
    )
    return [first, ...(await Promise.all(rest))].flatMap((page) => page.items)
  }
  return followLinks(first, pageAt)
}

async function followLinks(first: HalPage, pageAt: (path: string) => Promise<HalPage>): Promise<unknown[]> {
  const items = [...first.items]
  const seen = new Set<string>()
  for (let next = first.next; next !== null && !seen.has(next) && seen.size < PAGES_MAX; ) {
    seen.add(next)
    const page = await pageAt(next)
    items.push(...page.items)
    next = page.next
  }
  return items
}
