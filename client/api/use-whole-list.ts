import useSWR from 'swr'
import { isAbort } from './api-error.ts'
import { type Key, useKeyOf } from './identity.ts'
import { signalOf, useHold } from './in-flight.ts'
import type { Load } from './use-load.ts'

/** A list that is read to its end before it shows; null loads nothing. */
export function useWholeList<T>(
  path: string | null,
  read: (path: string, signal: AbortSignal) => Promise<T[]>
): Load<T[]> {
  const keyOf = useKeyOf()
  useHold(path)
  const { data, error, isValidating, mutate } = useSWR<T[], unknown, Key | null>(
    path === null ? null : keyOf(path),
    () => read(path ?? '', signalOf(path ?? '')),
    { keepPreviousData: true }
  )
  return { data, error: isAbort(error) ? undefined : error, busy: isValidating, reload: () => void mutate() }
}
