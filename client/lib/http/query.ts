// Reads with SWR. Keys begin with the person and organization that the answers belong to.
import { createContext, useCallback, useContext, useLayoutEffect } from 'react'
import useSWR, { type SWRConfiguration, type SWRResponse, unstable_serialize, useSWRConfig } from 'swr'
import type { Page } from '#shared/answers/parts.ts'
import { isAbort } from './api-error.ts'
import { request } from './request.ts'
import { useRetry } from './retry.ts'

export const swrOptions: SWRConfiguration = {
  focusThrottleInterval: 60_000,
  // `useRetry` repeats failed reads, because SWR forgets a read that fails while the page is hidden.
  onErrorRetry() {}
}

export interface Identity {
  userId: string
  organizationId: string
}

export type Key = readonly [userId: string, organizationId: string, name: string]

export const IdentityContext = createContext<Identity>({ userId: '', organizationId: '' })

export function useKeyOf(): (name: string) => Key {
  const { userId, organizationId } = useContext(IdentityContext)
  return useCallback((name) => [userId, organizationId, name], [userId, organizationId])
}

/** Reads the answer at a path. */
export type Read<T> = (path: string, signal?: AbortSignal) => Promise<T>

/** A GET whose answer needs no conversion. */
export const get = <T>(path: string, signal?: AbortSignal): Promise<T> => request<T>(path, { signal })

export interface QueryResult<T> {
  data: T | undefined
  /** If `data` is set too, a later read failed and the previous answer still shows. An aborted call is not an error. */
  error: unknown
  isFetching: boolean
  refetch: () => void
}

/** @param repeatsItself whether the query has its own `onErrorRetry`, so that `useRetry` leaves it alone */
function useResultOf<T>(
  key: Key | null,
  response: SWRResponse<T, unknown>,
  repeatsItself = false
): QueryResult<T> {
  const { data, error, isValidating, mutate } = response
  const { cache } = useSWRConfig()
  const refetch = () => void mutate()
  useRetry(repeatsItself ? undefined : error, isValidating, () => {
    // Several components may show the same failed read.
    if (!cache.get(unstable_serialize(key))?.isValidating) refetch()
  })
  return { data, error: isAbort(error) ? undefined : error, isFetching: isValidating, refetch }
}

/**
 * The result of `read`, cached under `name`, usually the path for `useRefresh`. A null name reads nothing. All queries of
 * one name must have the same `read`.
 */
export function useQuery<T>(
  name: string | null,
  read: (name: string, signal: AbortSignal) => Promise<T>,
  options: SWRConfiguration<T> = {}
): QueryResult<T> {
  const keyOf = useKeyOf()
  const key = name === null ? null : keyOf(name)
  const refreshInterval = usePollInterval(key, options.refreshInterval)
  useRequestFamily(name)
  const response = useSWR<T, unknown, Key | null>(
    key,
    ([, , cacheName]: Key) => read(cacheName, signalOf(cacheName)),
    { ...(options as object), refreshInterval }
  )
  return useResultOf(key, response, options.onErrorRetry !== undefined)
}

type PollInterval<T> = SWRConfiguration<T>['refreshInterval']

/** The poll interval for the cached answer. Given a new function at each render, SWR would restart its timer each time. */
function usePollInterval<T>(key: Key | null, interval: PollInterval<T> = 0): number {
  const { cache } = useSWRConfig()
  if (typeof interval === 'number') return interval
  return interval(key === null ? undefined : cache.get(unstable_serialize(key))?.data)
}

/** State in SWR's cache. Unlike component state, it survives leaving the screen. */
export function useCachedState<T>(name: string | null, initialValue: T): [T, (value: T) => void] {
  const keyOf = useKeyOf()
  const { data = initialValue, mutate } = useSWR<T>(name === null ? null : keyOf(name), null)
  const change = useCallback((value: T) => void mutate(value, { revalidate: false }), [mutate])
  return [data, change]
}

export interface InfiniteQueryResult<P> extends QueryResult<P[]> {
  hasNextPage: boolean
  fetchNextPage: () => void
}

/**
 * A growing list. `base` is a path with a query, to which the page number is added; a null `base` loads nothing.
 * The cache stores the number of loaded pages, so that they show again when the person returns.
 *
 * Not `useSWRInfinite`, because SWR's `mutate` with a filter skips its keys: the tests "a change reloads all pages of a
 * growing list on display" and "after a change, a growing list that was not on display is read from its first page" fail
 * with it. A poll reaches all its pages only with `revalidateAll`, with which "load more" reads all pages too.
 */
