import useSWR, { type SWRConfiguration } from 'swr'
import { isAbort } from './api-error.ts'
import { type Key, useKeyOf } from './identity.ts'
import { signalOf, useHold } from './in-flight.ts'
import { request } from './request.ts'
import type { Load } from './use-load.ts'

/** A question that is asked by POST, cached by its path and body; null asks nothing. */
export function usePostLoad<T>(
  question: { path: string; body: unknown } | null,
  options: SWRConfiguration<T> = {}
): Load<T> {
  const keyOf = useKeyOf()
  const family = question && `${question.path} ${JSON.stringify(question.body)}`
  useHold(family)
  const { data, error, isValidating, mutate } = useSWR<T, unknown, Key | null>(
    family === null ? null : keyOf(family),
    () =>
      request<T>(question?.path ?? '', {
        method: 'POST',
        body: question?.body,
        signal: signalOf(family ?? '')
      }),
    options as object
  )
  return { data, error: isAbort(error) ? undefined : error, busy: isValidating, reload: () => void mutate() }
}
