// Who is looking at which customers: open streams, and calls for a minute.
import type { Caller } from '../../types.ts'
import { visibilityOf } from '../../upstreams/visibility.ts'
import { createReadInterval, type Outcome, type ReadInterval } from './back-off.ts'
import type { PresentViewer } from './failures.ts'
import type { CustomerKinds } from './next-customer.ts'
import { PART_NAMES, type Part } from './parts.ts'

/** How long customers are remembered after their last viewer, who may only have gone to another page. */
const LINGER_MS = 10_000
/** How long a call without a stream counts as a present viewer: calls are repeated within this time. */
const CALLED_MS = 60_000

export interface Presence {
  viewer: PresentViewer
  /** Called with the customer that has changed, or without if any may have. */
  onChange: (customerId?: string) => void
  /** The viewer has signed out or has other roles. */
  hasEnded: boolean
}

/** An opened customer is read more often than those of a list, by a replica of its own. */
type LookedAt = 'opened' | 'in a list'
export const lookedAt = ({ isOpened }: Watch): LookedAt => (isOpened ? 'opened' : 'in a list')

/** A part of a customer that is read, or waits for it. Times by a steady clock. */
export interface PartState {
  running: Promise<Outcome> | undefined
  /** The running read takes so long that another one may start. */
  isSlow: boolean
  triedAt: number
  /** Until when another replica reads it for those who have opened it, and for lists. */
  leftUntil: Record<LookedAt, number>
  /** When another replica was first found to read it, although it told nothing. */
  deniedAt: number | undefined
  isFailing: boolean
  /** The newest change through a gateway, until it has been read. */
  changeId: string | undefined
}

/** A customer, for viewers of equal visibility. */
export interface WatchedCustomer {
  key: string
  customerId: string
  visibility: string
  watches: Set<Watch>
  parts: Record<Part, PartState>
}

/** The reads of one part for a watch. */
export interface Progress {
  interval: ReadInterval
  startedAt: number
  runningCount: number
  /** Tokens that failed are being tried again. */
  isRetrying: boolean
}

/** What people of equal visibility look at: a customer that they have opened, or the customers of a list. */
export interface Watch {
  key: string
  /** The customer or organization. */
  id: string
  visibility: string
  parts: readonly Part[]
  isOpened: boolean
  /** Counts that other replicas tell are not enough. */
  needsOwn: boolean
  /** Its counts are stored, for all replicas. */
  stores: boolean
  shown: readonly CustomerKinds[]
  /** The customers of `shown`. */
  customers: readonly WatchedCustomer[]
  presences: Set<Presence>
  progress: Map<Part, Progress>
  /** Until it is looked at again; none while nobody is present. */
  timer: NodeJS.Timeout | undefined
  /** Customers that are read before the others. */
  first: ReadonlySet<string>
  /** Older readings are read again. */
  notBefore: number
  /** When it began, in milliseconds since 1970. */
  since: number
  /** Since when its viewers have been told that it is late. */
  lateSince: number | undefined
  /** When its counts were stored. */
  storedAt: number | undefined
  /** Whether counts have been read since. */
  hasUnstored: boolean
}

export interface WatchRow {
  /** Names what is looked at, for example `list 1`. */
  name: string
  id: string
  parts: readonly Part[]
  isOpened?: boolean
  needsOwn?: boolean
  stores?: boolean
  /** The interval of the reads of a live part. */
  intervalMs: number
}

/** Names a customer or an organization as seen with one visibility. */
export const keyOf = (id: string, visibility: string) => `${id} ${visibility}`

export type Presences = ReturnType<typeof createPresences>

