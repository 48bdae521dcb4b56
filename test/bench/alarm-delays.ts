// Raises alarms at the upstream and measures how long their events take to arrive at open streams.
import { setTimeout as wait } from 'node:timers/promises'
import type { Program } from './program.ts'
import type { Arrival } from './programs/streams.ts'
import type { Scene } from './scene.ts'

export interface AlarmSources {
  scene: Pick<Scene, 'inventory'>
  /** Its streams are open, and each customer has been read once. */
  streams: Program
}

interface Times {
  raisingSeconds: number
  /** Time for the last events to arrive. */
  arrivingSeconds: number
}

/**
 * Raises the alarms one after another. Returns the delay in milliseconds of each that all streams that show its customer have
 * received.
 */
export async function raiseAlarms(
  { scene, streams }: AlarmSources,
  customerIds: readonly string[],
  { raisingSeconds, arrivingSeconds }: Times
): Promise<number[]> {
  const begin = await streams.ask<{ arrivals: Arrival[] }>('arrivals')
  const known = new Map(begin.arrivals.map(({ customerId, count }) => [customerId, count]))
  const raised: { customerId: string; count: number; at: number }[] = []
  for (const customerId of customerIds) {
    // Each alarm counts twice, see programs/inventory-upstream.ts.
    const count = (known.get(customerId) ?? 0) + 2
    known.set(customerId, count)
    raised.push({ customerId, count, at: Date.now() })
    await scene.inventory.ask('raise', { customer: customerId })
    await wait((raisingSeconds * 1000) / customerIds.length)
  }
  await wait(arrivingSeconds * 1000)
  const { arrivals } = await streams.ask<{ arrivals: Arrival[] }>('arrivals')
  return raised.flatMap(({ customerId, count, at }) => {
    const isOfCustomer = (arrival: Arrival) => arrival.customerId === customerId
    const showing = new Set(begin.arrivals.filter(isOfCustomer).map(({ stream }) => stream))
    const received = arrivals.filter((arrival) => isOfCustomer(arrival) && arrival.count >= count)
    const firstAt = [...showing].map((number) => received.find(({ stream }) => stream === number)?.at)
    const lastAt = Math.max(...firstAt.map((time) => time ?? Number.POSITIVE_INFINITY))
    return Number.isFinite(lastAt) ? lastAt - at : []
  })
}
