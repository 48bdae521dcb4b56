// Reads what screens show of many customers in the background, once for all viewers of equal visibility, while somebody looks.
// Streams and calls say here what they show, and get what is known.
import { randomUUID } from 'node:crypto'
import type { CustomerAttention } from '#shared/answers/portal.ts'
import { ATTENTION_KINDS } from '#shared/attention.ts'
import { problems } from '../../errors.ts'
import type { Caller, Change, Notes } from '../../types.ts'
import { type Viewer, visibilityOf } from '../../upstreams/visibility.ts'
import { countsOf, withLast } from '../attention/counts.ts'
import type { AlarmReading } from './alarm-reading.ts'
import type { Readings } from './customer-readings.ts'
import type { CustomerKinds } from './next-customer.ts'
import { COUNTED_PARTS, kindsOf, PART_NAMES, PARTS, type Part, type PartServices } from './parts.ts'
import {
  createPresences,
  isPresent,
  keyOf,
  presencesOf,
  type Watch,
  type WatchedCustomer
} from './presence.ts'
import { createReadings } from './readings.ts'
import { createSchedule } from './schedule.ts'
import type { Share } from './share.ts'
import { createStoredCounts } from './stored-counts.ts'

/** Readings are late when the newest of what is shown is older than this number of intervals. */
const LATE_INTERVALS = 2
const CHECK_LATE_MS = 1_000
/** How often counts are stored while they are read. */
const STORE_EVERY_MS = 10_000

