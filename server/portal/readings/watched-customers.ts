// The customers whose alarms are watched, the lists that contain them, and who is present to see them.
import { createReadInterval, type Outcome, type ReadInterval } from './read-interval.ts'
import type { AlarmViewer } from './viewers.ts'

/** A viewer who has opened a customer or a list. */
export interface Presence {
  viewer: AlarmViewer
  onChange: () => void
}

/** A customer, for viewers of equal visibility. */
export interface WatchedCustomer {
  key: string
  customerId: string
  visibility: string
  /** Viewers who have opened the customer. */
  openedBy: Set<Presence>
  /** Lists that contain the customer. */
  lists: Set<WatchedList>
  interval: ReadInterval
  timer: NodeJS.Timeout | undefined
  running: Promise<Outcome> | undefined
  /** The start of the last read, by `performance.now`. */
  triedAt: number
  /** Since when the alarms are not read as often as they should, in milliseconds since 1970. */
  delayedSince: number | undefined
}

/** The customers of an organization, for viewers of equal visibility. */
export interface WatchedList {
  visibility: string
  customerIds: readonly string[]
  /** The customers of `customerIds`. */
  customers: readonly WatchedCustomer[]
  openedBy: Set<Presence>
  /** The interval of the turns. */
  interval: ReadInterval
  timer: NodeJS.Timeout | undefined
  isRunning: boolean
  /** Since when the turns take longer than they should, in milliseconds since 1970. */
  delayedSince: number | undefined
}

/** Names a customer or an organization as seen with one visibility. */
export const keyOf = (id: string, visibility: string) => `${id} ${visibility}`

/** @param pollMs interval of the reads while somebody has opened the customer */
export function createCustomer(customerId: string, visibility: string, pollMs: number): WatchedCustomer {
  return {
    key: keyOf(customerId, visibility),
    customerId,
    visibility,
    openedBy: new Set(),
    lists: new Set(),
    interval: createReadInterval(pollMs),
    timer: undefined,
    running: undefined,
    triedAt: Number.NEGATIVE_INFINITY,
    delayedSince: undefined
  }
}

/** @param turnMs interval of the turns */
export function createList(visibility: string, turnMs: number): WatchedList {
  return {
    visibility,
    customerIds: [],
    customers: [],
    openedBy: new Set(),
    interval: createReadInterval(turnMs),
    timer: undefined,
    isRunning: false,
    delayedSince: undefined
  }
}

export function isWatched({ openedBy, lists }: WatchedCustomer): boolean {
  return openedBy.size > 0 || lists.size > 0
}

/** Everybody who sees the customer, those who have opened it first. */
export function* presencesOf({ openedBy, lists }: WatchedCustomer): Generator<Presence> {
  yield* openedBy
  for (const list of lists) yield* list.openedBy
}

/** Since when a customer is late: a customer that nobody has opened is also late while the turns of its list are. */
export function delayOf({ delayedSince, openedBy, lists }: WatchedCustomer): number | undefined {
  if (delayedSince !== undefined || openedBy.size > 0) return delayedSince
  for (const list of lists) if (list.delayedSince !== undefined) return list.delayedSince
  return undefined
}
