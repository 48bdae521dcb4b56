// The house style of paged lists: `_embedded.<rel>`, `_links.next`, `page`. An empty list may lack `_embedded`.
import pLimit from 'p-limit'
import type { Api } from '../config.ts'
import { problems } from '../errors.ts'
import { type Bearer, parseJson } from './bodies.ts'
import type { UpstreamClient } from './client.ts'
import { memberStart, walkableBytes } from './json-bytes.ts'
import type { RecordReader, Records } from './records.ts'

/** Pages of one list under way at a time. */
const PARALLEL_PAGES = 8
/** A list that does not end by then is refused rather than followed for ever. */
const PAGES_MAX = 1000
const EMPTY = Buffer.from('[]')

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
  api: Api
  /** Of its own pages, without paging parameters. */
  path: string
  rel: string
  size: number
}

/** What was made of a page, and where the list goes on. */
interface PageRead<T> extends Pick<HalPage, 'totalPages' | 'next'> {
  done: T
}

/**
 * A list to its end, page by page, and what `read` made of each, in order: the pages after the first in parallel where
 * their number is told, what lies beyond link by link. The first failure ends it, and gives up the other pages.
 */
async function fetchPages<T>(
  client: UpstreamClient,
  { api, path, size }: List,
  bearer: Bearer,
  read: (chunks: Buffer[]) => PageRead<T>,
  signal?: AbortSignal
): Promise<T[]> {
  const failed = new AbortController()
  const either = signal ? AbortSignal.any([signal, failed.signal]) : failed.signal
  const numbered = (number: number) => `${path}${path.includes('?') ? '&' : '?'}page=${number}&size=${size}`
  const pageAt = (target: string) => client.getBytes(api, target, bearer, read, either)

  const first = await pageAt(numbered(0))
  if (first.totalPages > PAGES_MAX) throw problems.upstreamGarbled()
  const limit = pLimit(PARALLEL_PAGES)
  const others = Array.from({ length: Math.max(0, first.totalPages - 1) }, (_, index) =>
    limit(() => pageAt(numbered(index + 1)))
  )
  try {
    const pages = [first, ...(await Promise.all(others))]
    const seen = new Set<string>()
    for (let next = pages.at(-1)?.next ?? null; next !== null && !seen.has(next) && seen.size < PAGES_MAX; ) {
      seen.add(next)
      const page = await pageAt(next)
      pages.push(page)
      next = page.next
    }
    return pages.map(({ done }) => done)
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
  const read = (chunks: Buffer[]) => {
    const { items, ...page } = readPage(parseJson(chunks), rel)
    return { ...page, done: items }
  }
  return (await fetchPages(client, { api, path, rel, size }, bearer, read, signal)).flat()
}

/** The items as records, page by page. */
export function fetchRecords<K extends string>(
  client: UpstreamClient,
  list: List,
  bearer: Bearer,
  reader: RecordReader<K>,
  signal?: AbortSignal
): Promise<Records<K>[]> {
  const walkable = walkableBytes()
  const read = (chunks: Buffer[]) => readRecords(walkable(chunks), list.rel, reader)
  return fetchPages(client, list, bearer, read, signal)
}

/** The page without its items is small, and says the rest. */
function readRecords<K extends string>(
  bytes: Buffer,
  rel: string,
  reader: RecordReader<K>
): PageRead<Records<K>> {
  const embedded = memberStart(bytes, 0, '_embedded')
  const start = embedded < 0 ? embedded : memberStart(bytes, embedded, rel)
  const { records, end } = start < 0 ? { records: reader.take(), end: start } : reader.list(bytes, start)
  const rest =
    start < 0 ? [bytes.subarray(0, -1)] : [bytes.subarray(0, start), EMPTY, bytes.subarray(end, -1)]
  const { items, ...page } = readPage(parseJson(rest), rel)
  // Items in two places are no list.
  if (items.length > 0) throw problems.upstreamGarbled()
  return { ...page, done: records }
}
