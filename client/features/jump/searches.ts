// The palette's calls: devices of all customers, and the searched customer's points with their values.
import { useEffect, useState } from 'react'
import { useParams } from 'react-router-dom'
import type { DeviceSearch, FoundDevice, FoundPoints } from '#shared/answers/customers.ts'
import { calls } from '#shared/calls.ts'
import { mergeFound } from '#shared/found-devices.ts'
import { ownCustomer } from '#shared/landing.ts'
import { isAbort } from '../../lib/http/api-error.ts'
import { LINES_TYPE, linesOf } from '../../lib/http/lines.ts'
import { get, type QueryResult, useQuery } from '../../lib/http/query.ts'
import { answerOf } from '../../lib/http/request.ts'
import { useLoads } from '../../lib/loads.ts'
import { paths } from '../../lib/paths.ts'
import { useSession } from '../../lib/session/session.ts'
import { recall, remember } from '../../lib/storage.ts'
import { pointOf } from '../data/points/point.ts'
import { type LiveValue, readValues } from '../device-details/api.ts'
import { useProjects } from '../sites/customers/api.ts'
import type { FoundPoint, SearchedCustomer } from './jump-targets.ts'

interface DeviceSearchState {
  /** The found devices, the closest match first. */
  items: readonly FoundDevice[]
  customers: DeviceSearch['customers']
  /** Number of customers that could not be read. */
  unread: number
  error: unknown
  /** True until the first customers are searched. */
  waiting: boolean
  /** True until all customers are searched. */
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

/** Calls `onState` after each line of the answer. Rejects with an ApiError, or when the signal is aborted. */
export async function searchDevices(
  organizationId: string,
  keyword: string,
  size: number,
  onState: (state: DeviceSearchState) => void,
  signal: AbortSignal
): Promise<void> {
  const query = new URLSearchParams({ q: keyword, size: String(size) })
  const path = `${calls.deviceSearch(organizationId)}?${query}`
  const { body } = await answerOf(path, { accept: LINES_TYPE, signal })
  let state = { ...NOT_SEARCHED, reading: true }
  for await (const line of linesOf(body)) {
    const { items, customers, partial } = JSON.parse(line) as DeviceSearch
    const unread = state.unread + partial.length
    const mergedItems = mergeFound(state.items, items, size)
    state = {
      ...state,
      items: mergedItems,
      customers,
      unread,
      reading: customers.read + unread < customers.of
    }
    onState(state)
  }
  if (state.reading) onState({ ...state, reading: false, unread: state.customers.of - state.customers.read })
}

/** Each keyword starts a search and cancels the previous one. Searches nothing without an organization or keyword. */
export function useDevicesEverywhere(
  organizationId: string | null,
  keyword: string,
  size: number
): DeviceSearchState & { retry: () => void } {
  const [state, setState] = useState(NOT_SEARCHED)
  const [tries, setTries] = useState(0)
  const active = organizationId !== null && keyword !== ''

  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry starts another search
  useEffect(() => {
    if (!active) return setState(NOT_SEARCHED)
    const controller = new AbortController()
    setState((previous) => ({ ...previous, waiting: true }))
    const show = (next: DeviceSearchState) => controller.signal.aborted || setState(next)
    searchDevices(organizationId, keyword, size, show, controller.signal).catch((error) => {
      if (!isAbort(error)) show({ ...NOT_SEARCHED, error })
    })
    return () => controller.abort()
  }, [active, organizationId, keyword, size, tries])

  return { ...state, retry: () => setTries(tries + 1) }
}

/** Searches nothing without a customer. The previous result stays until the next one arrives. */
export function useFoundPoints(
  customerId: string | null,
  keyword: string,
  size: number
): QueryResult<{ points: FoundPoint[]; isPartial: boolean }> {
  const query = new URLSearchParams({ q: keyword, size: String(size) })
  const path = customerId && `${calls.points(customerId)}?${query}`
  const { data, ...result } = useQuery(path, get<FoundPoints>, { keepPreviousData: true })
  const points = data?.items.map(({ point, device }) => ({ point: pointOf(point), device })) ?? []
  return { ...result, data: data && { points, isPartial: data.partial.length > 0 } }
}

const DEVICES_AT_ONCE = 6

/** Live values of points, keyed by `readingName`. */
export type Readings = ReadonlyMap<string, LiveValue>

/** Live values of the points, except on devices that cannot be read. Reads nothing without a customer. */
export function useReadings(customerId: string | null, points: readonly FoundPoint[]): Readings {
  const pointsByDevice = customerId === null ? [] : Map.groupBy(points, ({ device }) => device.id)
  const loads = [...pointsByDevice].map(([deviceId, found]) => {
    const cloudIds = found.map(({ point }) => point.cloudId)
    return {
      key: [customerId, deviceId, ...cloudIds].join(' '),
      async load(signal: AbortSignal) {
        const values = await readValues({ customerId: customerId ?? '', deviceId }, cloudIds, signal)
        return values.map((value) => [`${deviceId} ${value.cloudId}`, value] as const)
      }
    }
  })
  const { states } = useLoads(loads, DEVICES_AT_ONCE)
  return new Map([...states.values()].flatMap((load) => (load.state === 'ready' ? load.value : [])))
}

export function readingName({ device, point }: FoundPoint): string {
  return `${device.id} ${point.cloudId}`
}

interface Searched {
  customer: SearchedCustomer | null
  search: (customer: SearchedCustomer | null) => void
}

/** The chosen customer, else the one in the address, else the person's only one, else the last one searched. */
export function useSearchedCustomer(): Searched {
  const session = useSession()
  const { customerId, organizationId } = useParams()
  const storageKey = `portal.jump.${session.user.id}`
  const [chosenCustomer, setChosenCustomer] = useState<SearchedCustomer | null | undefined>(undefined)
  const id = customerId ?? ownCustomer(session)
  const { data } = useProjects(chosenCustomer === undefined ? id : null)
  const currentCustomer = id
    ? { id, name: data?.customer.orgName ?? '', path: paths.customer(id, organizationId) }
    : null
  return {
    customer:
      chosenCustomer === undefined
        ? (currentCustomer ?? recall<SearchedCustomer>(storageKey))
        : chosenCustomer,
    search(customer) {
      setChosenCustomer(customer)
      remember(storageKey, customer)
    }
  }
}
