// Reads with SWR. Keys begin with the person and organization that the answers belong to.
import { createContext, useCallback, useContext, useLayoutEffect } from 'react'
import useSWR, { type SWRConfiguration, type SWRResponse, unstable_serialize, useSWRConfig } from 'swr'
import type { Page } from '#shared/entities.ts'
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

export interface Load<T> {
  data: T | undefined
  /** If `data` is set too, a reload failed and the previous answer still shows. An aborted call is not an error. */
  error: unknown
  busy: boolean
  reload: () => void
}

function useLoadFrom<T>(key: Key | null, response: SWRResponse<T, unknown>): Load<T> {
  const { data, error, isValidating, mutate } = response
  const { cache } = useSWRConfig()
  const reload = () => void mutate()
  useRetry(error, isValidating, () => {
    // Several components may show the same failed read.
    if (!cache.get(unstable_serialize(key))?.isValidating) reload()
  })
  return { data, error: isAbort(error) ? undefined : error, busy: isValidating, reload }
}

/** The result of `read`, cached under `name`, usually a path for `useRefresh`. A null name reads nothing. */
export function useQuery<T>(
  name: string | null,
  read: (name: string, signal: AbortSignal) => Promise<T>,
  options: SWRConfiguration<T> = {}
): Load<T> {
  const keyOf = useKeyOf()
  const key = name === null ? null : keyOf(name)
  const refreshInterval = usePollInterval(key, options.refreshInterval)
  useHold(name)
  const response = useSWR<T, unknown, Key | null>(
    key,
    ([, , cacheName]: Key) => read(cacheName, signalOf(cacheName)),
    { ...(options as object), refreshInterval }
  )
  return useLoadFrom(key, response)
}

type PollInterval<T> = SWRConfiguration<T>['refreshInterval']

/** The poll interval for the cached answer. Given a new function at each render, SWR would restart its timer each time. */
function usePollInterval<T>(key: Key | null, interval: PollInterval<T> = 0): number {
  const { cache } = useSWRConfig()
  if (typeof interval === 'number') return interval
  return interval(key === null ? undefined : cache.get(unstable_serialize(key))?.data)
}

/** The answer to a GET of the path. A null path loads nothing. */
export function useLoad<T>(path: string | null, options: SWRConfiguration<T> = {}): Load<T> {
  return useQuery<T>(path, (cacheName, signal) => request<T>(cacheName, { signal }), options)
}

/** State in SWR's cache. Unlike component state, it survives leaving the screen. */
export function useKept<T>(name: string | null, initialValue: T): [T, (value: T) => void] {
  const keyOf = useKeyOf()
  const { data = initialValue, mutate } = useSWR<T>(name === null ? null : keyOf(name), null)
  return [data, (value) => void mutate(value, { revalidate: false })]
}

export interface Pages<P> extends Load<P[]> {
  hasMore: boolean
  loadMore: () => void
}

/**
 * A growing list. `base` is a path with a query, to which the page number is added; a null `base` loads nothing.
 * The cache stores the number of loaded pages, so that they show again when the person returns.
 */
export function usePages<P extends Page<unknown>>(
  base: string | null,
  interval?: PollInterval<P[]>
): Pages<P> {
  const keyOf = useKeyOf()
  const { cache } = useSWRConfig()
  useHold(base)
  const [count, setCount] = useKept(base && `${base} count`, 1)
  const keyOfPages = (pages: number) => keyOf(`${base} ${pages}`)
  const refreshInterval = usePollInterval(base === null ? null : keyOfPages(count), interval)

  async function load(): Promise<P[]> {
    const pageAt = (number: number) => request<P>(`${base}&page=${number}`, { signal: signalOf(base ?? '') })
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
  const pages = useLoadFrom(key, response)
  const lastPage = pages.data?.at(-1)?.page
  return {
    ...pages,
    hasMore: lastPage !== undefined && lastPage.number + 1 < lastPage.totalPages,
    loadMore: () => {
      if (pages.data?.length === count) setCount(count + 1)
    }
  }
}

/** After a change: reloads displayed answers below any of the paths, and drops answers that are not displayed. */
export function useRefresh(): (...paths: string[]) => Promise<void> {
  const { mutate } = useSWRConfig()
  const keyOf = useKeyOf()
  return useCallback(
    async (...paths) => {
      const [userId, organizationId] = keyOf('')
      const isAffected = (key: unknown) =>
        Array.isArray(key) &&
        key[0] === userId &&
        key[1] === organizationId &&
        paths.some((path) => String(key[2]).startsWith(path))
      // Without this, a growing list would show old data when the person returns.
      await mutate((key) => isAffected(key) && !isHeld(heldName(key as unknown as Key)), undefined, {
        revalidate: false
      })
      await mutate(isAffected)
    },
    [mutate, keyOf]
  )
}

/** Keys of growing lists end with the number of pages or the word "count". */
const heldName = ([, , name]: Key) => name.replace(/ (?:\d+|count)$/, '')

/** Refreshes all answers about a customer, including its card in the customer list. */
export function useCustomerRefresh(customerId: string): () => Promise<void> {
  const refresh = useRefresh()
  return useCallback(
    () =>
      refresh(`/api/portal/v1/customers/${encodeURIComponent(customerId)}/`, '/api/portal/v1/organizations/'),
    [refresh, customerId]
  )
}

// SWR cannot cancel calls. Calls of one name (a family) are aborted once no component uses the name.
const calls = new Map<string, { controller: AbortController; holders: number }>()

function callOf(family: string) {
  const call = calls.get(family) ?? { controller: new AbortController(), holders: 0 }
  calls.set(family, call)
  return call
}

export function signalOf(family: string): AbortSignal {
  return callOf(family).controller.signal
}

/** Whether a mounted component uses the family. */
export function isHeld(family: string): boolean {
  return (calls.get(family)?.holders ?? 0) > 0
}

/**
 * Keeps the calls of a family alive while mounted. A layout effect runs before SWR reads; a later effect
 * would let the previous screen abort this screen's call.
 */
export function useHold(family: string | null): void {
  useLayoutEffect(() => {
    if (family === null) return
    callOf(family).holders += 1
    return () => release(family)
  }, [family])
}

function release(family: string): void {
  const call = callOf(family)
  call.holders -= 1
  // Deferred: the next screen may hold the same family in this commit.
  setTimeout(() => {
    if (call.holders > 0) return
    call.controller.abort()
    if (calls.get(family) === call) calls.delete(family)
  })
}
