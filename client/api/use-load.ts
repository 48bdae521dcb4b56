import useSWR, { type SWRConfiguration } from 'swr'
import { isAbort } from './api-error.ts'
import { type Key, useKeyOf } from './identity.ts'
import { signalOf, useHold } from './in-flight.ts'
import { request } from './request.ts'

export interface Load<T> {
  data: T | undefined
  /** Set beside `data` when a reload failed and the previous answer still shows. */
  error: unknown
  busy: boolean
  reload: () => void
}

/** One GET, cached; null loads nothing. A call given up is no error. */
export function useLoad<T>(path: string | null, options: SWRConfiguration<T> = {}): Load<T> {
  const keyOf = useKeyOf()
  useHold(path)
  const { data, error, isValidating, mutate } = useSWR<T, unknown, Key | null>(
    path === null ? null : keyOf(path),
    fetchKey<T>,
    options as object
  )
  return { data, error: isAbort(error) ? undefined : error, busy: isValidating, reload: () => void mutate() }
}

function fetchKey<T>([, , path]: Key): Promise<T> {
  return request<T>(path, { signal: signalOf(path) })
}
