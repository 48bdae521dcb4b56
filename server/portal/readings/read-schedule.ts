// Decides when customers are read: one that somebody has opened every few seconds; those of a list in turns.
import type { Clock } from '../../types.ts'
import type { SharedReadings } from './shared-readings.ts'
import { nextCustomers, outcomeOfTurn, remainingMs } from './turns.ts'
import type { WatchedCustomer, WatchedList } from './watched-customers.ts'

interface Options {
  readings: SharedReadings
  clock: Clock
  /** Interval of the reads of an opened customer. */
  pollMs: number
  /** Ends all reads. */
  closing: AbortSignal
}

export type ReadSchedule = ReturnType<typeof createReadSchedule>

export function createReadSchedule({ readings, clock, pollMs, closing }: Options) {
  /** Reads an opened customer again and again, until its last viewer leaves. */
  function scheduleRead(customer: WatchedCustomer): void {
    if (customer.timer !== undefined || customer.openedBy.size === 0 || closing.aborted) return
    const waitMs = remainingMs(customer.triedAt, customer.interval.ms, performance.now())
    customer.timer = setTimeout(async () => {
      if (customer.openedBy.size > 0) customer.interval.adapt(await readings.read(customer))
      customer.timer = undefined
      scheduleRead(customer)
    }, waitMs).unref()
  }

  /** Lets the customers of a list take turns, until its last viewer leaves. */
  function scheduleTurn(list: WatchedList, waitMs: number): void {
    if (list.isRunning || list.timer !== undefined || list.openedBy.size === 0 || closing.aborted) return
    list.timer = setTimeout(() => void takeTurn(list), waitMs).unref()
  }

  async function takeTurn(list: WatchedList): Promise<void> {
    const startedAt = performance.now()
    const customers = nextCustomers(list.customers, {
      hasReading: readings.has,
      nowMs: startedAt,
      freshMs: pollMs
    })
    list.timer = undefined
    list.isRunning = true
    const outcomes = await Promise.all(customers.map(readings.read))
    list.isRunning = false
    list.interval.adapt(outcomeOfTurn(outcomes))
    updateDelay(list)
    const areFirst = customers.length > 1 && !list.interval.isLate
    scheduleTurn(list, areFirst ? 0 : remainingMs(startedAt, list.interval.ms, performance.now()))
  }

  /** Customers that have to wait for their turn longer than they should are late too. */
  function updateDelay(list: WatchedList): void {
    const wasLate = list.delayedSince !== undefined
    if (list.interval.isLate === wasLate) return
    list.delayedSince = list.interval.isLate ? clock() : undefined
    for (const { onChange } of list.openedBy) onChange()
  }

  return { scheduleRead, scheduleTurn }
}
