import useSWR, { unstable_serialize, useSWRConfig } from 'swr'
import type { Page } from '#shared/entities.ts'
import { isAbort } from './api-error.ts'
import { useKeyOf } from './identity.ts'
import { signalOf, useHold } from './in-flight.ts'
import { request } from './request.ts'
import type { Load } from './use-load.ts'

export interface Pages<P> extends Load<P[]> {
  hasMore: boolean
  loadMore: () => void
}

/**
 * Pages one below the other. `base` is a path with a query, to which the page number is added; null loads nothing.
 * How many pages are open is kept in the cache, so that who comes back finds them.
 */
export function usePages<P extends Page<unknown>>(base: string | null, refreshInterval = 0): Pages<P> {
  const keyOf = useKeyOf()
  const { cache } = useSWRConfig()
  useHold(base)
  const { data: count = 1, mutate: open } = useSWR<number>(base && keyOf(`${base} count`), null)
  const keyOfPages = (pages: number) => keyOf(`${base} ${pages}`)

  async function load(): Promise<P[]> {
    const pageAt = (number: number) => request<P>(`${base}&page=${number}`, { signal: signalOf(base ?? '') })
    const known: P[] = cache.get(unstable_serialize(keyOfPages(count - 1)))?.data ?? []
    const isNext = cache.get(unstable_serialize(keyOfPages(count)))?.data === undefined
    if (isNext && known.length > 0) return [...known, await pageAt(count - 1)]
    return Promise.all(Array.from({ length: count }, (_, number) => pageAt(number)))
  }

  const { data, error, isValidating, mutate } = useSWR<P[], unknown>(base && keyOfPages(count), load, {
    keepPreviousData: true,
    revalidateIfStale: false,
    revalidateOnFocus: false,
    refreshInterval
  })
  const last = data?.at(-1)?.page
  return {
    data,
    error: isAbort(error) ? undefined : error,
    busy: isValidating,
    reload: () => void mutate(),
    hasMore: last !== undefined && last.number + 1 < last.totalPages,
    loadMore: () => {
      if (data?.length === count) void open(count + 1, { revalidate: false })
    }
  }
}