/** @param clock in milliseconds since 1970 @param onLeft called when the last viewer of a watch has left */
export function createPresences(clock: () => number, onLeft: (watch: Watch) => void) {
  const watches = new Map<string, Watch>()
  const customers = new Map<string, WatchedCustomer>()
  /** Callers without a stream, by watch and user. */
  const callers = new Map<string, { presence: Presence; timer: NodeJS.Timeout }>()

  function watchOf({ name, id, parts, intervalMs, ...row }: WatchRow, visibility: string): Watch {
    const key = keyOf(name, visibility)
    const watch = watches.get(key) ?? {
      key,
      id,
      visibility,
      parts,
      isOpened: row.isOpened ?? false,
      needsOwn: row.needsOwn ?? false,
      stores: row.stores ?? false,
      shown: [],
      customers: [],
      presences: new Set(),
      progress: new Map(
        parts.map((part) => [
          part,
          {
            interval: createReadInterval(intervalMs),
            startedAt: Number.NEGATIVE_INFINITY,
            runningCount: 0,
            isRetrying: false
          }
        ])
      ),
      timer: undefined,
      first: new Set<string>(),
      notBefore: Number.NEGATIVE_INFINITY,
      since: clock(),
      lateSince: undefined,
      storedAt: undefined,
      hasUnstored: false
    }
    watches.set(key, watch)
    return watch
  }

  function customerOf(customerId: string, visibility: string): WatchedCustomer {
    const key = keyOf(customerId, visibility)
    const customer = customers.get(key) ?? createCustomer(key, customerId, visibility)
    customers.set(key, customer)
    return customer
  }

  function leave(watch: Watch, presence: Presence): void {
    watch.presences.delete(presence)
    if (watch.presences.size > 0) return
    clearTimeout(watch.timer)
    watch.timer = undefined
    onLeft(watch)
    setTimeout(() => {
      if (watch.presences.size > 0 || watches.get(watch.key) !== watch) return
      show(watch, [])
      watches.delete(watch.key)
    }, LINGER_MS).unref()
  }

  /** Says which customers a watch has now. Returns whether they are others than before. */
  function show(watch: Watch, shown: readonly CustomerKinds[]): boolean {
    if (shown === watch.shown) return false
    const removed = new Set(watch.customers)
    watch.shown = shown
    watch.customers = shown.map(({ customerId }) => customerOf(customerId, watch.visibility))
    for (const customer of watch.customers) {
      customer.watches.add(watch)
      removed.delete(customer)
    }
    for (const customer of removed) {
      customer.watches.delete(watch)
      if (customer.watches.size === 0) customers.delete(customer.key)
    }
    return true
  }

  return {
    customer: (key: string) => customers.get(key),
    customers: () => customers.values(),
    watches: () => watches.values(),
    show,
    /** Enters a viewer with a stream. Returns the watch, and the function that leaves it. */
    enter(
      row: WatchRow,
      caller: Caller,
      onChange: Presence['onChange']
    ): { watch: Watch; leave: () => void } {
      const watch = watchOf(row, visibilityOf(caller))
      const presence = { viewer: { ...caller }, onChange, hasEnded: false }
      watch.presences.add(presence)
      return { watch, leave: () => leave(watch, presence) }
    },
    /** Enters a caller without a stream for a minute. */
    call(row: WatchRow, caller: Caller): Watch {
      const watch = watchOf(row, visibilityOf(caller))
      const key = `${watch.key} ${caller.user.id}`
      const known = callers.get(key)
      clearTimeout(known?.timer)
      const presence = known?.presence ?? {
        viewer: { ...caller },
        onChange: () => {},
        hasEnded: false
      }
      // The token of the newest call.
      Object.assign(presence, { viewer: { ...caller }, hasEnded: false })
      watch.presences.add(presence)
      const timer = setTimeout(() => {
        callers.delete(key)
        leave(watch, presence)
      }, CALLED_MS).unref()
      callers.set(key, { presence, timer })
      return watch
    }
  }
}

function createCustomer(key: string, customerId: string, visibility: string): WatchedCustomer {
  const parts = Object.fromEntries(
    PART_NAMES.map((part): [Part, PartState] => [
      part,
      {
        running: undefined,
        isSlow: false,
        triedAt: Number.NEGATIVE_INFINITY,
        leftUntil: { opened: Number.NEGATIVE_INFINITY, 'in a list': Number.NEGATIVE_INFINITY },
        deniedAt: undefined,
        isFailing: false,
        changeId: undefined
      }
    ])
  ) as Record<Part, PartState>
  return { key, customerId, visibility, watches: new Set(), parts }
}

/** Whether somebody looks at it whose rights have not ended. */
export function isPresent({ presences }: Watch): boolean {
  for (const { hasEnded } of presences) if (!hasEnded) return true
  return false
}

/** Everybody who sees a part of the customer, those who have opened it first. */
export function* presencesOf({ watches }: WatchedCustomer, part: Part): Generator<Presence> {
  const showing = [...watches].filter(({ parts }) => parts.includes(part))
  for (const watch of showing) if (watch.isOpened) yield* watch.presences
  for (const watch of showing) if (!watch.isOpened) yield* watch.presences
}