/** The latest reading of a customer's alarms, and its failures. */
export interface AlarmState {
  /** The same object while its tag is equal. */
  reading: AlarmReading | undefined
  /** When they were last read, in milliseconds since 1970. */
  readAt: number | undefined
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

interface CountsOptions {
  /** Older counts are read again. */
  maxAgeMs?: number
  /** Ids of customers to read before the others. Without them, those of the previous call stay first. */
  first?: readonly string[] | undefined
}

interface Options extends PartServices {
  share: Share
  notes: Notes
  /** Maximum number of connections to each API. */
  connections: number
  /** Interval of the reads of an opened customer. */
  pollMs: number
  /** Interval of the reads of a list. */
  turnMs: number
  /** Called when counts of a customer may have changed. */
  onCount: (customerId: string) => void
}

export type Reader = ReturnType<typeof createReader>

export function createReader(options: Options) {
  const { clock, share, pollMs, turnMs, onCount } = options
  const closing = new AbortController()
  const readings = createReadings({ ...options, closing: closing.signal })
  const presences = createPresences(clock, (watch) => {
    schedule.release(watch)
    if (watch.stores) void storeCounts(watch)
  })
  const schedule = createSchedule({
    readings,
    presences,
    share,
    clock,
    pollMs,
    closing: closing.signal,
    onRead(customer, part, hasChanged) {
      if (part !== 'alarms') noteCounts(customer)
      else if (hasChanged) notify(customer)
    },
    onIdle(watch) {
      if (watch.hasUnstored) void storeCounts(watch)
    }
  })
  const storedCounts = createStoredCounts(options.notes, clock)
  const shownAlarms = new WeakMap<readonly string[], readonly CustomerKinds[]>()
  const lateness = setInterval(noticeLate, CHECK_LATE_MS).unref()

  const openedRow = (id: string) =>
    ({ name: `customer ${id}`, id, parts: ['alarms'], isOpened: true, intervalMs: pollMs }) as const
  const alarmListRow = (id: string) =>
    ({ name: `alarms of ${id}`, id, parts: ['alarms'], intervalMs: turnMs }) as const
  const countsRow = (id: string) =>
    ({ name: `counts of ${id}`, id, parts: COUNTED_PARTS, stores: true, intervalMs: 0 }) as const
  const plansRow = (id: string) =>
    ({ name: `plans of ${id}`, id, parts: COUNTED_PARTS, needsOwn: true, intervalMs: 0 }) as const
  const rowsRow = (id: string, parts: readonly Part[]) =>
    ({ name: `${parts.at(-1)} rows of ${id}`, id, parts, needsOwn: true, intervalMs: 0 }) as const

  /** One object for each list of ids. */
  function alarmsOfCustomers(customerIds: readonly string[]): readonly CustomerKinds[] {
    const shown =
      shownAlarms.get(customerIds) ??
      customerIds.map((customerId): CustomerKinds => ({ customerId, kinds: ['alarms'] }))
    shownAlarms.set(customerIds, shown)
    return shown
  }

  function notify(customer: WatchedCustomer): void {
    for (const { onChange } of presencesOf(customer, 'alarms')) onChange(customer.customerId)
  }

  function noteCounts({ customerId, watches }: WatchedCustomer): void {
    for (const watch of watches) {
      if (!watch.stores) continue
      watch.hasUnstored = true
      if (watch.storedAt === undefined || clock() - watch.storedAt >= STORE_EVERY_MS) void storeCounts(watch)
    }
    onCount(customerId)
  }

  /** Loads the counts that any replica has stored, for customers without readings. */
  async function loadStoredCounts(watch: Watch): Promise<void> {
    const customers = watch.customers.filter(({ key }) => readings.shared(key) === undefined)
    if (customers.length === 0) return
    const last = await storedCounts.read({ organizationId: watch.id, visibility: watch.visibility })
    for (const { key, customerId } of customers) readings.setLast(key, last.get(customerId))
  }

  async function storeCounts(watch: Watch): Promise<void> {
    watch.storedAt = clock()
    watch.hasUnstored = false
    const counts = new Map<string, CustomerAttention['counts']>()
    for (const { customerId, key } of watch.customers) {
      const known = readings.shared(key)
      const { counts: current } = countsOf(known, ATTENTION_KINDS)
      if (known) counts.set(customerId, withLast(current, known.last))
    }
    await storedCounts.write({ organizationId: watch.id, visibility: watch.visibility }, counts)
  }

  /** Since when the newest reading of what a watch shows is too old. */
  function lateSince(watch: Watch): number | undefined {
    if (watch.customers.length === 0) return undefined
    let newest = watch.since
    for (const { key } of watch.customers)
      newest = Math.max(newest, readings.shared(key)?.alarms?.readAt ?? newest)
    return isOverdue(newest) ? newest : undefined
  }

  const isOverdue = (sinceMs: number) => clock() - sinceMs > LATE_INTERVALS * pollMs

  /**
   * Since when the alarms of a customer are late: if it is opened or fails, by its own reading; otherwise by the newest reading
   * of its list.
   */
  function delayOf(customer: WatchedCustomer): number | undefined {
    const watches = [...customer.watches].filter((watch) => watch.parts.includes('alarms'))
    const begun = Math.min(...watches.map(({ since }) => since))
    const since = readings.shared(customer.key)?.alarms?.readAt ?? begun
    if (!isOverdue(since)) return undefined
    const isOpened = watches.some((watch) => watch.isOpened && isPresent(watch))
    if (isOpened || customer.parts.alarms.isFailing) return since
    for (const watch of watches) if (watch.lateSince !== undefined) return watch.lateSince
    return undefined
  }

  /** Tells viewers when what they see becomes late, and when it no longer is. */
  function noticeLate(): void {
    for (const watch of presences.watches()) {
      if (!watch.parts.includes('alarms') || watch.presences.size === 0) continue
      const wasLate = watch.lateSince !== undefined
      watch.lateSince = lateSince(watch)
      if (wasLate === (watch.lateSince !== undefined)) continue
      for (const { onChange } of watch.presences) onChange()
    }
  }

  /** Reads first what a change concerns. */
  function applyChange({ id, customerId, change }: { id: string; customerId: string; change: Change }): void {
    const parts = PART_NAMES.filter((part) => PARTS[part].changesWith.includes(change))
    for (const key of readings.keysOf(customerId)) {
      readings.change(key, parts)
      const customer = presences.customer(key)
      if (customer === undefined) continue
      for (const part of parts) customer.parts[part].changeId = id
      for (const watch of customer.watches) schedule.step(watch)
    }
  }
  share.onChange(applyChange)

  function watchAlarms(organizationId: string, caller: Caller, customerIds: readonly string[]): Watch {
    const watch = presences.call(alarmListRow(organizationId), caller)
    const isChanged = presences.show(watch, alarmsOfCustomers(customerIds))
    // A step goes through all customers, which is too much for each of many calls.
    if (isChanged || watch.timer === undefined) schedule.step(watch)
    return watch
  }

  return {
    /** Watches the alarms of a customer. Returns the function that stops it. */
    watchCustomer(customerId: string, viewer: Caller, onChange: () => void): () => void {
      const { watch, leave } = presences.enter(openedRow(customerId), viewer, onChange)
      if (watch.customers.length === 0) presences.show(watch, [{ customerId, kinds: ['alarms'] }])
      schedule.step(watch)
      return leave
    },
    /**
     * Watches the alarms of the customers of an organization, which `update` names.
     * @param onChange called with the customer that has changed, or without if any may have
     */
    watchCustomers(
      organizationId: string,
      viewer: Caller,
      onChange: (customerId?: string) => void
    ): ListWatching {
      const { watch, leave } = presences.enter(alarmListRow(organizationId), viewer, onChange)
      return {
        update(customerIds) {
          presences.show(watch, alarmsOfCustomers(customerIds))
          schedule.step(watch)
        },
        stop: leave
      }
    },
    /**
     * Watches the alarms of the customers of an organization for a minute, for a caller without a stream. Resolves when alarms
     * are read of which another replica has told only the counts, or after a second.
     */
    async callForAlarms(
      organizationId: string,
      caller: Caller,
      customerIds: readonly string[]
    ): Promise<void> {
      await schedule.readOutdated(watchAlarms(organizationId, caller, customerIds))
    },
    /**
     * Reads the counts of the customers of an organization for a minute. Resolves when the stored counts are loaded.
     * @param alarmIds the customers whose alarms the caller may see
     */
    async callForCounts(
      organizationId: string,
      caller: Caller,
      customers: readonly CustomerKinds[],
      alarmIds: readonly string[],
      { maxAgeMs = Number.POSITIVE_INFINITY, first }: CountsOptions = {}
    ): Promise<void> {
      const watch = presences.call(countsRow(organizationId), caller)
      const isNew = watch.shown.length === 0
      presences.show(watch, customers)
      watch.notBefore = Math.max(watch.notBefore, clock() - maxAgeMs)
      watch.storedAt = undefined
      if (first) watch.first = new Set(first)
      if (isNew) await loadStoredCounts(watch)
      schedule.step(watch)
      watchAlarms(organizationId, caller, alarmIds)
    },
    /** Reads the usage of the plans of a customer for a minute, with the devices. */
    callForPlans(customerId: string, caller: Caller): void {
      const watch = presences.call(plansRow(customerId), caller)
      if (watch.customers.length === 0) presences.show(watch, [{ customerId, kinds: kindsOf('plans') }])
      schedule.step(watch)
    },
    /**
     * Reads the rows of a part of the customers of an organization for a minute, also those of which another replica has told
     * only the counts.
     * @param customers the same object for callers of equal visibility @param first a customer to read before the others
     */
    callForRows(
      organizationId: string,
      caller: Caller,
      part: Exclude<Part, 'alarms'>,
      customers: readonly CustomerKinds[],
      first?: string
    ): void {
      const parts: readonly Part[] = part === 'services' ? [part] : ['services', part]
      const watch = presences.call(rowsRow(organizationId, parts), caller)
      const isChanged = presences.show(watch, customers)
      const isFirst = first !== undefined && !watch.first.has(first)
      if (isFirst) watch.first = new Set([first])
      // A step goes through all customers, which is too much for each of many calls.
      if (isChanged || isFirst || watch.timer === undefined) schedule.step(watch)
    },
    /** The state of a customer's alarms, without what the viewer may not see. */
    alarmsOf(customerId: string, viewer: Pick<Viewer, 'user'>): AlarmState {
      const key = keyOf(customerId, visibilityOf(viewer))
      const failure = readings.failureOf(key, 'alarms', viewer)
      const customer = presences.customer(key)
      return {
        ...alarmStateOf(readings.of(customerId, viewer)),
        delayedSince: failure?.at ?? (customer && delayOf(customer)),
        isRefused: failure?.isRefusal === true
      }
    },
    /** Returns a function that finds the readings of a customer for this viewer, if any. */
    readingsFor:
      (viewer: Pick<Viewer, 'user'>) =>
      (customerId: string): Readings | undefined =>
        readings.of(customerId, viewer),
    /** Reads again what a change of a customer concerns, on every replica. */
    changed(customerId: string, change: Change): void {
      const made = { id: randomUUID(), customerId, change }
      applyChange(made)
      share.publishChange(made)
    },
    /** Number of watched customers whose alarms are read less often than they should. */
    get lateCount(): number {
      return [...presences.customers()].filter((customer) => delayOf(customer) !== undefined).length
    },
    close(): void {
      clearInterval(lateness)
      closing.abort(problems.clientGone())
      share.close()
    }
  }
}

function alarmStateOf(readings: Readings | undefined): AlarmState {
  const { reading, readAt } = readings?.alarms ?? {}
  return { reading, readAt, delayedSince: undefined, isRefused: false }
}
