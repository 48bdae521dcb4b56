// The search for a device over all customers, told by the gateway line by line as it reads them.
import { useEffect, useState } from 'react'
import type { DeviceSearch, FoundDevice } from '#shared/entities.ts'
import { mergeFound } from '#shared/found-devices.ts'
import { isAbort } from '../../lib/http/api-error.ts'
import { answerOf } from '../../lib/http/request.ts'

interface DeviceSearchState {
  /** The best so far, the closest first. */
  items: readonly FoundDevice[]
  customers: DeviceSearch['customers']
  /** How many customers could not be read. */
  unread: number
  error: unknown
  /** Until the first customers are searched, and until all are. */
  waiting: boolean
  reading: boolean
}

const NOT_SEARCHED: DeviceSearchState = {
  items: [],
  customers: { read: 0, of: 0 },
  unread: 0,
  error: undefined,
  waiting: false,
  reading: false
}

/** Told with every line; rejects with an ApiError, and when the signal is aborted. */
export async function searchDevices(
  organizationId: string,
  keyword: string,
  size: number,
  tell: (state: DeviceSearchState) => void,
  signal: AbortSignal
): Promise<void> {
  const query = new URLSearchParams({ q: keyword, size: String(size) })
  const path = `/api/portal/v1/organizations/${encodeURIComponent(organizationId)}/search?${query}`
  const { body } = await answerOf(path, { accept: 'application/x-ndjson', signal })
  let state = { ...NOT_SEARCHED, reading: true }
  for await (const line of linesOf(body)) {
    const { items, customers, partial } = JSON.parse(line) as DeviceSearch
    const unread = state.unread + partial.length
    const merged = mergeFound(state.items, items, size)
    state = { ...state, items: merged, customers, unread, reading: customers.read + unread < customers.of }
    tell(state)
  }
  if (state.reading) tell({ ...state, reading: false, unread: state.customers.of - state.customers.read })
}

async function* linesOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<string, void, void> {
  const reader = body?.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader()
  let rest = ''
  for (let step = await reader?.read(); step && !step.done; step = await reader?.read()) {
    const lines = (rest + step.value).split('\n')
    rest = lines.pop() ?? ''
    yield* lines.filter((line) => line !== '')
  }
  if (rest !== '') yield rest
}

/** Searches anew with every keyword, and gives up the search before; null searches nothing. */
export function useDevicesEverywhere(
  organizationId: string | null,
  keyword: string,
  size: number
): DeviceSearchState & { retry: () => void } {
  const [state, setState] = useState(NOT_SEARCHED)
  const [tries, setTries] = useState(0)
  const active = organizationId !== null && keyword !== ''

  // biome-ignore lint/correctness/useExhaustiveDependencies: a further try is another search
  useEffect(() => {
    if (!active) return setState(NOT_SEARCHED)
    const gone = new AbortController()
    setState((before) => ({ ...before, waiting: true }))
    const tell = (next: DeviceSearchState) => gone.signal.aborted || setState(next)
    searchDevices(organizationId, keyword, size, tell, gone.signal).catch((error) => {
      if (!isAbort(error)) tell({ ...NOT_SEARCHED, error })
    })
    return () => gone.abort()
  }, [active, organizationId, keyword, size, tries])

  return { ...state, retry: () => setTries(tries + 1) }
}
