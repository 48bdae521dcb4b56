// Word of changed customers by Redis publish, on one node, with Sentinel or in a Cluster alike.
import { randomUUID } from 'node:crypto'
import { Cluster, type Redis } from 'ioredis'
import type { Log } from '../types.ts'
import type { Invalidations } from './invalidations.ts'

const CHANNEL = 'portal:inventory-changed'

/**
 * Listens over a connection of its own, which comes back by itself; while it is away nothing is heard. `redis` is used
 * to tell, and stays the caller's to close.
 */
export async function createRedisInvalidations(redis: Redis | Cluster, log: Log): Promise<Invalidations> {
  const here = randomUUID()
  const listeners: ((customerId: string) => void)[] = []
  const own = { lazyConnect: true }
  const hearing = redis instanceof Cluster ? redis.duplicate(undefined, own) : redis.duplicate(own)
  hearing.on('error', () => {})
  hearing.on('message', (_channel: string, message: string) => {
    const [from, customerId = ''] = message.split(' ')
    if (from !== here) for (const listener of listeners) listener(customerId)
  })
  // Subscribes with every connection that is made; the first one must hold.
  await hearing.connect()
  await hearing.subscribe(CHANNEL)
  return {
    publish(customerId) {
      redis.publish(CHANNEL, `${here} ${customerId}`).catch((err) => {
        log.warn({ err }, 'a change could not be told to other replicas: they notice it within half a minute')
      })
    },
    onChange: (listener) => void listeners.push(listener),
    close: async () => hearing.disconnect()
  }
}