export function useInfiniteQuery<P extends Page<unknown>>(
  base: string | null,
  interval?: PollInterval<P[]>
): InfiniteQueryResult<P> {
  const keyOf = useKeyOf()
  const { cache } = useSWRConfig()
  useRequestFamily(base)
  const [count, setCount] = useCachedState(base && `${base} count`, 1)
  const keyOfPages = (pages: number) => keyOf(`${base} ${pages}`)
  const refreshInterval = usePollInterval(base === null ? null : keyOfPages(count), interval)

  async function load(): Promise<P[]> {
    const pageAt = (number: number) => get<P>(`${base}&page=${number}`, signalOf(base ?? ''))
    const loadedPages: P[] = cache.get(unstable_serialize(keyOfPages(count - 1)))?.data ?? []
    const isNext = cache.get(unstable_serialize(keyOfPages(count)))?.data === undefined
    if (isNext && loadedPages.length > 0) return [...loadedPages, await pageAt(count - 1)]
    return Promise.all(Array.from({ length: count }, (_, number) => pageAt(number)))
  }

  const key = base === null ? null : keyOfPages(count)
  const response = useSWR<P[], unknown>(key, load, {
    keepPreviousData: true,
    revalidateIfStale: false,
    revalidateOnFocus: false,
    refreshInterval
  })
  const pages = useResultOf(key, response)
  const lastPage = pages.data?.at(-1)?.page
  return {
    ...pages,
    hasNextPage: lastPage !== undefined && lastPage.number + 1 < lastPage.totalPages,
    fetchNextPage: () => {
      if (pages.data?.length === count) setCount(count + 1)
    }
  }
}

/** Whether a cached answer of the person and organization is below any of the paths. */
function isBelow(key: unknown, [userId, organizationId]: Key, paths: readonly string[]): key is Key {
  return (
    Array.isArray(key) &&
    key[0] === userId &&
    key[1] === organizationId &&
    paths.some((path) => String(key[2]).startsWith(path))
  )
}

type CacheChange = (answer: unknown, path: string) => unknown

/** Changes the cached answers below a path. Returns how to revert the changes. */
export function useCacheChange(): (path: string, change: CacheChange) => () => void {
  const { mutate } = useSWRConfig()
  const keyOf = useKeyOf()
  return (path, change) => {
    const keys: Key[] = []
    const collect = (key: unknown) => {
      if (isBelow(key, keyOf(''), [path])) keys.push(key)
      return false
    }
    void mutate(collect, undefined, { revalidate: false })
    const previousAnswers = new Map<Key, unknown>()
    const update = (key: Key, next: (answer: unknown) => unknown) =>
      void mutate(key, next, { revalidate: false })
    for (const key of keys)
      update(key, (answer) => {
        previousAnswers.set(key, answer)
        return change(answer, key[2])
      })
    return () => {
      for (const [key, answer] of previousAnswers) update(key, () => answer)
    }
  }
}

/** After a change: reloads displayed answers below any of the paths, and drops answers that are not displayed. */
export function useRefresh(): (...paths: string[]) => Promise<void> {
  const { mutate } = useSWRConfig()
  const keyOf = useKeyOf()
  return useCallback(
    async (...paths) => {
      const isAffected = (key: unknown) => isBelow(key, keyOf(''), paths)
      // Without this, a growing list would show old data when the person returns.
      await mutate((key) => isAffected(key) && !isInUse(familyNameOf(key as unknown as Key)), undefined, {
        revalidate: false
      })
      await mutate(isAffected)
    },
    [mutate, keyOf]
  )
}

/** The name of the key's request family. Keys of growing lists end with the number of pages or the word "count". */
const familyNameOf = ([, , name]: Key) => name.replace(/ (?:\d+|count)$/, '')

/** Refreshes all answers about a customer, including its card in the customer list. */
export function useCustomerRefresh(customerId: string): () => Promise<void> {
  const refresh = useRefresh()
  return useCallback(
    () =>
      refresh(`/api/portal/v1/customers/${encodeURIComponent(customerId)}/`, '/api/portal/v1/organizations/'),
    [refresh, customerId]
  )
}

interface RequestFamily {
  controller: AbortController
  /** The number of mounted components that use the family. */
  users: number
}

// SWR cannot cancel requests (see the test "aborts a load that no component uses, without an error"). The requests of one
// name are a family, which is aborted once no component uses it.
const families = new Map<string, RequestFamily>()

function familyNamed(name: string): RequestFamily {
  const family = families.get(name) ?? { controller: new AbortController(), users: 0 }
  families.set(name, family)
  return family
}

function signalOf(familyName: string): AbortSignal {
  return familyNamed(familyName).controller.signal
}

/** Whether a mounted component uses the family. */
function isInUse(familyName: string): boolean {
  return (families.get(familyName)?.users ?? 0) > 0
}

/**
 * Uses a family while mounted, so that its requests continue. A layout effect runs before SWR reads; a later effect
 * would let the previous screen abort this screen's request.
 */
function useRequestFamily(name: string | null): void {
  useLayoutEffect(() => {
    if (name === null) return
    familyNamed(name).users += 1
    return () => leaveFamily(name)
  }, [name])
}

function leaveFamily(name: string): void {
  const family = familyNamed(name)
  family.users -= 1
  // Deferred: the next screen may use the same family in this commit.
  setTimeout(() => {
    if (family.users > 0) return
    family.controller.abort()
    if (families.get(name) === family) families.delete(name)
  })
}
