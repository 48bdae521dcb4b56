// Keeps which viewers watch the alarms of which customers. Streams and calls start and stop watching here, and get a
// customer's state.
// A customer that somebody has opened is read every few seconds. Customers of which somebody only sees a list take turns.
import { problems } from '../../errors.ts'
import type { Caller, Clock } from '../../types.ts'
import type { UpstreamClient } from '../../upstreams/client.ts'
import { type Viewer, visibilityOf } from '../../upstreams/visibility.ts'
import { createReadSchedule } from './read-schedule.ts'
import type { AlarmReading } from './reading.ts'
import { createSharedReadings } from './shared-readings.ts'
import type { AlarmViewer } from './viewers.ts'
import {
  createCustomer,
  createList,
  delayOf,
  isWatched,
  keyOf,
  type Presence,
  type WatchedCustomer,
  type WatchedList
} from './watched-customers.ts'

/** How long a customer or list is remembered after its last viewer, who may only have gone to another page. */
const LINGER_MS = 10_000
/** How long a call without a stream counts as a present viewer: calls are repeated within this time. */
const CALLED_MS = 60_000

/** The latest reading of a customer's alarms, and its failures. */
export interface AlarmState {
  reading: AlarmReading | undefined
  /** Since when the alarms are not read as often as they should, in milliseconds since 1970. */
  delayedSince: number | undefined
  /** Whether the upstream refused the viewer. */
  isRefused: boolean
}

export interface ListWatching {
  /** Says which customers the list has now. */
  update(customerIds: readonly string[]): void
  stop(): void
}

interface Options {
  client: UpstreamClient
  clock: Clock
  /** Maximum number of connections to the alarms' API. */
  connections: number
  /** Interval of the reads of an opened customer. */
  pollMs: number
  /** Interval of the reads of a list. A read takes two calls. */
  turnMs: number
}

export type AlarmWatch = ReturnType<typeof createAlarmWatch>

export function createAlarmWatch({ client, clock, connections, pollMs, turnMs }: Options) {
  const closing = new AbortController()
  const readings = createSharedReadings({ client, clock, closing: closing.signal, connections })
  const schedule = createReadSchedule({ readings, clock, pollMs, closing: closing.signal })
  const customers = new Map<string, WatchedCustomer>()
  const lists = new Map<string, WatchedList>()
  /** Callers without a stream, by list and user. */
  const callers = new Map<string, { watching: ListWatching; presence: Presence; timer: NodeJS.Timeout }>()

  function customerOf(customerId: string, visibility: string): WatchedCustomer {
    const key = keyOf(customerId, visibility)
    const customer = customers.get(key) ?? createCustomer(customerId, visibility, pollMs)
    customers.set(key, customer)
    return customer
  }

  function listOf(organizationId: string, visibility: string): WatchedList {
    const key = keyOf(organizationId, visibility)
    const list = lists.get(key) ?? createList(visibility, turnMs)
    lists.set(key, list)
    return list
  }

  function forgetIfUnwatched(customer: WatchedCustomer): void {
    if (!isWatched(customer)) afterLinger(() => !isWatched(customer) && customers.delete(customer.key))
  }

  /** Takes new customers into the list, and the others out of it. */
  function setCustomers(list: WatchedList, customerIds: readonly string[]): void {
    const removed = new Set(list.customers)
    list.customerIds = customerIds
    list.customers = customerIds.map((customerId) => customerOf(customerId, list.visibility))
    for (const customer of list.customers) {
      customer.lists.add(list)
      removed.delete(customer)
    }
    for (const customer of removed) {
      customer.lists.delete(list)
      forgetIfUnwatched(customer)
    }
  }

  function watchList(organizationId: string, presence: Presence): ListWatching {
    const visibility = visibilityOf(presence.viewer)
    const key = keyOf(organizationId, visibility)
    const list = listOf(organizationId, visibility)
    list.openedBy.add(presence)
    return {
      update(customerIds) {
        if (customerIds !== list.customerIds) setCustomers(list, customerIds)
        schedule.scheduleTurn(list, 0)
      },
      stop() {
        list.openedBy.delete(presence)
        if (list.openedBy.size > 0) return
        clearTimeout(list.timer)
        list.timer = undefined
        afterLinger(() => {
          if (list.openedBy.size > 0 || lists.get(key) !== list) return
          setCustomers(list, [])
          lists.delete(key)
        })
      }
    }
  }

  return {
    /** Watches a customer. Returns the function that stops it. */
    watchCustomer(customerId: string, viewer: Caller, onChange: () => void): () => void {
      const presence = { viewer: withoutTrace(viewer), onChange }
      const customer = customerOf(customerId, visibilityOf(viewer))
      customer.openedBy.add(presence)
      schedule.scheduleRead(customer)
      return () => {
        customer.openedBy.delete(presence)
        forgetIfUnwatched(customer)
      }
    },
    /** Watches the customers of an organization, which `update` names. */
    watchCustomers: (organizationId: string, viewer: Caller, onChange: () => void): ListWatching =>
      watchList(organizationId, { viewer: withoutTrace(viewer), onChange }),
    /** Watches the customers of an organization for a minute, for a caller without a stream. */
    keepWatching(organizationId: string, viewer: Caller, customerIds: readonly string[]): void {
      const key = `${keyOf(organizationId, visibilityOf(viewer))} ${viewer.user.id}`
      const known = callers.get(key)
      clearTimeout(known?.timer)
      const presence = known?.presence ?? { viewer: withoutTrace(viewer), onChange: () => {} }
      // The token of the newest call.
      presence.viewer = withoutTrace(viewer)
      const watching = known?.watching ?? watchList(organizationId, presence)
      const timer = setTimeout(() => {
        callers.delete(key)
        watching.stop()
      }, CALLED_MS).unref()
      callers.set(key, { watching, presence, timer })
      watching.update(customerIds)
    },
    /** Returns the state of a customer's alarms, without what the viewer may not see. */
    stateOf(customerId: string, viewer: Pick<Viewer, 'user'>): AlarmState {
      const key = keyOf(customerId, visibilityOf(viewer))
      const customer = customers.get(key)
      const { reading, failure } = readings.of(key, viewer)
      return {
        reading,
        delayedSince: failure?.at ?? (customer && delayOf(customer)),
        isRefused: failure?.isRefusal === true
      }
    },
    /** Number of watched customers that are read less often than they should. */
    get lateCount(): number {
      return [...customers.values()].filter((customer) => delayOf(customer) !== undefined).length
    },
    close: () => closing.abort(problems.clientGone())
  }
}

/** Leaves out the trace: the viewer's request ends before the reads do. */
function withoutTrace({ trace: _, ...viewer }: Caller): AlarmViewer {
  return viewer
}

const afterLinger = (work: () => void) => void setTimeout(work, LINGER_MS).unref()
